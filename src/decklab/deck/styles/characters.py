"""Effective character styles: what each place states, and what comes of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from decklab.deck.model.base import Effective, Origin
from decklab.deck.part import Source
from decklab.deck.styles.colors import Color
from decklab.deck.styles.fills import NO_FILL, Fill, SolidFill, fill_in, main_color
from decklab.deck.styles.themes import MappedTheme, Reference
from decklab.ooxml.units import flag, parse_int, share
from decklab.ooxml.xml import Element, qn

_DEFAULT_SIZE_PT = 18.0  # ISO/IEC 29500-1, 21.1.2.3.9
_SIZE_UNIT = 100  # ST_TextFontSize and ST_TextPoint count hundredths of a point
_FACES = {
    qn("a:latin"): "latin",
    qn("a:ea"): "east_asian",
    qn("a:cs"): "complex_script",
    qn("a:sym"): "symbol",
}


@dataclass(frozen=True, slots=True)
class RunStyle:
    """How the characters of a run look."""

    latin: Effective[str]
    """Typeface of Latin text, theme fonts resolved; empty where the program chooses."""
    east_asian: Effective[str]
    complex_script: Effective[str]
    symbol: Effective[str]
    """Typeface of symbols; empty where they are set in the text's own."""
    size_pt: Effective[float]
    """In points, after the scale that autofit stored. Raised and lowered text has the size of
    the text it stands in, though it is drawn smaller."""
    bold: Effective[bool]
    italic: Effective[bool]
    underline: Effective[str]
    """``none``, ``sng``, ``dbl``, ``wavy`` ... (ST_TextUnderlineType)."""
    strike: Effective[str]
    """``noStrike``, ``sngStrike`` or ``dblStrike``."""
    caps: Effective[str]
    """``none``, ``small`` or ``all``."""
    baseline: Effective[float]
    """How far the text is raised, as a share of its size; negative where lowered."""
    spacing_pt: Effective[float]
    """Added between characters, in points."""
    fill: Effective[Fill]
    """What the glyphs are painted with."""
    outline: Effective[Fill]
    """What the edges of the glyphs are painted with."""
    highlight: Effective[Color | None]
    """Colour behind the text; None without one."""
    language: Effective[str | None]
    """Language tag such as ``en-US``; None where none is stated."""

    @property
    def color(self) -> Effective[Color]:
        """The one colour of the text: what it is painted with, or outlined where it is not.

        Half way through a gradient; transparent where neither is painted.
        """
        hollow = self.fill.value.kind == "none" and self.outline.value.kind != "none"
        painted = self.outline if hollow else self.fill
        return Effective(main_color(painted.value), painted.source)


def default_run(look: MappedTheme) -> dict[str, Effective[Any]]:
    """What holds where nothing is stated, by the names of RunStyle's fields."""
    values: dict[str, Any] = {
        "latin": "+mn-lt",
        "east_asian": "+mn-ea",
        "complex_script": "+mn-cs",
        "symbol": "",
        "size_pt": _DEFAULT_SIZE_PT,
        "bold": False,
        "italic": False,
        "underline": "none",
        "strike": "noStrike",
        "caps": "none",
        "baseline": 0.0,
        "spacing_pt": 0.0,
        "fill": SolidFill(look.slot("tx1")),
        "outline": NO_FILL,
        "highlight": None,
        "language": None,
    }
    return {name: Effective(value, "default") for name, value in values.items()}


def stated_run(
    element: Element, origin: Origin, look: MappedTheme, source: Source | None
) -> dict[str, Effective[Any]]:
    """What an ``a:rPr`` or ``a:defRPr`` states itself, by the names of RunStyle's fields.

    Theme fonts are still references (``+mn-lt``): which font they mean may hang on the language.
    """
    found: dict[str, Any] = {
        "size_pt": _hundredths(element.get("sz"), positive=True),
        "bold": flag(element.get("b")),
        "italic": flag(element.get("i")),
        "underline": element.get("u"),
        "strike": element.get("strike"),
        "caps": element.get("cap"),
        "baseline": share(element.get("baseline")),
        "spacing_pt": _hundredths(element.get("spc")),
        "language": element.get("lang"),
    }
    if len(element):
        found["fill"] = fill_in(element, look, source)
        found["outline"] = fill_in(element.find(qn("a:ln")), look, source)
        found["highlight"] = look.color(element.find(qn("a:highlight")))
        for child in element:
            field = _FACES.get(str(child.tag))
            if field is not None:
                found[field] = child.get("typeface") or None
    return {name: Effective(value, origin) for name, value in found.items() if value is not None}


def reference_run(reference: Reference | None, origin: Origin) -> dict[str, Effective[Any]]:
    """What a reference to the theme's fonts (``a:fontRef``) states of a run."""
    if reference is None:
        return {}
    found: dict[str, Effective[Any]] = {}
    if reference.font in ("major", "minor"):
        prefix = "+mj" if reference.font == "major" else "+mn"
        for field, slot in (("latin", "lt"), ("east_asian", "ea"), ("complex_script", "cs")):
            found[field] = Effective(f"{prefix}-{slot}", origin)
    if reference.color is not None:
        found["fill"] = Effective(SolidFill(reference.color), origin)
    return found


def finished_run(merged: Mapping[str, Effective[Any]], look: MappedTheme, scale: float) -> RunStyle:
    """The style of a run from all that is stated of it; ``scale`` is autofit's, 1 for none."""
    language: str | None = merged["language"].value
    faces: dict[str, Effective[Any]] = {}
    for field in ("latin", "east_asian", "complex_script", "symbol"):
        face = merged[field]
        if face.value.startswith("+"):
            faces[field] = Effective(look.theme.typeface(face.value, language), face.source)
    if scale != 1.0:
        size = merged["size_pt"]
        scaled = max(round(size.value * scale, 2), 1 / _SIZE_UNIT)
        faces["size_pt"] = Effective(scaled, size.source)
    return RunStyle(**{**merged, **faces})


def _hundredths(text: str | None, *, positive: bool = False) -> float | None:
    value = parse_int(text)
    if value is None or (positive and value <= 0):
        return None
    return value / _SIZE_UNIT
