"""Links whose text does not say where they lead."""

import re
from collections.abc import Iterator, Sequence

from decklab.deck.model.base import Action
from decklab.deck.model.shapes import Text, box_of
from decklab.deck.model.slide import SlideElements
from decklab.deck.model.text import Paragraph
from decklab.metrics.accessibility.thresholds import ADDRESS_LENGTH, VAGUE_LINKS
from decklab.metrics.findings import Occurrence, quoted
from decklab.metrics.integrity.places import label
from decklab.results import Finding, Severity

_ADDRESS = re.compile(r"(?:https?://|ftp://|www\.)\S+|(?:[\w-]+\.)+[a-z]{2,}/\S+", re.IGNORECASE)


def is_vague(text: str) -> bool:
    """Whether a link's text says nothing by itself.

    >>> is_vague("Click here."), is_vague("Annual report 2024")
    (True, False)
    """
    return " ".join(text.casefold().split()).strip(" .!:»>→[]()") in VAGUE_LINKS


def is_address(text: str) -> bool:
    """Whether a link's text is an address that takes long to hear.

    >>> is_address("https://example.org/reports/2024/annual.html"), is_address("example.org")
    (True, False)
    """
    words = "".join(text.split())
    return len(words) > ADDRESS_LENGTH and _ADDRESS.fullmatch(words) is not None


def links(slide: SlideElements) -> Iterator[Occurrence]:
    """Links named ``here`` or ``more``, and links named by a long address, together each."""
    named = [
        (text, words)
        for text in slide.texts
        if not text.hidden
        for paragraph in text.paragraphs
        for words in _link_texts(paragraph)
    ]
    vague = [item for item in named if is_vague(item[1])]
    bare = [item for item in named if is_address(item[1])]
    if vague:
        yield _sighting(vague, slide, "warning", "does not say where the link leads")
    if bare:
        yield _sighting(bare, slide, "info", "is an address, which is read aloud letter by letter")


def _link_texts(paragraph: Paragraph) -> Iterator[str]:
    """Texts of a paragraph's links to the web or a file; runs of one link are one text."""
    words, last = "", None
    for run in paragraph.runs:
        click = run.click if _leads_out(run.click) else None
        if click != last and words.strip():
            yield words.strip()
        words = (words if click == last else "") + run.text if click is not None else ""
        last = click
    if words.strip():
        yield words.strip()


def _leads_out(action: Action | None) -> bool:
    return action is not None and action.kind in ("url", "file")


def _sighting(
    named: Sequence[tuple[Text, str]], slide: SlideElements, severity: Severity, says: str
) -> Occurrence:
    text, words = named[0]
    more = f", and so with {len(named) - 1} more" if len(named) > 1 else ""
    finding = Finding(
        rule="accessibility.link-text",
        severity=severity,
        message=f"The link text {quoted(words)} {says}{more}.",
        slide=slide.number,
        shape=label(text),
        box=box_of(text),
        measured=float(len(named)),
        threshold=0.0,
        fix="Put the link on words that say what is found there.",
    )
    return Occurrence(finding, says)
