"""Findings as annotations of GitHub Actions: workflow commands on standard output, which a run
shows beside the files of a pull request."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from decklab.core.errors import DeckError, DecklabError
from decklab.core.options import Severity
from decklab.core.results import Finding
from decklab.linting.lint import LintResult

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
    place = f"file={_escaped(path, _ESCAPES | _MORE)},line=1," if path else ""
    return (
        f"::{command} {place}title={_escaped(title, _ESCAPES | _MORE)}"
        f"::{_escaped(message, _ESCAPES)}"
    )


def _escaped(text: str, escapes: Mapping[str, str]) -> str:
    return "".join(escapes.get(char, char) for char in text)
