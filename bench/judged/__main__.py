"""The table of movements: ``python -m bench.judged [DOCUMENT ...]``."""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.judged.moving import JudgedCase, Movement, document_cases, movements, own_cases
from decklab.core.results import NotScored
from decklab.rendering.renderer import Renderer


def main(documents: Sequence[str]) -> int:
    """Print the tables; 1 where a metric does not see its own damage."""
    failing, farther = [], []
    with tempfile.TemporaryDirectory() as name, Renderer().started() as renderer:
        folder = Path(name)
        cases = list(own_cases(folder))
        for document in documents:
            cases += document_cases(Path(document), folder)
        for case in cases:
            found = list(movements(case, folder, renderer))
            _print(case, found)
            failing += [one for one in found if one.seen is False]
            farther += [one for one in found if one.seen and not one.nearer]
    for one in farther:
        print(f"another metric moves as far or farther: {one.case}: {one.damage.name}")
    for one in failing:
        print(f"FAILS: {one.damage.metric} does not see: {one.case}: {one.damage.name}")
    return int(bool(failing))


def _print(case: JudgedCase, found: Sequence[Movement]) -> None:
    if not found:
        return
    names = list(found[0].before)
    widths = [max(len(name), 10) for name in names]
    print(f"\n{case.name}")
    print(_row("", names, widths))
    print(_row("as written", [_number(found[0].before[name]) for name in names], widths))
    for one in found:
        cells = [_fall(one, name) + ("*" if name == one.damage.metric else " ") for name in names]
        print(_row(one.damage.name, cells, widths))


def _row(label: str, cells: Sequence[str], widths: Sequence[int]) -> str:
    pairs = zip(cells, widths, strict=True)
    return f"{label:22}" + " ".join(cell.rjust(width + 1) for cell, width in pairs)


def _number(score: float | NotScored) -> str:
    return "none " if isinstance(score, NotScored) else f"{score:.2f} "


def _fall(one: Movement, name: str) -> str:
    fall = one.fall(name)
    return "none" if fall is None else f"{-fall:+.2f}"


sys.exit(main(sys.argv[1:]))
