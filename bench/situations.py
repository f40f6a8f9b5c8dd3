"""Commands on machines that lack something: do they end in one clear line, with nothing half done?

``python -m bench.situations [--only score,edit] [--situations "full output,no fonts"]``. As root on
Linux: it mounts small file systems. Each command runs in each situation that it can meet, with a
bound of ``SECONDS``. What is looked at: its exit code, its last line, the seconds, whether every
file of its output opens, that no process is left and TMPDIR is empty, and that the inputs have the
same bytes. Prints a table in Markdown; exit code 1 where there is a fault: a traceback, a signal,
no end, an error that names no place, or one of the above.
"""

import argparse
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import psutil

from bench.kills import LIBRARIES, Place, adopt_orphans, digests, fault_of, files_of, left_processes
from decklab.deck.deck import write_samples

SECONDS: Final = 900.0
"""After which a command counts as one that does not end (ours)."""

COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "score": ("score", "in/plain.pptx", "in/bad.pptx", "--out", "out", "--jobs", "1"),
    "lint": ("lint", "in/plain.pptx", "in/bad.pptx", "--jobs", "1", "--no-cache"),
    "lint --fix": ("lint", "in/bad.pptx", "--fix", "--out", "out/fixed.pptx", "--jobs", "1"),
    "render": ("render", "in/plain.pptx", "--out", "out"),
    "edit": ("edit", "in/plain.pptx", "make the titles italic", "--out", "out/e.pptx",
             "--report", "out/e.html"),
    "write": ("write", "--source", "in/libraries.md", "--out", "out/talk.pptx"),
    "diff": ("diff", "in/plain.pptx", "in/bad.pptx", "--html", "out/changes.html"),
    "serve": ("serve", "in", "--state", "out", "--no-browser", "--port", "0"),
}  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """What came of one command in one situation."""

    code: int | None
    """None where it did not end."""
    seconds: float
    line: str
    faults: tuple[str, ...]


Situation = Callable[[Place], Iterator[dict[str, str]]]
"""Makes a place so, gives the environment variables of the command, and clears up."""


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[None]:
    """A file system in memory at ``folder``."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=False)


def full_output(here: Place) -> Iterator[dict[str, str]]:
    """16 kB are left for the output."""
    with mounted(here.out, "size=16k"):
        yield {}


def read_only_output(here: Place) -> Iterator[dict[str, str]]:
    """The output folder cannot be written to."""
    with mounted(here.out, "size=16k,ro"):
        yield {}


def full_temporary(here: Place) -> Iterator[dict[str, str]]:
    """Nothing is left in TMPDIR, though folders can be made."""
    with mounted(here.temporary, "size=4k"):
        (here.temporary / "filler").write_bytes(bytes(4096))
        yield {}


def small_temporary(here: Place) -> Iterator[dict[str, str]]:
    """2 MB are left in TMPDIR, so that it fills while LibreOffice runs."""
    with mounted(here.temporary, "size=2m"):
        yield {}


def full_cache(here: Place) -> Iterator[dict[str, str]]:
    """40 kB are left for the cache."""
    with mounted(here.folder / "cache", "size=40k"):
        yield {}


def without_fonts(here: Place) -> Iterator[dict[str, str]]:
    """Fontconfig has no font at all."""
    yield _fonts(here, [])


def one_font(here: Place) -> Iterator[dict[str, str]]:
    """Fontconfig has one font, of one style."""
    listed = subprocess.run(
        ["fc-match", "--format=%{file}", "DejaVu Sans"], capture_output=True, text=True, check=True
    )
    yield _fonts(here, [Path(listed.stdout)])


def _fonts(here: Place, fonts: Sequence[Path]) -> dict[str, str]:
    folder = here.folder / "fonts"
    folder.mkdir()
    for font in fonts:
        shutil.copyfile(font, folder / font.name)
    settings = here.folder / "fonts.conf"
    settings.write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>'
        f"<dir>{folder}</dir><cachedir>{here.folder / 'fonts-cache'}</cachedir></fontconfig>"
    )
    return {"FONTCONFIG_FILE": str(settings)}


def without_libreoffice(here: Place) -> Iterator[dict[str, str]]:
    """No LibreOffice is on PATH; all other programs are."""
    yield {"PATH": str(_programs(here))}


def sleeping_libreoffice(here: Place) -> Iterator[dict[str, str]]:
    """A LibreOffice that starts and then does nothing."""
    programs = _programs(here)
    stand_in = programs / "soffice"
    stand_in.write_text("#!/bin/sh\nexec sleep 100000\n")
    stand_in.chmod(0o755)
    yield {"PATH": str(programs)}


def _programs(here: Place) -> Path:
    folder = here.folder / "programs"
    folder.mkdir()
    for program in Path("/usr/bin").iterdir():
        if program.name not in {"soffice", "libreoffice", "loffice"}:
            (folder / program.name).symlink_to(program)
    return folder


def stopped_libreoffice(_here: Place) -> Iterator[dict[str, str]]:
    """The first LibreOffice that runs is stopped (SIGSTOP) one second after it began to."""
    end = threading.Event()
    watcher = threading.Thread(target=_stop_first, args=(end,))
    watcher.start()
    yield {}
    end.set()
    watcher.join()


def _stop_first(end: threading.Event) -> None:
    while not end.wait(0.2):
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if process.name() == "soffice.bin" and "--headless" in process.cmdline():
                    end.wait(1)
                    process.send_signal(signal.SIGSTOP)
                    return


_FINDERS: Final = frozenset(("lint", "diff"))
"""Commands that end with 1 where they found something."""

_DRAWING: Final = ("score", "lint", "render", "edit", "write", "diff")
_WRITING: Final = ("score", "lint --fix", "render", "edit", "write", "diff", "serve")

SITUATIONS: Final[Mapping[str, tuple[Situation, tuple[str, ...]]]] = {
    "full output": (full_output, _WRITING),
    "read-only output": (read_only_output, _WRITING),
    "full TMPDIR": (full_temporary, (*_DRAWING, "serve")),
    "TMPDIR of 2 MB": (small_temporary, (*_DRAWING, "lint --fix")),
    "full cache": (full_cache, _DRAWING),
    "no fonts": (without_fonts, _DRAWING),
    "one font": (one_font, _DRAWING),
    "no LibreOffice": (without_libreoffice, (*_DRAWING, "lint --fix", "serve")),
    "LibreOffice sleeps": (sleeping_libreoffice, _DRAWING),
    "LibreOffice stopped": (stopped_libreoffice, _DRAWING),
}


def outcome(name: str, situation: Situation, inputs: Path) -> Outcome:
    """Run a command in a situation and look at what is there afterwards."""
    command = COMMANDS[name]
    with TemporaryDirectory(prefix="bench-situations-", ignore_cleanup_errors=True) as folder:
        here = Place(Path(folder) / "here", inputs)
        with contextmanager(situation)(here) as environment:
            begun = time.monotonic()
            code, said = _ended(here, command, environment)
            seconds = time.monotonic() - begun
            faults = list(_faults(here, name, code, said))
        lines = [line for line in said.splitlines() if line.strip()]
        return Outcome(code, seconds, lines[-1] if lines else "", tuple(faults))


def _ended(
    here: Place, command: tuple[str, ...], more: Mapping[str, str]
) -> tuple[int | None, str]:
    """Exit code, and what it printed; a server is asked to end 15 seconds after it began."""
    begun = time.monotonic()
    with here.started(command, more, said=subprocess.STDOUT, shown=subprocess.PIPE) as process:
        try:
            if command[0] == "serve":
                with suppress(subprocess.TimeoutExpired):
                    process.wait(15)
                process.send_signal(signal.SIGINT)
            said, _ = process.communicate(timeout=begun + SECONDS - time.monotonic())
        except subprocess.TimeoutExpired:
            process.kill()
            said, _ = process.communicate()
            return None, said.decode(errors="replace")
    return process.returncode, said.decode(errors="replace")


def _faults(here: Place, name: str, code: int | None, said: str) -> Iterator[str]:
    if code is None:
        yield f"not done after {SECONDS:.0f} s"
    elif code < 0 or code > 100:
        yield f"it ended with {code}"
    if "Traceback" in said:
        yield "a traceback"
    if (
        code
        and name != "lint"
        and not any(mark in said for mark in ("plain.pptx", "out", "soffice", "fontconfig"))
    ):
        yield "the error names no place"
    left, _ = left_processes()
    if left:
        yield f"processes left: {', '.join(left)}"
    for path in files_of(here.out).values():
        fault = fault_of(path)
        if fault or path.name.startswith("."):
            yield fault or f"unfinished: {path.name}"
    names = [item for item in here.in_temporary()[0] if item != "filler"]
    if names:
        yield f"in TMPDIR: {', '.join(names)}"
    if digests(here.folder / "in") != here.given:
        yield "an input is not what it was"


def main() -> int:
    """Try each command in each situation, and print what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default=",".join(COMMANDS), help="commands")
    parser.add_argument("--situations", default=",".join(SITUATIONS))
    asked = parser.parse_args()
    adopt_orphans()
    bad = 0
    print("| situation | command | exit code | seconds | its last line | faults |")
    print("|---|---|---|---|---|---|")
    with TemporaryDirectory(prefix="bench-situations-in-") as folder:
        inputs = Path(folder)
        write_samples(inputs)
        shutil.copyfile(LIBRARIES, inputs / LIBRARIES.name)
        for title in asked.situations.split(","):
            situation, names = SITUATIONS[title]
            for name in names:
                if name in asked.only.split(","):
                    found = outcome(name, situation, inputs)
                    bad += bool(found.faults)
                    code = "none" if found.code is None else found.code
                    line = found.line.replace("|", "\\|").replace(folder, "")
                    print(
                        f"| {title} | {name} | {code} | {found.seconds:.1f} | {line} | "
                        f"{'; '.join(found.faults)} |",
                        flush=True,
                    )
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
