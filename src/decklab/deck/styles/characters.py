"""Fonts of runs: what each place states, and the effective font."""

from collections.abc import Mapping
from typing import Any

from decklab.deck.frames import rounded
from decklab.deck.model.base import (
    Effective,
    Origin,
    Sources,
    effective_values,
    places_of,
    stated_values,
)
from decklab.deck.model.text import RunFont
from decklab.deck.part import Source
from decklab.deck.styles.fills import NO_FILL, fill_in, solid_fill
from decklab.deck.styles.themes import MappedTheme, Reference
from decklab.ooxml.units import flag, parse_int, share
from decklab.ooxml.xml import Element, qn

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
    """The defaults where nothing is stated, by the names that ``stated_run`` gives."""
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
    for field in _FACES.values():
        values[field] = look.theme.typeface(values[field], values["language"])
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
    if value is None or (positive and value <= 0):
        return None
    return value / _SIZE_UNIT
