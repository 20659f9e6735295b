"""A server that can be told to misbehave: its first argument says how."""

import json
import os
import subprocess
import sys
import threading
import time

MODE = sys.argv[1] if len(sys.argv) > 1 else ""
STRING = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
INTEGERS = {"type": "object", "properties": {"n": {"type": "array", "items": {"type": "integer"}}}}
EMPTY = {"type": "object"}
LOCK = threading.Lock()
CANCELLED = threading.Event()
TOOLS = {
    "echo": STRING,
    "total": INTEGERS,
    "fail": EMPTY,
    "pid": EMPTY,
    "slow": EMPTY,
    "die": EMPTY,
    "progress": EMPTY,
    "grow": EMPTY,
    "was_cancelled": EMPTY,
    "environment": STRING,
    "ask": EMPTY,
}


def send(message):
    with LOCK:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def text(value, **more):
    return {"content": [{"type": "text", "text": value}], **more}


def call(identity, params):
    name, arguments = params["name"], params.get("arguments") or {}
    if name == "echo":
        return text(arguments["text"])
    if name == "total":
        return text(str(sum(arguments["n"])), structuredContent={"total": sum(arguments["n"])})
    if name == "fail":
        return text("there is no such issue", isError=True)
    if name == "pid":
        return text(str(os.getpid()))
    if name == "slow":
        CANCELLED.wait(60)
        return text("late")
    if name == "die":
        print("about to die", file=sys.stderr, flush=True)
        os.kill(os.getpid(), 9)
    if name == "progress":
        token = params["_meta"]["progressToken"]
        for done in (1, 2.5):
            progress = {"progressToken": token, "progress": done, "total": 3, "message": "going"}
            send({"method": "notifications/progress", "params": progress})
        send({"method": "notifications/message", "params": {"level": "info", "data": "a log line"}})
        return text("done")
    if name == "grow":
        TOOLS["grown"] = EMPTY
        send({"method": "notifications/tools/list_changed"})
        return text("grown")
    if name == "was_cancelled":
        return text(str(CANCELLED.wait(20)))
    if name == "environment":
        return text(os.environ.get(arguments["text"], "unset"))
    if name == "ask":
        ANSWER.clear()
        send({"id": "q1", "method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 1}})
        ANSWER.wait(20)
        return text(json.dumps(ANSWERED))
    raise KeyError(name)


ANSWER = threading.Event()
ANSWERED = {}


def answer(message):
    method, identity = message.get("method"), message.get("id")
    if method is None:
        ANSWERED.update(message)
        ANSWER.set()
    elif method == "initialize":
        capabilities = {"tools": {"listChanged": True}}
        info = {"name": "peer", "version": "1"}
        version = message["params"]["protocolVersion"]
        result = {"protocolVersion": version, "capabilities": capabilities, "serverInfo": info}
        send({"id": identity, "result": result})
    elif method == "tools/list":
        names = list(TOOLS)
        start = int(message.get("params", {}).get("cursor", 0))
        page = [
            {"name": name, "description": name, "inputSchema": TOOLS[name]}
            for name in names[start : start + 4]
        ]
        if MODE == "sloppy":
            page.append({"name": "broken"})
            page.append({"name": "odd", "inputSchema": {"type": "strin"}})
        result = {"tools": page}
        if start + 4 < len(names):
            result["nextCursor"] = str(start + 4)
        send({"id": identity, "result": result})
    elif method == "tools/call":
        threading.Thread(
            target=lambda: send({"id": identity, "result": call(identity, message["params"])})
        ).start()
    elif method == "notifications/cancelled":
        CANCELLED.set()


if MODE == "exit":
    print("no configuration was found", file=sys.stderr)
    sys.exit(3)
if MODE == "silent":
    time.sleep(60)
if MODE == "garbage":
    print("Welcome to the server!", flush=True)
    print('["not", "a message"]', flush=True)
if MODE == "chatty":
    sys.stderr.write("x" * 8_000_000 + "\n")
    sys.stderr.flush()
if MODE == "stubborn":
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"], stdin=subprocess.DEVNULL)
    TOOLS["child"] = EMPTY
for line in sys.stdin:
    request = json.loads(line)
    if request.get("params", {}).get("name") == "child":
        send({"id": request["id"], "result": text(str(child.pid))})
    else:
        answer(request)
if MODE == "stubborn":
    time.sleep(300)
