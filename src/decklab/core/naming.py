"""How messages name shapes: by name and id, or by what they show if a program named them."""

import re
from typing import Final

NOUNS: Final = {
    "title": "title", "ctrTitle": "title", "subTitle": "subtitle", "dt": "date", "ftr": "footer",
    "sldNum": "slide number", "hdr": "header", "pic": "picture", "tbl": "table",
}  # fmt: skip
"""Placeholders by their type; others are ``text``."""

_AUTOMATIC = re.compile(
    r"Google Shape;.*|PlaceHolder \d+|"
    r"(?:Text ?Box|Rectangle|Rounded Rectangle|Oval|Picture|Table|Chart|Group|Diagram|Content|"
    r"(?:(?:Straight|Elbow|Curved) )?(?:Arrow )?Connector(?:: Elbow|: Curved)?|"
    r"Freeform(?:: Shape)?|AutoShape|Shape|Object|Graphic|Line|Image|Video|Audio|"
    r"Rectangle: [\w ]+|Graphic Frame) \d+"
)
"""Names that PowerPoint, python-pptx, LibreOffice and Google Slides give shapes by themselves."""
_WORDS: Final = 40  # characters of its text that name a shape
_ID: Final = re.compile(r" \(id (\d+)\)\Z")


def shape_label(name: str, id: int | str | None) -> str:
    """A shape of a slide as messages name it.

    >>> shape_label("Title 1", 2)
    'Title 1 (id 2)'
    """
    return f"{name} (id {id})"


def labelled_id(label: str) -> int | None:
    """The id in a label of a shape; None for another text.

    >>> labelled_id("Title 1 (id 2)")
    2
    """
    match = _ID.search(label)
    return int(match[1]) if match else None


def labelled_name(label: str) -> str:
    """The name in a label of a shape; another text as it is.

    >>> labelled_name("Title 1 (id 2)")
    'Title 1'
    """
    return _ID.sub("", label)


def name_in_words(
    name: str, noun: str, text: str, *, placeholder: bool = False, geometry: str = ""
) -> str:
    """A shape by what it shows, if a program gave it its name; empty if a person did, if it has no
    name, or if it shows no words.

    ``noun`` is what it is, ``text`` its words, ``geometry`` its form in words.

    >>> name_in_words("TextBox 3", "text box", "Costs rose")
    'text box “Costs rose”'
    >>> name_in_words("Costs", "text box", "Costs rose")
    ''
    """
    drawn = sorted(re.findall("[a-z]+", geometry))
    numbered = bool(re.search(r" \d+$", name))
    like_its_form = bool(drawn) and sorted(re.findall("[a-z]+", name.lower())) == drawn
    automatic = numbered and (placeholder or like_its_form)
    if not (automatic or _AUTOMATIC.fullmatch(name)):
        return ""
    if not (line := " ".join(text.split())):
        return noun if placeholder or name.startswith("Google Shape;") else ""
    return f"{noun} “{line if len(line) <= _WORDS else line[: _WORDS - 1].rstrip() + '…'}”"
