"""Words for readers: parts of a score, levels and severities, numbers, paths and slide ranges."""

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from decklab.core.options import Severity

if TYPE_CHECKING:
    from decklab.core.results import NotScored  # pydantic takes longer than a usage error

PARTS: Final = (
    ("harmony.score", "Harmony", "hues keep to one scheme, on every slide alike; at most 5"),
    ("engagement.score", "Engagement", "colour is vivid and varies at a good pace; 0 to 10"),
    ("usability.score", "Usability", "text stands out from what is behind it; 0 to 10"),
    ("rhythm.score", "Rhythm", "visual complexity is well chosen and changes from slide to slide"),
)
"""Metric, name and meaning of the four parts that add up to ``aesthetics.total``."""

FULL_SCALES: Final = {
    "harmony.score": 5.0,
    "engagement.score": 10.0,
    "usability.score": 10.0,
    "rhythm.score": 20.0,
    "aesthetics.total": 45.0,
    "quality.score": 100.0,
}
"""The most each score can be; harmony, and so the total, can be below 0."""

LEVEL_NAMES: Final = ("Static", "Patchwork", "Vector", "Structural", "Parametric", "Cinematic")
"""Class names of the PEI levels L0 to L5 (paper 002, table 15)."""

LEVEL_MEANINGS: Final = (
    "flat pictures; nothing can be edited",
    "text can be edited, piece by piece",
    "text reflows and drawings stay sharp",
    "masters and groups carry a change through the deck",
    "charts and diagrams hold their data",
    "animation, transitions and media are native",
)
"""The abilities of a deck of each level, in short (after paper 002, appendix I.3)."""

SEVERITY_ORDER: Final[dict[Severity, int]] = {"error": 0, "warning": 1, "info": 2}
"""Rank of each severity, worst first."""

SEVERITY_LABELS: Final[dict[Severity, str]] = {
    "error": "error",
    "warning": "warning",
    "info": "note",
}


_UNSHOWABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069"
    "\ud800-\udfff\ufeff\ufffe\uffff]"
)
_INVISIBLE = {0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF}
_SURROGATE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """``text`` with all invisible and control characters replaced.

    Tabs, line breaks and vertical tabs become a space. Other control characters become their
    control picture or U+FFFD, so that a terminal or browser obeys none of them; so do halves of
    surrogate pairs. Invisible marks that turn the direction of text go.

    >>> clean("a\\x0bb\\x1b[31m")
    'a b␛[31m'
    """
    return _UNSHOWABLE.sub(_picture, text)


def clean_line(text: str) -> str:
    """Untrusted ``text`` on one line, ``clean``."""
    return clean(" ".join(text.split()))


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group())
    if 9 <= code <= 13 or code in (0x85, 0x2028, 0x2029):
        return " "
    if code < 0x20:
        return chr(0x2400 + code)
    if code in _INVISIBLE:
        return ""
    return "\u2421" if code == 0x7F else "\ufffd"


def storable(text: str) -> str:
    """``text`` unchanged, except halves of surrogate pairs, which UTF-8 cannot encode.

    >>> storable("caf\\udce9.pptx")
    'caf\ufffd.pptx'
    """
    return _SURROGATE.sub("\ufffd", text)


def number(value: float, digits: int = 2) -> str:
    """A value with fixed decimals, grouped thousands and a true minus sign.

    >>> number(-1234.5), number(-0.001), number(3, 0)
    ('−1,234.50', '0.00', '3')
    """
    text = f"{abs(value):,.{digits}f}"
    return f"−{text}" if value < 0 and float(text.replace(",", "")) else text


def shown(value: "float | NotScored | None", style: str = ".2f") -> str:
    """A value in a format of Python; an en dash if there is none.

    >>> from decklab.core.results import NotScored
    >>> shown(0.5), shown(0.5, ".0%"), shown(NotScored("no text"))
    ('0.50', '50%', '–')
    """
    return format(value, style) if isinstance(value, int | float) else "–"


def plain(value: float) -> str:
    """A value with at most two decimals, as short as it can be.

    >>> plain(4.5), plain(960.0), plain(-1.234)
    ('4.5', '960', '−1.23')
    """
    return number(value).rstrip("0").rstrip(".")


def counted(count: int, noun: str) -> str:
    """A count with its noun, which gets an s unless the count is 1.

    >>> counted(1, "slide"), counted(0, "error")
    ('1 slide', '0 errors')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def shorten(text: str, width: int) -> str:
    """``text`` in at most ``width`` characters (two or more); the middle is left out.

    >>> shorten("quarterly-report-2025-final.pptx", 16)
    'quarterl…al.pptx'
    """
    if len(text) <= width:
        return text
    tail = (width - 1) // 2
    return text[: width - 1 - tail] + "…" + text[len(text) - tail :]


def deck_name(deck: str) -> str:
    """The last part of a deck's path, its name for people.

    >>> deck_name("talks/2025/kickoff.pptx"), deck_name("pictures/"), deck_name("/")
    ('kickoff.pptx', 'pictures', '/')
    """
    return PurePath(deck).name or deck or "unnamed deck"


def rule_title(rule: str) -> str:
    """A rule's id as words.

    >>> rule_title("editability.text-fragments")
    'Editability: text fragments'
    """
    words = rule.replace("-", " ").replace("_", " ").replace(".", ": ", 1).replace(".", " ")
    return words[:1].upper() + words[1:]


def slide_ranges(slides: Iterable[int]) -> str:
    """Slide numbers as ranges, each number once.

    >>> slide_ranges([7, 1, 2, 3, 3, 9, 10])
    '1–3, 7, 9–10'
    """
    if not (ordered := sorted(set(slides))):
        return ""
    breaks = [(a, b) for a, b in pairwise(ordered) if b != a + 1]
    starts = [ordered[0], *(b for _, b in breaks)]
    ends = [*(a for a, _ in breaks), ordered[-1]]
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in zip(starts, ends, strict=True))
