"""What a shape or slide says and shows, as a hash: whatever its place, style, ids and names."""

import hashlib
import json
from typing import Any

__all__ = ["content_of_shape", "content_of_slide"]

_SHOWN = {
    "shape": ("geometry",),
    "line": ("geometry",),
    "image": ("sha256", "link"),
    "table": ("cells",),
    "chart": ("type", "plots", "title", "series"),
    "diagram": ("nodes",),
    "media": ("media_sha256", "media_link"),
    "other": ("what", "detail", "sha256", "text"),
}
"""By kind, the keys that count."""
_LENGTH = 16  # hexadecimal digits: 64 bits, enough to tell the shapes of any deck apart


def content_of_shape(shape: dict[str, Any]) -> str:
    """The hash of a snapshot's shape; its text, without styles, is part of it."""
    kind = shape["kind"]
    held = shape.get(kind, {})
    shown = [held.get(key) for key in _SHOWN.get(kind, ())]
    return _hash([kind, shape.get("text", {}).get("text"), *shown])


def content_of_slide(slide: dict[str, Any]) -> str:
    """The hash of a snapshot's slide: of its shapes, in drawing order, and its notes."""
    return _hash([slide.get("notes"), *(shape["content"] for shape in slide["shapes"])])


def _hash(value: list[Any]) -> str:
    spelled = json.dumps(value, ensure_ascii=False, sort_keys=True).encode()
    return hashlib.sha256(spelled).hexdigest()[:_LENGTH]
