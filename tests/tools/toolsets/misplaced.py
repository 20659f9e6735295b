from pegboard import Toolset, tool, tool_method


class Plain:
    @tool
    def on_plain_class(self, a: int) -> int:
        return a


class PlainMethods:
    @tool_method
    def method_on_plain_class(self, a: int) -> int:
        return a


class ClassMethods:
    @tool
    @classmethod
    def over_classmethod(cls, a: int) -> int:
        return a


class Set(Toolset):
    @tool
    def tool_in_toolset(self, a: int) -> int:
        return a

    @staticmethod
    @tool_method
    def static(a: int) -> int:
        return a

    @tool_method
    def right(self) -> int:
        return 1


@tool_method
def method_in_module(self, a: int) -> int:
    return a
