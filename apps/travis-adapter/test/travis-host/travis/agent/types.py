"""What a tool returns to the host."""

from dataclasses import dataclass
from typing import Any


@dataclass
class AgentToolResult:
    content: list
    details: Any = None
