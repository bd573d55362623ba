"""A small host: it loads the extension as Travis234 does, and plays sessions and turns with it."""

import asyncio
import itertools
import json
import sys
import threading
import types
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
_generations = itertools.count(1)


class AbortSignal:
    def __init__(self) -> None:
        self.aborted = False
        self.callbacks: list = []

    def add_callback(self, callback):
        if self.aborted:
            callback()
        self.callbacks.append(callback)
        return lambda: self.callbacks.remove(callback)

    def abort(self) -> None:
        self.aborted = True
        for callback in list(self.callbacks):
            callback()


class Context:
    """What the host tells an extension of its session."""

    def __init__(self, cwd: str, trusted: bool = False, offline: bool = False) -> None:
        self.cwd = cwd
        self.model_registry = types.SimpleNamespace(offline=offline)
        self.is_project_trusted = lambda: trusted


class Runner:
    """One session's registry of tools and handlers."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tools: dict[str, Any] = {}
        self.handlers: dict[str, list] = {}

    def load(self, path: str):
        """Runs an extension file in a fresh module, then its factory."""
        module = types.ModuleType(f"_travis234_extension_{next(_generations)}")
        module.__file__ = path
        exec(compile(Path(path).read_text("utf-8"), path, "exec"), module.__dict__)
        module.extension(Api(self))
        return module

    def emit(self, kind: str, reason: str = "startup") -> None:
        for handler in self.handlers.get(kind, []):
            handler({"type": kind, "reason": reason}, self.context)

    @property
    def mcp(self):
        return self.tools["mcp"]

    async def call(self, args: Any, signal: AbortSignal | None = None) -> dict:
        """One call of the tool, as a turn makes it."""
        result = await self.mcp.execute("the-model's-id", args, signal, None, self.context)
        event = {"toolName": "mcp", "details": result.details}
        (tell,) = self.handlers["tool_result"]
        blocks = [vars(block) for block in result.content]
        json.dumps(result.details)
        return {"content": blocks, "details": result.details, **(tell(event) or {})}

    def turn(self, args: Any, signal: AbortSignal | None = None) -> dict:
        """Each turn has an event loop of its own."""
        return asyncio.run(self.call(args, signal))


class Api:
    """What the factory gets."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def register_tool(self, tool) -> None:
        self._runner.tools[tool.name] = tool

    def on(self, event: str, handler) -> None:
        self._runner.handlers.setdefault(event, []).append(handler)


def in_thread(work, *args) -> Any:
    """Runs work on another thread and gives what it returns."""
    answers: list = []
    thread = threading.Thread(target=lambda: answers.append(work(*args)))
    thread.start()
    thread.join()
    return answers[0]
