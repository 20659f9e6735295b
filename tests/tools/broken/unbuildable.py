"""A toolset that cannot be built."""

from pegboard import Toolset, tool_method


class Unbuildable(Toolset):
    """Fails in its constructor."""

    def __init__(self) -> None:
        """Fail."""
        raise ValueError("no")

    @tool_method
    def never(self) -> str:
        """Never be called."""
        return ""
