import sys

from pegboard import tool


@tool
def guarded() -> str:
    return "ok"


if __name__ == "__main__":
    sys.exit(9)
