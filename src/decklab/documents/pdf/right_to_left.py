"""Hebrew and Arabic text from the order in which it stands on a page to that in which it is read.

The reverse of the Unicode Bidirectional Algorithm (UAX 9) for one line, without its nested levels:
letters from right to left, numbers and Latin words in it from left to right.
"""

import re
import unicodedata

_RIGHT = "\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_LETTER = re.compile(f"[{_RIGHT}]")
_OTHERS = re.compile(f"[^{_RIGHT}]+")
_RIGHT_RUN = re.compile(rf"[{_RIGHT}](?:[^A-Za-zÀ-ʯͰ-ӿ\d]*[{_RIGHT}])?")
_NUMBER = re.compile(r"[%‰°]?\d+(?:[.,:/]\d+)*[$€£₪]?")
_LATIN = re.compile(r"[A-Za-zÀ-ʯͰ-ӿ]")
_FORMS = re.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+")


def has_right_to_left(text: str) -> bool:
    """Whether a text has a letter of a script that is written from right to left."""
    return not text.isascii() and _LETTER.search(text) is not None


def logical_order(line: str) -> str:
    """The characters of a line, given from left to right as they stand, in reading order.

    Letters in their presentation forms become plain ones.

    >>> logical_order("2024 תנשב") == "בשנת 2024"
    True
    """
    if not has_right_to_left(line):
        return line
    if len(_LETTER.findall(line)) < len(_LATIN.findall(line)):
        found = _RIGHT_RUN.sub(lambda run: run[0][::-1], line)
    else:
        found = _OTHERS.sub(_left_to_right, line[::-1])
    return _FORMS.sub(lambda forms: unicodedata.normalize("NFKC", forms[0]), found)


def _left_to_right(run: "re.Match[str]") -> str:
    """Turn back what is written from left to right: all with Latin letters, else each number."""
    text = run[0]
    if not _LATIN.search(text):
        return _NUMBER.sub(lambda number: number[0][::-1], text)
    inner = text.strip(" .,:;!?()[]\"'-–—")
    start = text.index(inner)
    return text[:start] + inner[::-1] + text[start + len(inner) :]
