import time

from pegboard import tool


@tool
def late() -> str:
    return "never"


time.sleep(60)
