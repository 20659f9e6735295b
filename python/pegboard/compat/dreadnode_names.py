"""Owns which names stand where in the stand-in for dreadnode, over the releases in which they have lived.

Must not import what the names stand for.
"""

from __future__ import annotations

from pegboard.compat.modules import StandIn, names_from

DISTRIBUTION = "dreadnode"

HOMES = (
    "dreadnode.agents.tools",
    "dreadnode.core.tools",
    "dreadnode.agent.tools",
    "dreadnode.agent.tools.base",
    "dreadnode.core.meta",
    "dreadnode.meta",
    "dreadnode.core.types",
    "dreadnode.data_types",
    "dreadnode",
)


_TOOL = names_from(
    "tool",
    "OFFLOAD_THRESHOLD TOOL_STOP_TAG Tool ToolChoice ToolMode tool",
) | names_from("tool_call", "FunctionCall FunctionDefinition ToolCall ToolDefinition ToolResponse")
_CURRENT_CALL = names_from("current_call", "current_tool_call")
_TOOLSET = names_from("toolset", "ToolMethod Toolset discover_tools_on_obj tool_method")
_ERRORS = names_from("errors", "ErrorModel Stop ToolDefinitionError")
_TOOLS = {
    **_TOOL,
    **_CURRENT_CALL,
    **_TOOLSET,
    **_ERRORS,
    **names_from("options", "DEFAULT_CATCH_EXCEPTIONS"),
    **names_from("configuration", "Component"),
    **names_from("model", "Model"),
}
_CONTEXTS = names_from(
    "injection",
    "AgentInput AgentOutput AgentParam Context ContextWarning CurrentRun CurrentTask "
    "CurrentTrial DatasetField EnvVar EvalInput EvalOutput EvalParam ParentTask "
    "StudyInput StudyOutput StudyParam TaskInput TaskOutput TrialCandidate TrialOutput "
    "TrialScore",
)
_CONFIGURATION = names_from(
    "configuration",
    "Component Config ConfigInfo ConfigWarning component",
) | names_from("model", "Model")
_META = {**_CONTEXTS, **_CONFIGURATION}
_VALUES = names_from(
    "values",
    "Audio Code DataType Image Markdown Object3D Table Text Video WithMeta",
)
_MESSAGE = names_from(
    "message",
    "Content ContentAudioInput ContentImageUrl ContentText ContentTypes ContentVideoUrl Message",
)
_TELEMETRY = names_from(
    "telemetry",
    "DEFAULT_INSTANCE Dreadnode configure get_current_run get_current_task "
    "get_default_instance link_objects log_artifact log_input log_inputs log_metric "
    "log_metrics log_output log_outputs log_param log_params log_sample log_samples run "
    "shutdown span tag task task_and_run task_span",
)
_COMMANDS = names_from("execute", "bash execute python")

_ROOT = {**_META, **_VALUES, **_MESSAGE, **_TELEMETRY, **_TOOL, **_CURRENT_CALL, **_TOOLSET, **_ERRORS}

_NAMES_BY_PATH: dict[str, dict[str, str]] = {
    "dreadnode": _ROOT,
    "dreadnode.agent": _TOOLS,
    "dreadnode.agent.tools": _TOOLS,
    "dreadnode.agent.tools.base": _TOOLS,
    "dreadnode.agent.tools.execute": {**_COMMANDS, "command": "execute:execute"},
    "dreadnode.agents": _TOOLS,
    "dreadnode.agents.tools": _TOOLS,
    "dreadnode.app": {},
    "dreadnode.app.env": names_from("interpreter", "read_env_with_deprecation resolve_python_executable"),
    "dreadnode.core": {},
    "dreadnode.core.meta": _META,
    "dreadnode.core.meta.config": _CONFIGURATION,
    "dreadnode.core.meta.context": _CONTEXTS,
    "dreadnode.core.tools": _TOOLS,
    "dreadnode.core.types": _VALUES,
    "dreadnode.data_types": _VALUES,
    "dreadnode.generators": _MESSAGE,
    "dreadnode.generators.exceptions": names_from("errors", "Stop ToolDefinitionError"),
    "dreadnode.generators.message": _MESSAGE,
    "dreadnode.generators.models": names_from("errors", "ErrorModel SystemErrorModel ValidationErrorModel"),
    "dreadnode.meta": _META,
    "dreadnode.meta.config": _CONFIGURATION,
    "dreadnode.meta.context": _CONTEXTS,
    "dreadnode.tools": names_from("execute", "bash python"),
    "dreadnode.tools.execute": {**_COMMANDS, "command": "execute:execute"},
}

STAND_INS = {path: StandIn(DISTRIBUTION, names, HOMES) for path, names in _NAMES_BY_PATH.items()}
