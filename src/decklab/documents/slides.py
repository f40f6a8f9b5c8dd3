"""Decks as sources: the contents of their slides, through `decklab.deck`."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from decklab.deck.deck import Deck, open_deck
from decklab.deck.model.shapes import Chart, Diagram, Element, Image, Series, Table, Text
from decklab.deck.model.slide import SlideElements
from decklab.documents.drafting import DocumentDraft
from decklab.documents.model import Document
from decklab.ooxml.package import Package

_TITLES = frozenset({"title", "ctrTitle"})
_FURNITURE = frozenset({"ftr", "dt", "sldNum", "hdr"})
_ITEMS = frozenset({"body", "obj", ""})


def read_deck_document(path: Path, name: str, *, notes: bool = True) -> Document:
    """A deck: each shown slide a page and a section; with ``notes`` they are paragraphs at its end.

    Charts become tables of their cached values. Raises DeckError.
    """
    with open_deck(path) as deck:
        return deck_document(deck, name, notes=notes)


def deck_document(
    deck: Deck, name: str, *, slides: Sequence[SlideElements] | None = None, notes: bool = True
) -> Document:
    """An open deck as ``read_deck_document`` reads it; ``slides`` are those to read, all by
    default."""
    draft = DocumentDraft(deck.path, name, "pptx")
    pictures = _pictures(deck.package)
    for problem in deck.problems:
        draft.refuse(problem)
    for slide in deck.slides if slides is None else slides:
        draft.page = slide.number
        if not slide.hidden:
            _slide(draft, slide, pictures, notes=notes)
    return draft.finish(pages=len(deck))


def _pictures(package: Package) -> Mapping[str, bytes]:
    """The picture parts of a deck by their SHA-256."""
    names = [name for name in package.names if "/media/" in name]
    found = (package.read(name) for name in names)
    return {sha256(data).hexdigest(): data for data in found}


def _slide(
    draft: DocumentDraft, slide: SlideElements, pictures: Mapping[str, bytes], *, notes: bool
) -> None:
    draft.add("heading", slide.title or "", 1 if slide.layout == "Title Slide" else 2)
    for element in slide.elements():
        if not element.hidden:
            _element(draft, element, pictures)
    for line in (slide.notes or "").splitlines() if notes else ():
        draft.add("paragraph", line)


def _element(draft: DocumentDraft, element: Element, pictures: Mapping[str, bytes]) -> None:
    if isinstance(element, Text):
        kind = element.placeholder.type if element.placeholder else None
        if kind not in _TITLES | _FURNITURE:
            _text(draft, element, as_items=kind in _ITEMS)
    elif isinstance(element, Table):
        merged = any(cell.covered for row in element.rows for cell in row)
        draft.add_table(
            [[cell.text for cell in row] for row in element.rows],
            header_rows=1 if element.first_row else None,
            why_not="cells are merged" if merged else "",
        )
    elif isinstance(element, Chart):
        _chart(draft, element)
    elif isinstance(element, Diagram):
        for node in element.nodes:
            draft.add("item", node.text, node.depth + 1)
    elif isinstance(element, Image) and not element.decorative:
        data = pictures.get(element.sha256 or "")
        if data is None:
            draft.refuse("a picture that is linked or missing")
        else:
            draft.add_figure(data, caption=element.alt_text or "")


def _text(draft: DocumentDraft, element: Text, *, as_items: bool) -> None:
    for paragraph in element.paragraphs:
        listed = as_items or paragraph.bullet is not None or paragraph.level
        draft.add(
            "item" if listed else "paragraph", paragraph.text, paragraph.level + 1 if listed else 0
        )


def _chart(draft: DocumentDraft, chart: Chart) -> None:
    """A chart's categories down, its series across; by series where their categories differ."""
    groups: dict[tuple[str, ...], list[Series]] = {}
    for series in chart.series:
        groups.setdefault(tuple(series.categories), []).append(series)
    for chosen in groups.values():
        labels = chosen[0].categories
        count = max(len(labels), *(len(series.values) for series in chosen))
        rows: list[Sequence[str]] = [["", *(series.name or "" for series in chosen)]]
        for row in range(count):
            values = [series.values[row] if row < len(series.values) else None for series in chosen]
            label = labels[row] if row < len(labels) else str(row + 1)
            rows.append([label, *("" if value is None else f"{value:.15g}" for value in values)])
        draft.add_table(rows, header_rows=1, caption=chart.title or "")
