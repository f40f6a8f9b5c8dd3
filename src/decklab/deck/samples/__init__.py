"""Three sample decks that decklab makes itself: a plain one, a rich one and a bad one."""

from pathlib import Path

from decklab.deck.samples.bad import write_bad
from decklab.deck.samples.plain import write_plain
from decklab.deck.samples.rich import write_rich

__all__ = ["write_samples"]


def write_samples(folder: Path) -> list[Path]:
    """Write ``plain.pptx``, ``rich.pptx`` and ``bad.pptx`` into ``folder`` and return their paths.

    The folder is made if need be. Every call writes the same bytes; each file appears whole or
    not at all. Raises OSError where the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return [
        write_plain(folder / "plain.pptx"),
        write_rich(folder / "rich.pptx"),
        write_bad(folder / "bad.pptx"),
    ]
