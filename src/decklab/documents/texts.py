"""Text files as text: how large they may be, and their letters."""

import re
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


_MARK = re.compile(r"\s*[\[(]?(?:\d{1,2}(?:\s*,\s*\d{1,2})*|[*†‡§¶])[\])]?\s*")
_YEAR = re.compile(r"(?<![\d.,])(?:1\d|20|21)\d\d\Z")
_WORD = re.compile(r"[^\W\d_]{4,}\Z")
"""Ours: a word of so many letters, which is no sign of a unit, such as "km", or of a quantity."""
_STOPS: Final = (".", "!", "?", ":", ";", ",", ")", "”", '"', "’", "»", "%")


def raised_text(before: str, text: str) -> str:
    """A raised text as it stands in a line that begins with ``before``: empty where it leads to a
    footnote, after "^" where it is the power of a number.

    >>> [raised_text(before, "2") for before in ("by 2027.", "of millions", "in 2027")]
    ['', '', '']
    >>> raised_text("10", "6"), raised_text("5 m", "2"), raised_text("the 4", "th")
    ('^6', '2', 'th')
    """
    if not _MARK.fullmatch(text):
        return text
    if before.endswith(_STOPS) or _YEAR.search(before) or _WORD.search(before):
        return ""
    return f"^{text}" if before[-1:].isdigit() else text
