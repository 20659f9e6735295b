from helper import K
from pegboard import tool


@tool
def namesake() -> int:
    return K


@tool
def namesake_inside_the_function() -> int:
    import helper

    return helper.K
