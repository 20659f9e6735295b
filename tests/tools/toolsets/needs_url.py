from pegboard import Toolset, tool, tool_method


class NeedsUrl(Toolset):
    url: str

    @tool_method
    def get(self) -> str:
        return self.url


@tool
def beside_needs_url() -> str:
    return "ok"
