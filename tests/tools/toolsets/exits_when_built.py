import sys

from pegboard import Toolset, tool_method


class Leaves(Toolset):
    def __init__(self) -> None:
        sys.exit(3)

    @tool_method
    def left(self) -> str:
        return "never"
