"""Makes a page for each rule of lint: ``python -m generate.rule_pages [--check]``.

The pages in ``docs/rules`` say what is in the code: the rule's description and thresholds, the
docstring of its check, why it is worth heeding, and what ``--fix`` does. With ``--check`` nothing
is written: files that would change are named, and it ends with 1 where there are any.
"""

import argparse
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from decklab.linting.fixes import alt_text as alt_text_fixes
from decklab.linting.fixes import drawn, language
from decklab.linting.fixes import titles as title_fixes
from decklab.linting.rules import (
    accessibility,
    alt_text,
    contrast,
    crossings,
    every,
    missing,
    overflow,
    overlaps,
    placement,
    reading_order,
    sizes,
    title_sizes,
    titles,
)
from decklab.linting.rules.every import LINT_RULES
from decklab.linting.rules.limits import THRESHOLDS
from decklab.linting.rules.reasons import REASONS
from decklab.linting.rules.rule import Rule

FOLDER: Final = Path(__file__).parents[1] / "docs" / "rules"

CHECKS: Final[Mapping[str, Callable[..., Any]]] = {
    "text.overflow": overflow.text_overflow,
    "text.off-slide": overflow.text_off_slide,
    "text.overlap": overlaps.text_on_text,
    "text.hidden": overlaps.hidden_text,
    "text.struck": crossings.struck_text,
    "text.on-object": crossings.text_on_objects,
    "contrast.low": contrast.low_contrast_texts,
    "contrast.strong-color": contrast.low_contrast_texts,
    "text.small": sizes.small_text,
    "text.margin": placement.narrow_margins,
    "shape.off-slide": placement.off_slide,
    "shape.drift": placement.drift,
    "picture.missing": missing.missing_pictures,
    "placeholder.empty": missing.empty_placeholders,
    "placeholder.prompt": missing.prompt_text,
    "title.position": titles.inconsistent_titles,
    "title.size": titles.inconsistent_titles,
    "title.font": titles.inconsistent_titles,
    "title.shrunk": title_sizes.shrunk_titles,
    "accessibility.missing-alt-text": alt_text.alt_text,
    "accessibility.poor-alt-text": alt_text.alt_text,
    "accessibility.missing-slide-title": titles.missing_titles,
    "accessibility.duplicate-slide-title": titles.duplicate_titles,
    "accessibility.reading-order": reading_order.wrong_order,
    "accessibility.missing-table-headers": accessibility.tables,
    "accessibility.merged-table-cells": accessibility.tables,
    "accessibility.link-text": accessibility.links,
    "accessibility.language": accessibility.wrong_language,
    "accessibility.captions": accessibility.captions,
    "package.damaged-part": every.problem_findings,
    "slide.not-drawn": every.undrawn_findings,
}
FIXES: Final[Mapping[str, Callable[..., Any]]] = {
    "text.overflow": drawn.overflowing,
    "contrast.low": drawn.pale_texts,
    "shape.drift": drawn.near_misses,
    "accessibility.missing-alt-text": alt_text_fixes.missing_alt_texts,
    "accessibility.missing-slide-title": title_fixes.missing_title,
    "accessibility.duplicate-slide-title": title_fixes.repeated_titles,
    "accessibility.language": language.wrong_languages,
}


def pages() -> dict[str, str]:
    """The text of every page, by the name of its file."""
    made = {f"{id}.md": _page(LINT_RULES[id]) for id in LINT_RULES}
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


def _page(rule: Rule) -> str:
    facts = [
        f"| severity | {rule.severity} at worst; milder where there is doubt |",
        f"| found from | {rule.threshold} |",
        f"| looks at | {'the slide as LibreOffice draws it' if rule.drawn else 'the file'} |",
        f"| other names | `{rule.name}` |",
        f"| source | {rule.source} |",
    ]
    parts = [
        f"# {rule.id}",
        rule.meaning,
        "| | |\n|---|---|\n" + "\n".join(facts),
        f"## Why\n\n{REASONS[rule.id]}",
        f"## What is found\n\n{_words(CHECKS[rule.id])}",
        f"## How to fix it\n\n{rule.fix}",
    ]
    if rule.id in FIXES:
        parts.append(f"`decklab lint --fix` does this: {_words(FIXES[rule.id])}")
    parts += [*_thresholds(rule.id), _ignoring(rule.id), "[All rules](index.md)"]
    return "\n\n".join(parts) + "\n"


def _words(function: Callable[..., Any]) -> str:
    """A docstring as Markdown, without what it says of its parameters."""
    text = inspect.getdoc(function) or ""
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
    shown = [part for part in paragraphs if not part.startswith(("``", ">>>"))]
    return "\n\n".join(shown).replace("``", "`")


def _thresholds(id: str) -> list[str]:
    names = [name for name in THRESHOLDS if name == id or name.startswith(f"{id}.")]
    if not names:
        return []
    lines = [
        f"{name} = {THRESHOLDS[name].default:g}  # {THRESHOLDS[name].meaning}" for name in names
    ]
    return ["## Configuration\n\n```toml\n[lint.thresholds]\n" + "\n".join(lines) + "\n```"]


def _ignoring(id: str) -> str:
    return (
        f"## How to ignore it\n\n`--ignore {id}` on the command line, `ignore = [\"{id}\"]` in"
        f" the configuration, or `decklab: ignore {id}` as a line of the slide's notes."
    )  # fmt: skip


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
