import os

import pegboard_needs_this_missing_package
from pegboard import tool


@tool
def dependent() -> str:
    return "never"
