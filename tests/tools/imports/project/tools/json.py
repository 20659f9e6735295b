"""Named like a module of the standard library, which must go on working."""

import json as standard

from pegboard import tool


@tool
def encode() -> str:
    return standard.dumps({"a": 1})
