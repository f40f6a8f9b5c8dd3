"""Fonts of runs and the layout of paragraphs: what each place states, and the effective values.

Inherited values of paragraphs and runs, by level, once for each chain of list styles.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from decklab.deck.frames import rounded
from decklab.deck.model.base import (
    Effective,
    Origin,
    Sources,
    effective_values,
    places_of,
    stated_values,
)
from decklab.deck.model.shapes import NOTHING, Bullet, RunFont, Spacing
from decklab.deck.part import Source
from decklab.deck.styles.fills import NO_FILL, fill_in, solid_fill
from decklab.deck.styles.themes import MappedTheme, Reference, Stated
from decklab.ooxml.xml import EMU_PER_POINT, Element, flag, parse_emu, parse_int, qn, share

Distance = tuple[float, Literal["points", "share"]]
"""A number and its unit: points, or shares of a line or of the text's size."""

_POINT_UNIT = 100  # ST_TextSpacingPoint and ST_TextFontSize count hundredths of a point
_ALIGNMENTS = {
    "l": "left", "ctr": "center", "r": "right", "just": "justify", "justLow": "justify_low",
    "dist": "distribute", "thaiDist": "thai_distribute",
}  # fmt: skip
_ALIGNS = {"justify_low": "justify", "distribute": "distributed", "thai_distribute": "distributed"}
"""Alignments by their names in the model, where the name differs."""

_SPACINGS = {"lnSpc": "line_spacing", "spcBef": "space_before", "spcAft": "space_after"}
_FOLLOWING = {"buClrTx": "bullet_color", "buFontTx": "bullet_font", "buSzTx": "bullet_size"}

_DEFAULTS = effective_values(
    "default", align="left", right_to_left=False, margin_left=0.0, margin_right=0.0, indent=0.0,
    line_spacing=(1.0, "share"), space_before=(0.0, "points"), space_after=(0.0, "points"),
    bullet=None, bullet_font=None, bullet_color=None, bullet_size=None,
)  # fmt: skip


def stated_paragraph(
    element: Element, origin: Origin, look: MappedTheme, source: Source | None
) -> dict[str, Effective[Any]]:
    """The values that an ``a:pPr`` or ``a:lvl1pPr`` states itself.

    Names are those of Paragraph's fields, and ``bullet_font``, ``bullet_color`` and
    ``bullet_size``, where None follows the text. A ``bullet`` of None means no bullet. Distances
    and sizes are numbers with their unit; ``justify_low`` and ``thai_distribute`` are alignments of
    their own.
    """
    stated = stated_values(
        origin,
        align=_ALIGNMENTS.get(element.get("algn") or ""),
        right_to_left=flag(element.get("rtl")),
        margin_left=parse_points(element.get("marL")),
        margin_right=parse_points(element.get("marR")),
        indent=parse_points(element.get("indent")),
    )
    for child in element:
        stated |= effective_values(origin, **_from_child(child, look, source))
    return stated


def finished_paragraph(
    merged: Mapping[str, Effective[Any]], look: MappedTheme, reduction: float
) -> dict[str, Any]:
    """The fields of a paragraph, except level and runs, from all stated values.

    ``reduction`` is what autofit takes off line spacing that is stated as a share.
    """
    values = {name: item.value for name, item in merged.items()}
    spacing, unit = values["line_spacing"]
    if reduction and unit == "share":
        values["line_spacing"] = round(max(spacing - reduction, 0.0), 5), unit
    font, color, size = (values.pop(f"bullet_{name}") for name in ("font", "color", "size"))
    if values["bullet"] is not None:
        font = None if font is None else look.theme.typeface(font)
        size = None if size is None else spacing_of(size)
        shown = {"font": font, "color": color, "size": size}
        values["bullet"] = values["bullet"].model_copy(update=shown)
    values["align"] = _ALIGNS.get(values["align"], values["align"])
    for name in ("margin_left", "margin_right", "indent"):
        values[name] = rounded(values[name])
    values["line_spacing"] = spacing_of(values["line_spacing"])
    for name in ("space_before", "space_after"):
        values[name] = spacing_of(values[name]) if values[name][0] else NOTHING
    return values | {"sources": places_of(merged)}


def spacing_of(distance: Distance) -> Spacing:
    """A distance as a model, to four places."""
    return Spacing(value=round(distance[0], 4), unit=distance[1])


def _from_child(child: Element, look: MappedTheme, source: Source | None) -> dict[str, Any]:
    """The values that one child element states; ``a:buClrTx`` states that it follows the text."""
    if (name := str(child.tag).rpartition("}")[2]) in _SPACINGS:
        length = _spacing(child)
        return {} if length is None else {_SPACINGS[name]: length}
    if not name.startswith("bu"):
        return {}
    if name in _FOLLOWING:
        return {_FOLLOWING[name]: None}
    if name == "buClr":
        color = look.color(child)
        return {} if color is None else {"bullet_color": color.hex}
    if name == "buFont":
        return {"bullet_font": child.get("typeface") or None}
    if name in ("buSzPct", "buSzPts"):
        size = _share(child) if name == "buSzPct" else _in_points(child)
        return {} if size is None else {"bullet_size": size}
    return _bullet(name, child, source)


def _bullet(name: str, child: Element, source: Source | None) -> dict[str, Any]:
    if name == "buNone":
        return {"bullet": None}
    if name == "buChar":
        return {"bullet": Bullet(kind="character", character=child.get("char") or "")}
    if name == "buAutoNum":
        start = parse_int(child.get("startAt"))
        scheme = child.get("type") or "arabicPlain"
        return {"bullet": Bullet(kind="number", scheme=scheme, start=1 if start is None else start)}
    if name == "buBlip":
        if (blip := child.find(qn("a:blip"))) is None or source is None:
            return {"bullet": Bullet(kind="picture")}
        image = source.linked_part(blip, "r:embed")
        return {"bullet": Bullet(kind="picture", sha256=source.sha256(image))}
    return {}


def _spacing(element: Element) -> Distance | None:
    if (percent := element.find(qn("a:spcPct"))) is not None:
        return _share(percent)
    points = element.find(qn("a:spcPts"))
    return None if points is None else _in_points(points)


def _share(element: Element) -> Distance | None:
    value = share(element.get("val"))
    return None if value is None else (value, "share")


def _in_points(element: Element) -> Distance | None:
    value = parse_int(element.get("val"))
    return None if value is None else (value / _POINT_UNIT, "points")


def parse_points(text: str | None) -> float | None:
    """A length such as ``914400`` in points; None if it is missing or no number."""
    length = parse_emu(text)
    return None if length is None else length / EMU_PER_POINT


DEFAULT_SIZE_PT = 18.0  # ISO/IEC 29500-1, 21.1.2.3.9
_SIZE_UNIT = 100  # ST_TextFontSize and ST_TextPoint count hundredths of a point
_FACES = {
    qn("a:latin"): "name",
    qn("a:ea"): "east_asian",
    qn("a:cs"): "complex_script",
    qn("a:sym"): "symbol",
}
_STRIKES = {"sngStrike": "single", "dblStrike": "double"}
_CAPS = ("small", "all")


def default_run(look: MappedTheme) -> dict[str, Effective[Any]]:
    """The defaults if nothing is stated, by the names that ``stated_run`` gives."""
    return effective_values(
        "default",
        name="+mn-lt",
        east_asian="+mn-ea",
        complex_script="+mn-cs",
        symbol="",
        size=DEFAULT_SIZE_PT,
        bold=False,
        italic=False,
        underline="none",
        strike="noStrike",
        caps="none",
        baseline=0.0,
        spacing=0.0,
        color=solid_fill(look.slot("tx1")),
        outline=NO_FILL,
        highlight=None,
        language=None,
    )


def stated_run(
    element: Element, origin: Origin, look: MappedTheme, source: Source | None
) -> dict[str, Effective[Any]]:
    """The values that an ``a:rPr`` or ``a:defRPr`` states itself.

    Names are those of RunFont's fields, but ``bold`` and ``italic`` stand for themselves; ``color``
    and ``outline`` are fills. Lines are named as the file names them. Theme fonts are still
    references (``+mn-lt``): the font may depend on the language.
    """
    values: dict[str, Any] = {
        "size": _hundredths(element.get("sz"), positive=True),
        "bold": flag(element.get("b")),
        "italic": flag(element.get("i")),
        "underline": element.get("u"),
        "strike": element.get("strike"),
        "caps": element.get("cap"),
        "baseline": share(element.get("baseline")),
        "spacing": _hundredths(element.get("spc")),
        "language": element.get("lang"),
    }
    if len(element):
        highlight = look.color(element.find(qn("a:highlight")))
        values["color"] = fill_in(element, look, source)
        values["outline"] = fill_in(element.find(qn("a:ln")), look, source)
        values["highlight"] = None if highlight is None else highlight.hex
        values |= typefaces_in(element)
    return stated_values(origin, **values)


def typefaces_in(element: Element) -> dict[str, str]:
    """The typefaces that the children of an element name, by RunFont's fields."""
    faces = [child for child in element if child.tag in _FACES]
    return {_FACES[str(face.tag)]: name for face in faces if (name := face.get("typeface"))}


def reference_run(reference: Reference | None, origin: Origin) -> dict[str, Effective[Any]]:
    """The values that a reference to the theme's fonts (``a:fontRef``) states for a run."""
    if reference is None:
        return {}
    values: dict[str, Effective[Any]] = {}
    if reference.font in ("major", "minor"):
        prefix = "+mj" if reference.font == "major" else "+mn"
        for field, slot in (("name", "lt"), ("east_asian", "ea"), ("complex_script", "cs")):
            values[field] = Effective(f"{prefix}-{slot}", origin)
    if reference.color is not None:
        values["color"] = Effective(solid_fill(reference.color), origin)
    return values


def finished_run(
    merged: Mapping[str, Effective[Any]], look: MappedTheme, scale: float
) -> tuple[RunFont, Sources]:
    """The font of a run from all stated values and their places; ``scale`` is autofit's, 1 for
    none.

    Raised and lowered text has the size of the text it stands in, though it is drawn smaller. A
    text that is outlined and not painted has the colour of its outline.
    """
    values = {name: item.value for name, item in merged.items()}
    for face in _FACES.values():
        values[face] = look.theme.typeface(values[face], values["language"])
    size = values["size"]
    values["size"] = rounded(size if scale == 1.0 else max(size * scale, 1 / _SIZE_UNIT))
    bold, italic = values.pop("bold"), values.pop("italic")
    underlined = values["underline"] != "none"
    shown = {"bold": bold, "italic": italic, "underscore": underlined}
    fill, outline = values["color"], values["outline"]
    color = (outline if fill.kind == "none" and outline.kind != "none" else fill).color
    values |= {
        "style": tuple(name for name, value in shown.items() if value),
        "color": color.hex,
        "alpha": color.alpha,
        "slot": color.slot,
        "paint": None if fill.kind == "solid" else fill.paint,
        "outline": None if outline.kind == "none" else outline.paint,
        "strike": _STRIKES.get(values["strike"], "none"),
        "caps": values["caps"] if values["caps"] in _CAPS else "none",
    }
    return RunFont(**values), places_of(merged)


def _hundredths(text: str | None, *, positive: bool = False) -> float | None:
    value = parse_int(text)
    return None if value is None or (positive and value <= 0) else value / _SIZE_UNIT


LEVELS = 9


@dataclass(frozen=True, eq=False)
class Overlay:
    """Values for the runs of all levels that something other than a list style states.

    Two overlays with the same ``key`` state the same.
    """

    key: Hashable
    run: Mapping[str, Effective[Any]]


ChainLink = Stated | Overlay
"""One place of a chain: a list style, such as ``a:lstStyle`` or ``p:bodyStyle``, or an overlay."""


@dataclass(frozen=True, eq=False)
class LevelStyles:
    """All inherited values of one level, by the names that ``stated_run`` and ``stated_paragraph``
    give."""

    look: MappedTheme
    run: Mapping[str, Effective[Any]]
    paragraph: Mapping[str, Effective[Any]]
    _fonts: dict[tuple[Effective[Any], float], tuple[RunFont, Sources]] = field(
        default_factory=dict
    )
    _fields: dict[float, dict[str, Any]] = field(default_factory=dict)

    def fields(self, stated: Mapping[str, Effective[Any]], reduction: float) -> dict[str, Any]:
        """The fields of a paragraph that states ``stated`` itself, except level and runs;
        ``reduction`` is autofit's, of line spacing."""
        if stated:
            return finished_paragraph({**self.paragraph, **stated}, self.look, reduction)
        if reduction not in self._fields:
            self._fields[reduction] = finished_paragraph(self.paragraph, self.look, reduction)
        return self._fields[reduction]

    def font(self, stated: Mapping[str, Effective[Any]], scale: float) -> tuple[RunFont, Sources]:
        """The font of a run that states ``stated`` itself, and where its values are stated;
        ``scale`` is autofit's."""
        language = stated.get("language")
        if len(stated) > (language is not None):
            return finished_run({**self.run, **stated}, self.look, scale)
        key = (language or self.run["language"], scale)
        if key not in self._fonts:
            self._fonts[key] = finished_run({**self.run, **stated}, self.look, scale)
        return self._fonts[key]


@dataclass(frozen=True, eq=False)
class Inheritance:
    """Values that chains of list styles give at each level, under one theme and colour map."""

    look: MappedTheme
    _known: dict[Hashable, LevelStyles] = field(default_factory=dict)

    def at(self, chain: Sequence[ChainLink], level: int) -> LevelStyles:
        """The inherited values of a chain, farthest link first, at a level from 0 to 8."""
        key = (level, tuple(_key(link) for link in chain))
        if key not in self._known:
            self._known[key] = self._read(chain, level)
        return self._known[key]

    def _read(self, chain: Sequence[ChainLink], level: int) -> LevelStyles:
        run, paragraph = default_run(self.look), dict(_DEFAULTS)
        for link in chain:
            if isinstance(link, Overlay):
                run |= link.run
                continue
            if (stated := link.element.find(qn(f"a:lvl{level + 1}pPr"))) is None:
                continue
            paragraph |= stated_paragraph(stated, link.origin, self.look, link.source)
            if (characters := stated.find(qn("a:defRPr"))) is not None:
                run |= stated_run(characters, link.origin, self.look, link.source)
        return LevelStyles(self.look, run, paragraph)


def _key(link: ChainLink) -> Hashable:
    return link.key if isinstance(link, Overlay) else (link.element, link.origin)
