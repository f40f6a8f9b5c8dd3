"""What writing a deck takes: seconds a stage, memory, and pages a second against pdfplumber.

Run as ``python -m bench.writing [FOLDER]``; FOLDER holds PDF documents, else the one that
`scripts/documents` fills. Three tables of one run on one machine: 12 slides of each document by
rules, a stage a column; the most memory that reading the longest document takes, each part of it in
a process of its own; and the processor time of reading against pdfplumber's words of the same
files, as a ratio. Trust the ratios: seconds depend on what else the machine does.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pypdfium2

from bench.reading import FOLDER, processor_time, words_of
from decklab.documents.reading import read_document
from decklab.writer.write import write_deck

SLIDES = ("survival", "lmer", "debian-reference.en", "parallel", "dotguide")
READ = ("lmer", "survival", "strucplot", "dotguide", "sandwich-CL", "Rcpp-introduction")
LONG = "debian-reference.en"
STAGES = ("read", "outline", "plan", "compose", "write", "check")
PARTS = (1, 30, 100, 200, 300)
"""Pages of the parts of the longest document; beyond its end it begins again."""


def stages(path: Path, out: Path) -> dict[str, float]:
    """Seconds of each stage of writing 12 slides from a document, without a model."""
    deck = out / f"{path.stem}.pptx"
    deck.unlink(missing_ok=True)
    return write_deck([path], deck).seconds


def first_pages(path: Path, count: int, out: Path) -> Path:
    """A PDF of so many pages of another, from its first on and round again."""
    with pypdfium2.PdfDocument(path) as source, pypdfium2.PdfDocument.new() as made:
        while len(made) < count:
            made.import_pages(source, list(range(min(len(source), count - len(made)))))
        target = out / f"{count}.pdf"
        made.save(target)
    return target


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


def peak_memory(path: Path | None) -> float:
    """Most megabytes that a process needs which reads a document; of None only the program's."""
    command = [sys.executable, "-c", PEAK, *([str(path)] if path else [])]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main(arguments: Sequence[str]) -> int:
    """Print the tables; 0 always, for they state no budget (`bench.reading` has one)."""
    folder = Path(arguments[0]) if arguments else FOLDER
    present = {path.stem: path for path in sorted(folder.glob("*.pdf"))}
    if not present:
        print(f"  not run: no documents in {folder}; scripts/documents fetches them")
        return 0
    with tempfile.TemporaryDirectory() as room:
        _stage_table([present[name] for name in SLIDES if name in present], Path(room))
        if LONG in present:
            _memory_table(present[LONG], Path(room))
    _speed_table([present[name] for name in READ if name in present])
    return 0


def _stage_table(files: Sequence[Path], room: Path) -> None:
    print(f"  {'seconds for 12 slides':26}" + "".join(f"{stage:>9}" for stage in STAGES))
    for path in files:
        found = stages(path, room)
        print(f"  {path.name:26}" + "".join(f"{found.get(stage, 0):9.2f}" for stage in STAGES))


def _memory_table(path: Path, room: Path) -> None:
    start = peak_memory(None)
    print(f"  pages of {path.name}: megabytes at the most ({start:.0f} before reading)")
    for count in PARTS:
        peak = peak_memory(first_pages(path, count, room))
        print(f"  {count:5} {peak:7.0f} MB, {(peak - start) / count:6.2f} a page")


def _speed_table(files: Sequence[Path]) -> None:
    print(f"  {'processor time':26}{'pages':>6}{'pages/s':>9}{'pdfplumber':>12}{'ratio':>7}")
    pages_all, ours_all, theirs_all = 0, 0.0, 0.0
    for path in files:
        start = time.process_time()
        pages = read_document(path).pages
        ours = time.process_time() - start
        theirs = processor_time(words_of, path)
        pages_all, ours_all, theirs_all = pages_all + pages, ours_all + ours, theirs_all + theirs
        _speed_row(path.name, pages, ours, theirs)
    _speed_row("all", pages_all, ours_all, theirs_all)


def _speed_row(name: str, pages: int, ours: float, theirs: float) -> None:
    if ours and theirs:
        print(f"  {name:26}{pages:6}{pages / ours:9.0f}{pages / theirs:12.1f}{theirs / ours:6.1f}x")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
