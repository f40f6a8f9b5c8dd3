"""What an examinee may read of a deck: each slide as Markdown, by its own text or by its picture.

Speaker notes, alternative texts, and slides and texts that cannot be seen are never part of it.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from decklab.core.errors import DeckError, RenderError
from decklab.core.results import NotScored
from decklab.deck.deck import Deck, open_deck
from decklab.deck.model.slide import SlideElements
from decklab.deck.views.markdown import slide_markdown
from decklab.documents.markdown import read_markdown
from decklab.documents.model import Document, DocumentBlock
from decklab.documents.reading import read_document
from decklab.documents.slides import deck_document
from decklab.evals.judges.asking import Questions
from decklab.evals.judges.preference.showing import hidden_slides
from decklab.evals.judges.quiz.statements import DeckStatements, deck_statements
from decklab.models.asking import Ask, StrictForm, Usage, fill_prompt
from decklab.pages.pictures import encode_png
from decklab.rendering.opening import deck_kind, open_rendered
from decklab.rendering.renderer import Renderer
from decklab.seen.audience import audience_slides
from decklab.seen.reader import seen_deck

PARALLEL: Final = 4
"""Pictures that are read at once. Ours."""


@dataclass(frozen=True)
class QuizSlides:
    """The slides of a deck as an examinee reads them, and what the program knows of them."""

    markdown: tuple[str, ...]
    """One a slide, in the order of the show."""
    seen: DeckStatements
    """What the Markdown states."""
    own: DeckStatements | None
    """What the deck's own text states; None where it cannot be read."""
    read: str
    """How the slides were read, in a few words."""
    told: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


class SeenSlide(StrictForm):
    """What the picture of one slide says."""

    headline: str
    statements: tuple[str, ...]
    data: tuple[str, ...]
    visuals: tuple[str, ...]


def own_slide_texts(deck: str | Path) -> QuizSlides:
    """The slides by the deck's own text; what an audience cannot see, such as hidden slides and
    tiny text, and notes and alternative texts are left out.

    Raises DeckError where the deck cannot be read, Unavailable without ``decklab[write]`` where its
    kind needs that.
    """
    path = Path(deck)
    if deck_kind(path) != "office":
        document = read_document(path)
        markdown = tuple(_pages(document))
        told: tuple[str, ...] = ()
    else:
        with open_deck(path) as opened:
            seen = seen_deck(opened)
            shown = audience_slides(opened.slides, seen.slides)
            document = shown_document(opened, path.name, shown)
        told = (seen.sentence,) if seen.words_unseen else ()
        markdown = tuple(
            slide_markdown(slide.model_copy(update={"notes": ""}), alt_texts=False)
            for slide in shown
        )
    stated = deck_statements(document)
    return QuizSlides(markdown, stated, stated, "the deck's own text", told)


def shown_document(deck: Deck, name: str, slides: Sequence[SlideElements]) -> Document:
    """Slides of an open deck, as an audience sees them (``audience_slides``), as a document: no
    notes, no alternative texts.

    Figures keep these texts as their captions.
    """
    document = deck_document(deck, name, slides=slides, notes=False)
    blocks = (
        block
        for block in document.blocks
        if not (block.kind == "caption" and block.subject == "figure")
    )
    return replace(document, blocks=tuple(blocks))


def seen_slide_texts(
    deck: str | Path,
    ask: Ask,
    *,
    renderer: Renderer | None = None,
    parallel: int = PARALLEL,
    tell: Callable[[str], None] = lambda _line: None,
) -> QuizSlides | NotScored:
    """The slides as a model sees their pictures (paper 002, appendix C: claims, data, visuals).

    A slide that the model could not read, or that LibreOffice cannot draw, has its own text in that
    place, and this is told.
    NotScored where it has none, or the deck cannot be drawn. Raises DeckError where the deck
    cannot be read, and ModelUnavailable.
    """
    try:
        own: QuizSlides | None = own_slide_texts(deck)
    except DeckError:
        own = None
    try:
        hidden = hidden_slides(deck)
        count = len(own.markdown) + len(hidden) if own is not None else None
        with open_rendered(
            deck, renderer=renderer, ocr=False, expected_slides=count, deadly="left out"
        ) as drawn:
            pictures = {
                slide.number: encode_png(slide.image)
                for slide in drawn
                if slide.number not in hidden
            }
            faults = {n: fault for n, fault in drawn.faults.items() if n not in hidden}
    except RenderError as error:
        return NotScored(f"the deck cannot be drawn: {error}")
    system = fill_prompt(__package__, "prompts/slide_system.txt")
    prompt = fill_prompt(__package__, "prompts/slide.txt")

    def look(picture: bytes) -> tuple[SeenSlide | NotScored, Usage]:
        judge = Questions(ask, stage="read slide", system=system, temperature=0.0)
        return judge.put(prompt, SeenSlide, images=[picture]), judge.usage

    with ThreadPoolExecutor(parallel) as pool:
        replies = dict(zip(pictures, pool.map(look, pictures.values()), strict=True))
    answers = {number: said for number, (said, _) in replies.items()}
    seen_or_not = answers | {number: NotScored(fault) for number, fault in faults.items()}
    texts: list[str] = []
    told: list[str] = []
    for place, (number, said) in enumerate(sorted(seen_or_not.items())):
        if not isinstance(said, NotScored):
            texts.append(_as_markdown(number, said))
            continue
        if own is None or len(own.markdown) != len(seen_or_not):
            return NotScored(f"slide {number} could not be read from its picture: {said.reason}")
        texts.append(own.markdown[place])
        told.append(f"slide {number} is read by its own text: {said.reason}")
        tell(told[-1])
    usage = sum((spent for _, spent in replies.values()), Usage())
    seen = deck_statements(read_markdown(Path("slides.md"), "slides", "\n".join(texts)))
    read = f"a model on the pictures of {len(texts)} slides"
    return QuizSlides(tuple(texts), seen, own.own if own else None, read, tuple(told), usage)


def _as_markdown(number: int, slide: SeenSlide) -> str:
    groups: Sequence[tuple[str, Sequence[str]]] = (
        ("", slide.statements), ("Data", slide.data), ("Visuals", slide.visuals),
    )  # fmt: skip
    lines = [f"## {number}. {' '.join(slide.headline.split())}", ""]
    for name, items in groups:
        if items and name:
            lines += ["", f"{name}:", ""]
        lines += [f"- {' '.join(item.split())}" for item in items]
    return "\n".join(lines) + "\n"


def _pages(document: Document) -> list[str]:
    """The text of each page; formats without pages are one."""
    pages: dict[int, list[DocumentBlock]] = {
        number: [] for number in range(1, max(1, document.pages) + 1)
    }
    for block in document.blocks:
        pages.setdefault(block.page or 1, []).append(block)
    return [
        "\n".join([f"## {number}.", "", *(block.text for block in blocks if block.text)]) + "\n"
        for number, blocks in sorted(pages.items())
    ]
