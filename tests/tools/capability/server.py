"""A server with one tool, as small as the protocol allows."""

import json
import sys

TOOL = {"name": "known_ports", "description": "Tell the well-known ports.", "inputSchema": {"type": "object"}}


def result(method: str, params: dict) -> dict:
    if method == "initialize":
        info = {"name": "survey", "version": "1.0.0"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": [TOOL]}
    return {"content": [{"type": "text", "text": "22, 80, 443"}]}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        answer = {"jsonrpc": "2.0", "id": request["id"], "result": result(request["method"], request.get("params", {}))}
        print(json.dumps(answer), flush=True)
