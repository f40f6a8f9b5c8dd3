"""All three sample decks, made by program."""

from pathlib import Path

from generate.samples.bad import write_bad
from generate.samples.plain import write_plain
from generate.samples.rich.deck import write_rich


def make_samples(folder: Path) -> dict[str, Path]:
    """Make ``plain.pptx``, ``rich.pptx`` and ``bad.pptx`` in ``folder``; their paths by name.

    With the same libraries every call gives the same bytes.
    """
    makers = {"plain": write_plain, "rich": write_rich, "bad": write_bad}
    return {name: make(folder / f"{name}.pptx") for name, make in makers.items()}
