"""How a tool is declared, with effects metadata."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class ToolDefinition:
    name: str
    label: str
    description: str
    parameters: dict
    execute: Callable[..., Any]
    prompt_guidelines: list = field(default_factory=list)
    prepare_arguments: Callable[[Any], Any] | None = None
    effects: frozenset | None = None
    policy_context: Callable[[Any], Any] | None = None
