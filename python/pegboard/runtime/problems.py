"""Owns putting what pydantic says about arguments into problems that a model can act on.

Must not guess what was meant; near names and repairs are the host's.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import ErrorDetails, ValidationError

from .numbers import EXACT

__all__ = ["ArgumentsRefused", "from_validation_error", "read"]

_LONGEST_VALUE = 40

_CODES = {
    "missing_keyword_only_argument": "missing_argument",
    "missing_positional_only_argument": "missing_argument",
}
"""Arguments go by name, whatever the kind of the parameter."""

_MESSAGES = {
    "arguments_type": "The arguments must be a JSON object.",
    "missing_argument": "This parameter is required.",
    "missing": "This field is required.",
    "unexpected_keyword_argument": "There is no such parameter.",
    "extra_forbidden": "There is no such field.",
}


class ArgumentsRefused(ValueError):  # noqa: N818 - not an error of the program but an answer to the model
    """Arguments that do not fit, as a validator of a dialect's own judges them.

    The text is the whole answer for the model, in the dialect's words; `problems` are its parts.
    """

    def __init__(self, answer: str, problems: list[dict[str, str]]) -> None:
        """Each problem has `pointer`, `code` and `message`, as the host's problems have them."""
        super().__init__(answer)
        self.problems = problems


def read(error: BaseException) -> bytes | None:
    """What a validator's exception says about the arguments, as JSON `{"answer": …, "problems": […]}`.

    `answer` is the whole text for the model where a dialect has words of its own, else null. `None` stands
    for an exception that says nothing about arguments, such as a fault in an author's own validator.
    """
    if isinstance(error, ValidationError):
        return b'{"answer":null,"problems":' + from_validation_error(error) + b"}"
    if isinstance(error, ArgumentsRefused):
        return json.dumps({"answer": str(error), "problems": error.problems}).encode()
    return None


def from_validation_error(error: ValidationError) -> bytes:
    """Everything that is wrong, as a JSON list of problems in the order of pydantic."""
    problems: dict[tuple[str, str, str], dict[str, Any]] = {}
    for detail in error.errors(include_url=False, include_context=False):
        if EXACT in detail["loc"]:
            continue  # the other branch says the same, and more
        code = _CODES.get(detail["type"], detail["type"])
        problem = {"pointer": _pointer(detail["loc"]), "code": code, "message": _message(code, detail)}
        problems.setdefault((problem["pointer"], problem["code"], problem["message"]), problem)
    text = json.dumps(list(problems.values()), ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace") if text.isascii() else text.encode("utf-8", "replace")


def _pointer(location: tuple[int | str, ...]) -> str:
    steps = [str(step) for step in location if not (isinstance(step, str) and _is_label(step))]
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


def _is_label(step: str) -> bool:
    """Whether a step is no place in the arguments: our own labels, and pydantic's for keys."""
    return step == "[key]" or (step.startswith("<") and step.endswith(">"))


def _message(code: str, detail: ErrorDetails) -> str:
    """A sentence; also what an author's own validator says becomes one."""
    known = _MESSAGES.get(code)
    if known is not None:
        return known
    message = detail["msg"]
    shown = _short(detail.get("input"))
    if shown and shown not in message:
        message = f"{message.removesuffix('.')}; got {shown}"
    return message if message.endswith((".", "!", "?")) else f"{message}."


def _short(value: Any) -> str | None:
    """A scalar in JSON, if it is short enough to be worth repeating."""
    if not isinstance(value, str | int | float | bool | None):
        return None
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else None
