import json

from pegboard import tool

SETTINGS = json.loads("not json")


@tool
def unset() -> str:
    return "never"
