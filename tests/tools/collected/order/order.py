from pegboard import Tool, Toolset, tool, tool_method


@tool
def zebra() -> str:
    return "z"


class Middle(Toolset):
    @tool_method
    def second(self) -> str:
        return "2"

    @tool_method
    def first(self) -> str:
        return "1"


apple = Tool(lambda: "a", name="apple")
again = zebra


@tool
def banana() -> str:
    return "b"
