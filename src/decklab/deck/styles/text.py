"""Effective styles of a text: its body, its paragraphs, its runs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from decklab.deck.model.base import Effective
from decklab.deck.part import Source, children
from decklab.deck.styles.bodies import BodyStyle
from decklab.deck.styles.characters import RunStyle, stated_run
from decklab.deck.styles.fills import SolidFill
from decklab.deck.styles.inheritance import LEVELS, Inheritance, LevelStyles, Step
from decklab.deck.styles.paragraphs import ParagraphStyle, finished_paragraph, stated_paragraph
from decklab.deck.styles.themes import MappedTheme
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, qn

RunKind = Literal["run", "field", "break", "math"]

LINE_BREAK = "\v"
"""A line break inside a paragraph (``a:br``), as PowerPoint puts it on the clipboard."""

_KINDS: dict[str, RunKind] = {
    qn("a:r"): "run",
    qn("a:fld"): "field",
    qn("a:br"): "break",
    qn("a14:m"): "math",
}
_ACTIONS = tuple(f"ppaction://{name}" for name in ("hlinkshowjump", "macro", "customshow", "ole"))
"""Actions that name what they do themselves; all others lead to the target of a relationship."""
_LINK_COLOR = qn("ahyp:hlinkClr")


@dataclass(frozen=True, slots=True)
class StyledRun:
    """Characters of one style. Text of all runs together is the paragraph's."""

    text: str
    kind: RunKind
    field: str | None
    """What a field shows, such as ``slidenum``; None where it is none."""
    linked: bool
    """Whether a click on the text leads somewhere or does something."""
    style: RunStyle


@dataclass(frozen=True, slots=True)
class StyledParagraph:
    """A paragraph; an empty one has no runs."""

    style: ParagraphStyle
    runs: tuple[StyledRun, ...]
    end: RunStyle
    """Of the mark at its end, which is all the style an empty paragraph has."""

    @property
    def text(self) -> str:
        """Its plain text."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True)
class StyledText:
    """The text of a shape or table cell."""

    body: BodyStyle
    paragraphs: tuple[StyledParagraph, ...]

    @property
    def text(self) -> str:
        """All paragraphs, one a line."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)


def read_styled_text(
    body: Element, style: BodyStyle, chain: Sequence[Step], inheritance: Inheritance, source: Source
) -> StyledText:
    """The paragraphs of a ``txBody`` under what a chain of list styles hands down.

    ``chain`` ends with the body's own list style. Sizes and line spacing are those after the
    scale that autofit stored.
    """
    paragraphs = (
        _paragraph(item, style, chain, inheritance, source) for item in body.iterfind(qn("a:p"))
    )
    return StyledText(style, tuple(paragraphs))


def paragraph_text(paragraph: Element) -> str:
    """The plain text of an ``a:p``: runs, fields, formulas, and LINE_BREAK for line breaks."""
    found = ((child, _KINDS.get(str(child.tag))) for child in children(paragraph))
    return "".join(_text(child, kind) for child, kind in found if kind is not None)


def _paragraph(
    element: Element,
    body: BodyStyle,
    chain: Sequence[Step],
    inheritance: Inheritance,
    source: Source,
) -> StyledParagraph:
    look = inheritance.look
    properties = element.find(qn("a:pPr"))
    level = 0 if properties is None else parse_int(properties.get("lvl")) or 0
    level = min(max(level, 0), LEVELS - 1)
    inherited = inheritance.at(chain, level)
    own = {} if properties is None else stated_paragraph(properties, "paragraph", look, source)
    style = finished_paragraph(
        {**inherited.paragraph, **own}, level, look, body.line_reduction.value
    )
    scale = body.font_scale.value
    mark = element.find(qn("a:endParaRPr"))
    end = {} if mark is None else stated_run(mark, "run", look, source)
    return StyledParagraph(
        style, tuple(_runs(element, inherited, scale, source)), inherited.finished(end, scale)
    )


def _runs(
    paragraph: Element, inherited: LevelStyles, scale: float, source: Source
) -> Iterator[StyledRun]:
    for child in children(paragraph):
        kind = _KINDS.get(str(child.tag))
        if kind is None:
            continue
        properties = next(child.iter(qn("a:rPr")), None)
        stated, linked = {}, False
        if properties is not None:
            stated = stated_run(properties, "run", inherited.look, source)
            link = properties.find(qn("a:hlinkClick"))
            linked = link is not None and _leads(link)
            if link is not None and linked:
                stated |= _link_style(link, inherited.look, stated)
        yield StyledRun(
            text=_text(child, kind),
            kind=kind,
            field=child.get("type") if kind == "field" else None,
            linked=linked,
            style=inherited.finished(stated, scale),
        )


def _text(element: Element, kind: RunKind) -> str:
    if kind == "break":
        return LINE_BREAK
    if kind == "math":
        return "".join(text.text or "" for text in element.iter(qn("m:t")))
    return element.findtext(qn("a:t")) or ""


def _leads(link: Element) -> bool:
    """Whether a link has a target, or an action that needs none (ISO/IEC 29500-1, 21.1.2.3.5)."""
    return bool(link.get(qn("r:id"))) or (link.get("action") or "").startswith(_ACTIONS)


def _link_style(
    link: Element, look: MappedTheme, stated: dict[str, Effective[Any]]
) -> dict[str, Effective[Any]]:
    """Links are underlined, and painted in the theme's link colour whatever the run states.

    An extension of Office 2019 lets a link keep the colour of its text.
    """
    found: dict[str, Effective[Any]] = {}
    underline = stated.get("underline")
    if underline is None or underline.value == "none":
        found["underline"] = Effective("sng", "default")
    keeps = next(link.iter(_LINK_COLOR), None)
    if keeps is None or keeps.get("val") != "tx":
        found["fill"] = Effective(SolidFill(look.slot("hlink")), "theme")
    return found
