"""A model that answers from a script, in the shape of its provider and with the provider's checks.

It stands where a provider's client would: the loop sends it what it would send to the provider.
"""

import json
from pathlib import Path
from typing import Any

from pegboard import Call

SCRIPTS = Path(__file__).parent / "script"


class ScriptedModel:
    """Answers each request with the next answer of its script."""

    def __init__(self, provider: str) -> None:
        """Read the script of a provider: `openai` or `anthropic`."""
        script = json.loads((SCRIPTS / f"{provider}.json").read_text(encoding="utf-8"))
        self.answers = iter(script)
        self.read = Call.from_openai if provider == "openai" else Call.from_anthropic
        self.open_calls: set[str | None] = set()

    def create(self, *, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> dict[str, Any]:
        """Answer a request; like a provider, it refuses one that leaves a call unanswered."""
        missing = self.open_calls - set(answered_ids(messages))
        if missing:
            raise ValueError(f"400: these calls have no result: {missing}")
        if not tools:
            raise ValueError("400: there are no tools to call")
        answer: dict[str, Any] = next(self.answers)
        self.open_calls = {call.call_id for call in self.read(answer)}
        return answer


def answered_ids(messages: list[dict[str, Any]]) -> list[str | None]:
    """The ids of the calls that a request answers."""
    ids = [message.get("tool_call_id") for message in messages if message["role"] == "tool"]
    for message in messages:
        if isinstance(message["content"], list):
            ids += [block.get("tool_use_id") for block in message["content"]]
    return ids
