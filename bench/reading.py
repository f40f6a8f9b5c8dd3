"""How fast PDF documents are read, against pdfplumber's words of the same files.

Run as ``python -m bench.reading [PDF...]``; without files those that `scripts/documents` fetched.
Processor time, the less of two runs each, taken in turns. Budget: 5 times faster over all files.
With ``--memory`` the most memory that reading 1 to 300 pages takes, each time in a process of its
own; of a shorter document the pages begin again.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pdfplumber
import pypdfium2

from bench.measuring import remember
from decklab.documents.reading import read_document

TURNS = 2
BUDGET = 5.0
FOLDER = Path(__file__).parents[1] / "build" / "documents"
NAMES = ("lmer", "survival", "strucplot", "dotguide", "sandwich-CL", "Rcpp-introduction")
LONG = FOLDER / "debian-reference.en.pdf"
PARTS = (1, 30, 100, 200, 300)
PEAK = """
import re, sys
from pathlib import Path
from decklab.documents.reading import read_document
if sys.argv[1:]:
    read_document(sys.argv[1])
status = Path("/proc/self/status").read_text()
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1]) / 1024)
"""
"""By the kernel's mark of this program alone; ru_maxrss begins at what its parent had."""


def first_pages(path: Path, count: int, out: Path) -> Path:
    """A PDF of so many pages of another, from its first on and round again."""
    with pypdfium2.PdfDocument(path) as source, pypdfium2.PdfDocument.new() as made:
        while len(made) < count:
            made.import_pages(source, list(range(min(len(source), count - len(made)))))
        target = out / f"{count}.pdf"
        made.save(target)
    return target


def peak_memory(path: Path | None) -> float:
    """Most megabytes that a process needs which reads a document; of None only the program's."""
    command = [sys.executable, "-c", PEAK, *([str(path)] if path else [])]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def print_memory(path: Path) -> None:
    """Print the most memory for each number of pages."""
    start = peak_memory(None)
    print(f"  pages of {path.name}: megabytes at the most ({start:.0f} before reading)")
    with tempfile.TemporaryDirectory() as room:
        for count in PARTS:
            peak = peak_memory(first_pages(path, count, Path(room)))
            print(f"  {count:5} {peak:7.0f} MB, {(peak - start) / count:6.2f} a page")


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
    given = [Path(item) for item in arguments if item != "--memory"]
    memory = "--memory" in arguments
    files = given or ([LONG] if memory else [FOLDER / f"{name}.pdf" for name in NAMES])
    files = [path for path in files if path.exists()]
    if not files:
        print(f"  not run: no documents in {FOLDER}; scripts/documents fetches them")
        return 0
    if memory:
        print_memory(files[0])
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
