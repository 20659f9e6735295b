from pegboard import tool


@tool
def interrupting() -> str:
    return "never"


raise KeyboardInterrupt
