from importlib import import_module

from pegboard import tool


@tool
def dashed() -> int:
    return import_module(".other-dash", __package__).VALUE
