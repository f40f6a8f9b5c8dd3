"""The page of each rule of lint, made from the code: its description and thresholds, the docstring
of its check, why it is worth heeding, and what ``--fix`` does."""

import inspect
from collections.abc import Callable
from typing import Any

from decklab.linting.mend import FIXES
from decklab.linting.rules.every import CHECKS, LINT_RULES
from decklab.linting.rules.rule import THRESHOLDS, Rule
from decklab.linting.settings import named_rules


def explain(name: str) -> str:
    """The pages of a rule, or of all rules of a group such as ``text``, as Markdown.

    Raises UnknownName if there is no such rule.

    >>> explain("title").count("## Why")
    4
    """
    named = named_rules(name)
    return "\n".join(rule_page(LINT_RULES[id]) for id in LINT_RULES if id in named)


def rule_page(rule: Rule) -> str:
    """The page of a rule as Markdown: what it finds and from when on, why it is worth heeding, how
    to fix, configure and ignore it.

    >>> rule_page(LINT_RULES["text.small"]).splitlines()[0]
    '# text.small'
    """
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
        f"## Why\n\n{rule.why or rule.meaning}",
        f"## What is found\n\n{_words(rule.check or CHECKS[rule.id])}",
        f"## How to fix it\n\n{rule.fix}",
    ]
    if rule.id in FIXES:
        parts.append(f"`decklab lint --fix` does this: {_words(FIXES[rule.id])}")
    parts += [*_thresholds(rule.id), _ignoring(rule.id)]
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
        f'## How to ignore it\n\n`--ignore {id}` on the command line, `ignore = ["{id}"]` in'
        f" the configuration, or `decklab: ignore {id}` as a line of the slide's notes."
    )
