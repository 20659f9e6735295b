"""The shapes of the frameworks' own pages, in files that import the frameworks, through a host."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from hosts import TOOLS

from pegboard import Host

DREADNODE = TOOLS / "documented" / "dreadnode"
DENDRUX = TOOLS / "documented" / "dendrux"


class Service(ThreadingHTTPServer):
    """Answers with what was asked for, and counts the connections."""

    connections = 0

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def get_request(self):
        self.connections += 1
        return super().get_request()


class Handler(BaseHTTPRequestHandler):
    """Keeps connections open, as HTTP/1.1 does."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name = self.path.removeprefix("/")
        body = json.dumps({"indicator": name, "verdict": "benign"}).encode()
        self.send_response(404 if name == "missing" else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def service(monkeypatch) -> Iterator[Service]:
    with Service() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("INTEL_URL", server.url)
        yield server
        server.shutdown()


@pytest.fixture
def dreadnode() -> Iterator[Host]:
    with Host(DREADNODE) as host:
        assert host.diagnostics == ()
        yield host


@pytest.fixture
def dendrux() -> Iterator[Host]:
    with Host(DENDRUX) as host:
        assert host.diagnostics == ()
        yield host


def test_a_typed_lookup(dreadnode):
    properties = dreadnode.tool("lookup_indicator").parameters_schema["properties"]
    assert properties["indicator"]["description"] == "IP address, domain or hash"
    assert properties["source"]["enum"] == ["local", "remote"]
    assert properties["limit"]["default"] is None
    out = dreadnode.call("lookup_indicator", {"indicator": "example.com", "limit": 3})
    assert out.text == '{"indicator":"example.com","verdict":"unknown","source":"local 3"}'
    wrong = dreadnode.call("lookup_indicator", {"indicator": "x", "source": "else"})
    assert wrong.text.startswith('<error type="ValidationError">')


CAUGHT = {
    "by_default": {"json": True, "value": False, "connection": False},
    "all_of_them": {"json": True, "value": True, "connection": True},
    "some_of_them": {"json": False, "value": False, "connection": True},
    "none_of_them": {"json": False, "value": False, "connection": False},
}
RAISED = {"json": json.JSONDecodeError, "value": ValueError, "connection": ConnectionError}


@pytest.mark.parametrize(
    ("tool", "kind", "caught"),
    [(tool, kind, caught) for tool, kinds in CAUGHT.items() for kind, caught in kinds.items()],
)
def test_the_four_forms_of_catch(dreadnode, tool, kind, caught):
    if caught:
        for _ in range(2):
            text = dreadnode.call(tool, {"kind": kind}).text
            assert text.startswith(f'<error type="{RAISED[kind].__name__}">')
    else:
        with pytest.raises(RAISED[kind]) as raised:
            dreadnode.call(tool, {"kind": kind})
        assert type(raised.value) is RAISED[kind]


def test_output_is_cut_after_it_is_written(dreadnode):
    outcome = dreadnode.call("list_files", {"count": 20})
    assert len(outcome.text) <= 40
    assert outcome.text.startswith("file-0.txt\n")
    assert outcome.text.endswith("file-19.txt")
    assert outcome.truncated is not None
    assert outcome.truncated.characters == len("\n".join(f"file-{number}.txt" for number in range(20)))


def test_a_toolset_keeps_its_state(dreadnode):
    known = [dreadnode.call("remember", {"indicator": "a"}).structured["known"] for _ in range(2)]
    assert known == [False, True]
    assert dreadnode.tool("remember").source.toolset == "IntelTools"


def test_an_async_tool_makes_a_request(dreadnode, service):
    outcome = dreadnode.call("fetch_indicator", {"indicator": "198.51.100.7"})
    assert outcome.text == '{"indicator":"198.51.100.7","verdict":"benign"}'


def test_one_client_serves_every_call_of_a_toolset(dreadnode, service):
    texts = [dreadnode.call("fetch", {"url": f"{service.url}/{name}"}).text for name in "ab"]

    async def fetch(name: str) -> str:
        return (await dreadnode.call_async("fetch", {"url": f"{service.url}/{name}"})).text

    # Two event loops of the caller's own come and go; the client belongs to the host's.
    texts += [asyncio.run(fetch(name)) for name in "cd"]
    assert [json.loads(text)["indicator"] for text in texts] == ["a", "b", "c", "d"]
    assert service.connections == 1


def test_an_error_of_the_client_reaches_the_model_where_it_is_listed(dreadnode, service):
    text = dreadnode.call("fetch", {"url": f"{service.url}/missing"}).text
    assert text.startswith('<error type="HTTPStatusError">')
    assert "404" in text


def test_requests_of_one_toolset_overlap(dreadnode, service):
    async def fetch_all() -> list[str]:
        calls = (dreadnode.call_async("fetch", {"url": f"{service.url}/{name}"}) for name in "abcdef")
        return [json.loads(outcome.text)["indicator"] for outcome in await asyncio.gather(*calls)]

    assert asyncio.run(fetch_all()) == list("abcdef")


def test_descriptions_from_the_docstring(dendrux):
    schema = dendrux.tool("show").parameters_schema
    assert schema["required"] == ["kind"]
    assert schema["properties"]["kind"] == {
        "type": "string",
        "enum": ["chart", "table"],
        "description": "Which one.",
    }
    assert schema["properties"]["title"]["description"] == "What stands above it."
    assert dendrux.tool("show").description.startswith("Show a widget.\n\nArgs:\n    kind: Which one.")
    assert dendrux.call("show", {"kind": "chart"}).text == '"chart: None"'


def test_descriptions_from_annotations(dendrux):
    properties = dendrux.tool("search").parameters_schema["properties"]
    assert properties["query"]["description"] == "What to look for"
    assert (properties["limit"]["description"], properties["limit"]["default"]) == ("How many results", 10)
    assert dendrux.call("search", {"query": "a", "limit": 2}).text == '["a", "a"]'


def test_a_schema_that_is_given_stays_as_it_is(dendrux):
    schema = dendrux.tool("record").parameters_schema
    assert schema["properties"] == {"value": {"anyOf": [{"type": "string"}, {"type": "number"}]}}
    assert dendrux.call("record", {"value": 5}).text == '"int 5"'
    refused = dendrux.call("record", {})
    assert json.loads(refused.text)["code"] == "invalid_params"


def test_strict_requires_everything(dendrux):
    schema = dendrux.tool("count").parameters_schema
    assert (schema["required"], schema["additionalProperties"]) == (["words", "least"], False)
    assert dendrux.tool("count").strict
    assert dendrux.call("count", {"words": ["a", "bc"], "least": 2}).text == "1"


def test_a_call_that_is_not_json_is_told_in_the_documented_form(dendrux):
    told = json.loads(dendrux.call("show", '{"kind": ').text)
    assert told["code"] == "invalid_json"
    assert "kind" not in told["error"]
