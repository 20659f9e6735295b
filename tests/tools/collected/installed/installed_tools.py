from pegboard import tool


@tool
def installed() -> str:
    return "installed"


@tool
def other_installed() -> str:
    return "other"
