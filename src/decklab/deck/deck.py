"""An open deck: its slides and elements, and its views as outline, snapshot and Markdown."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from decklab.core.files import Closing
from decklab.core.results import Tabular
from decklab.deck.model.outline import DeckOutline
from decklab.deck.model.slide import KINDS, DeckElements, SlideElements
from decklab.deck.reading import read_elements, read_outline
from decklab.deck.views.markdown import deck_markdown
from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.ooxml.package import Package


class Deck(Closing, Tabular):
    """A ``.pptx``, ``.potx``, ``.ppsx`` or ``.pptm`` that is open for reading; never changed.

    Each view is read once, when it is first requested. A context manager; ``close`` closes the
    file. As rows: one for each slide, with its number of elements of each kind.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.package = Package.open(self.path)

    @cached_property
    def elements(self) -> DeckElements:
        """Everything on all slides, with effective styles: slides, layouts, masters, themes."""
        return read_elements(self.package)

    @cached_property
    def outline(self) -> DeckOutline:
        """The objects on each slide as the file states them."""
        return read_outline(self.package)

    @property
    def slides(self) -> tuple[SlideElements, ...]:
        """The slides in the order of the show, hidden ones too."""
        return self.elements.slides

    @property
    def problems(self) -> tuple[str, ...]:
        """Problems met in reading, one line each, naming the part."""
        return self.elements.problems

    def snapshot(self) -> Snapshot:
        """The deck as plain JSON: same file, same content."""
        return snapshot(self.package)

    def markdown(self) -> str:
        """The contents of the slides as Markdown."""
        return deck_markdown(self.elements)

    def records(self) -> Iterator[Mapping[str, Any]]:
        """One row a slide."""
        for slide in self.slides:
            counts = {kind: len(getattr(slide, kind)) for kind in KINDS}
            named = {"title": slide.title, "layout": slide.layout, "hidden": slide.hidden}
            yield {"slide": slide.number, **named, **counts}

    def __len__(self) -> int:
        return len(self.slides)

    def __repr__(self) -> str:
        return f"Deck({str(self.path)!r})"

    def close(self) -> None:
        """Close the file; its contents stay available if they were read."""
        self.package.close()


def open_deck(path: str | Path) -> Deck:
    """Open a deck for reading; raises DeckError if it cannot be read.

    ::

        with decklab.open("talk.pptx") as deck:
            print(len(deck), deck.slides[0].title)
            print(deck.markdown())
    """
    return Deck(path)
