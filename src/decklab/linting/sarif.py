"""Lint results for code hosts and editors: SARIF 2.1.0 (OASIS), and annotations of GitHub Actions,
workflow commands that a run shows beside the files of a pull request.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from decklab.core.errors import DeckError, DecklabError
from decklab.core.options import Severity
from decklab.core.results import Finding
from decklab.core.version import VERSION
from decklab.linting.lint import LintResult
from decklab.linting.rules.every import LINT_RULES
from decklab.linting.rules.rule import Rule

_COMMANDS: Final[Mapping[Severity, str]] = {
    "error": "error", "warning": "warning", "info": "notice",
}  # fmt: skip
_ESCAPES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_MORE = {":": "%3A", ",": "%2C"}


def github_lines(outcomes: Iterable[LintResult | DecklabError]) -> Iterator[str]:
    """One line a finding, and one for each deck that could not be read.

    ::

        ::error file=talk.pptx,line=1,title=contrast.low::slide 3: "Total" has a contrast of ...
    """
    for outcome in outcomes:
        if isinstance(outcome, DecklabError):
            path = outcome.path if isinstance(outcome, DeckError) else ""
            yield _line("error", path, "deck not read", str(outcome))
            continue
        for finding in outcome.findings:
            command = _COMMANDS[finding.severity]
            yield _line(command, outcome.deck, finding.rule, _words(finding))


def _words(finding: Finding) -> str:
    where = "deck" if finding.slide is None else f"slide {finding.slide}"
    fix = f"\nFix: {finding.fix}" if finding.fix else ""
    return f"{where}: {finding.message}{fix}"


def _line(command: str, path: str, title: str, message: str) -> str:
    file = f"file={_escaped(path, _ESCAPES | _MORE)},line=1," if path else ""
    return (
        f"::{command} {file}title={_escaped(title, _ESCAPES | _MORE)}"
        f"::{_escaped(message, _ESCAPES)}"
    )


def _escaped(text: str, escapes: Mapping[str, str]) -> str:
    return "".join(escapes.get(char, char) for char in text)


_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final[Mapping[Severity, str]] = {"error": "error", "warning": "warning", "info": "note"}


def sarif_log(
    outcomes: Sequence[LintResult | DecklabError], docs: str | None = None
) -> dict[str, Any]:
    """One run over all decks, ready for JSON.

    ``docs`` is the address of a folder with the pages of ``docs/rules``, for ``helpUri``; None for
    ``documentation_url``, empty for none.

    Each result names the deck as its artifact and the slide and shape as logical locations; what
    was measured, the threshold, the box in the 960x540 frame and the fix are its properties.
    Decks that could not be read and rules that could not be applied are notifications.

    >>> sarif_log([])["version"]
    '2.1.0'
    """
    read = [item for item in outcomes if isinstance(item, LintResult)]
    failed = [item for item in outcomes if isinstance(item, DecklabError)]
    pages = documentation_url() if docs is None else docs
    index = {id: number for number, id in enumerate(LINT_RULES)}
    rules = [_rule(LINT_RULES[id], pages) for id in LINT_RULES]
    notes = [_note("error", str(error)) for error in failed]
    notes += [note for item in read for note in _not_run(item, index)]
    run = {
        "tool": {"driver": {"name": "decklab", "version": VERSION, "rules": rules}},
        "invocations": [{"executionSuccessful": not failed, "toolExecutionNotifications": notes}],
        "artifacts": [{"location": {"uri": _uri(item.deck)}} for item in read],
        "results": [
            _result(finding, item, number, index)
            for number, item in enumerate(read)
            for finding in item.findings
        ],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def documentation_url() -> str:
    """Where the installed decklab says that the pages of its rules are; empty where it does not.

    It is the project's address *Rules* in the package's metadata.
    """
    try:
        named = metadata("decklab").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    pairs = (line.partition(",") for line in named)
    return next((url.strip() for label, _, url in pairs if label.strip() == "Rules"), "")


def _rule(rule: Rule, docs: str) -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.meaning},
        "fullDescription": {"text": f"{rule.meaning} Found: {rule.threshold}."},
        "help": {
            "text": f"{rule.fix} More: decklab lint --explain {rule.id}",
            "markdown": f"{rule.why or rule.meaning}\n\n**Fix:** {rule.fix}\n\n"
            f"More: `decklab lint --explain {rule.id}`",
        },
        **({"helpUri": f"{docs.rstrip('/')}/{rule.id}.md"} if docs else {}),
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": [rule.id.split(".", 1)[0]], "source": rule.source},
    }


def _result(
    finding: Finding, deck: LintResult, artifact: int, index: Mapping[str, int]
) -> dict[str, Any]:
    facts = {
        "measured": finding.measured,
        "threshold": finding.threshold,
        "box": None if finding.box is None else [round(edge, 2) for edge in finding.box],
        "fix": finding.fix or None,
    }
    # A deck has no lines, but hosts that show results beside code refuse a place without one.
    location: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(deck.deck), "index": artifact},
            "region": {"startLine": 1},
        }
    }
    if finding.slide is not None:
        location["logicalLocations"] = _logical(finding.slide, finding.shape)
    more = [number for number in finding.slides if number != finding.slide]
    related = [{"logicalLocations": _logical(number, None)} for number in more]
    return {
        "ruleId": finding.rule,
        "ruleIndex": index[finding.rule],
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [location],
        **({"relatedLocations": related} if related else {}),
        "properties": {key: value for key, value in facts.items() if value is not None},
    }


def _logical(slide: int, shape: str | None) -> list[dict[str, Any]]:
    name = f"slide {slide}"
    if shape is None:
        return [{"name": name, "fullyQualifiedName": name, "kind": "slide"}]
    return [{"name": shape, "fullyQualifiedName": f"{name}/{shape}", "kind": "shape"}]


def _not_run(deck: LintResult, index: Mapping[str, int]) -> list[dict[str, Any]]:
    return [
        _note("warning", f"{deck.deck}: {rule} was not run: {reason}")
        | {"associatedRule": {"id": rule, "index": index[rule]}}
        for rule, reason in deck.not_run.items()
    ]


def _note(level: str, text: str) -> dict[str, Any]:
    return {"level": level, "message": {"text": text}}


def _uri(deck: str) -> str:
    path = Path(deck)
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
