"""The three sample decks that come with decklab: a plain one, a rich one and a bad one.

They are made by ``python -m generate`` in decklab's repository.
"""

from importlib import resources
from pathlib import Path

from decklab.core.files import write_data

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
