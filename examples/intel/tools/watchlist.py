"""A toolset: its tools share one instance, whose state lives as long as the host."""

import typing as t

from feed import verdict

from pegboard import Toolset, tool_method

Severity = t.Literal["low", "high"]


class Watchlist(Toolset):
    """Indicators that somebody wants to hear about."""

    def __init__(self) -> None:
        self.watched: dict[str, Severity] = {}

    @tool_method
    def watch(
        self,
        indicator: t.Annotated[str, "Indicator to put on the list"],
        severity: t.Annotated[Severity, "How much it matters"] = "low",
    ) -> str:
        """Put an indicator on the watchlist."""
        self.watched[indicator] = severity
        return f"{len(self.watched)} watched"

    @tool_method
    def report(self) -> list[dict[str, str]]:
        """Tell the verdict on every watched indicator."""
        return [
            {"indicator": indicator, "severity": severity, "verdict": verdict(indicator)}
            for indicator, severity in self.watched.items()
        ]
