from pegboard import Toolset, tool_method


class Memory(Toolset):
    def __init__(self) -> None:
        self.seen: list[str] = []

    @tool_method
    def remember(self, text: str) -> int:
        self.seen.append(text)
        return len(self.seen)
