from pegboard import Toolset, tool_method


class Counter(Toolset):
    n: int = 0

    @tool_method
    def inc(self, by: int) -> int:
        self.n += by
        return self.n
