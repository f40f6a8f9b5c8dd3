"""Text files as text: how large they may be, and their letters."""

from pathlib import Path
from typing import Final

from decklab.core.errors import LimitExceeded

MAX_TEXT_BYTES: Final = 32 * 1024 * 1024
"""Ours: of a text file; some twenty times the longest novel."""


def decoded_text(path: Path, data: bytes) -> str:
    """The text of a file: UTF-8 or UTF-16 by its mark, else UTF-8, else Windows-1252.

    Raises LimitExceeded above ``MAX_TEXT_BYTES``.
    """
    if len(data) > MAX_TEXT_BYTES:
        raise LimitExceeded(path, f"{len(data):,} bytes of text; at most {MAX_TEXT_BYTES:,}")
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
