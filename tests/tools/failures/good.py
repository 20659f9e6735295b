from pegboard import tool


@tool
def good() -> str:
    return "ok"
