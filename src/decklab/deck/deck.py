"""An open deck: its slides and elements, and its views as outline, snapshot and Markdown; and the
three sample decks that come with decklab (made by ``python -m generate`` in its repository)."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from decklab.core.files import Closing, write_data
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


SAMPLES = ("plain", "rich", "bad")
"""The names of the decks."""


def write_samples(folder: str | Path, *, force: bool = False) -> list[Path]:
    """Write ``plain.pptx``, ``rich.pptx`` and ``bad.pptx`` into ``folder`` and return their paths.

    The folder is made if it is missing. Every call writes the same bytes; each file appears whole
    or not at all. Raises OSError if the folder cannot be written, NameTaken if it has another
    deck of such a name, such as an edited one; with ``force`` a copy of it is kept beside it.
    """
    decks = {f"{name}.pptx": sample_bytes(name) for name in SAMPLES}
    write_data(Path(folder), decks, force=force)
    return [Path(folder, name) for name in decks]


def sample_bytes(name: str) -> bytes:
    """One of ``SAMPLES`` as a file's bytes; FileNotFoundError for another name."""
    return resources.files("decklab.deck").joinpath("data", f"{name}.pptx").read_bytes()
