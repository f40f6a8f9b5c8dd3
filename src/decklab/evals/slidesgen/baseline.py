"""The extractive baseline: the first sentences of each section on plain white slides.

A floor by intention. It shortens nothing, draws nothing and has no design: a heading and sentences
in one typeface, in text boxes without layouts, black on white; headings are dark blue, so that
harmony, which needs a hue, can be measured. It is not
``decklab write`` without a model, which ranks and shortens sentences and composes them in a theme.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from decklab.core.errors import PlanError
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.core.options import WRITE_SLIDES
from decklab.deck.model.shapes import Text
from decklab.deck.model.slide import SlideElements
from decklab.deck.model.text import Bullet, Paragraph, Run, RunFont
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.sections import document_sections
from decklab.documents.sentences import sentences
from decklab.editing.building.deck import build_deck

SENTENCES_A_SLIDE: Final = 4
_CHARACTERS_A_SLIDE: Final = 620
"""What fits on a slide at 18 pt. Ours."""
_LEAST_WORDS: Final = 4
_TITLE_PT, _TEXT_PT = 28.0, 18.0
_EDGE: Final = 48.0
_TYPEFACE: Final = "Arial"
_HEADING, _BLACK = "#1F3864", "#000000"


@dataclass(frozen=True)
class PlainPage:
    """A heading and the sentences below it."""

    heading: str
    sentences: tuple[str, ...]


def write_baseline(
    sources: KnowledgeBase,
    out: Path,
    *,
    slides: int = WRITE_SLIDES,
    title: str = "",
    language: str = "en",
) -> int:
    """Write the baseline of some documents to ``out``, and give its number of slides.

    Raises PlanError where the documents hold no sentence, OSError where nothing can be written.
    """
    if not sources.documents:
        raise PlanError("the baseline is written from documents, and none is named")
    pages = lead_pages(sources, slides - 1, language=language)
    if not pages:
        raise PlanError("the documents hold no sentence")
    first = sources.documents[0]
    name = title or first.title or first.name
    built = [_slide(PlainPage(name, ()), 1)]
    built += [_slide(page, number) for number, page in enumerate(pages, start=2)]
    build_deck(built, out)
    return len(built)


def lead_pages(sources: KnowledgeBase, most: int, *, language: str = "en") -> list[PlainPage]:
    """The first sentences of sections, a page each, at most ``most`` pages.

    Where there are more sections than pages, those that stand first are taken.
    """
    found: list[PlainPage] = []
    for document in sources.documents:
        for section in document_sections(document):
            if section.is_apparatus:
                continue
            lead = tuple(_lead(section.text.splitlines(), language))
            if lead:
                found.append(PlainPage(section.heading or document.title or document.name, lead))
    return found[: max(0, most)]


def _lead(paragraphs: Sequence[str], language: str) -> Iterator[str]:
    """The first whole sentences, as many as a slide holds."""
    left, count = _CHARACTERS_A_SLIDE, SENTENCES_A_SLIDE
    for paragraph in paragraphs:
        for sentence in sentences(paragraph, language=language):
            if len(sentence.split()) < _LEAST_WORDS:
                continue
            left -= len(sentence)
            count -= 1
            if left < 0 or count < 0:
                return
            yield sentence


def _slide(page: PlainPage, number: int) -> SlideElements:
    texts = [_text((page.heading,), 1, _TITLE_PT, _EDGE, 80.0)]
    if page.sentences:
        top = _EDGE + 80.0
        texts.append(_text(page.sentences, 2, _TEXT_PT, top, FRAME_HEIGHT - top - _EDGE / 2))
    return SlideElements(number=number, background="#FFFFFF", texts=tuple(texts))


def _text(lines: Sequence[str], id: int, size: float, top: float, height: float) -> Text:
    font = RunFont(
        name=_TYPEFACE, size=size, style=(), color=_BLACK if size == _TEXT_PT else _HEADING
    )
    paragraphs = tuple(
        Paragraph(
            runs=(Run(text=line, font=font),),
            bullet=Bullet(kind="character", character="•") if size == _TEXT_PT else None,
            margin_left=18.0 if size == _TEXT_PT else 0.0,
            indent=-18.0 if size == _TEXT_PT else 0.0,
        )
        for line in lines
    )
    return Text(
        id=id + 1, name=f"Text {id}", x=_EDGE, y=top, w=FRAME_WIDTH - 2 * _EDGE, h=height,
        text="\n".join(lines), font=font, align="left", paragraphs=paragraphs,
    )  # fmt: skip
