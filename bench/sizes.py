"""Very large decks: how long each command takes, and how much memory, or a clear no.

``python -m bench.sizes [--only read,lint] [--decks slides,pictures,shapes] [--seconds 900]``.
Three decks are made: one of 5,000 slides, one with 500 MB of pictures, and one whose single slide
has 20,000 shapes. Each command runs alone. Processors' seconds and the peak of resident memory are
told apart for decklab's processes and for LibreOffice's, looked at ten times a second. Prints a
table in Markdown; exit code 1 where a command had a traceback, ended by a signal, or did not end.
"""

import argparse
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
import psutil
from PIL import Image
from pptx import Presentation
from pptx.util import Inches

from bench.kills import Place, adopt_orphans, left_processes
from bench.workbench_kills import uploaded

SLIDES: Final = 5_000
SHAPES: Final = 20_000
PICTURES: Final = 100
PICTURE_SIDE: Final = 1_290
"""Pixels; noise of three bytes a pixel does not pack, so each picture has about 5 MB."""

_TARGETS: Final[Mapping[str, str]] = {
    "slides": "make the title of slide 2500 italic",
    "pictures": "make the title of slide 50 italic",
    "shapes": "make the title of slide 1 italic",
}


def slides_deck(path: Path) -> None:
    """A deck of ``SLIDES`` slides: a title and two bullets each, with the number in the title."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Slide 00000"
    slide.placeholders[1].text = "First point of the slide\nSecond point of the slide"
    made = BytesIO()
    deck.save(made)
    with zipfile.ZipFile(made) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    one, links = parts["ppt/slides/slide1.xml"], parts["ppt/slides/_rels/slide1.xml.rels"]
    kind = b'ContentType="application/vnd.openxmlformats-officedocument.presentationml.slide+xml"'
    relation = b'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide"'
    numbers = range(2, SLIDES + 1)
    named = [b'<Override PartName="/ppt/slides/slide%d.xml" %s/>' % (n, kind) for n in numbers]
    related = [
        b'<Relationship Id="rIdS%d" %s Target="slides/slide%d.xml"/>' % (n, relation, n)
        for n in numbers
    ]
    listed = [b'<p:sldId id="%d" r:id="rIdS%d"/>' % (1000 + n, n) for n in numbers]
    _insert(parts, "[Content_Types].xml", named, b"</Types>")
    _insert(parts, "ppt/_rels/presentation.xml.rels", related, b"</Relationships>")
    _insert(parts, "ppt/presentation.xml", listed, b"</p:sldIdLst>")
    for number in range(1, SLIDES + 1):
        text = one.replace(b"Slide 00000", b"Slide %05d" % number)
        parts[f"ppt/slides/slide{number}.xml"] = text
        parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = links
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def _insert(parts: dict[str, bytes], name: str, pieces: list[bytes], end: bytes) -> None:
    parts[name] = parts[name].replace(end, b"".join(pieces) + end)


def pictures_deck(path: Path) -> None:
    """A deck of ``PICTURES`` slides with a picture of noise each, 500 MB in all."""
    deck, chance = Presentation(), np.random.default_rng(1)
    for number in range(PICTURES):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = f"Picture {number + 1}"
        noise = chance.integers(0, 256, (PICTURE_SIDE, PICTURE_SIDE, 3), np.uint8)
        file = BytesIO()
        Image.fromarray(noise).save(file, "PNG", compress_level=0)
        slide.shapes.add_picture(file, Inches(2), Inches(2), Inches(5), Inches(5))
    deck.save(str(path))


def shapes_deck(path: Path) -> None:
    """A deck of one slide with a title and ``SHAPES`` boxes, each with a word; some overlap."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Very many shapes"
    made = BytesIO()
    deck.save(made)
    box = (
        b'<p:sp><p:nvSpPr><p:cNvPr id="%d" name="Box %d"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>'
        b'<a:xfrm><a:off x="%d" y="%d"/><a:ext cx="60000" cy="40000"/></a:xfrm><a:prstGeom '
        b'prst="rect"><a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val="%06X"/></a:solidFill>'
        b'</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:rPr lang="en-US" sz="400"/><a:t>'
        b"w%d</a:t></a:r></a:p></p:txBody></p:sp>"
    )
    boxes = [
        box % (n + 10, n, 100_000 + n % 160 * 55_000, 1_500_000 + n // 160 * 40_000, n * 811, n)
        for n in range(SHAPES)
    ]
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        parts = {name: old.read(name) for name in old.namelist()}
        _insert(parts, "ppt/slides/slide1.xml", boxes, b"</p:spTree>")
        for name, data in parts.items():
            new.writestr(name, data)


DECKS: Final[Mapping[str, Callable[[Path], None]]] = {
    "slides": slides_deck,
    "pictures": pictures_deck,
    "shapes": shapes_deck,
}


def commands(deck: str) -> Mapping[str, tuple[str, ...]]:
    """The commands by name; ``diff`` needs what ``edit`` writes before it."""
    file = f"in/{deck}.pptx"
    return {
        "extract": ("extract", file),
        "validate": ("validate", file),
        "read": ("read", file),
        "edit": ("edit", file, _TARGETS[deck], "--out", "in/edited.pptx"),
        "diff": ("diff", file, "in/edited.pptx"),
        "lint": ("lint", file, "--jobs", "1"),
        "score": ("score", file, "--out", "out", "--jobs", "1"),
        "render": ("render", file, "--slides", "1", "--out", "out"),
        "serve": ("serve", "in", "--state", "out", "--no-browser", "--port", "0"),
    }


@dataclass
class Use:
    """What processes took; seconds by process id, because they are added up by it."""

    seconds: dict[int, float] = field(default_factory=dict)
    peak: int = 0
    """Bytes in memory, of all together."""

    def look(self, processes: list[psutil.Process]) -> None:
        """Note what they have taken until now."""
        together = 0
        for process in processes:
            with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                times = process.cpu_times()
                self.seconds[process.pid] = times.user + times.system
                together += process.memory_info().rss
        self.peak = max(self.peak, together)

    def __str__(self) -> str:
        return f"{sum(self.seconds.values()):.0f} s, {self.peak / 2**20:.0f} MB"


_OFFICE: Final = frozenset(("soffice.bin", "oosplash"))


def watched(process: subprocess.Popen[bytes], seconds: float, ours: Use, office: Use) -> bool:
    """Watch a command until it ends; False where it had to be killed after ``seconds``."""
    end = time.monotonic() + seconds
    offices: set[int] = set()
    while process.poll() is None:
        with suppress(psutil.NoSuchProcess):
            top = psutil.Process(process.pid)
            family = [top, *top.children(recursive=True)]
            # What LibreOffice forks has the name of a thread, and for a moment its memory.
            offices |= {one.pid for one in family if _name(one) in _OFFICE or one.ppid() in offices}
            office.look([one for one in family if one.pid in offices])
            ours.look([one for one in family if one.pid not in offices])
        if time.monotonic() > end:
            process.kill()
            process.wait()
            return False
        time.sleep(0.1)
    return True


def _name(process: psutil.Process) -> str:
    try:
        return str(process.name())
    except psutil.NoSuchProcess:
        return ""


def measured(here: Place, name: str, deck: str, seconds: float) -> tuple[str, bool]:
    """A row of the table for one command on one deck, and whether it is sound."""
    ours, office, begun = Use(), Use(), time.monotonic()
    command = commands(deck)[name]
    log = here.folder / "said"
    with log.open("wb") as said:
        process = here.started(command, said=said)
        if name == "serve":
            done, code, told = _served(here, process, deck, log)
        else:
            done, told = watched(process, seconds, ours, office), ""
            code = str(process.returncode) if done else "none"
    spent = time.monotonic() - begun
    left_processes()
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
    line = told or (lines[-1] if lines else "")
    sound = done and "Traceback" not in "".join(lines) and not code.startswith("-")
    if not done:
        line = f"not done after {seconds:.0f} s"
    line = line.replace("|", "\\|")[:200]
    return f"| {deck} | {name} | {code} | {spent:.1f} s | {ours} | {office} | {line} |", sound


def _served(
    here: Place, process: subprocess.Popen[bytes], deck: str, log: Path
) -> tuple[bool, str, str]:
    """Upload the deck to a server that has just been started; the server's memory afterwards."""
    end = time.monotonic() + 60
    while "http" not in log.read_text() and time.monotonic() < end:
        time.sleep(0.1)
    base = "http" + log.read_text().split("http")[1].split()[0]
    begun = time.monotonic()
    try:
        uploaded(base, (here.folder / "in" / f"{deck}.pptx").read_bytes())
        told = "taken"
    except OSError as error:
        told = str(error)
    told = f"upload: {told} in {time.monotonic() - begun:.1f} s"
    memory = psutil.Process(process.pid).memory_info().rss
    process.kill()
    process.wait()
    return True, "0", f"{told}; the server has {memory / 2**20:.0f} MB"


def rows(asked: argparse.Namespace, folder: Path) -> Iterator[tuple[str, bool]]:
    """The table, row by row."""
    for deck in asked.decks.split(","):
        inputs = folder / deck
        inputs.mkdir()
        DECKS[deck](inputs / f"{deck}.pptx")
        size = (inputs / f"{deck}.pptx").stat().st_size
        print(f"{deck}.pptx: {size / 2**20:.1f} MB", file=sys.stderr, flush=True)
        here = Place(folder / f"{deck}-here", inputs)
        for name in asked.only.split(","):
            yield measured(here, name, deck, asked.seconds)


def main() -> int:
    """Measure every command on every deck."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default=",".join(commands("slides")))
    parser.add_argument("--decks", default=",".join(DECKS))
    parser.add_argument("--seconds", type=float, default=900.0)
    asked = parser.parse_args()
    adopt_orphans()
    sound = True
    print("| deck | command | exit code | time | decklab | LibreOffice | its last line |")
    print("|---|---|---|---|---|---|---|")
    with TemporaryDirectory(prefix="bench-sizes-") as folder:
        for row, good in rows(asked, Path(folder)):
            sound &= good
            print(row, flush=True)
    return not sound


if __name__ == "__main__":
    sys.exit(main())
