"""Gives exports and results to the types of the providers' own packages, and reads calls from their objects.

Run in an environment that has those packages; prints one JSON line for each thing that was accepted.
"""

import base64
import json
import sys

import botocore.session
from anthropic.types import Message, ToolParam, ToolResultBlockParam
from botocore.validate import ParamValidator
from google.genai import types as gemini
from mcp.types import Tool as McpTool
from openai.types.chat import (
    ChatCompletion,
    ChatCompletionToolMessageParam,
    ChatCompletionToolParam,
    ChatCompletionUserMessageParam,
)
from openai.types.responses import FunctionToolParam, Response
from openai.types.responses.response_input_item_param import FunctionCallOutput
from pydantic import TypeAdapter

from pegboard import Call, Host, Outcome


def fits(kind: object, value: object) -> None:
    """Hold a value to a typed dict or a model of an SDK, which has to know every part of it."""
    adapter = TypeAdapter(kind)
    dumped = adapter.dump_python(
        adapter.validate_python(value), mode="json", by_alias=True, exclude_none=True
    )
    # One of them writes base64 in its other alphabet.
    alphabet = str.maketrans("+/", "-_")
    left, right = (json.dumps(each, sort_keys=True).translate(alphabet) for each in (dumped, value))
    assert left == right, f"{left} != {right}"


def told(name: str, value: object) -> None:
    print(json.dumps([name, value]))


def tools(host: Host) -> None:
    """Every export, as declared and strict."""
    bedrock = botocore.session.get_session().get_service_model("bedrock-runtime").operation_model("Converse")
    for strict in (False, "where_possible"):
        for tool in host.export("openai", strict=strict).tools:
            fits(ChatCompletionToolParam, tool)
        for tool in host.export("openai-responses", strict=strict).tools:
            fits(FunctionToolParam, tool)
        for tool in host.export("anthropic", strict=strict).tools:
            fits(ToolParam, tool)
        config = {"tools": host.export("bedrock", strict=strict).tools}
        request = {"modelId": "m", "messages": [], "toolConfig": config}
        told("bedrock", ParamValidator().validate(request, bedrock.input_shape).generate_report())
    for group in host.export("gemini").tools:
        gemini.Tool.model_validate(group)  # forbids what it does not know, and spells types its own way
    for tool in host.export("mcp").tools:
        fits(McpTool, tool)
    told("tools", len(host.tools))


def calls(host: Host) -> None:
    """One call in the objects of each SDK."""
    arguments = {"a": 2, "b": 3}
    function = {"name": "add", "arguments": json.dumps(arguments)}
    message = {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": function}]}
    choice = {"index": 0, "finish_reason": "tool_calls", "message": message}
    head = {"id": "r", "created": 1, "model": "m"}
    chat = ChatCompletion.model_validate(head | {"object": "chat.completion", "choices": [choice]})
    item = {"type": "function_call", "id": "f", "call_id": "c1", **function}
    rest = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "object": "response"}
    response = Response.model_validate({"id": "r", "created_at": 1, "model": "m", "output": [item], **rest})
    block = {"type": "tool_use", "id": "c1", "name": "add", "input": arguments}
    usage = {"input_tokens": 1, "output_tokens": 1}
    kinds = {"type": "message", "role": "assistant", "stop_reason": "tool_use", "stop_sequence": None}
    answer = Message.model_validate({"id": "m", "model": "m", "content": [block], "usage": usage, **kinds})
    call = gemini.FunctionCall(id="c1", name="add", args=arguments)
    thought = gemini.Part(text="let me see", thought=True, thought_signature=b"\xff\xfe")
    content = gemini.Content(role="model", parts=[thought, gemini.Part(function_call=call)])
    generated = gemini.GenerateContentResponse(candidates=[gemini.Candidate(content=content)])
    for name, read, given in (
        ("chat", Call.from_openai, chat),
        ("chat message", Call.from_openai, chat.choices[0].message),
        ("chat calls", Call.from_openai, chat.choices[0].message.tool_calls),
        ("responses", Call.from_openai, response),
        ("responses output", Call.from_openai, response.output),
        ("anthropic", Call.from_anthropic, answer),
        ("anthropic content", Call.from_anthropic, answer.content),
        ("gemini", Call.from_gemini, generated),
        ("gemini calls", Call.from_gemini, generated.function_calls),
    ):
        (call,) = read(given)
        told(name, [call.call_id, host.call(call).text])


def results(host: Host) -> None:
    """A text, a failure, a picture and a document, as each request takes them."""
    shape = botocore.session.get_session().get_service_model("bedrock-runtime").shape_for("ContentBlock")
    made = {
        "text": host.call("add", {"a": 1}),
        "failure": host.call("add", {}),
        "picture": host.call("picture"),
        "document": host.call("document"),
    }
    for name, outcome in made.items():
        sent(name, outcome)
        block = outcome.to_bedrock_block()
        told(f"{name} for bedrock", ParamValidator().validate(block, shape).generate_report())
    picture = made["picture"].to_bedrock_block()["toolResult"]["content"][1]["image"]["source"]["bytes"]
    told("encoded once", picture == base64.b64decode(made["picture"].content[0]["data"]))


def sent(name: str, outcome: Outcome) -> None:
    fits(ChatCompletionToolMessageParam, outcome.to_openai_message())
    if attachment := outcome.to_openai_attachment():
        fits(ChatCompletionUserMessageParam, attachment)
    fits(FunctionCallOutput, outcome.to_openai_item())
    fits(ToolResultBlockParam, outcome.to_anthropic_block())
    fits(gemini.Part, outcome.to_gemini_part(Call("add", call_id=outcome.call_id)))
    told(name, True)


def main() -> None:
    with Host(sys.argv[1]) as host:
        calls(host)
        results(host)
    for folder in sys.argv[1:]:
        with Host(folder) as host:
            tools(host)


main()
