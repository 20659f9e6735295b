import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "vendored"))

import only_vendored
from pegboard import tool


@tool
def vendored() -> str:
    return only_vendored.NAME


@tool
def vendored_later() -> str:
    import only_vendored_later

    return only_vendored_later.NAME
