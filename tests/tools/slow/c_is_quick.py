from pegboard import tool


@tool
def quick() -> str:
    return "ok"
