from pegboard import Toolset, tool_method


class NeedsArgument(Toolset):
    def __init__(self, key: str, region: str = "eu") -> None:
        self.key = key

    @tool_method(name="named_argument_tool")
    def run(self) -> str:
        return self.key
