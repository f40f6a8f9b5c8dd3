"""The icons that ship with decklab, and which of them stands for a text.

Each is an outline on a square of 24 units, drawn with a line of 2 units and round ends. They come
from Lucide (ISC licence); ``generate/composing/icons.py`` makes the file.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from decklab.board.blueprint import BigNumber, SlidePlan, Step
from decklab.documents.retrieval import search_words

SIDE: Final = 24.0
"""Width and height of the square that outlines are drawn on."""
_LEAST_STEM: Final = 4


@dataclass(frozen=True)
class Icon:
    """An icon: its name, and its outline as SVG path data of the commands M, L, C, Q and Z."""

    name: str
    path: str


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


def icons_of(slide: SlidePlan, *, topic: str = "") -> dict[Step | BigNumber, str]:
    """The outline, as SVG path data, of an icon for each card, step and number of a slide.

    None has one unless all have one and no two are alike, so that no row is half decorated. Words
    are looked up in English; those of ``topic`` are passed over.

    >>> cards = (Step(label="Ships"), Step(label="Risks"))
    >>> len(icons_of(SlidePlan(layout="cards", title="Harbour", cards=cards)))
    2
    """
    items: tuple[Step | BigNumber, ...] = slide.numbers or slide.cards
    if slide.layout != "timeline":
        items = items or slide.steps
    found = {item: icon_for(_words(item), topic=topic) for item in items}
    outlines = {item: icon.path for item, icon in found.items() if icon is not None}
    return outlines if len(set(outlines.values())) == len(items) else {}


def _words(item: Step | BigNumber) -> str:
    return item.label if isinstance(item, BigNumber) else f"{item.label} {item.text or ''}"
