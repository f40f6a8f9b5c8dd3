"""The text of a shape, and how it behaves when there is too much of it."""

from collections.abc import Sequence

from decklab.deck.model.outline import Autofit, TextBody
from decklab.deck.part import children
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, qn

LINE_BREAK = "\v"
"""A line break inside a paragraph (``a:br``), as PowerPoint puts it on the clipboard."""

_AUTOFITS: dict[str, Autofit] = {
    qn("a:noAutofit"): "none",
    qn("a:normAutofit"): "shrink",
    qn("a:spAutoFit"): "grow",
}
_RUNS = (qn("a:r"), qn("a:fld"))
_HORIZONTAL = frozenset({"horz"})


def read_text(shape: Element, inherited: Sequence[Element] = ()) -> TextBody | None:
    """The text body of a shape element; None where it has none.

    ``inherited`` are the shape elements behind a placeholder, nearest first: wrapping, autofit
    and direction come from the first body that states them.
    """
    body = shape.find(qn("p:txBody"))
    if body is None:
        return None
    settings = _body_properties([shape, *inherited])
    return TextBody(
        paragraphs=tuple(paragraph_text(p) for p in body.iterfind(qn("a:p"))),
        wraps=_stated(settings, "wrap", "square") != "none",
        autofit=_autofit(settings),
        vertical=_stated(settings, "vert", "horz") not in _HORIZONTAL,
        size_pt=_largest_size(body),
    )


def paragraph_text(paragraph: Element) -> str:
    """The plain text of an ``a:p``: runs, fields, formulas, and LINE_BREAK for line breaks."""
    return "".join(_piece(child) for child in children(paragraph))


def _piece(element: Element) -> str:
    if element.tag in _RUNS:
        return element.findtext(qn("a:t")) or ""
    if element.tag == qn("a:br"):
        return LINE_BREAK
    if element.tag == qn("a14:m"):
        return "".join(text.text or "" for text in element.iter(qn("m:t")))
    return ""


def _body_properties(shapes: Sequence[Element]) -> list[Element]:
    found = (shape.find(f"{qn('p:txBody')}/{qn('a:bodyPr')}") for shape in shapes)
    return [item for item in found if item is not None]


def _stated(settings: Sequence[Element], attribute: str, default: str) -> str:
    values = (item.get(attribute) for item in settings)
    return next((value for value in values if value), default)


def _autofit(settings: Sequence[Element]) -> Autofit:
    for item in settings:
        for child in item:
            if child.tag in _AUTOFITS:
                return _AUTOFITS[child.tag]
    return "none"


def _largest_size(body: Element) -> float | None:
    """Sizes count in hundredths of a point (ST_TextFontSize)."""
    runs = (child for p in body.iterfind(qn("a:p")) for child in children(p) if child.tag in _RUNS)
    stated = (properties.get("sz") for run in runs for properties in run.iterfind(qn("a:rPr")))
    sizes = [size for text in stated if (size := parse_int(text)) is not None]
    return max(sizes) / 100 if sizes else None
