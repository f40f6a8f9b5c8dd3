"""Makes a page for each rule of lint: ``python -m generate.rule_pages [--check]``.

The pages in ``docs/rules`` are those of ``decklab lint --explain``, with a picture made by
``python -m generate.rule_pictures``. With ``--check`` nothing
is written: files that would change are named, and it ends with 1 where there are any.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from decklab.linting.explaining import rule_page
from decklab.linting.mend import FIXES
from decklab.linting.rules.every import LINT_RULES
from generate.rule_decks import RULE_SLIDES

FOLDER: Final = Path(__file__).parents[1] / "docs" / "rules"


def pages() -> dict[str, str]:
    """The text of every page, by the name of its file."""
    made = {f"{id}.md": _page(id) for id in LINT_RULES}
    return {"index.md": _index()} | made


def _index() -> str:
    rows = (
        f"| [`{id}`]({id}.md) | {LINT_RULES[id].severity} | {LINT_RULES[id].meaning}"
        f" | {'yes' if id in FIXES else ''} |"
        for id in LINT_RULES
    )
    return (
        "# Rules of lint\n\nOne page a rule; how to choose, configure and ignore rules is in"
        " [linting decks](../lint.md).\n\n| rule | worst | finds | `--fix` |\n|---|---|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )


def _page(id: str) -> str:
    """The page with its picture below the first line."""
    name, meaning, rest = rule_page(LINT_RULES[id]).split("\n\n", 2)
    if id not in RULE_SLIDES:  # such as a slide that cannot be drawn
        return f"{name}\n\n{meaning}\n\n{rest}\n[All rules](index.md)\n"
    picture = f"![A slide that breaks {id}, and one that heeds it](../images/rules/{id}.webp)"
    return f"{name}\n\n{meaning}\n\n{picture}\n\n{rest}\n[All rules](index.md)\n"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m generate.rule_pages", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, name what differs")
    check = parser.parse_args(arguments).check
    made = pages()
    there = {path.name: path.read_text() for path in FOLDER.glob("*.md")}
    differing = sorted(name for name in {*made, *there} if made.get(name) != there.get(name))
    if check:
        for name in differing:
            print(f"differs: {FOLDER / name}")
        return 1 if differing else 0
    FOLDER.mkdir(exist_ok=True)
    for name in differing:
        if name in made:
            (FOLDER / name).write_text(made[name])
        else:
            (FOLDER / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
