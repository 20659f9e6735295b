from pegboard import tool
from pydantic import NotAName


@tool
def name_less() -> str:
    return "never"
