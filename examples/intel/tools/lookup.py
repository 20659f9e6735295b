"""One sync tool: looks one indicator up."""

import typing as t

from feed import verdict

from pegboard import tool


@tool
def lookup_indicator(
    indicator: t.Annotated[str, "IP, domain, or hash to investigate"],
) -> dict[str, str]:
    """Look up an indicator in an intel source."""
    return {"indicator": indicator, "verdict": verdict(indicator)}
