from pegboard import Toolset, tool_method


class Files(Toolset):
    variant: str | None = "read"

    @tool_method(variants=["read", "all"])
    def look(self) -> str:
        return "looked"

    @tool_method(variants=["write", "all"])
    def change(self) -> str:
        return "changed"

    @tool_method
    def plain(self) -> str:
        return "plain"
