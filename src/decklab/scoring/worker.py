"""What one process of a run does: score decks, write each one's report and record."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2

from decklab import __version__
from decklab.errors import DeckError, RenderError, RenderFailed
from decklab.metrics.aesthetics.rows import Variant
from decklab.metrics.editability.data import NoData
from decklab.metrics.editability.text import TextGate
from decklab.rendering.cache import Cache
from decklab.rendering.office.installation import Installation
from decklab.rendering.office.office import Office
from decklab.reports.deck_page import write_deck_page
from decklab.scoring.deck import ScoredDeck, failed, score_deck
from decklab.scoring.journal import Journal, Record


@dataclass(frozen=True)
class Task:
    """A deck to score, the key its record gets, and the file name of its report."""

    deck: Path
    key: str
    page: str


@contextmanager
def scorer(
    *,
    out: Path,
    also: tuple[Variant, ...],
    no_data: NoData,
    text_gate: TextGate,
    deadline: float,
    cache: Path | None,
    use_cache: bool,
    installation: Installation | None,
) -> Iterator[Callable[[Task], OSError | None]]:
    """Gives the function that does one task; LibreOffice runs from its first need to the end.

    Without an ``installation`` of it, decks that need it say so and the others go on. The function
    returns the error where ``out`` could not be written, which is no fault of the deck.
    """
    cv2.setNumThreads(1)  # a run already has a process for each core
    journal = Journal(out)
    kept = Cache(cache) if use_cache else None
    with ExitStack() as stack:
        office = None
        if installation is not None:
            office = stack.enter_context(Office(installation=installation, deadline=deadline))

        def do(task: Task) -> OSError | None:
            key = task.key
            try:
                scored = score_deck(
                    task.deck, office=office, cache=kept, also=also, no_data=no_data,
                    text_gate=text_gate, deadline=deadline,
                )  # fmt: skip
            except DeckError as error:
                scored = failed(task.deck, error)
            except RenderError as error:
                # Without a key: what drew the deck may do better when the run is resumed.
                scored, key = failed(task.deck, error), ""
            except OSError as error:  # no room for temporary files, say
                scored, key = failed(task.deck, _unworkable(task.deck, error)), ""
            try:
                journal.write(task.deck, key, _reported(scored, out, task.page))
            except OSError as error:
                return error
            return None

        yield do


def _unworkable(deck: Path, error: OSError) -> RenderFailed:
    place = "" if error.filename is None else f" ({error.filename})"
    return RenderFailed(deck, f"could not be scored: {error.strerror or error}{place}")


def _reported(scored: ScoredDeck, out: Path, page: str) -> Record:
    if scored.result.status == "failed":
        return Record(scored.result, page=None, cover=None)
    write_deck_page(
        out / "decks" / page, scored.result, scored.pictures,
        generated_by=f"decklab {__version__}", index="../index.html",
    )  # fmt: skip
    return Record(scored.result, page=page, cover=scored.cover)
