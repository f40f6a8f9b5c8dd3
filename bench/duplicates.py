"""How well near-duplicate decks are found: ``python -m bench.duplicates DECKS``.

Each deck of a folder is damaged on three axes at two severities and saved anew by LibreOffice.
Every pair of versions of one deck should be found, no pair of different decks. By hand: a minute
or two for 18 decks.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

from decklab.core.options import Axis
from decklab.evals.perturb.deck import write_perturbed
from decklab.ooxml.package import Package
from decklab.rendering.renderer import Renderer
from decklab.workbench.cluster.jobs import Job
from decklab.workbench.cluster.run import Machine, run_job
from decklab.workbench.cluster.sources import source_items
from decklab.workbench.corpus.select import duplicates

AXES: tuple[Axis, ...] = ("geometry", "text", "style")
SEVERITIES = (0.3, 0.6)


def write_versions(deck: Path, number: int, folder: Path, renderer: Renderer) -> None:
    """Versions of a deck, named by its number."""
    (folder / f"{number}-original.pptx").write_bytes(deck.read_bytes())
    (folder / f"{number}-resaved.pptx").write_bytes(renderer.converter.resaved(deck))
    with Package.open(deck) as package:
        for axis in AXES:
            for severity in SEVERITIES:
                out = folder / f"{number}-{axis}-{severity}.pptx"
                write_perturbed(package, out, axis, severity)


def _kind(name: str) -> str:
    return name.removesuffix(".pptx").split("-", 1)[1]


def main(arguments: Sequence[str]) -> int:
    decks = sorted(Path(arguments[0]).glob("*.pptx"))
    with TemporaryDirectory(prefix="decklab-duplicates-") as scratch:
        place = Path(scratch)
        (place / "decks").mkdir()
        with Renderer().started() as renderer:
            for number, deck in enumerate(decks):
                write_versions(deck, number, place / "decks", renderer)
        source = source_items([str(place / "decks")])
        run_job(source, Job("extract"), place / "out", machine=Machine(processes=2))
        found = {
            (Path(pair.deck).name, Path(pair.other).name): pair
            for pair in duplicates(place / "out")
        }
        names = sorted(path.name for path in (place / "decks").iterdir())
        wanted = {
            pair for pair in combinations(names, 2) if len({n.split("-")[0] for n in pair}) == 1
        }
        got = {(min(pair), max(pair)) for pair in found}
        print(f"{len(names)} decks; {len(wanted)} pairs of versions, {len(got & wanted)} found")
        print(f"recall {len(got & wanted) / len(wanted):.3f}, "
              f"precision {len(got & wanted) / max(1, len(got)):.3f}")  # fmt: skip
        missed = Counter(
            " and ".join(sorted(_kind(name) for name in pair)) for pair in wanted - got
        )
        for kinds, count in missed.most_common():
            print(f"missed {count}: {kinds}")
        wrong = Counter(
            tuple(decks[int(name.split("-")[0])].name for name in pair) for pair in got - wanted
        )
        for (one, other), count in wrong.most_common():
            print(f"other decks {count}: {one} and {other}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
