"""Owns which names stand where in the stand-in for rigging.

Must not import what the names stand for.
"""

from __future__ import annotations

from pegboard.compat.modules import StandIn, names_from

DISTRIBUTION = "rigging"


_TOOLS = {
    **names_from("tool", "ToolChoice ToolMode"),
    **names_from("tool_call", "FunctionCall FunctionDefinition ToolCall ToolDefinition ToolResponse"),
    **names_from("rigging_tool", "TOOL_STOP_TAG Tool ToolMethod tool tool_method"),
    **names_from("options", "DEFAULT_CATCH_EXCEPTIONS"),
}
_MESSAGE = names_from(
    "message",
    "Content ContentAudioInput ContentImageUrl ContentText ContentTypes Message",
)
_ERRORS = names_from("errors", "Stop ToolDefinitionError")
_MODELS = names_from("errors", "ErrorModel SystemErrorModel ValidationErrorModel")

_NAMES_BY_PATH: dict[str, dict[str, str]] = {
    "rigging": {**_TOOLS, **_MESSAGE, **_ERRORS, **_MODELS},
    "rigging.error": _ERRORS,
    "rigging.message": _MESSAGE,
    "rigging.model": _MODELS,
    "rigging.tools": _TOOLS,
    "rigging.tools.base": _TOOLS,
}

STAND_INS = {path: StandIn(DISTRIBUTION, names) for path, names in _NAMES_BY_PATH.items()}
