from pegboard import tool


@tool(
    name="broken_by_name",
)
def broken(a: int) -> int:
    return a


@tool
async def unfinished(:
