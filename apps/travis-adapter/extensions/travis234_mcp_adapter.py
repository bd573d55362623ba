"""The Travis234 extension: it registers the tool `mcp` and hands each call to a Node process of this package.

Standard library only. Loading it reads no file and starts nothing; the process starts with the first use and speaks one
JSON object a line. Rules about configuration are the process's alone. What it needs of the host: tool-effect metadata.
"""

import asyncio
import contextlib
import itertools
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
import types
import unicodedata
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

# Written by scripts/write-shim.mjs, because the tool is defined in TypeScript; a test compares the two.
_TOOL = json.loads(r"""
{
  "name": "mcp",
  "label": "MCP",
  "description": "Use tools, resources and prompts of explicitly configured MCP servers, one server and one operation a call. {} reports the servers without connecting; {\"server\":\"NAME\"} lists its tools.",
  "parameters": {
    "type": "object",
    "properties": {
      "server": {
        "type": "string",
        "description": "Configured server name"
      },
      "operation": {
        "type": "string",
        "enum": [
          "tools.list",
          "tools.search",
          "tools.describe",
          "tools.call",
          "resources.list",
          "resources.read",
          "prompts.list",
          "prompts.get",
          "reconnect"
        ]
      },
      "query": {
        "type": "string",
        "description": "For tools.search; filters resources.list and prompts.list"
      },
      "name": {
        "type": "string",
        "description": "Tool name for tools.describe and tools.call"
      },
      "resource": {
        "type": "string",
        "pattern": "^mcp-resource-[0-9a-f]{32}$",
        "description": "Reference from resources.list"
      },
      "prompt": {
        "type": "string",
        "description": "Prompt name for prompts.get"
      },
      "arguments": {
        "type": "object",
        "description": "For tools.call and prompts.get"
      },
      "search": {
        "type": "string",
        "description": "Short form of tools.search"
      },
      "describe": {
        "type": "string",
        "description": "Short form of tools.describe"
      },
      "tool": {
        "type": "string",
        "description": "Short form of tools.call"
      },
      "args": {
        "type": "object",
        "description": "Arguments of tool"
      }
    },
    "additionalProperties": false
  },
  "promptGuidelines": [
    "Call mcp with no arguments before using a server that you do not know.",
    "Name one explicit server and one operation in each call of mcp."
  ],
  "effects": [
    "read",
    "write",
    "execute",
    "network"
  ]
}
""")

_NEEDED_HOST = (
    "travis234-mcp-adapter needs a Travis234 host with tool-effect metadata, 2.4.3 or newer; "
    "its tool mcp was not registered"
)
_MARKER = "travis234Mcp"
_CANCEL_SECONDS = 1.5
_NAMES_SECONDS = 2.0
_GREETING_SECONDS = 30.0
_STOP_SECONDS = 8.0
_KILL_SECONDS = 1.0
_MAX_FRAME_BYTES = 16 * 1024 * 1024
_MAX_SHOWN_NAME = 80
_MAX_HOST_FILE_BYTES = 1024 * 1024


def extension(travis: Any) -> None:
    """Registers the tool. Called again for the same runner (a second install path), it changes nothing."""
    try:
        from travis.agent.types import AgentToolResult
        from travis.ai.types import ImageContent, TextContent
        from travis.coding_agent.tools.types import ToolDefinition
    except ImportError as error:
        raise RuntimeError(_NEEDED_HOST) from error

    def result_of(answer: Mapping[str, Any]) -> Any:
        blocks = [
            TextContent(text=block["text"])
            if block["type"] == "text"
            else ImageContent(data=block["data"], mime_type=block["mimeType"])
            for block in answer["content"]
        ]
        return AgentToolResult(content=blocks, details=answer["details"])

    session = _Session()

    async def execute(
        tool_call_id: str,
        args: Any,
        signal: Any = None,
        on_update: Any = None,
        ctx: Any = None,
    ) -> Any:
        try:
            return result_of(await session.perform(args, signal, ctx))
        except _Failure as failure:
            return result_of(failure.answer(args))
        except Exception as error:  # The host shows an exception's text, which may be empty or hold anything.
            failure = _Failure("INTERNAL", f"The extension failed ({type(error).__name__})")
            return result_of(failure.answer(args))

    try:
        tool = ToolDefinition(
            name=_TOOL["name"],
            label=_TOOL["label"],
            description=_TOOL["description"],
            parameters=_TOOL["parameters"],
            prompt_guidelines=_TOOL["promptGuidelines"],
            execute=execute,
            prepare_arguments=_prepare_arguments,
            effects=frozenset(_TOOL["effects"]),
            policy_context=session.policy_context,
        )
    except TypeError as error:
        raise RuntimeError(_NEEDED_HOST) from error
    runner = getattr(travis, "_runner", travis)
    if getattr(runner, "_travis234_mcp_adapter", None) is not None:
        return
    try:
        runner._travis234_mcp_adapter = session
    except AttributeError:
        pass  # A runner that takes no mark is loaded once, or registers the same tool twice.
    travis.register_tool(tool)
    travis.on("session_start", lambda event, ctx: session.start(ctx))
    travis.on("session_shutdown", lambda event, ctx: session.end())
    travis.on("tool_result", _tell_error)


def _tell_error(event: Any) -> dict[str, bool] | None:
    """A tool's return value cannot say that it is an error; this handler says it for our own results."""
    details = event.get("details") if isinstance(event, Mapping) else None
    marker = details.get(_MARKER) if isinstance(details, Mapping) else None
    is_error = marker.get("isError") if isinstance(marker, Mapping) else None
    return {"isError": is_error} if isinstance(is_error, bool) else None


class _Failure(Exception):
    """A failure on this side of the pipe: a code of the adapter's table and a sentence that is safe to show."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code

    def answer(self, args: Any) -> dict[str, Any]:
        text = f"MCP adapter failed ({self.code}): {self}."
        details = {"operation": _operation_of(args), "isError": True, "errorType": self.code}
        return {"content": [{"type": "text", "text": text}], "details": {_MARKER: details}}


class _Place(NamedTuple):
    """Where a session runs, as its host says."""

    cwd: str
    is_trusted: bool
    is_offline: bool

    @classmethod
    def of(cls, ctx: Any) -> "_Place":
        registry = getattr(ctx, "model_registry", None)
        return cls(
            cwd=str(ctx.cwd),
            is_trusted=bool(ctx.is_project_trusted()),
            is_offline=bool(getattr(registry, "offline", False)),
        )


class _Session:
    """One session of the host, with at most one process. Turns come on ever new event loops and from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._place: _Place | None = None
        self._is_ended = False
        self._process: _Process | None = None

    def start(self, ctx: Any) -> None:
        place = _Place.of(ctx)
        with self._lock:
            self._place, self._is_ended = place, False
            previous, self._process = self._process, None
        if previous is not None:
            previous.stop()

    def end(self) -> None:
        with self._lock:
            self._is_ended = True
            process, self._process = self._process, None
        if process is not None:
            process.stop()

    async def perform(self, args: Any, abort: Any, ctx: Any) -> Mapping[str, Any]:
        process = self._reach(ctx)
        number, answer = process.ask(_prepare_arguments(args))
        cancel = partial(process.cancel, number)
        unsubscribe = abort.add_callback(cancel) if abort is not None else None
        try:
            return await asyncio.wrap_future(answer)
        except asyncio.CancelledError:
            cancel()
            raise
        finally:
            if callable(unsubscribe):
                unsubscribe()

    def policy_context(self, args: Any) -> dict[str, str]:
        """What an approval prompt may show (A3): nothing that a model wrote."""
        args = _prepare_arguments(args)
        server = args.get("server") if isinstance(args, Mapping) else None
        name = server.strip(_BLANKS) if isinstance(server, str) else ""
        is_configured = name != "" and name in self._names()
        return {
            "operation": _operation_of(args),
            "server": _printable(name) if is_configured else "unconfigured",
        }

    def _names(self) -> frozenset[str]:
        try:
            return self._reach(None).names(_NAMES_SECONDS)
        except _Failure:
            return frozenset()

    def _reach(self, ctx: Any) -> "_Process":
        with self._lock:
            if self._is_ended:
                raise _Failure("CLOSED", "The session has ended")
            if self._place is None and ctx is None:
                raise _Failure("CLOSED", "The session has not started")
            if self._place is None:
                # A subagent's session starts without an event; the context of its first call says the same.
                self._place = _Place.of(ctx)
            if self._process is None or self._process.is_ended:
                place = self._place
                self._process = _Process(lambda: _command(place))
            return self._process


class _Process:
    """One `travis234-mcp-adapter host` and the threads that serve its pipes. Only `names` and `stop` wait."""

    _numbers = itertools.count(1)

    def __init__(self, command: Callable[[], list[str]]) -> None:
        self._command = command
        self._frames: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._waiting: dict[str, Future[Mapping[str, Any]]] = {}
        self._failure: _Failure | None = None
        self._names: frozenset[str] = frozenset()
        self._greeted = threading.Event()
        self._gone = threading.Event()
        self._words: deque[str] = deque(maxlen=50)
        self._child: subprocess.Popen[bytes] | None = None
        _start_thread(self._serve)

    @property
    def is_ended(self) -> bool:
        return self._failure is not None

    def names(self, seconds: float) -> frozenset[str]:
        self._greeted.wait(seconds)
        return self._names

    def ask(self, request: Any) -> tuple[str, Future[Mapping[str, Any]]]:
        """Queues a request at once, before any greeting; the future is settled exactly once, whatever happens."""
        number = str(next(self._numbers))
        params = {"request": request, "env": dict(os.environ)}
        frame = _encode({"id": number, "method": "execute", "params": params})
        answer: Future[Mapping[str, Any]] = Future()
        answer.set_running_or_notify_cancel()
        with self._lock:
            if self._failure is not None:
                raise self._failure
            self._waiting[number] = answer
            self._frames.put(frame)
        return number, answer

    def cancel(self, number: str) -> None:
        """Asks the process to cancel, and settles the call itself if the process does not in time. Never blocks."""
        if number not in self._waiting:
            return
        self._frames.put(_encode({"method": "cancel", "params": {"id": number}}))
        failure = _Failure("CANCELLED", "The request was cancelled")
        timer = threading.Timer(_CANCEL_SECONDS, self._settle, (number, failure))
        timer.daemon = True
        timer.start()

    def stop(self) -> None:
        """Ends the process with all its servers: politely, and after 8 s by force."""
        self._frames.put(_encode({"id": "end", "method": "shutdown"}))
        self._frames.put(None)
        if not self._gone.wait(_STOP_SECONDS):
            self._kill()
            self._gone.wait(_KILL_SECONDS)
        self._end(_Failure("CLOSED", "The session has ended"))

    def _serve(self) -> None:
        """The writer's thread. It starts the process too, because that takes time that a turn's loop has not."""
        try:
            child = subprocess.Popen(
                self._command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=_package(),
                # A terminal's interrupt is the host's affair; the process ends with the session.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except _Failure as failure:
            return self._end(failure)
        except Exception as error:  # Whatever it is, the calls that wait must be answered.
            reason = f"Node.js could not be started ({type(error).__name__})"
            return self._end(_Failure("START_FAILED", reason))
        self._child = child
        errors = _start_thread(lambda: self._listen(child.stderr))
        _start_thread(lambda: self._read(child, errors))
        _start_thread(self._await_greeting)
        # The process may end before it has read everything, which its reader tells.
        with contextlib.suppress(OSError), contextlib.closing(child.stdin) as stdin:
            for frame in iter(self._frames.get, None):
                stdin.write(frame)
                stdin.flush()

    def _listen(self, stderr: Any) -> None:
        with stderr:
            for line in iter(lambda: stderr.readline(4096), b""):
                self._words.append(line.decode("utf-8", "replace"))

    def _read(self, child: "subprocess.Popen[bytes]", errors: threading.Thread) -> None:
        with child.stdout:
            for line in child.stdout:
                self._receive(line)
        status = child.wait()
        errors.join(0.3)
        self._end(_ending(status, list(self._words), self._greeted.is_set()))

    def _receive(self, line: bytes) -> None:
        try:
            frame = json.loads(line)
            if frame.get("method") == "ready":
                self._names = frozenset(frame["params"]["servers"])
                self._greeted.set()
            elif "error" in frame:
                self._settle(frame["id"], _Failure("INTERNAL", str(frame["error"]["message"])))
            else:
                self._settle(frame["id"], frame["result"])
        except (AttributeError, KeyError, TypeError, ValueError):
            pass  # Not of the protocol; the calls around it are unharmed.

    def _settle(self, number: Any, outcome: Mapping[str, Any] | _Failure) -> None:
        with self._lock:
            answer = self._waiting.pop(number, None)
        if answer is None:
            return
        if isinstance(outcome, _Failure):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)

    def _end(self, failure: _Failure) -> None:
        with self._lock:
            self._failure = self._failure or failure
            left = list(self._waiting)
        for number in left:
            self._settle(number, failure)
        self._frames.put(None)
        self._greeted.set()
        self._gone.set()

    def _await_greeting(self) -> None:
        if self._greeted.wait(_GREETING_SECONDS):
            return
        reason = f"Its process did not greet within {int(_GREETING_SECONDS)} s"
        self._end(_Failure("START_FAILED", reason))
        self._kill()

    def _kill(self) -> None:
        child = self._child
        if child is None or child.poll() is not None:
            return
        try:
            if hasattr(os, "killpg"):
                os.killpg(child.pid, signal.SIGKILL)
            else:
                child.kill()
        except OSError:
            pass  # It has just ended.


def _start_thread(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, name="travis234-mcp-adapter", daemon=True)
    thread.start()
    return thread


def _encode(frame: Mapping[str, Any]) -> bytes:
    try:
        line = json.dumps(frame, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise _Failure("INVALID_REQUEST", "The request cannot be written as JSON") from error
    if len(line) > _MAX_FRAME_BYTES:
        raise _Failure("INVALID_REQUEST", f"The request is longer than {_MAX_FRAME_BYTES} bytes")
    return line


def _ending(status: int, words: list[str], has_greeted: bool) -> _Failure:
    """Says how the process ended, with the one line of its stderr that names an error, without paths."""
    how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
    error = next((word for word in reversed(words) if re.match(r"\s*\w*Error\b", word)), "")
    shown = re.sub(r"\S*[/\\]\S*", "[path]", error.strip())[:300]
    said = f"; it said: {shown}" if shown else ""
    if has_greeted:
        return _Failure(
            "CONNECTION_LOST",
            f"Its process {how}, and the outcome is unknown; the next call starts a new one{said}",
        )
    return _Failure("START_FAILED", f"Its process {how}; Node.js 20.19 or newer is needed{said}")


# Where the process comes from and how it is started


def _package() -> Path:
    return Path(__file__).resolve().parents[1]


def _command(place: _Place) -> list[str]:
    script = _package() / "dist" / "cli.js"
    if not script.is_file():
        raise _Failure(
            "START_FAILED",
            "dist/cli.js is missing from the package; install one that was built, as its README says",
        )
    node = _find_node()
    if node is None:
        raise _Failure(
            "START_FAILED",
            "Node.js was not found on PATH; install Node.js 20.19 or newer where Travis234 runs",
        )
    command = [node, str(script), "--cwd", place.cwd, "--home", str(Path.home())]
    if place.is_trusted and _is_trust_decided(place.cwd):
        command.append("--trust-project")
    if place.is_offline:
        command.append("--offline")
    command.append("host")
    for server in get_packaged_servers():
        fields = {**server._asdict(), "args": list(server.args), "env": dict(server.env)}
        command += ["--packaged-server", json.dumps(fields)]
    return command


def _find_node(is_windows: bool = os.name == "nt") -> str | None:
    """Where Node is. On Windows ``which`` looks into the working folder first, which may be a stranger's project."""
    if not is_windows:
        return shutil.which("node")
    programs = [Path(folder, "node.exe") for folder in os.get_exec_path() if os.path.isabs(folder)]
    return next((str(program) for program in programs if program.is_file()), None)


def _is_trust_decided(cwd: str) -> bool:
    """Whether somebody decided that the project is trusted (A5); the host also trusts folders it never asked about."""
    arguments = itertools.takewhile(lambda argument: argument != "--", sys.argv[1:])
    if {"--approve", "-a"}.intersection(arguments):
        return True
    folder = os.environ.get("TRAVIS234_CODING_AGENT_DIR") or "~/.travis234/agent"
    agent = Path(folder).expanduser()
    decisions = _read_host_file(agent / "trust.json")
    project = Path(cwd).expanduser().resolve()
    for path in (project, *project.parents):
        if isinstance(decision := decisions.get(str(path)), bool):
            return decision
    return _read_host_file(agent / "settings.json").get("defaultProjectTrust") == "always"


def _read_host_file(path: Path) -> Mapping[str, Any]:
    """What cannot be read decides nothing."""
    try:
        with open(path, "rb") as file:
            value = json.loads(file.read(_MAX_HOST_FILE_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


# What a request is, as far as the host must know before the process does

_BLANKS = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_SHORT_FIELDS = ("search", "describe", "tool", "args")
_EXPLICIT_FIELDS = ("query", "name", "resource", "prompt", "arguments")
_FIELDS_OF = {
    "tools.list": (),
    "tools.search": ("query",),
    "tools.describe": ("name",),
    "tools.call": ("name", "arguments"),
    "resources.list": ("query",),
    "resources.read": ("resource",),
    "prompts.list": ("query",),
    "prompts.get": ("prompt", "arguments"),
    "reconnect": (),
}
_REQUIRED = {
    "tools.search": "query",
    "tools.describe": "name",
    "tools.call": "name",
    "resources.read": "resource",
    "prompts.get": "prompt",
}
_REFERENCE = re.compile(r"mcp-resource-[0-9a-f]{32}")


def _prepare_arguments(args: Any) -> Any:
    """Models send `args` as JSON text now and then; the host would refuse it before the process could read it (A10)."""
    if not isinstance(args, Mapping):
        return args
    return {
        key: _object_in(value) if key in ("args", "arguments") else value
        for key, value in args.items()
    }


def _object_in(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        parsed = json.loads(value, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return value
    return parsed if isinstance(parsed, dict) else value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _operation_of(args: Any) -> str:
    """The label of a request (A3); `validation` for all that the process refuses by its shape."""
    args = _prepare_arguments(args)
    if not isinstance(args, Mapping):
        return "validation"
    if not args:
        return "status"
    is_known = all(key in _TOOL["parameters"]["properties"] for key in args)
    if not is_known or not _is_filled(args.get("server")):
        return "validation"
    operation = _explicit(args) if args.get("operation") is not None else _short(args)
    return "validation" if operation is None else operation.removeprefix("tools.")


def _explicit(args: Mapping[str, Any]) -> str | None:
    operation = args["operation"]
    if not isinstance(operation, str) or operation not in _FIELDS_OF:
        return None
    allowed = _FIELDS_OF[operation]
    if any(key in args for key in (*_SHORT_FIELDS, *_EXPLICIT_FIELDS) if key not in allowed):
        return None
    if operation in _REQUIRED and not _is_filled(args.get(_REQUIRED[operation])):
        return None
    if "query" in args and not _is_filled(args["query"]):
        return None
    if "resource" in args and not _REFERENCE.fullmatch(args["resource"]):
        return None
    given = args.get("arguments")
    if given is not None and not isinstance(given, dict):
        return None
    if operation == "prompts.get" and not all(isinstance(v, str) for v in (given or {}).values()):
        return None
    return operation


def _short(args: Mapping[str, Any]) -> str | None:
    if any(key in args for key in _EXPLICIT_FIELDS):
        return None
    chosen = [key for key in ("search", "describe", "tool") if args.get(key) is not None]
    if len(chosen) > 1 or ("args" in args and chosen != ["tool"]):
        return None
    if not chosen:
        return "list"
    if not _is_filled(args[chosen[0]]) or not isinstance(args.get("args", {}), dict):
        return None
    return "call" if chosen == ["tool"] else chosen[0]


def _is_filled(value: Any) -> bool:
    return isinstance(value, str) and value.strip(_BLANKS) != ""


def _printable(name: str) -> str:
    hidden = ("Cc", "Cf", "Cs", "Zl", "Zp")
    shown = ("?" if unicodedata.category(char) in hidden else char for char in name)
    return "".join(shown)[:_MAX_SHOWN_NAME]


# Servers that other trusted extensions ship


class PackagedServer(NamedTuple):
    """A server inside a package: `command` is an absolute path of an executable file below `root`, links resolved.

    Values of `env` may hold references as in a configuration file, and those of credentials must.
    """

    name: str
    root: str
    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = types.MappingProxyType({})


def register_packaged_server(server: PackagedServer) -> None:
    """Makes the server known to every session that starts its process from now on; /reload starts a new one.

    The same descriptor again changes nothing. Raises ValueError for one that breaks a rule, or differs from another
    of its name.
    """
    checked = _checked(server)
    present = _servers.setdefault(checked.name, checked)
    if tuple(present) != tuple(checked):
        raise ValueError(f"a different packaged server is registered as {checked.name!r}")


def get_packaged_servers() -> tuple[PackagedServer, ...]:
    """Those registered now, by name; later ones do not show in it."""
    return tuple(PackagedServer(*_servers[name]) for name in sorted(_servers))


def _checked(server: PackagedServer) -> PackagedServer:
    name, args, env = server.name, server.args, server.env
    if not isinstance(name, str) or not _is_filled(name) or name.strip(_BLANKS) != name:
        raise ValueError("name must be a text that is not blank and has no blanks around it")
    if any(unicodedata.category(char) in ("Cc", "Zl", "Zp") for char in name):
        raise ValueError("name must not hold control characters")
    if not isinstance(args, (tuple, list)) or not all(isinstance(text, str) for text in args):
        raise ValueError("args must be a tuple of texts")
    texts = [*env.keys(), *env.values()] if isinstance(env, Mapping) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("env must map texts to texts")
    root, command = Path(server.root), Path(server.command)
    if not root.is_absolute() or not command.is_absolute():
        raise ValueError("root and command must be absolute paths")
    root, command = root.resolve(), command.resolve()
    if root not in command.parents:
        raise ValueError("command must lie inside root once links are resolved")
    if not command.is_file() or not os.access(command, os.X_OK):
        raise ValueError("command must be an existing file that may be executed")
    frozen = types.MappingProxyType(dict(env))
    return PackagedServer(name, str(root), str(command), tuple(args), frozen)


def _provide_module() -> dict[str, PackagedServer]:
    """Makes `import travis234_mcp_adapter` work for other extensions; what they registered outlives a /reload."""
    module = sys.modules.get("travis234_mcp_adapter")
    if not isinstance(getattr(module, "_packaged_servers", None), dict):
        module = types.ModuleType("travis234_mcp_adapter", "Servers that trusted extensions ship.")
        module._packaged_servers = {}
        sys.modules["travis234_mcp_adapter"] = module
    for provided in (PackagedServer, register_packaged_server, get_packaged_servers):
        setattr(module, provided.__name__, provided)
    return module._packaged_servers


_servers = _provide_module()
