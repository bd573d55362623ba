"""Plays one scenario with the extension and prints what it saw as one JSON object: scenarios.py NAME EXTENSION [ARGUMENT]"""

import asyncio
import json
import os
import sys
import threading
import time
from pathlib import Path

from host import AbortSignal, Api, Context, Runner, in_thread

import travis.agent.types
import travis.ai.types
import travis.coding_agent.tools.types as host_types

EXTENSION = sys.argv[2]
ARGUMENT = sys.argv[3] if len(sys.argv) > 3 else ""
CWD = os.getcwd()


def started(**context) -> Runner:
    runner = Runner(Context(CWD, **context))
    runner.load(EXTENSION)
    runner.emit("session_start")
    return runner


def facts(result: dict) -> dict:
    return json.loads(result["content"][0]["text"])


def text(result: dict) -> str:
    return result["content"][0]["text"]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def load():
    """Loads twice: the first run has Python import what the extension imports, the second one is watched."""
    Runner(Context(CWD)).load(EXTENSION)
    source = compile(Path(EXTENSION).read_text("utf-8"), EXTENSION, "exec")
    runner, events = Runner(Context(CWD)), []
    watched = ("open", "subprocess.", "os.", "socket.", "shutil.", "import")
    is_watching = True

    def watch(event, args):
        if is_watching and event.startswith(watched):
            events.append(f"{event} {args!r}")

    sys.addaudithook(watch)
    threads = threading.active_count()
    module = type(sys)("watched")
    module.__file__ = EXTENSION
    exec(source, module.__dict__)
    module.extension(Api(runner))
    runner.emit("session_start")
    is_watching = False
    tool = runner.mcp
    return {
        "events": [event for event in events if not event.startswith("import")],
        "threads": threading.active_count() - threads,
        "tools": list(runner.tools),
        "handlers": {event: len(handlers) for event, handlers in runner.handlers.items()},
        "tool": {
            "name": tool.name,
            "label": tool.label,
            "description": tool.description,
            "parameters": tool.parameters,
            "promptGuidelines": tool.prompt_guidelines,
        },
        "effects": sorted(tool.effects),
    }


def old_host():
    class OldDefinition:
        def __init__(self, name, label, description, parameters, execute, prompt_guidelines=()):
            pass

    if ARGUMENT == "no modules":
        sys.modules["travis.coding_agent.tools.types"] = None
    host_types.ToolDefinition = OldDefinition
    runner = Runner(Context(CWD))
    try:
        runner.load(EXTENSION)
        error = None
    except Exception as raised:
        error = [type(raised).__name__, str(raised)]
    return {"error": error, "tools": list(runner.tools), "handlers": list(runner.handlers)}


def turns():
    runner = started()
    os.environ["VARIABLE"] = "before"
    first = runner.turn({"server": "files"})
    os.environ["VARIABLE"] = "after"
    second = in_thread(runner.turn, {"server": "files", "tool": "x", "args": {"text": "ü\u2028😀"}})
    image = runner.turn({"server": "files", "tool": "image"})
    noise = runner.turn({"server": "files", "tool": "noise"})
    odd = runner.turn({"server": "files", "tool": "odd"})
    runner.emit("session_shutdown", "quit")
    return {"first": first, "second": second, "image": image, "noise": noise, "odd": odd}


def flood():
    """A call of 300 kB whose process writes 3 MB on stderr and answers with 5 MB, in an environment that is no UTF-8."""
    runner = started()
    os.environ["ODD"] = os.fsdecode(b"\xff\xfe")
    answer = facts(runner.turn({"server": "files", "tool": "flood", "args": {"text": "z" * 300_000}}))
    after = facts(runner.turn({"server": "files"}))
    runner.emit("session_shutdown", "quit")
    return {"received": answer["received"], "sent": len(answer["sent"]), "goes on": "pid" in after}


def side_by_side():
    """The loop runs on while calls wait: the releasing call is only made because the held ones do not block it."""
    runner = started()

    async def turn():
        held = [asyncio.ensure_future(runner.call({"server": "files", "tool": "hold"})) for _ in range(3)]
        await asyncio.sleep(0)
        return [facts(result) for result in [await runner.call({"tool": "release"}), *await asyncio.gather(*held)]]

    answers = asyncio.run(turn())
    runner.emit("session_shutdown", "quit")
    return {"pids": [answer["pid"] for answer in answers]}


def abort():
    """Aborts from another thread while the call waits; `ARGUMENT` is what the process does about it."""
    runner = started()
    pid = facts(runner.turn({"server": "files"}))["pid"]
    signal = AbortSignal()

    async def turn():
        call = asyncio.ensure_future(runner.call({"server": "files", "tool": ARGUMENT}, signal))
        while not signal.callbacks:
            await asyncio.sleep(0)
        threading.Thread(target=signal.abort).start()
        return await call

    result = asyncio.run(turn())
    left = len(signal.callbacks)
    again = None if ARGUMENT == "deaf" else facts(runner.turn({"server": "files"}))["pid"]
    if ARGUMENT == "deaf":
        os.kill(pid, 9)
    runner.emit("session_shutdown", "quit")
    return {"result": result, "callbacks": left, "same": again == pid}


def aborted_before():
    runner = started()
    signal = AbortSignal()
    signal.abort()
    result = runner.turn({"server": "files", "tool": "hold"}, signal)
    runner.emit("session_shutdown", "quit")
    return {"result": result}


def cancelled_task():
    runner = started()

    async def turn():
        call = asyncio.ensure_future(runner.call({"server": "files", "tool": "hold"}))
        await asyncio.sleep(0)
        call.cancel()
        try:
            await call
        except asyncio.CancelledError:
            return "CancelledError"

    raised = asyncio.run(turn())
    released = facts(runner.turn({"tool": "release"}))
    runner.emit("session_shutdown", "quit")
    return {"raised": raised, "held": released["held"]}


def crash():
    runner = started()
    before = facts(runner.turn({"server": "files"}))["pid"]
    crashed = runner.turn({"server": "files", "tool": "crash"})
    after = facts(runner.turn({"server": "files"}))["pid"]
    runner.emit("session_shutdown", "quit")
    deadline = time.monotonic() + 5
    while threading.active_count() > 1 and time.monotonic() < deadline:
        time.sleep(0.01)
    return {"crashed": crashed, "fresh": after != before, "threads": threading.active_count()}


def fails():
    """One call where the process cannot serve."""
    if ARGUMENT == "no node":
        os.environ["PATH"] = "/nonexistent"
    runner = Runner(Context(CWD))
    module = runner.load(EXTENSION)
    module._GREETING_SECONDS = 0.3
    runner.emit("session_start")
    args = {"server": "files", "tool": "x", "args": {"n": float("nan")} if ARGUMENT == "nan" else {}}
    result = runner.turn(args)
    runner.emit("session_shutdown", "quit")
    return {"result": result}


def shutdown():
    runner = started()
    pid = facts(runner.turn({"server": "files"}))["pid"]

    async def turn():
        held = asyncio.ensure_future(runner.call({"server": "files", "tool": "hold"}))
        await asyncio.sleep(0)
        await asyncio.to_thread(runner.emit, "session_shutdown", "quit")
        return await held

    held = asyncio.run(turn())
    is_alive = alive(pid)
    runner.emit("session_shutdown", "quit")
    after = runner.turn({"server": "files"})
    runner.emit("session_start", "resume")
    resumed = facts(runner.turn({"server": "files"}))["pid"]
    runner.emit("session_shutdown", "quit")
    return {"held": held, "alive": is_alive, "after": after, "fresh": resumed != pid}


def stubborn():
    runner = Runner(Context(CWD))
    module = runner.load(EXTENSION)
    module._STOP_SECONDS = 0.3
    runner.emit("session_start")
    pid = facts(runner.turn({"server": "files"}))["pid"]
    runner.emit("session_shutdown", "quit")
    return {"alive": alive(pid)}


def never_used():
    runner = started()
    threads = threading.active_count()
    runner.emit("session_shutdown", "quit")
    runner.emit("session_shutdown", "quit")
    return {"threads": threads}


def reload():
    """The new factory runs before the old session ends, as the host does it on a replacement, and while a call runs."""
    old = started()
    first = facts(old.turn({"server": "files"}))["pid"]
    signal = AbortSignal()
    held: list = []
    thread = threading.Thread(target=lambda: held.append(old.turn({"server": "files", "tool": "hold"}, signal)))
    thread.start()
    while not signal.callbacks:
        time.sleep(0.01)
    new = Runner(Context(CWD))
    new.load(EXTENSION)
    new.emit("session_start", "new")
    second = facts(new.turn({"server": "files"}))["pid"]
    old.emit("session_shutdown", "new")
    thread.join()
    is_alive = alive(first)
    third = facts(new.turn({"server": "files"}))["pid"]
    new.emit("session_shutdown", "quit")
    return {"held": held[0], "alive": is_alive, "fresh": first != second, "same": second == third}


def subagent():
    """A session without a start event, and a second factory for the same runner."""
    runner = Runner(Context(CWD, offline=True))
    runner.load(EXTENSION)
    tool = runner.mcp
    runner.load(EXTENSION)
    before = runner.mcp.policy_context({"server": "files"})
    first = facts(runner.turn({"server": "files"}))
    second = facts(in_thread(runner.turn, {"server": "files"}))
    after = runner.mcp.policy_context({"server": "files"})
    runner.emit("session_shutdown", "quit")
    return {
        "one": runner.mcp is tool and len(runner.handlers["tool_result"]) == 1,
        "same": first["pid"] == second["pid"],
        "argv": first["argv"],
        "contexts": [before, after],
    }


def flags():
    """The flags of the process for each variant of the JSON in ARGUMENT: context, argv, and files below HOME."""
    seen = []
    for variant in json.loads(ARGUMENT):
        sys.argv[1:] = variant.get("argv", [])
        agent = Path.home() / ".travis234" / "agent"
        agent.mkdir(parents=True, exist_ok=True)
        for name in ("trust.json", "settings.json"):
            (agent / name).unlink(missing_ok=True)
            if name in variant:
                (agent / name).write_text(variant[name].replace("CWD", CWD))
        runner = started(trusted=variant.get("trusted", True), offline=variant.get("offline", False))
        seen.append(facts(runner.turn({"server": "files"}))["argv"])
        runner.emit("session_shutdown", "quit")
    return {"cwd": CWD, "home": str(Path.home()), "argv": seen}


def policy():
    """The contexts of the requests in ARGUMENT, a file of JSON."""
    runner = started()
    contexts = [runner.mcp.policy_context(request) for request in json.loads(Path(ARGUMENT).read_text())]
    runner.emit("session_shutdown", "quit")
    return {"contexts": contexts}


def policy_first():
    """The context is the first use. A process that does not greet leaves the server unnamed."""
    runner = Runner(Context(CWD))
    module = runner.load(EXTENSION)
    unstarted = runner.mcp.policy_context({"server": "files"})
    if os.environ.get("MODE") == "mute":
        module._NAMES_SECONDS = 0.2
        module._STOP_SECONDS = 0.1
    runner.emit("session_start")
    threads = threading.active_count()
    status = runner.mcp.policy_context({})
    is_idle = threading.active_count() == threads
    context = runner.mcp.policy_context({"server": " files ", "tool": "x"})
    runner.emit("session_shutdown", "quit")
    return {"unstarted": unstarted, "status": status, "idle": is_idle, "context": context}


def prepare():
    runner = started()
    prepared = [runner.mcp.prepare_arguments(args) for args in json.loads(ARGUMENT)]
    return {"prepared": prepared}


def bridge():
    runner = started()
    (tell,) = runner.handlers["tool_result"]
    return {"told": [tell(event) for event in json.loads(ARGUMENT)]}


def dies():
    """Waits in a call until the test kills this process."""
    runner = started()
    print(json.dumps(facts(runner.turn({"server": "files"}))), flush=True)
    runner.turn({"server": "files", "tool": "hold"})


def packaged():
    """Two extensions; ARGUMENT is the folder with the other one, before or after by name of its order."""
    folder, order = ARGUMENT.split("|")
    other = str(Path(folder) / "other.py")
    runner = Runner(Context(CWD))
    for path in (other, EXTENSION) if order == "before" else (EXTENSION, other):
        runner.load(path)
    runner.emit("session_start")
    status = runner.turn({})
    runner.emit("session_shutdown", "reload")
    again = Runner(Context(CWD))
    for path in (EXTENSION, other):
        again.load(path)
    again.emit("session_start", "reload")
    second = again.turn({})
    again.emit("session_shutdown", "quit")
    return {"status": text(status), "second": text(second)}


def packaged_rules():
    Runner(Context(CWD)).load(EXTENSION)
    import travis234_mcp_adapter as adapter

    folder = Path(ARGUMENT)
    good = {"name": "tool", "root": str(folder / "package"), "command": str(folder / "package" / "serve")}

    def outcome(**fields):
        try:
            adapter.register_packaged_server(adapter.PackagedServer(**{**good, **fields}))
            return "registered"
        except ValueError as error:
            return str(error)

    first = adapter.get_packaged_servers()
    refused = {
        "blank": outcome(name=" "),
        "untrimmed": outcome(name="tool "),
        "control": outcome(name="to\nol"),
        "relative root": outcome(root="package"),
        "relative command": outcome(command="serve"),
        "outside": outcome(command=str(folder / "outside")),
        "link": outcome(command=str(folder / "package" / "link")),
        "plain": outcome(command=str(folder / "package" / "plain")),
        "missing": outcome(command=str(folder / "package" / "missing")),
        "folder": outcome(command=str(folder / "package")),
        "args": outcome(args="mcp"),
        "env": outcome(env={"A": 1}),
    }
    accepted = [outcome(), outcome(args=[]), outcome(name="second")]
    different = outcome(args=("other",))
    snapshot = adapter.get_packaged_servers()
    try:
        snapshot[0].name = "changed"
        frozen = False
    except AttributeError:
        frozen = True
    try:
        snapshot[0].env["A"] = "b"
        frozen = False
    except TypeError:
        pass
    Runner(Context(CWD)).load(EXTENSION)
    return {
        "first": len(first),
        "refused": refused,
        "accepted": accepted,
        "different": different,
        "names": [server.name for server in snapshot],
        "frozen": frozen,
        "kept": [server.name for server in adapter.get_packaged_servers()],
        "again": outcome(),
    }


def ask():
    """The calls of the JSON in ARGUMENT, one turn each."""
    runner = started()
    results = [runner.turn(args) for args in json.loads(ARGUMENT)]
    context = runner.mcp.policy_context({"server": "echo"})
    runner.emit("session_shutdown", "quit")
    return {"results": results, "context": context}


print(json.dumps(globals()[sys.argv[1]]()))
