"""Signs that no font of the machine has, which are drawn as empty boxes."""

from collections.abc import Iterator
from typing import Final

from decklab.linting.rules.page import DrawnSlide
from decklab.linting.rules.rule import Rule, called
from decklab.metrics.findings import Occurrence, quoted

PICTOGRAPHS: Final = "\U0001f000"
"""Where emoji and other pictographs begin that fonts of text do not have."""

LOST: Final = "\ufffd"
"""The sign that programs write in place of one they could not read (Unicode 15, chapter 23.8)."""

TEXT_GLYPHS = Rule(
    "text.glyphs",
    "MissingGlyph",
    "Signs are missing, or drawn as empty boxes.",
    source="decklab",
    severity="warning",
    threshold="an emoji drawn in the font of the letters, which has none, or the replacement"
    " character U+FFFD",
    fix="Use a picture or icon in place of the sign, or embed a font that has it.",
    drawn=True,
    scored=False,
)


def missing_glyphs(view: DrawnSlide) -> Iterator[Occurrence]:
    """Emoji that are drawn in the font of the letters, as a program does that finds no font with
    them, and signs that were lost when text was converted.
    """
    lettered = {
        span.font for span in view.spans if any(c.isascii() and c.isalnum() for c in span.text)
    }
    lost = []
    for drawn in (*view.texts, *view.contents):
        signs = [
            sign
            for span in drawn.spans
            for sign in span.text
            if sign == LOST or (sign >= PICTOGRAPHS and span.font in lettered)
        ]
        if signs:
            lost.append((drawn, signs))
    if not lost:
        return
    drawn, signs = lost[0]
    count = sum(len(own) for _drawn, own in lost)
    more = f", and {count - 1} more on the slide" if count > 1 else ""
    says = "stands for a lost sign" if signs[0] == LOST else "is drawn as an empty box"
    finding = TEXT_GLYPHS.finding(
        f"{quoted(signs[0])} in {called(drawn.element)} {says}{more}.",
        view.slide.number,
        drawn.element,
        box=drawn.ink,
        measured=float(count),
        threshold=0.0,
    )
    yield Occurrence(finding, drawn.element.name)
