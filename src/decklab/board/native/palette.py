"""The colours and fonts that a deck uses most, as its theme."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from decklab.board.native.paints import hex_of
from decklab.core.colors import contrast_ratio
from decklab.rendering.fonts import installed_families
from decklab.rendering.measured import (
    BoxItem,
    Fill,
    FontFace,
    LinearFill,
    MeasuredPage,
    PathItem,
    SolidFill,
    TableItem,
    TextItem,
)

_GENERIC: Final = frozenset(
    {"", "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "math", "emoji",
     "ui-sans-serif", "ui-serif", "ui-monospace", "ui-rounded", "-apple-system",
     "blinkmacsystemfont"}
)  # fmt: skip
_BOLD: Final = 600


@dataclass(frozen=True)
class Typeface:
    """A family as a presentation names it, by script, and whether it is set bold."""

    latin: str
    east_asian: str
    complex_script: str
    bold: bool
    italic: bool


def typeface_of(face: FontFace) -> Typeface:
    """The family that the page asks for, if the browser has it, else the one that it took.

    A weight that is a family of its own, such as Lato Light, is named as that family.
    """
    taken = face.families.get("latin", "")
    family, bold = face.used, face.weight >= _BOLD
    if family.casefold() in _GENERIC:
        family = taken
    elif (
        taken.casefold().startswith(f"{family.casefold()} ")
        and taken.casefold() in installed_families()
    ):
        family, bold = taken, False
    return Typeface(
        family, face.families.get("ea", ""), face.families.get("cs", ""), bold, face.italic
    )


_COLOR = re.compile(r'<a:srgbClr val="([0-9A-F]{6})"(?:/>|>(.*?)</a:srgbClr>)', re.DOTALL)
_LATIN = re.compile(r'<a:latin typeface="([^"]*)"/>')
_ACCENTS = 6
_NEUTRAL = 24
"""Ours: a colour whose channels are closer than this is a grey."""
_WORD_WEIGHT = 400.0
"""Ours: pixels of area that a character of a colour counts."""


@dataclass(frozen=True)
class Palette:
    """Theme colours by slot, and the fonts of headings and of text.

    >>> Palette.plain().slots["tx1"]
    '#000000'
    """

    slots: Mapping[str, str]
    """``bg1``, ``tx1``, ``bg2``, ``tx2`` and ``accent1`` to ``accent6``."""
    heading: str
    body: str

    def for_charts(self) -> "Palette":
        """With greys, a line and a tint beside the first accent, as charts need them."""
        ground, text = self.slots["bg1"], self.slots["tx1"]
        greys = [mixed(text, ground, share) for share in (0.35, 0.5, 0.6, 0.85)]
        greys.append(mixed(self.slots["accent1"], ground, 0.85))
        names = (f"accent{number}" for number in range(2, _ACCENTS + 1))
        return Palette(
            {**self.slots, **dict(zip(names, greys, strict=True))}, self.heading, self.body
        )

    @classmethod
    def plain(cls) -> "Palette":
        """Black on white."""
        return _filled("#FFFFFF", "#000000", [], [], heading="Arial", body="Arial")

    @property
    def dark(self) -> bool:
        """Whether the ground is dark."""
        return contrast_ratio(rgb(self.slots["bg1"]), (255, 255, 255)) > contrast_ratio(
            rgb(self.slots["bg1"]), (0, 0, 0)
        )

    def names(self) -> dict[str, tuple[str, str]]:
        """By colours, ``RRGGBB``: the slot that each is, and what changes that slot into it."""
        return {color[1:]: (slot, "") for slot, color in reversed(list(self.slots.items()))}

    def themed(self, xml: str, *, heading: bool = False) -> str:
        """DrawingML with colours and fonts of the theme by their names."""
        names = self.names()

        def color(match: re.Match[str]) -> str:
            if match[1] not in names:
                return match[0]
            slot, changes = names[match[1]]
            return f'<a:schemeClr val="{slot}">{changes}{match[2] or ""}</a:schemeClr>'

        def font(match: re.Match[str]) -> str:
            order = (("mj", self.heading), ("mn", self.body))
            for name, family in order if heading else reversed(order):
                if family == match[1]:
                    return f'<a:latin typeface="+{name}-lt"/>'
            return match[0]

        return _LATIN.sub(font, _COLOR.sub(color, xml))


def rgb(color: str) -> tuple[int, int, int]:
    """The channels of a colour."""
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def palette_of(
    slides: Iterable[MeasuredPage],
    grounds: Iterable[str],
    typefaces: Mapping[int, Typeface],
    titles: Iterable[TextItem],
) -> Palette:
    """The palette of a deck; ``grounds`` are the colours of its backgrounds."""
    inks: Counter[str] = Counter()
    fills: Counter[str] = Counter()
    fonts: Counter[str] = Counter()
    for slide in slides:
        for item in slide.items:
            _count(item, inks, fills, fonts, typefaces)
    ground = _most(Counter(grounds)) or "#FFFFFF"
    readable = Counter(
        {ink: n for ink, n in inks.items() if contrast_ratio(rgb(ink), rgb(ground)) >= 3}
    )
    text = _most(readable) or (
        "#000000" if contrast_ratio(rgb(ground), (0, 0, 0)) > 4 else "#FFFFFF"
    )
    headings: Counter[str] = Counter()
    for title in titles:
        for run in title.runs:
            headings[typefaces[run.font].latin] += len(run.text)
    body = _most(fonts) or "Arial"
    others = inks + fills
    ranked = [color for color, _ in sorted(others.items(), key=lambda pair: (-pair[1], pair[0]))]
    ranked = [color for color in ranked if color not in (ground, text)]
    strong = [color for color in ranked if not _is_grey(color)]
    greys = [color for color in ranked if _is_grey(color)]
    return _filled(ground, text, strong, greys, heading=_most(headings) or body, body=body)


def _filled(
    ground: str, text: str, strong: list[str], greys: list[str], *, heading: str, body: str
) -> Palette:
    near_ground = sorted(greys, key=lambda grey: contrast_ratio(rgb(grey), rgb(ground)))
    surface = near_ground[0] if near_ground else mixed(ground, text, 0.06)
    muted = next((grey for grey in greys if grey != surface), mixed(text, ground, 0.35))
    accents = [*strong, *(grey for grey in greys if grey not in (surface, muted))][:_ACCENTS]
    first = accents[0] if accents else mixed(text, ground, 0.3)
    shades = [mixed(first, ground, share) for share in (0.0, 0.3, 0.5, 0.65, 0.8, 0.9)]
    accents += [shade for shade in shades if shade not in accents][: _ACCENTS - len(accents)]
    accents += [first] * (_ACCENTS - len(accents))
    slots = {"bg1": ground, "tx1": text, "bg2": surface, "tx2": muted}
    slots |= {f"accent{number}": color for number, color in enumerate(accents, 1)}
    return Palette(slots, heading, body)


def _count(
    item: object, inks: Counter[str], fills: Counter[str], fonts: Counter[str],
    typefaces: Mapping[int, Typeface],
) -> None:  # fmt: skip
    if isinstance(item, TextItem):
        for run in item.runs:
            count = len(run.text.strip())
            if count and run.color[3] > 0:
                inks[hex_of(run.color)] += round(count * _WORD_WEIGHT)
                fonts[typefaces[run.font].latin] += count
    elif isinstance(item, TableItem):
        for cell in item.cells:
            if cell.fill is not None:
                fills[hex_of(cell.fill)] += round(cell.box[2] * cell.box[3])
            for text in cell.texts:
                _count(text, inks, fills, fonts, typefaces)
    elif isinstance(item, BoxItem | PathItem):
        area = round(item.box[2] * item.box[3])
        for color in _colors(item.fill):
            fills[color] += min(area, 200_000)
        if isinstance(item, BoxItem):
            for edge in item.borders:
                if edge.width > 0:
                    fills[hex_of(edge.color)] += round(edge.width * max(item.box[2:]))


def _colors(fill: Fill | None) -> list[str]:
    if isinstance(fill, SolidFill):
        return [hex_of(fill.color)] if fill.color[3] > 0 else []
    if isinstance(fill, LinearFill):
        return [hex_of(stop.color) for stop in fill.stops if stop.color[3] > 0]
    return []


def _most(counts: Counter[str]) -> str | None:
    """The commonest, by name where two are as common."""
    return min(counts, key=lambda name: (-counts[name], name)) if counts else None


def _is_grey(color: str) -> bool:
    channels = rgb(color)
    return max(channels) - min(channels) < _NEUTRAL


def mixed(color: str, other: str, share: float) -> str:
    """A colour on its way to another one."""
    pairs = zip(rgb(color), rgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)
