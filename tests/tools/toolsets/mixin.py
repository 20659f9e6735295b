from pegboard import Toolset, tool_method


class Mixin:
    @tool_method
    def mixed_in(self) -> str:
        return type(self).__name__


class Mixed(Mixin, Toolset):
    pass
