from pegboard import Toolset, tool_method


class Fallback(Toolset):
    @tool_method
    def fallback(self) -> str:
        return "base"


class Failing(Fallback):
    def __init__(self) -> None:
        raise ConnectionError("no server")
