"""Lets a model use the tools of `tools/` until it has an answer, for two providers.

The model is a scripted one, so that the example runs anywhere; a client of the provider takes its place.
"""

from pathlib import Path
from typing import Any

from scripted_model import ScriptedModel

from pegboard import Call, Host, Outcome, PendingCall, UnknownToolError

TOOLS = Path(__file__).parent / "tools"
QUESTION = "Which is warmer, Oslo or Bergen? Book three seats in the train there."


def ask_openai(host: Host, model: ScriptedModel) -> str:
    """Ask a model of OpenAI's Chat Completions."""
    tools = host.export("openai").tools
    messages: list[dict[str, Any]] = [{"role": "user", "content": QUESTION}]
    with host.run() as run:
        while True:
            answer = model.create(messages=messages, tools=tools)
            message = answer["choices"][0]["message"]
            messages.append(message)
            calls = Call.from_openai(answer)
            if not calls:
                return str(message["content"])
            for call, result in zip(calls, run.call_all(calls), strict=True):
                if isinstance(result, UnknownToolError):
                    told = {"role": "tool", "tool_call_id": call.call_id, "content": str(result)}
                else:
                    told = ran(call, result).to_openai_message()
                messages.append(told)


def ask_anthropic(host: Host, model: ScriptedModel) -> str:
    """Ask a model of Anthropic's Messages."""
    tools = host.export("anthropic").tools
    messages: list[dict[str, Any]] = [{"role": "user", "content": QUESTION}]
    with host.run() as run:
        while True:
            answer = model.create(messages=messages, tools=tools)
            messages.append({"role": "assistant", "content": answer["content"]})
            calls = Call.from_anthropic(answer)
            if not calls:
                return str(answer["content"][0]["text"])
            blocks: list[dict[str, Any]] = []  # the results of one answer are one message
            for call, result in zip(calls, run.call_all(calls), strict=True):
                if isinstance(result, UnknownToolError):
                    told = {"type": "tool_result", "tool_use_id": call.call_id, "content": str(result)}
                    blocks.append(told | {"is_error": True})
                else:
                    blocks.append(ran(call, result).to_anthropic_block())
            messages.append({"role": "user", "content": blocks})


def ran(call: Call, result: Outcome | PendingCall | BaseException) -> Outcome:
    """Print what a call came to. A tool that fails is an outcome, too: the model reads why."""
    if isinstance(result, BaseException):
        raise result  # the tool's own, which its author wants to end the turn
    assert isinstance(result, Outcome), "no tool here is left to the application"
    mark = "failed: " if result.failure else ""
    print(f"  {call.tool} {call.arguments} -> {mark}{result.text}")
    return result


def main() -> None:
    """Run the example."""
    for provider, ask in (("openai", ask_openai), ("anthropic", ask_anthropic)):
        with Host(TOOLS) as host:
            print(provider)
            print(f"  {ask(host, ScriptedModel(provider))}")


if __name__ == "__main__":
    main()
