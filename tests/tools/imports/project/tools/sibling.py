from helper import K
from pegboard import tool


@tool
def sibling() -> int:
    return K


@tool
def sibling_inside_the_function() -> int:
    import helper

    return helper.K
