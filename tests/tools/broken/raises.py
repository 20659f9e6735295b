"""A file that fails while it is imported."""

raise RuntimeError("no")
