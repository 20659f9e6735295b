from pegboard import Toolset, tool, tool_method


@tool(timeuot=5)
def misspelt() -> str:
    return "still callable"


STILL_CALLABLE = misspelt()


@tool(truncate=0)
def too_small() -> str:
    return ""


@tool(catch="ValueError")
def catches_text() -> str:
    return ""


@tool("by position")
def by_position() -> str:
    return ""


@tool(parameters={"type": "array"})
def no_object(xs: list[int]) -> str:
    return ""


@tool(name="")
def unnamed() -> str:
    return ""


@tool(variants=["a"])
def variants_of_a_function() -> str:
    return ""


class T(Toolset):
    @tool_method(max_calls_per_run=True)
    def wrong_count(self) -> str:
        return ""

    @tool_method(max_calls_per_run=2)
    def right(self) -> str:
        return ""


@tool
def untouched() -> str:
    return STILL_CALLABLE
