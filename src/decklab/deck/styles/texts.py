"""Styled texts as models: paragraphs, runs, and the one font and alignment of the plain schema."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from decklab.deck.frames import rounded
from decklab.deck.links import click_of, hover_of
from decklab.deck.model.base import Effective, Sources
from decklab.deck.model.plain import Align, Font, FontStyle
from decklab.deck.model.text import NOTHING, Body, Bullet, Paragraph, Run, RunFont, Spacing
from decklab.deck.part import children
from decklab.deck.sheets import DeckReading, Sheet
from decklab.deck.styles.bodies import BodyStyle
from decklab.deck.styles.characters import RunStyle
from decklab.deck.styles.paints import paint_of
from decklab.deck.styles.paragraphs import Bullet as StyledBullet
from decklab.deck.styles.paragraphs import (
    CharacterBullet,
    Length,
    NumberBullet,
    ParagraphStyle,
    PictureBullet,
)
from decklab.deck.styles.text import StyledParagraph, StyledRun, StyledText
from decklab.ooxml.xml import Element, qn

_ALIGNS: dict[str, Align] = {
    "left": "left",
    "center": "center",
    "right": "right",
    "justify": "justify",
    "justify_low": "justify",
    "distribute": "distributed",
    "thai_distribute": "distributed",
}
_STRIKES = {"sngStrike": "single", "dblStrike": "double"}
_RUNS = (qn("a:r"), qn("a:fld"), qn("a:br"), qn("a14:m"))
_LINKS = (qn("a:hlinkClick"), qn("a:hlinkMouseOver"))
_RUN_FIELDS = {"latin": "name", "size_pt": "size", "fill": "color", "spacing_pt": "spacing"}
"""Names of a run's fields where they differ from those of its effective style."""
_PARAGRAPH_FIELDS = {
    "alignment": "align",
    "margin_left_pt": "margin_left",
    "margin_right_pt": "margin_right",
    "indent_pt": "indent",
}
_WEIGHT = 1000  # of a character against a run or paragraph that has none
_DEFAULT_SIZE_PT = 18.0  # ISO/IEC 29500-1, 21.1.2.3.9


def paragraphs_of(styled: StyledText, body: Element | None, sheet: Sheet) -> tuple[Paragraph, ...]:
    """The paragraphs of a text; ``body`` is its ``txBody``, where the links stand."""
    linked = body is not None and next(body.iter(*_LINKS), None) is not None
    elements = body.findall(qn("a:p")) if body is not None and linked else []
    return tuple(
        _paragraph(item, elements[index] if index < len(elements) else None, sheet)
        for index, item in enumerate(styled.paragraphs)
    )


def body_of(style: BodyStyle) -> Body:
    """How a text stands in its shape."""
    return Body(
        anchor=style.anchor.value,  # type: ignore[arg-type]
        anchor_center=style.anchor_center.value,
        wraps=style.wraps.value,
        autofit=style.autofit.value,
        font_scale=style.font_scale.value,
        line_reduction=style.line_reduction.value,
        direction=style.direction.value,
        columns=style.columns.value,
        inset_left=rounded(style.inset_left_pt.value),
        inset_top=rounded(style.inset_top_pt.value),
        inset_right=rounded(style.inset_right_pt.value),
        inset_bottom=rounded(style.inset_bottom_pt.value),
        sources={
            name.removesuffix("_pt"): source for name, source in _sources(style, BodyStyle).items()
        },
    )


def main_font(
    paragraphs: Sequence[Paragraph], styled: StyledText, sheet: Sheet
) -> tuple[Font, Sources]:
    """The font of most characters, and where its values are stated.

    Where there are no characters, what the end of the first paragraph says: the font of what is
    typed next. Without a paragraph the theme's body font at the default size.
    """
    counts: Counter[tuple[object, ...]] = Counter()
    runs: dict[tuple[object, ...], Run] = {}
    for run in (run for paragraph in paragraphs for run in paragraph.runs):
        font = run.font
        key = (font.name, font.size, font.style, font.color)
        runs.setdefault(key, run)
        counts[key] += 1 + _WEIGHT * len(run.text.strip())
    if not counts and styled.paragraphs:
        return _plain_font(*_font(styled.paragraphs[0].end, sheet.reading))
    if not counts:
        look = sheet.look
        name = look.theme.typeface("+mn-lt")
        return Font(name=name, size=_DEFAULT_SIZE_PT, style=(), color=look.slot("tx1").hex), {}
    run = runs[counts.most_common(1)[0][0]]
    return _plain_font(run.font, run.sources)


def _plain_font(font: RunFont, stated: Sources) -> tuple[Font, Sources]:
    plain = Font(name=font.name, size=font.size, style=font.style, color=font.color)
    kept = ("name", "size", "bold", "italic", "underline", "color")
    return plain, {f"font.{name}": stated[name] for name in kept if name in stated}


def main_align(paragraphs: Sequence[Paragraph]) -> tuple[Align, Sources]:
    """The alignment of most characters, and where it is stated."""
    counts: Counter[Align] = Counter()
    for paragraph in paragraphs:
        counts[paragraph.align] += 1 + _WEIGHT * len(paragraph.text.strip())
    if not counts:
        return "left", {}
    align = counts.most_common(1)[0][0]
    for paragraph in paragraphs:
        if paragraph.align == align and "align" in paragraph.sources:
            return align, {"align": paragraph.sources["align"]}
    return align, {}


def _paragraph(styled: StyledParagraph, element: Element | None, sheet: Sheet) -> Paragraph:
    style = styled.style
    links = _link_holders(element)
    return Paragraph(
        runs=tuple(_run(run, next(links, None), sheet) for run in styled.runs),
        align=_ALIGNS.get(style.alignment.value, "left"),
        level=style.level,
        bullet=_bullet(style, sheet.reading),
        margin_left=rounded(style.margin_left_pt.value),
        margin_right=rounded(style.margin_right_pt.value),
        indent=rounded(style.indent_pt.value),
        line_spacing=spacing_of(style.line_spacing.value),
        space_before=_distance(style.space_before.value),
        space_after=_distance(style.space_after.value),
        right_to_left=style.right_to_left.value,
        sources={
            _PARAGRAPH_FIELDS.get(name, name): source
            for name, source in _sources(style, ParagraphStyle).items()
        },
    )


def _link_holders(paragraph: Element | None) -> Iterator[Element | None]:
    """The properties of a paragraph's runs, in the order of the styled ones."""
    if paragraph is None:
        return
    for child in children(paragraph):
        if child.tag in _RUNS:
            yield next(child.iter(qn("a:rPr")), None)


def _run(styled: StyledRun, properties: Element | None, sheet: Sheet) -> Run:
    font, sources = _font(styled.style, sheet.reading)
    return Run(
        text=styled.text,
        kind=styled.kind,
        field=styled.field,
        font=font,
        click=click_of(properties, sheet),
        hover=hover_of(properties, sheet),
        sources=sources,
    )


def _font(style: RunStyle, reading: DeckReading) -> tuple[RunFont, Sources]:
    known = reading.fonts.get(id(style))
    if known is None:
        sources: Sources = {
            _RUN_FIELDS.get(name, name): source
            for name, source in _sources(style, RunStyle).items()
        }
        known = reading.fonts[id(style)] = style, _new_font(style, reading), sources
    return known[1], known[2]


def _new_font(style: RunStyle, reading: DeckReading) -> RunFont:
    color, fill, outline = style.color.value, style.fill.value, style.outline.value
    highlight = style.highlight.value
    return RunFont(
        name=style.latin.value,
        size=rounded(style.size_pt.value),
        style=tuple(_styles(style)),
        color=color.hex,
        alpha=color.alpha,
        slot=color.slot,
        paint=None if fill.kind == "solid" else paint_of(fill, reading),
        outline=None if outline.kind == "none" else paint_of(outline, reading),
        east_asian=style.east_asian.value,
        complex_script=style.complex_script.value,
        symbol=style.symbol.value,
        underline=style.underline.value,
        strike=_STRIKES.get(style.strike.value, "none"),  # type: ignore[arg-type]
        caps=style.caps.value if style.caps.value in ("small", "all") else "none",  # type: ignore[arg-type]
        baseline=style.baseline.value,
        spacing=style.spacing_pt.value,
        highlight=None if highlight is None else highlight.hex,
        language=style.language.value,
    )


def _styles(style: RunStyle) -> Iterator[FontStyle]:
    if style.bold.value:
        yield "bold"
    if style.italic.value:
        yield "italic"
    if style.underline.value != "none":
        yield "underscore"


def _bullet(style: ParagraphStyle, reading: DeckReading) -> Bullet | None:
    color, size = style.bullet_color.value, style.bullet_size.value
    return bullet_of(
        style.bullet.value,
        reading,
        font=style.bullet_font.value,
        color=None if color is None else color.hex,
        size=None if size is None else spacing_of(size),
    )


def bullet_of(bullet: StyledBullet, reading: DeckReading, **look: Any) -> Bullet | None:
    """A bullet as a model, None for none; ``look`` holds its font, colour and size."""
    if isinstance(bullet, CharacterBullet):
        return Bullet(kind="character", character=bullet.character, **look)
    if isinstance(bullet, NumberBullet):
        return Bullet(kind="number", scheme=bullet.scheme, start=bullet.start, **look)
    if isinstance(bullet, PictureBullet):
        return Bullet(kind="picture", sha256=reading.sha256(bullet.part), **look)
    return None


def spacing_of(length: Length) -> Spacing:
    """A length as a model."""
    return Spacing(value=round(length.value, 4), unit=length.unit)


def _distance(length: Length) -> Spacing:
    """A distance between paragraphs; none is none in whatever unit."""
    return spacing_of(length) if length.value else NOTHING


def _sources(style: object, kind: type) -> Sources:
    """Where the values of an effective style are stated, defaults left out."""
    found: Sources = {}
    for name in kind.__slots__:  # type: ignore[attr-defined]
        value = getattr(style, name)
        if isinstance(value, Effective) and value.source != "default":
            found[name] = value.source
    return found
