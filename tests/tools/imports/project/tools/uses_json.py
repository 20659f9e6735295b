import json

from pegboard import tool


@tool
def decode() -> dict[str, int]:
    return json.loads('{"a": 1}')
