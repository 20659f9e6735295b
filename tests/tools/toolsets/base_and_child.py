from pegboard import Toolset, tool_method


class Base(Toolset):
    @tool_method
    def who(self) -> str:
        return "base"

    @tool_method
    def inherited(self) -> str:
        return f"inherited by {self.who()}"


class Child(Base):
    @tool_method
    def who(self) -> str:
        return "child"
