"""How decks written without a model stand: ``python -m bench.written [FOLDER]``.

One deck for each case, from the documents of FOLDER (by default those that `scripts/documents`
fetched) and from documents of our own. For each deck: slides, PEI level, errors and warnings of the
lint, the aesthetics scores, and how many of the numbers on its slides its sources have. The total
is compared with the median of the decks in ``../shared/decks/real``, scored in the same run, where
they are there. Ends with 1 where a case misses one of these.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from generate.writing.sources import HARBOUR, own_sources

import decklab
from decklab.board.themes import THEMES
from decklab.core.results import DeckResult, NotScored
from decklab.rendering.renderer import Cache, Renderer
from decklab.writer.write import WrittenDeck

FOLDER = Path(__file__).parents[1] / "build" / "documents"
REAL = Path(__file__).parents[2] / "shared" / "decks" / "real"
CASES = (
    ("survival",), ("lmer",), ("strucplot",), ("dotguide",), ("debian-reference.en",),
    ("Rcpp-introduction",), ("coin", "LegoCondInf"), ("sandwich", "sandwich-CL"),
)  # fmt: skip
"""The documents of each deck: of different kinds, and families that overlap."""
LEAST_LEVEL = 4
TOTAL = "aesthetics.total"
PARTS = ("harmony.score", "engagement.score", "usability.score", "rhythm.score", TOTAL)
_HEAD = "  case                 slides PEI err warn   harm engage usable rhythm  total  numbers"


@dataclass(frozen=True)
class Standing:
    """What is asked of a deck, as measured."""

    result: DeckResult
    errors: int
    warnings: int
    numbers: int
    found: int

    def value(self, metric: str) -> float:
        """A score of the deck; NaN where there is none."""
        value = self.result.value(metric)
        return float("nan") if isinstance(value, NotScored) else value

    def meets(self, least_total: float | None) -> bool:
        """Whether nothing is missed; ``least_total`` is what the total has to exceed."""
        high = least_total is None or self.value(TOTAL) > least_total
        clean = not (self.errors or self.warnings) and self.found == self.numbers
        return high and clean and self.value("editability.level") >= LEAST_LEVEL


def main(arguments: Sequence[str]) -> int:
    """Write, score and print every case; 1 where one misses what is asked."""
    options = _options(arguments)
    with tempfile.TemporaryDirectory() as name:
        room = options.out or Path(name)
        renderer = Renderer(cache=Cache(options.cache or room / "cache"))
        least = None if options.alone else _median(room / "real", renderer)
        if least is not None:
            print(f"  median total of the decks in {REAL.name}: {least:.2f}")
        print(_HEAD)
        met = True
        for sources in _cases(options.folder, room / "sources"):
            if options.only not in sources[0].stem:
                continue
            deck, written = _written(sources, options.theme, room / "decks")
            standing = _standing(deck, written, room / "scores", renderer)
            print(_row(sources[0].stem, standing), flush=True)
            met &= standing.meets(least)
    print(f"  all cases: {'met' if met else 'MISSED'}")
    return int(not met)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.written", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--theme", default="light", choices=[*THEMES])
    parser.add_argument(
        "--only", default="", help="cases whose first document has this in its name"
    )
    parser.add_argument("--out", type=Path, help="folder that keeps decks and reports")
    parser.add_argument("--cache", type=Path, help="folder that keeps what was drawn")
    parser.add_argument("--alone", action="store_true", help="without the real decks")
    return parser.parse_args(arguments)


def _cases(folder: Path, own: Path) -> Iterator[tuple[Path, ...]]:
    for names in CASES:
        paths = tuple(folder / f"{name}.pdf" for name in names)
        if all(path.exists() for path in paths):
            yield paths
        else:
            print(f"  {', '.join(names)}: not run, not in {folder}; scripts/documents fetches them")
    yield (HARBOUR,)
    yield from ((path,) for path in own_sources(own))


def _written(sources: Sequence[Path], theme: str, folder: Path) -> tuple[Path, WrittenDeck]:
    folder.mkdir(parents=True, exist_ok=True)
    deck = folder / f"{sources[0].stem}-{theme}.pptx"
    return deck, decklab.write(sources, deck, options=decklab.WriteOptions(theme=theme))


def _standing(deck: Path, written: WrittenDeck, out: Path, renderer: Renderer) -> Standing:
    (result,) = decklab.score([deck], out, renderer=renderer).results()
    severities = [finding.severity for finding in decklab.lint(deck, renderer=renderer).findings]
    numbers = len(written.numbers)
    return Standing(
        result, severities.count("error"), severities.count("warning"), numbers,
        numbers - len(written.unfounded),
    )  # fmt: skip


def _median(out: Path, renderer: Renderer) -> float | None:
    if not REAL.is_dir():
        return None
    values = [
        result.value(TOTAL) for result in decklab.score([REAL], out, renderer=renderer).results()
    ]
    return median(value for value in values if not isinstance(value, NotScored))


def _row(name: str, standing: Standing) -> str:
    parts = " ".join(f"{standing.value(metric):6.2f}" for metric in PARTS)
    return (
        f"  {name:20} {standing.result.slides:6} {standing.value('editability.level'):3.0f} "
        f"{standing.errors:3} {standing.warnings:4} {parts}  {standing.found} of {standing.numbers}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
