from abc import ABC, abstractmethod

from pegboard import Toolset, tool_method


class Abstract(Toolset, ABC):
    @tool_method
    def concrete(self) -> str:
        return self.detail()

    @abstractmethod
    def detail(self) -> str: ...


class Concrete(Abstract):
    def detail(self) -> str:
        return "detail"
