"""A file that needs a package that nobody has."""

import package_that_nobody_has
from pegboard import tool


@tool
def needs_package() -> str:
    """Never get this far."""
    return package_that_nobody_has.answer()
