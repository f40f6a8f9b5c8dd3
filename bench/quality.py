"""Whether quality falls with damage, and stays where nothing changed, on a folder of decks.

Up to eight slides of each deck are degraded at severities 0, 0.1, ... 1 along each
axis and drawn; the deck's score is that of these slides. Run as
``python -m bench.quality [FOLDER]``.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from decklab.core.errors import DecklabError
from decklab.core.options import Axis
from decklab.deck.reading import read_elements
from decklab.evals.perturb.constants import AXES
from decklab.evals.perturb.deck import write_ladder
from decklab.metrics.quality import MeasuredSlide, quality_rows
from decklab.metrics.spelling import is_english
from decklab.ooxml.package import Package
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Renderer
from decklab.scoring.deck import measured_slide

DECKS = Path(__file__).parents[2] / "shared" / "decks" / "real"
MOST = 8
"""Ours: slides of each deck, spread over it."""
LEAST_TEXTS = 2
SEVERITIES = tuple(step / 10 for step in range(11))


def main(arguments: list[str]) -> int:
    """Print one line for each deck and axis, and the means."""
    folder = Path(arguments[0]) if arguments else DECKS
    rows: list[tuple[Axis, list[float]]] = []
    print(f"{'deck':<44}{'axis':<10}{'clean':>7}{'worst':>7}{'POA':>7}{'below clean':>13}")
    with TemporaryDirectory() as scratch, Renderer().started() as renderer:
        for path in sorted(folder.glob("*.pptx")):
            try:
                found = ladder_scores(path, Path(scratch) / "ladder.pptx", renderer)
            except DecklabError as error:
                print(f"left out: {error}", file=sys.stderr)
                continue
            for axis, scores in found.items():
                rows.append((axis, scores))
                print(f"{path.name[:42]:<44}{_line(axis, scores)}", flush=True)
    for axis in AXES:
        chosen = [scores for of, scores in rows if of == axis]
        if chosen:
            print(f"{'all decks':<44}{_means(axis, chosen)}")
    return 0


def ladder_scores(path: Path, scratch: Path, renderer: Renderer) -> Mapping[Axis, list[float]]:
    """The score of some slides of a deck at each severity, by axis."""
    with Package.open(path) as package:
        slides = read_elements(package).slides
        fit = [s.number for s in slides if sum(bool(t.text.strip()) for t in s.texts) > 1]
        chosen = [fit[int(at)] for at in np.linspace(0, len(fit) - 1, min(MOST, len(fit)))]
        words = Counter(w for s in slides for w in {w for t in s.texts for w in t.text.split()})
        known = frozenset(word for word, count in words.items() if count > 1)
        english = is_english(" ".join(text.text for s in slides for text in s.texts))
        scores: dict[Axis, list[float]] = {}
        for axis in AXES if chosen else ():
            seen: list[dict[int, MeasuredSlide]] = [{} for _ in SEVERITIES]
            for number in chosen:
                scratch.unlink(missing_ok=True)
                write_ladder(package, scratch, axis, SEVERITIES, slide=number)
                for rung, measured in enumerate(_drawn(scratch, renderer)):
                    seen[rung][number] = replace(measured, english=english, known=known)
            scores[axis] = [quality_rows(one)[0].value or 0.0 for one in seen]
        return scores


def _drawn(path: Path, renderer: Renderer) -> Iterator[MeasuredSlide]:
    with Package.open(path) as package:
        elements = read_elements(package).slides
    with open_rendered(path, renderer=renderer) as deck:
        for one, drawn in zip(elements, deck, strict=True):
            yield measured_slide(one, drawn.image, drawn.spans)


def _poa(scores: list[float]) -> float:
    """Share of steps in severity at which the score does not rise."""
    return float(np.mean(np.diff(scores) <= 0))


def _below(scores: list[float]) -> float:
    return float(np.mean(np.array(scores[1:]) < scores[0]))


def _line(axis: str, scores: list[float]) -> str:
    return (
        f"{axis:<10}{scores[0]:>7.1f}{scores[-1]:>7.1f}{_poa(scores):>7.2f}{_below(scores):>13.2f}"
    )


def _means(axis: str, chosen: list[list[float]]) -> str:
    clean, worst = (float(np.mean([one[at] for one in chosen])) for at in (0, -1))
    poa, below = (float(np.mean([of(one) for one in chosen])) for of in (_poa, _below))
    return f"{axis:<10}{clean:>7.1f}{worst:>7.1f}{poa:>7.2f}{below:>13.2f}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
