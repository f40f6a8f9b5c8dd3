"""Text that decays: typing errors, boxes that go missing, boxes that do not belong."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, TypeVar

from decklab.deck.model.plain import Font, FontStyle, PlainSlide, PlainText
from decklab.deck.model.shapes import Text
from decklab.deck.model.slide import SlideElements
from decklab.deck.model.text import Paragraph, Run
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.perturb.constants import (
    CHARACTER,
    DROP,
    INSERT,
    INSERTED_COLOR,
    INSERTED_EMPHASIS,
    INSERTED_FAMILY,
    INSERTED_HEIGHT,
    INSERTED_SIZE_PT,
    INSERTED_TEXTS,
    INSERTED_WIDTH,
    INSERTS_AT_MOST,
    INSERTS_PER_SEVERITY,
)
from decklab.perturb.draws import Draws
from decklab.perturb.eligible import is_shown
from decklab.perturb.noise import Glyph, joined, noised, with_numbers_of

S = TypeVar("S", PlainSlide, SlideElements)

_STYLES: tuple[FontStyle, ...] = ("bold", "italic", "underscore")
_DIGITS = 2


def perturb_text(
    slide: S,
    severity: float,
    draws: Draws,
    *,
    share: float = 1.0,
    keep_numbers: bool = True,
    drop: bool = True,
    insert: bool = True,
    max_inserts: int = INSERTS_AT_MOST,
) -> S:
    """Misspell, drop and insert texts (paper 000, appendix D, text content).

    ``share`` is the probability that a text is touched. What the paper calls optional can be
    switched off: keeping numbers, dropping and inserting boxes.
    """
    found: list[PlainText] = []
    for index, item in enumerate(slide.texts):
        stream = draws.of("texts", index)
        if not is_shown(item) or not stream.chance(share):
            found.append(item)
            continue
        if stream.chance(DROP(severity)) and drop:
            continue
        glyphs = noised(item.text, CHARACTER(severity), stream)
        if keep_numbers:
            glyphs = with_numbers_of(item.text, glyphs)
        found.append(_respelt(item, glyphs))
    boxes = draws.of("inserted")
    if insert and boxes.chance(INSERT(severity)):
        most = min(max_inserts, 1 + int(INSERTS_PER_SEVERITY * severity))
        kind = Text if isinstance(slide, SlideElements) else PlainText
        found += [_irrelevant(kind, severity, boxes.of(n)) for n in range(1 + boxes.index(most))]
    return slide.model_copy(update={"texts": tuple(found)})


def _respelt(item: PlainText, glyphs: Sequence[Glyph]) -> PlainText:
    """A text with other characters, each in the style of the one whose place it has."""
    update: dict[str, Any] = {"text": joined(glyphs)}
    if isinstance(item, Text):
        update |= {"paragraphs": _respelt_paragraphs(item.paragraphs, glyphs), "drawn": None}
    return item.model_copy(update=update)


def _respelt_paragraphs(
    paragraphs: Sequence[Paragraph], glyphs: Sequence[Glyph]
) -> tuple[Paragraph, ...]:
    runs = [(number, run) for number, one in enumerate(paragraphs) for run in (*one.runs, None)]
    starts = [0, *accumulate(1 if run is None else len(run.text) for _number, run in runs)]
    texts = [""] * len(runs)
    for character, index in glyphs:
        texts[bisect_right(starts, index) - 1] += character
    kept: list[list[Run]] = [[] for _ in paragraphs]
    for (number, run), text in zip(runs, texts, strict=True):
        if run is not None and text:
            kept[number].append(run if text == run.text else _retyped(run, text))
    return tuple(
        one.model_copy(update={"runs": tuple(left)})
        for one, left in zip(paragraphs, kept, strict=True)
    )


def _retyped(run: Run, text: str) -> Run:
    """A run with another text; a field's own would be put back by the program that shows it."""
    return run.model_copy(update={"text": text, "kind": "run", "field": None})


def _irrelevant(kind: type[PlainText], severity: float, draws: Draws) -> PlainText:
    """A text box that does not belong on the slide."""
    w = FRAME_WIDTH * draws.uniform(INSERTED_WIDTH[0], INSERTED_WIDTH[1](severity))
    h = FRAME_HEIGHT * draws.uniform(INSERTED_HEIGHT[0], INSERTED_HEIGHT[1](severity))
    x, y = draws.uniform(0, FRAME_WIDTH - w), draws.uniform(0, FRAME_HEIGHT - h)
    font = Font(
        name=INSERTED_FAMILY,
        size=round(INSERTED_SIZE_PT(severity), 1),
        style=tuple(one for one in _STYLES if draws.chance(INSERTED_EMPHASIS(severity))),
        color=INSERTED_COLOR,
    )
    x, y, w, h = (round(value, _DIGITS) for value in (x, y, w, h))
    text = draws.choice(INSERTED_TEXTS)
    return kind(x=x, y=y, w=w, h=h, text=text, font=font, align="left")
