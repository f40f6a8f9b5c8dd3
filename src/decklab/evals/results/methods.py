"""How the numbers of a run were made, as a paragraph for a paper."""

import platform
from collections.abc import Iterable, Mapping
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from decklab.core.files import write_whole
from decklab.core.version import VERSION
from decklab.evals.results.comparing import DRAWS
from decklab.evals.results.means import METHOD
from decklab.metrics.statistics import SEED
from decklab.pages.wording import clean_line

METHODS: Final = "methods.md"
"""File of the paragraph, in the folder of a run."""
_LIBRARIES: Final = ("inspect-ai", "numpy", "scipy")
_DIGITS: Final = 12


def prompt_hash(package: str) -> str:
    """The first twelve digits of the SHA-256 of a package's prompts, by their paths; empty for a
    package without any.

    >>> len(prompt_hash("decklab.evals.judges.scenario"))
    12
    """
    found = sorted(_prompts(files(package)), key=lambda pair: pair[0])
    whole = sha256()
    for name, data in found:
        whole.update(f"{name}\n".encode() + data)
    return whole.hexdigest()[:_DIGITS] if found else ""


def _prompts(folder: Traversable) -> Iterable[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.name == "prompts" and entry.is_dir():
            yield from (
                (part.name, part.read_bytes()) for part in entry.iterdir() if part.is_file()
            )
        elif entry.name == "prompts.toml":
            yield entry.name, entry.read_bytes()


def methods_text(
    title: str, *, facts: Mapping[str, str], prompts: Iterable[str] = (), units: str = "decks"
) -> str:
    """The paragraph: ``facts`` are words and values of the run, ``prompts`` the packages whose
    prompts its judges used, ``units`` what intervals are over."""
    libraries = ", ".join(f"{name} {found}" for name in _LIBRARIES if (found := _installed(name)))
    hashes = ", ".join(
        f"{package.removeprefix('decklab.evals.')} {digest}"
        for package in prompts
        if (digest := prompt_hash(package))
    )
    known = "; ".join(f"{word.lower()}: {clean_line(value)}" for word, value in facts.items())
    lines = (
        f"{clean_line(title)}. Measured with decklab {VERSION} on Python "
        f"{platform.python_version()} ({platform.system()}, {libraries}).",
        f"Of the run: {known}." if known else "",
        f"Prompts (SHA-256, first {_DIGITS} digits): {hashes}." if hashes else "",
        METHOD.format(units=units),
        f"Pairs of systems are compared by sign flips ({DRAWS:,} draws, seed {SEED}, or all of "
        "them for up to twelve units), corrected by Holm. What could not be scored is in no mean.",
    )
    return " ".join(filter(None, lines)) + "\n"


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def write_methods(
    folder: Path, title: str, *, facts: Mapping[str, str], prompts: Iterable[str] = (),
    units: str = "decks",
) -> None:  # fmt: skip
    """Write the paragraph of ``methods_text`` into ``folder``."""
    text = methods_text(title, facts=facts, prompts=prompts, units=units)
    write_whole(folder / METHODS, text.encode())
