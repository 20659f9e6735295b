from pegboard import tool


@tool
def dotted() -> str:
    return __name__.rpartition(".")[2]
