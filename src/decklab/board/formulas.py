"""Formulas in TeX as MathML, which browsers draw, and as a line of text.

latex2mathml translates; what it does not know it leaves as words with a backslash, and such a
formula is refused.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final
from unicodedata import combining
from xml.etree import ElementTree

from decklab.core.lazy import extra_module

MathElement = ElementTree.Element
MATHML: Final = "http://www.w3.org/1998/Math/MathML"
_ALIGNED = re.compile(
    r"\\(begin|end)\{(?:aligned|alignedat|eqnarray\*?|align|split|gathered|gather\*?)\}"
)
_UNKNOWN: Final = {
    r"\dfrac": r"\frac", r"\tfrac": r"\frac", r"\bm": r"\boldsymbol", r"\mathsf": r"\mathrm",
}  # fmt: skip
"""Commands of amsmath that mean others, as far as a slide is concerned."""
_PARTS: Final = {
    "mfrac": 2, "msup": 2, "msub": 2, "msubsup": 3, "mover": 2, "munder": 2, "munderover": 3,
    "mroot": 2,
}  # fmt: skip
"""How many parts elements have (MathML Core, 3)."""
_RELATIONS: Final = frozenset("=<>≤≥≠≈≡∼≃∝→⇒⇔↦∈∉⊂⊆+−±×⋅∧∨∩∪")
_DIGITS: Final = "0123456789+-−=()n"
RAISED: Final = str.maketrans(_DIGITS, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
LOWERED: Final = str.maketrans(_DIGITS[:-1], "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")


@cache
def mathml(tex: str, *, display: bool = False) -> str | None:
    """A formula as MathML, such as ``<math display="inline">...</math>``; None if it is not
    understood.

    Raises Unavailable without ``decklab[write]``.
    """
    converter = extra_module("latex2mathml.converter", "setting formulas", "write")
    stated = _ALIGNED.sub(r"\\\1{align*}", tex)
    for command, known in _UNKNOWN.items():
        stated = re.sub(rf"{re.escape(command)}(?![A-Za-z])", re.escape(known), stated)
    unread = extra_module("latex2mathml.exceptions", "setting formulas", "write")
    refusals: tuple[type[Exception], ...] = tuple(
        kind for kind in vars(unread).values()
        if isinstance(kind, type) and issubclass(kind, Exception)
    )  # fmt: skip
    refusals += (ElementTree.ParseError, LookupError, ValueError, StopIteration)
    try:
        root = ElementTree.fromstring(
            converter.convert(stated, display="block" if display else "inline")
        )
    except refusals:
        return None
    words = [element.text or "" for element in root.iter()]
    if any("\\" in word or "&" in word for word in words) or not any(map(str.strip, words)):
        return None
    for element in root.iter():
        element.tag = name_of(element)
        if len(element) != _PARTS.get(element.tag, len(element)):
            return None
    root.attrib.pop("xmlns", None)
    root.set("xmlns", MATHML)
    return ElementTree.tostring(root, encoding="unicode")


def name_of(element: MathElement) -> str:
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


@cache
def math_root(markup: str) -> MathElement:
    """The root of MathML markup. Raises ParseError for what is no XML."""
    return ElementTree.fromstring(markup)


def linear(element: MathElement) -> str:
    """MathML as a line of text.

    >>> linear(math_root("<mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac>"))
    'a/b²'
    """
    return " ".join(_linear(element).split())


def _linear(element: MathElement) -> str:
    parts = [_linear(child) for child in element if name_of(child) not in ("annotation", "none")]
    match name_of(element), len(parts):
        case "mfrac", 2:
            return f"{_whole(parts[0])}/{_whole(parts[1])}"
        case "msup", 2:
            return parts[0] + _shifted(parts[1], "^", RAISED)
        case "msub", 2:
            return parts[0] + _shifted(parts[1], "_", LOWERED)
        case (("msubsup" | "munderover"), 3):
            lower = _shifted(parts[1], "_", LOWERED)
            return f"{parts[0]}{lower}{_shifted(parts[2], '^', RAISED)} "
        case "munder", 2:
            return f"{parts[0]}{_shifted(parts[1], '_', LOWERED)} "
        case "msqrt", _:
            return f"√{_whole(''.join(parts))}"
        case "mroot", 2:
            return f"{_shifted(parts[1], '^', RAISED)}√{_whole(parts[0])}"
        case (("mtr" | "mtable"), _):
            return (" " if name_of(element) == "mtr" else "; ").join(parts)
        case "mspace", _:
            return " "
        case "mo", 0:
            return spaced(element.text or "")
        case "mi", 0 if len(element.text or "") > 1:
            return f" {element.text} "
    return f"{element.text or ''}{''.join(parts)}" if not parts else "".join(parts)


def spaced(sign: str) -> str:
    """A sign with the room around it that it has in a line."""
    plain = sign.strip()
    return f" {plain} " if plain in _RELATIONS else f"{plain} " if plain in (",", ";") else plain


def _whole(text: str) -> str:
    """A part of a formula in brackets, if it is more than one thing."""
    plain = text.strip()
    single = re.fullmatch(r"(?:[^\W\d_]|[\d.]+)[⁰-ⁿ₀-₎²³¹]*", plain)
    return plain if single or len(plain) < 2 else f"({plain})"


def _shifted(text: str, sign: str, table: dict[int, int]) -> str:
    plain = "".join(text.split())
    if plain and set(map(ord, plain)) <= set(table):
        return plain.translate(table)
    return f"{sign}{plain}" if len(plain) < 2 else f"{sign}({plain})"


def is_accent(sign: str) -> bool:
    """Whether a sign above a letter is an accent such as a hat or an arrow."""
    return sign in "^~¯˙¨→ˆ˜‾˘ˇ´`⃗" or bool(sign and combining(sign[0]))


def in_rows(elements: Sequence[MathElement]) -> list[MathElement]:
    """Elements without the rows that only group them."""
    if len(elements) == 1 and name_of(elements[0]) in ("mrow", "math", "mstyle", "semantics"):
        return in_rows([child for child in elements[0] if name_of(child) != "annotation"])
    return list(elements)
