"""Spearman's rho of each metric without a model with the order of four qualities.

On the starter set of UniPPTBench: ``python -m bench.judged.ranks``; on other documents, which are
read and whose decks are made by program: ``python -m bench.judged.ranks DOCUMENT ...``.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.judged.ranked import (
    RankedMetric,
    documents_in_four_qualities,
    handmade_cases,
    mean_rho,
    ranked_metrics,
)
from decklab.core.results import NotScored
from decklab.rendering.renderer import Cache, Renderer


def main(documents: Sequence[str]) -> int:
    """Print the scores and the table of rho; 1 where a metric is against the order on average."""
    found: list[RankedMetric] = []
    with tempfile.TemporaryDirectory() as name, Renderer(cache=Cache(name)).started() as renderer:
        folder = Path(name)
        paths = [Path(one) for one in documents]
        cases = documents_in_four_qualities(paths, folder) if paths else handmade_cases(folder)
        for case in cases:
            print(f"\n{case.name}", flush=True)
            for one in ranked_metrics(case, folder, renderer):
                found.append(one)
                print(_line(one), flush=True)
    print(f"\n{'metric':24}{'mean rho':>9}{'cases':>7}{'pairs against the order':>25}")
    means = mean_rho(found)
    for metric, (rho, cases_with_rho, wrong) in means.items():
        print(f"{metric:24}{rho:9.2f}{cases_with_rho:7}{wrong:25}")
    return int(any(rho <= 0 for rho, _, _ in means.values()))


def _line(one: RankedMetric) -> str:
    scores = " ".join(
        "  none" if isinstance(value, NotScored) else f"{value:6.2f}" for value in one.scores
    )
    rho = "none" if isinstance(one.rho, NotScored) else f"{one.rho:.2f}"
    against = "".join(f"  {b + 1} above {a + 1}" for a, b in one.against)
    return f"  {one.metric:24}{scores}   rho {rho:>5}{against}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
