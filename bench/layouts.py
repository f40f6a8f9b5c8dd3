"""How each layout of `decklab.board` stands: ``python -m bench.layouts [FOLDER]``.

Two measurements of the slides that `generate.composing` draws. Each layout alone in a deck, in the
first design: the editability level, its first gate and how many doubled texts stay in their boxes.
All layouts in one deck, in each design: what the lint finds. Ends with 1 where a level is below 3,
or the lint finds something.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from generate.composing.library import library_plan
from generate.composing.showcase import showcase_plan

import decklab
from decklab.board.blueprint import DeckPlan
from decklab.board.pages.writing import write_deck
from decklab.board.themes import THEMES
from decklab.core.results import NotScored
from decklab.deck.reading import read_outline
from decklab.metrics.editability.judge import judge_pptx
from decklab.metrics.editability.verdict import Editability
from decklab.ooxml.package import Package
from decklab.rendering.renderer import Cache, Renderer
from decklab.scoring.trial_edits import DeckProbes


def main(arguments: Sequence[str]) -> int:
    """Measure and print every layout, then every design; 1 where one falls short."""
    options = _options(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = options.folder or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        plan = gallery(folder)
        with Renderer(cache=Cache(folder / "cache")).started() as renderer:
            levels = Counter(() if options.lint else _levels(plan, options, folder, renderer))
            found = 0 if options.levels else sum(_findings(plan, options, folder, renderer))
    print(", ".join(f"{level}: {count} layouts" for level, count in sorted(levels.items())))
    print(f"lint: {found} findings")
    return int(found > 0 or not levels.keys() <= {"L3", "L4", "L5"})


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.layouts", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="keeps the decks")
    parser.add_argument("--design", nargs="+", default=[*THEMES], choices=[*THEMES])
    parser.add_argument("--only", nargs="+", default=[], help="layouts whose level is measured")
    parts = parser.add_mutually_exclusive_group()
    parts.add_argument("--levels", action="store_true", help="without the lint")
    parts.add_argument("--lint", action="store_true", help="without the levels")
    return parser.parse_args(arguments)


def gallery(folder: Path) -> DeckPlan:
    """One slide of each layout; its pictures are written into ``folder``."""
    plan = showcase_plan(folder)
    return plan.model_copy(update={"slides": (*plan.slides, *library_plan(folder).slides)})


def _levels(
    plan: DeckPlan, options: argparse.Namespace, folder: Path, renderer: Renderer
) -> Iterator[str]:
    for slide in plan.slides:
        if options.only and slide.layout not in options.only:
            continue
        deck = folder / f"{slide.layout}.pptx"
        write_deck(plan.model_copy(update={"slides": (slide,)}), options.design[0], deck)
        verdict = _verdict(deck, renderer)
        level = "not scored" if isinstance(verdict.level, NotScored) else f"L{verdict.level}"
        print(f"{slide.layout:16} {level}", flush=True)
        for gate in verdict.gates:
            print(f"    {gate.level} {gate.outcome:14} {gate.summary}")
            if gate.level == 1:
                for finding in gate.evidence:
                    print(f"        {finding.shape}: {finding.message}")
        yield level


def _verdict(deck: Path, renderer: Renderer) -> Editability:
    with Package.open(deck) as package:
        outline = read_outline(package)
        return judge_pptx(outline, DeckProbes(package, outline, renderer=renderer))


def _findings(
    plan: DeckPlan, options: argparse.Namespace, folder: Path, renderer: Renderer
) -> Iterator[int]:
    for name in options.design:
        deck = folder / f"all-{name}.pptx"
        write_deck(plan, name, deck)
        report = decklab.lint(deck, renderer=renderer)
        for finding in report.findings:
            layout = plan.slides[finding.slide - 1].layout if finding.slide else "deck"
            print(f"{name} {layout} {finding.severity} {finding.rule}: {finding.message}"
                  f" [{finding.shape}]")  # fmt: skip
        yield len(report.findings)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
