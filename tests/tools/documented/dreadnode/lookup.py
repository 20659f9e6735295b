"""A typed function, and one whose output is cut."""

import typing as t

from dreadnode import tool


@tool
def lookup_indicator(
    indicator: t.Annotated[str, "IP address, domain or hash"],
    source: t.Literal["local", "remote"] = "local",
    limit: t.Optional[int] = None,  # noqa: UP045 - as many files write it
) -> dict[str, str]:
    """Tell what is known of an indicator."""
    return {"indicator": indicator, "verdict": "unknown", "source": f"{source} {limit}"}


@tool(truncate=40)
def list_files(count: int) -> str:
    """Name that many files."""
    return "\n".join(f"file-{number}.txt" for number in range(count))
