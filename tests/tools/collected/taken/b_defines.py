from pegboard import tool


@tool
def from_b() -> str:
    return "b"
