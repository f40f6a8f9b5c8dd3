"""Moves the fragments of ``changelog.d`` into ``CHANGELOG.md``: ``python -m generate.changelog``.

They come under the version of ``decklab.core.version`` and today's date, sorted by area. A
fragment's area is the first word of its file's name.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Final

from decklab.core.version import VERSION

ROOT: Final = Path(__file__).parents[1]
AREAS: Final[Mapping[str, str]] = {
    "score": "Score",
    "lint": "Lint",
    "diff": "Diff",
    "edit": "Edit",
    "write": "Write",
    "read": "Read and render",
    "evals": "Evals",
    "workbench": "Workbench",
    "models": "Models",
    "install": "Install",
    "python": "Python",
    "rooms": "Python",
}
"""The heading of each area, by the first word of its files; in the order of the changelog."""
OTHER: Final = "Other"
_HEAD: Final = "# Changelog\n\nWhat changed for users, by version and area. The newest is first.\n"


def sections(folder: Path) -> str:
    """The fragments in ``folder`` as Markdown, a heading for each area; empty without any."""
    lists: dict[str, list[str]] = {heading: [] for heading in (*AREAS.values(), OTHER)}
    for note in fragments(folder):
        heading = AREAS.get(note.stem.partition("-")[0], OTHER)
        lists[heading].append(as_list(note.read_text(encoding="utf-8")))
    return "\n".join(f"### {name}\n\n" + "".join(told) for name, told in lists.items() if told)


def fragments(folder: Path) -> list[Path]:
    """The files of ``folder`` that tell a change, by name."""
    return sorted(path for path in folder.glob("*.md") if path.name != "README.md")


def as_list(text: str) -> str:
    """A fragment as a list: each paragraph is an item, and lists stay as they are.

    >>> as_list("One thing\\nis new.\\n\\n- Another.\\n")
    '- One thing\\n  is new.\\n- Another.\\n'
    """
    return "".join(map(_item, text.strip().split("\n\n")))


def _item(paragraph: str) -> str:
    if paragraph.startswith("- "):
        return f"{paragraph}\n"
    return "- " + paragraph.replace("\n", "\n  ") + "\n"


def with_version(changelog: str, version: str, day: date, told: str) -> str:
    """A changelog with a further version before the earlier ones."""
    head, mark, earlier = changelog.partition("\n## ")
    return f"{head.rstrip()}\n\n## {version} ({day})\n\n{told.rstrip()}\n{mark}{earlier}"


def main(arguments: Sequence[str], *, root: Path = ROOT, version: str = VERSION) -> int:
    """Write the changelog and remove the fragments; 1 if there is nothing to do, or too early."""
    argparse.ArgumentParser(prog="python -m generate.changelog", description=__doc__).parse_args(
        arguments
    )
    folder, file = root / "changelog.d", root / "CHANGELOG.md"
    changelog = file.read_text(encoding="utf-8") if file.exists() else _HEAD
    told = sections(folder)
    if "dev" in version:
        fault = f"{version} is no version to release: change src/decklab/core/version.py first"
    elif f"\n## {version} " in changelog:
        fault = f"{file.name} has {version} already"
    elif not told:
        fault = f"nothing is in {folder.name}"
    else:
        file.write_text(with_version(changelog, version, date.today(), told), encoding="utf-8")
        for note in fragments(folder):
            note.unlink()
        return 0
    print(fault, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
