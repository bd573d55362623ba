"""The two kinds of block that the host takes."""

from dataclasses import dataclass


@dataclass
class TextContent:
    text: str
    type: str = "text"


@dataclass
class ImageContent:
    data: str
    mime_type: str
    type: str = "image"
