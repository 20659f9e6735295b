from pegboard import tool


@tool
def underscored() -> str:
    return __file__
