"""How fast PDF documents are read, against pdfplumber's words of the same files.

Run as ``python -m bench.reading [PDF...]``; without files those that `scripts/documents` fetched.
Processor time, the less of two runs each, taken in turns. Budget: 5 times faster over all files.
"""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pdfplumber

from bench.measuring import remember
from decklab.documents.reading import read_document

TURNS = 2
BUDGET = 5.0
FOLDER = Path(__file__).parents[1] / "build" / "documents"
NAMES = ("lmer", "survival", "strucplot", "dotguide", "sandwich-CL", "Rcpp-introduction")


def words_of(path: Path) -> None:
    """What pdfplumber takes to find the words of a file."""
    with pdfplumber.open(path) as pdf:
        for page in pdf.pages:
            page.extract_words()


def processor_time(work: Callable[[Path], object], path: Path) -> float:
    """Seconds of processor time of one call."""
    start = time.process_time()
    work(path)
    return time.process_time() - start


def main(arguments: Sequence[str]) -> int:
    """Print a ratio a file; 1 where they are under the budget together."""
    files = [Path(item) for item in arguments] or [FOLDER / f"{name}.pdf" for name in NAMES]
    files = [path for path in files if path.exists()]
    if not files:
        print(f"  not run: no documents in {FOLDER}; scripts/documents fetches them")
        return 0
    ours_all = theirs_all = 0.0
    for path in files:
        turns = [
            (processor_time(read_document, path), processor_time(words_of, path))
            for _ in range(TURNS)
        ]
        ours, theirs = (min(times) for times in zip(*turns, strict=True))
        ours_all, theirs_all = ours_all + ours, theirs_all + theirs
        pages = read_document(path).pages
        print(f"  {path.name:24} {pages:4} pages {pages / ours:6.0f} pages/s {theirs / ours:5.1f}x")
    ratio = theirs_all / ours_all
    print(f"  all: {ratio:.1f}x (at least {BUDGET:g}) {'met' if ratio >= BUDGET else 'MISSED'}")
    remember("reading PDF", ratio, BUDGET)
    return int(ratio < BUDGET)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
