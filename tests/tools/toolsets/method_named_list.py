from pegboard import Toolset, tool_method


class T(Toolset):
    @tool_method
    def list(self) -> str:
        return "listed"

    @tool_method
    def add(self, xs: list[int]) -> int:
        return sum(xs)

    @tool_method
    def str(self, given: str) -> str:
        return given
