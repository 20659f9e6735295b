from pegboard import Tool, tool


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


@tool
def unprintable() -> str:
    return "never"


named = Tool(lambda: None, name="named_by_call")

raise Unprintable
