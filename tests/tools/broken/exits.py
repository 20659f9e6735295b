"""A file that leaves while it is imported."""

import sys

sys.exit(5)
