"""The way back through the Python door: calls from every provider's answers, results for its next request."""

from __future__ import annotations

import asyncio
import base64
import json
from types import SimpleNamespace

import pytest
from hosts import TOOLS
from pydantic import BaseModel, ConfigDict, Field

from pegboard import Call, Host, UnknownToolError, UnreadableAnswerError

ARGUMENTS = {"a": 2, "b": 3}


@pytest.fixture(scope="module")
def host():
    with Host(TOOLS / "answers") as host:
        yield host


def openai_call(arguments, name="add", call_id="c1"):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def openai_answer(*calls):
    return {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": list(calls)}}]}


ANSWERS = {
    "openai": (Call.from_openai, openai_answer(openai_call(json.dumps(ARGUMENTS)))),
    "openai-object": (Call.from_openai, openai_call(ARGUMENTS)),
    "openai-responses": (
        Call.from_openai,
        {
            "output": [
                {"type": "reasoning", "summary": []},
                {"type": "function_call", "call_id": "c1", "name": "add", "arguments": json.dumps(ARGUMENTS)},
            ]
        },
    ),
    "anthropic": (
        Call.from_anthropic,
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "let me see"},
                {"type": "tool_use", "id": "c1", "name": "add", "input": ARGUMENTS},
            ],
        },
    ),
    "gemini": (
        Call.from_gemini,
        {
            "candidates": [
                {"content": {"parts": [{"functionCall": {"id": "c1", "name": "add", "args": ARGUMENTS}}]}}
            ]
        },
    ),
    "bedrock": (
        Call.from_bedrock,
        {
            "output": {
                "message": {
                    "role": "assistant",
                    "content": [{"toolUse": {"toolUseId": "c1", "name": "add", "input": ARGUMENTS}}],
                }
            },
            "ResponseMetadata": {"HTTPStatusCode": 200},
        },
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_calls_are_read_and_run(host, name):
    read, answer = ANSWERS[name]
    text = json.dumps(answer)
    dumped = SimpleNamespace(model_dump=lambda: answer)
    for given in (answer, [answer], text, text.encode(), dumped, [dumped]):
        (call,) = read(given)
        assert (call.call_id, call.tool, json.loads(call.arguments)) == ("c1", "add", ARGUMENTS)
    outcome = host.call(call)
    assert (outcome.call_id, outcome.text) == ("c1", "5")
    with host.run() as run:
        assert [outcome.text for outcome in run.call_all([call, call, ("add", {"a": 1})])] == ["5", "5", "2"]
        assert run.call(call).text == "5"


def test_calls_are_accepted_in_coroutines(host):
    (call,) = Call.from_openai(openai_call({"a": 1}))

    async def calls():
        with host.run() as run:
            return [await host.call_async(call), *await run.call_all_async([call])]

    assert [outcome.text for outcome in asyncio.run(calls())] == ["2", "2"]


def test_a_call_can_be_made_by_hand(host):
    call = Call("add", {"a": 1}, call_id="mine")
    assert repr(call) == 'Call(tool="add", call_id="mine")'
    assert json.loads(call.arguments) == {"a": 1}
    assert host.call(call).call_id == "mine"
    assert Call("add").call_id is None
    with pytest.raises(TypeError, match="brings its own"):
        host.call(call, {"a": 2})
    with pytest.raises(TypeError, match="a Call"):
        host.run().call_all([3])


class Part(BaseModel):
    """A model whose names differ from the provider's, as in an SDK."""

    model_config = ConfigDict(ser_json_bytes="base64")

    function_call: dict[str, object] | None = Field(default=None, alias="functionCall")
    text: str | None = None
    thought_signature: bytes | None = Field(default=None, alias="thoughtSignature")


def test_models_are_read_under_the_names_of_the_provider():
    parts = [
        Part(text="let me see", thoughtSignature=b"\xff\xfe"),
        Part(functionCall={"name": "add", "args": {"a": None}}),
    ]
    (call,) = Call.from_gemini({"role": "model", "parts": parts})
    assert (call.call_id, call.tool, call.arguments) == (None, "add", '{"a":null}')


def test_big_integers_stay_exact(host):
    big = 123456789012345678901234567890
    (call,) = Call.from_anthropic({"type": "tool_use", "id": "t", "name": "same", "input": {"value": big}})
    assert host.call(call).text == str(big)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("nonsense", "not JSON"),
        (b"[1", "not JSON"),
        ({"error": {"message": "overloaded"}}, 'among "error"'),
        (3, "neither an object nor a list"),
        (None, "neither an object nor a list"),
        (openai_call("{}", name=None), "no name"),
    ],
)
def test_what_is_no_answer_is_told(answer, reason):
    with pytest.raises(UnreadableAnswerError, match=reason) as raised:
        Call.from_openai(answer)
    assert raised.value.provider == "openai"


@pytest.mark.parametrize("answer", [object(), [object()], {"choices": [object()]}])
def test_an_object_that_cannot_be_read_is_a_type_error(answer):
    with pytest.raises(TypeError, match="SDK, a dict, a list, or JSON"):
        Call.from_openai(answer)


def test_an_unknown_tool_is_an_exception_in_its_place(host):
    calls = Call.from_openai(openai_answer(openai_call("{}", name="ad"), openai_call('{"a":1}')))
    with host.run() as run:
        unknown, outcome = run.call_all(calls)
    assert isinstance(unknown, UnknownToolError)
    assert outcome.text == "2"


def test_results_of_text_go_back(host):
    (call,) = Call.from_openai(openai_call('{"a":1}'))
    outcome = host.call(call)
    assert outcome.to_openai_message() == {"role": "tool", "tool_call_id": "c1", "content": "2"}
    assert outcome.to_openai_attachment() is None
    assert outcome.to_openai_item() == {"type": "function_call_output", "call_id": "c1", "output": "2"}
    assert outcome.to_anthropic_block() == {"type": "tool_result", "tool_use_id": "c1", "content": "2"}
    assert outcome.to_gemini_part(call) == {
        "functionResponse": {"id": "c1", "name": "add", "response": {"output": 2}}
    }
    assert outcome.to_bedrock_block() == {"toolResult": {"toolUseId": "c1", "content": [{"text": "2"}]}}


def test_failures_are_marked(host):
    wire = host.export("gemini").tools[0]["functionDeclarations"]
    (name,) = [tool["name"] for tool in wire if tool["name"].startswith("shot")]
    (call,) = Call.from_gemini({"name": name, "args": {"fail": True}})
    outcome = host.call(call)
    assert outcome.tool == "shot.take"
    assert outcome.to_anthropic_block()["is_error"] is True
    assert outcome.to_bedrock_block()["toolResult"]["status"] == "error"
    part = outcome.to_gemini_part(call)["functionResponse"]
    assert part == {"name": "shot_take", "response": {"error": outcome.text}}
    assert "out of film" in outcome.to_openai_message()["content"]


def test_pictures_and_documents_go_back_in_each_form(host):
    outcome = host.call("picture", call_id="p")
    data = outcome.content[0]["data"]
    url = f"data:image/png;base64,{data}"
    assert outcome.to_openai_message()["content"] == outcome.text
    assert outcome.to_openai_attachment()["content"][1] == {"type": "image_url", "image_url": {"url": url}}
    assert outcome.to_openai_item()["output"][1] == {"type": "input_image", "image_url": url}
    source = {"type": "base64", "media_type": "image/png", "data": data}
    assert outcome.to_anthropic_block()["content"][1] == {"type": "image", "source": source}
    part = outcome.to_gemini_part(Call("picture"))
    assert part["functionResponse"]["parts"] == [{"inlineData": {"mimeType": "image/png", "data": data}}]
    # The SDK encodes bytes itself, and would encode a text once more.
    image = outcome.to_bedrock_block()["toolResult"]["content"][1]["image"]
    assert image == {"format": "png", "source": {"bytes": base64.b64decode(data)}}

    document = host.call("document", call_id="d").to_bedrock_block()["toolResult"]["content"][1]["document"]
    assert document["source"] == {"bytes": b"%PDF-1.7"}
