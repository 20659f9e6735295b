import pydantic.not_a_module
from pegboard import tool


@tool
def submodule_less() -> str:
    return "never"
