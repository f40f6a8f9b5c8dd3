"""How decks written without a model stand: ``python -m bench.written [FOLDER]``.

One deck for each case, from the documents of FOLDER (those that `scripts/documents` fetched, by
default) and from documents of our own. For each: slides, PEI level, errors and warnings of the
lint, the aesthetics scores, and how many of the numbers on slides their source has. The total is
compared with the median of the decks in ``../shared/decks/real``, scored in the same run; without
them with nothing. Ends with 1 where a case misses one of these.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from generate.writing.sources import HARBOUR, own_sources

import decklab
from decklab.composing.themes import THEMES
from decklab.rendering.cache import Cache
from decklab.rendering.renderer import Renderer
from decklab.results import DeckResult, NotScored

FOLDER = Path(__file__).parents[1] / "build" / "documents"
REAL = Path(__file__).parents[2] / "shared" / "decks" / "real"
CASES = (
    ("survival",), ("lmer",), ("strucplot",), ("dotguide",), ("debian-reference.en",),
    ("Rcpp-introduction",), ("coin", "LegoCondInf"), ("sandwich", "sandwich-CL"),
)  # fmt: skip
"""The documents of each deck: of different kinds, and families that overlap."""
LEAST_LEVEL = 4
PARTS = ("harmony.score", "engagement.score", "usability.score", "rhythm.score", "aesthetics.total")


def main(arguments: Sequence[str]) -> int:
    """Write, score and print every case; 1 where one misses what is asked."""
    options = _options(arguments)
    with tempfile.TemporaryDirectory() as name:
        room = options.out or Path(name)
        renderer = Renderer(cache=Cache(options.cache or room / "cache"))
        cases = list(_cases(options.folder, room / "sources"))
        cases = [case for case in cases if options.only in case[0].stem]
        decks = [_written(case, options.theme, room / "decks") for case in cases]
        middle = None if options.alone else _median(room / "real", renderer)
        if middle is not None:
            print(f"median total of {REAL.name}: {middle:.2f}")
        run = decklab.score([deck for deck, _ in decks], room / "scores", renderer=renderer)
        print(
            "case                    slides  PEI err warn  harm. engag. usab. rhythm  total  numbers"
        )
        results = list(run.results())
        missed = [
            _row(case[0].stem, result, deck, written, middle)
            for case, result, (deck, written) in zip(cases, results, decks, strict=True)
        ]
    return int(any(missed))


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
            print(f"not run: {', '.join(names)}: not in {folder}; scripts/documents fetches them")
    yield (HARBOUR,)
    for path in own_sources(own):
        yield (path,)


def _written(
    sources: Sequence[Path], theme: str, folder: Path
) -> tuple[Path, "decklab.agents.writer.write.WrittenDeck"]:  # type: ignore[name-defined]
    folder.mkdir(parents=True, exist_ok=True)
    deck = folder / f"{sources[0].stem}-{sources[0].suffix[1:]}-{theme}.pptx"
    options = decklab.WriteOptions(theme=theme)
    return deck, decklab.write(sources, deck, options=options, keep=deck.with_suffix(""))


def _median(out: Path, renderer: Renderer) -> float | None:
    if not REAL.is_dir():
        return None
    run = decklab.score([REAL], out, renderer=renderer)
    totals = [_value(result, "aesthetics.total") for result in run.results()]
    return median(total for total in totals if total == total)


def _value(result: DeckResult, metric: str) -> float:
    value = result.value(metric)
    return float("nan") if isinstance(value, NotScored) else value


def _row(name, result, deck, written, middle) -> bool:
    found = decklab.lint(deck).findings
    errors, warnings = (sum(item.severity == one for item in found) for one in ("error", "warning"))
    level = _value(result, "editability.level")
    parts = [_value(result, metric) for metric in PARTS]
    numbers = len(written.numbers)
    held = numbers - len(written.unfounded)
    print(
        f"{name:24} {result.slides:5} {level:4.0f} {errors:3} {warnings:4}  "
        + " ".join(f"{part:6.2f}" for part in parts)
        + f"  {held} of {numbers}",
        flush=True,
    )
    low = middle is not None and not parts[-1] > middle
    return bool(errors or warnings or level < LEAST_LEVEL or low or held < numbers)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
