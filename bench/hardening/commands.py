"""The commands that read each kind of file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

DECKS: Final = (".pptx", ".pptm", ".potx", ".ppsx", ".potm", ".ppsm")
DRAWN: Final = (*DECKS, ".odp", ".ppt", ".pdf", ".html")
"""Kinds that ``score`` draws, several in one run."""

PICTURES: Final = (".png", ".jpg", ".webp", ".gif")
"""Kinds of which a folder is a deck."""

_READ = ("read", "FILE")
_LINT = ("lint", "WITH.pptx", "--rules", "accessibility")
_WRITE = ("write", "--no-score", "--out", "OUT/deck.pptx")
_ARENA = ("bench", "pptarena", "--editor", "noop", "--no-pictures", "--no-self-check")

COMMANDS: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    **dict.fromkeys(
        DECKS,
        (("extract", "FILE"), ("seen", "FILE"), ("snapshot", "FILE"), ("validate", "FILE"), _READ),
    ),
    **dict.fromkeys((".pdf", ".docx", ".xlsx", ".md", ".html", ".txt", ".csv"), (_READ,)),
    **dict.fromkeys(PICTURES, (_READ,)),
    ".odp": [],
    ".ppt": [],
    ".slides.md": [(*_WRITE, "--slides-from", "FILE")],
    ".plan.json": [(*_WRITE, "--source", "WITH.md", "--keep", "FOLDER", "--from", "plan")],
    ".outline.json": [(*_WRITE, "--source", "WITH.md", "--keep", "FOLDER", "--from", "outline")],
    ".rubric.json": [("rubric", "check", "FILE")],
    ".task.json": [("judge", "WITH.pptx", "--task", "FILE")],
    ".bank.json": [("quiz", "take", "FILE", "WITH.pptx")],
    ".cases.json": [(*_ARENA, "--cases", "FILE", "--out", "OUT")],
    ".results.json": [("agree", "FILE", "WITH.ranks.csv")],
    ".ranks.csv": [("agree", "WITH.results.json", "FILE")],
    ".baseline.json": [(*_LINT, "--baseline", "FILE")],
    ".lint.toml": [(*_LINT, "--config", "FILE")],
}
"""By kind, the words of each command. FILE stands for the damaged file, FOLDER for the folder it is
in, OUT for a folder to write in, WITH.KIND for a sound file of another kind."""


def kind_of(file: Path) -> str:
    """The kind of a file by its name: its longest known ending, or nothing.

    >>> kind_of(Path("harbour.rubric.json")), kind_of(Path("TALK.PPTX")), kind_of(Path("a.exe"))
    ('.rubric.json', '.pptx', '')
    """
    for kind in ("".join(file.suffixes[-2:]).lower(), file.suffix.lower()):
        if kind in COMMANDS:
            return kind
    return ""


def file_name(kind: str, number: int) -> str:
    """The name of a damaged file: ``write --from`` knows its files by theirs."""
    if kind in (".plan.json", ".outline.json"):
        return kind.removeprefix(".")
    return f"damaged-{number}{kind}"


def filled(words: Sequence[str], file: Path, out: Path, sound: Mapping[str, Path]) -> list[str]:
    """A command with its paths; KeyError where ``sound`` has no file of a kind it needs."""
    return [_filled(word, file, out, sound) for word in words]


def _filled(word: str, file: Path, out: Path, sound: Mapping[str, Path]) -> str:
    if word.startswith("WITH"):
        return str(sound[word.removeprefix("WITH")])
    if word in ("FILE", "FOLDER"):
        return str(file if word == "FILE" else file.parent)
    return f"{out}{word.removeprefix('OUT')}" if word.startswith("OUT") else word
