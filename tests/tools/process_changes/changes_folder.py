import os

from pegboard import tool

os.chdir("/")


@tool
def moved() -> str:
    return "ok"
