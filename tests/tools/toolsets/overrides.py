from pegboard import Toolset, tool_method


class Full(Toolset):
    @tool_method
    def kept(self) -> str:
        return "kept"

    @tool_method
    def undecorated(self) -> str:
        return "base"

    @tool_method
    def taken_away(self) -> str:
        return "base"


class Partial(Full):
    taken_away = None

    def undecorated(self) -> str:
        return "override"
