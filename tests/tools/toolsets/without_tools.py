from pegboard import Toolset, tool


class Settings(Toolset):
    token: str


@tool
def beside_settings() -> str:
    return "ok"
