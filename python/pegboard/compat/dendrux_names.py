"""Owns the paths and names under which dendrux files import what they need.

The names are those of dendrux 0.4: the tool API has a stand-in, everything else a placeholder.
"""

from __future__ import annotations

from collections.abc import Mapping

from pegboard.compat.modules import StandIn

_TOOLS = {
    "tool": "dendrux.tool:tool",
    "Image": "dendrux.media:Image",
    "ToolOutput": "dendrux.media:ToolOutput",
    "aheartbeat": "dendrux.progress:aheartbeat",
    "heartbeat": "dendrux.progress:heartbeat",
}


def _absent(package: str, names: str) -> dict[str, str]:
    prefix = f"{package}." if package else ""
    return {name: f"dendrux.absent:{prefix}{name}" for name in names.split()}


_TOP = """
Agent ApprovalDecision BeforeToolHook Budget ContextBlock ContextLengthExceededError CreateRunResult
DelegationDepthExceededError GovernanceEventType IdempotencyConflictError ImagePart ImageRef
InvalidToolResultError ModelPricing PauseOutcome PauseStatusMismatchError PersistenceNotConfiguredError
PriceTable ReplayRunError ReplaySummary RunAlreadyActiveError RunAlreadyClaimedError RunAlreadyTerminalError
RunNotFoundError RunNotPausedError SchemaNotInitializedError SchemaOutOfDateError SingleCall Skill
SkillContinuityError SkillDigestMismatch SkillExecutionRequest SkillExecutionResult SkillExecutor
SkillMismatchError SkillMissingError SkillValidationError StopReason StructuredOutputValidationError TextPart
ToolCallContext ToolDecision ToolResultContext ToolResultTransform run sweep
"""

_BELOW = {
    "agent": "Agent",
    "context_blocks": "ContextBlock",
    "guardrails": "Guardrail ImageGuardrail PII Pattern PromptInjection SecretDetection",
    "llm": """LLMProvider MockLLM AnthropicProvider OpenAIProvider OpenAIResponsesProvider OpenRouterProvider
        OpenRouterModel""",
    "llm.anthropic": "AnthropicProvider",
    "llm.mock": "MockLLM",
    "llm.openai": "OpenAIProvider",
    "llm.openai_responses": "OpenAIResponsesProvider",
    "llm.openrouter": "OpenRouterModel OpenRouterProvider",
    "loops": "Loop ReActLoop SingleCall",
    "mcp": """MCPConnection MCPConnectionError MCPDiscovery MCPError MCPHost MCPOAuth MCPServer MCPSource""",
    "notifiers": "CompositeNotifier ConsoleNotifier LoopNotifier",
    "notifiers.console": "ConsoleNotifier",
    "pricing": "ModelPricing PriceTable",
    "runtime": "run",
    "skills": "Skill SkillExecutionRequest SkillExecutionResult SkillExecutor",
    "store": "RunDetail RunNotFoundError RunStore RunSummary",
    "strategies": "NativeToolCalling Strategy",
}

_TYPES = """
ApprovalDecision Budget ImagePart ImageRef Message PauseState Role RunEvent RunResult RunStatus StopReason
TextPart ToolCall ToolCallContext ToolDecision ToolResult ToolResultContext UsageStats
"""


def _stand_in(names: Mapping[str, str], *homes: str) -> StandIn:
    return StandIn("dendrux", names, homes)


STAND_INS: Mapping[str, StandIn] = {
    "dendrux": _stand_in(_TOOLS | _absent("", _TOP)),
    "dendrux.tool": _stand_in(
        {
            "tool": "dendrux.tool:tool",
            "get_tool_def": "dendrux.tool:get_tool_def",
            "is_tool": "dendrux.tool:is_tool",
            "DEFAULT_TOOL_TIMEOUT": "dendrux.types:DEFAULT_TOOL_TIMEOUT",
            "ToolDef": "dendrux.types:ToolDef",
            "ToolTarget": "dendrux.types:ToolTarget",
        }
    ),
    "dendrux.types": _stand_in(
        {"ToolDef": "dendrux.types:ToolDef", "ToolTarget": "dendrux.types:ToolTarget"}
        | _absent("types", _TYPES)
    ),
    "dendrux.media": _stand_in(
        {"Image": "dendrux.media:Image", "ToolOutput": "dendrux.media:ToolOutput"}
        | _absent("", "ImagePart ImageRef TextPart")
    ),
    **{f"dendrux.{package}": _stand_in(_absent(package, names)) for package, names in _BELOW.items()},
}
