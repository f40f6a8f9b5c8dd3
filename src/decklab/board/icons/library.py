"""The icons that ship with decklab, and which of them stands for a text.

Each is an outline on a square of 24 units, drawn with a line of 2 units and round ends. They come
from Lucide (ISC licence); ``generate/composing/icons.py`` makes the file.

An icon as a native freeform shape (DrawingML custGeom, ECMA-376 part 1, 20.1.9.8).
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from decklab.board.boxes import IconBox
from decklab.board.native.markup import DECLARED, named_xml
from decklab.board.pptx_text import place_xml, stroke_xml
from decklab.documents.retrieval import search_words

SIDE: Final = 24.0
"""Width and height of the square that outlines are drawn on."""
STROKE: Final = 2.0
"""Width of their line, in the same units."""
_LEAST_STEM: Final = 4
_STEP = re.compile(r"[MLCQZ][^MLCQZ]*")


@dataclass(frozen=True)
class Icon:
    """An icon: its name, and its outline as SVG path data of the commands M, L, C, Q and Z."""

    name: str
    path: str

    @property
    def steps(self) -> tuple[tuple[str, tuple[float, ...]], ...]:
        """The commands of the outline with their numbers, all absolute."""
        found = (match.group() for match in _STEP.finditer(self.path))
        return tuple((step[0], tuple(map(float, step[1:].split()))) for step in found)


@cache
def icons() -> dict[str, Icon]:
    """All icons by name."""
    return {name: Icon(name, item["path"]) for name, item in _data().items()}


@cache
def _data() -> dict[str, dict[str, str]]:
    text = files("decklab.board.icons").joinpath("lucide.json").read_text(encoding="utf-8")
    data: dict[str, dict[str, str]] = json.loads(text)
    return data


@cache
def _by_word() -> dict[str, str]:
    """The name of the icon of each word, and of its stem."""
    found: dict[str, str] = {}
    for name, item in _data().items():
        for word in item["words"].split():
            for form in (word, *_stems(word)):
                found.setdefault(form, name)
    return found


def icon_for(text: str, *, topic: str = "") -> Icon | None:
    """The icon of the first word of an English text that has one; None where none has.

    Words of the ``topic``, such as the title of the deck, tell nothing apart and are passed over.

    >>> [found.name for found in (icon_for("Our new cranes"), icon_for("Of it all")) if found]
    ['construction']
    """
    known = _by_word()
    common = {known.get(word) for word in re.findall(r"[^\W\d_]+", topic.lower())}
    for word in re.findall(r"[^\W\d_]+", text.lower()):
        name = next((known[form] for form in (word, *_stems(word)) if form in known), None)
        if name is not None and name not in common:
            return icons()[name]
    return None


def _stems(word: str) -> list[str]:
    """The stem of a word; short ones are left out, since they stand for too much."""
    return [stem for stem in search_words(word) if len(stem) >= _LEAST_STEM]


_SCALE: Final = 1_000
"""Units of the path for one unit of the outline: coordinates of a path are whole numbers."""
_TAGS: Final = {"M": "moveTo", "L": "lnTo", "C": "cubicBezTo", "Q": "quadBezTo", "Z": "close"}
_ROUND: Final = "<a:round/>"


def icon_xml(item: IconBox, id: int) -> str:
    """The shape of an icon: lines in a colour of the theme, marked as decorative."""
    side = round(SIDE * _SCALE)
    width = STROKE * item.box.width / SIDE
    stroke = stroke_xml(item.color, width, _ROUND).replace("<a:ln ", '<a:ln cap="rnd" ')
    return (
        f"<p:sp {DECLARED}><p:nvSpPr>{named_xml(id, item.name, decorative=True)}<p:cNvSpPr/>"
        f"<p:nvPr/></p:nvSpPr><p:spPr>{place_xml(item.box)}<a:custGeom><a:avLst/><a:gdLst/><a:ahLst/>"
        f'<a:cxnLst/><a:rect l="0" t="0" r="r" b="b"/><a:pathLst><a:path w="{side}" h="{side}" '
        f'fill="none">{_steps(item.path)}</a:path></a:pathLst></a:custGeom><a:noFill/>{stroke}'
        "</p:spPr></p:sp>"
    )


def _steps(path: str) -> str:
    parts = []
    for command, numbers in Icon("", path).steps:
        whole = [round(number * _SCALE) for number in numbers]
        points = zip(whole[::2], whole[1::2], strict=True)
        inner = "".join(f'<a:pt x="{x}" y="{y}"/>' for x, y in points)
        parts.append(f"<a:{_TAGS[command]}>{inner}</a:{_TAGS[command]}>")
    return "".join(parts)
