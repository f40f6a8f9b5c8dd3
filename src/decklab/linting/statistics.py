"""How often each rule was broken over several decks."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from decklab.linting.lint import LintResult
from decklab.linting.rules.every import LINT_RULES
from decklab.linting.rules.rule import WORST_FIRST


@dataclass(frozen=True)
class RuleCount:
    """How often a rule was broken."""

    rule: str
    findings: int
    decks: int
    worst: str
    """The worst severity of its findings."""
    meaning: str

    def as_json(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return asdict(self)


def rule_counts(results: Iterable[LintResult]) -> list[RuleCount]:
    """The rules that were broken, the most frequent first."""
    findings: Counter[str] = Counter()
    decks: Counter[str] = Counter()
    worst: dict[str, int] = {}
    for result in results:
        findings.update(item.rule for item in result.findings)
        decks.update({item.rule for item in result.findings})
        for item in result.findings:
            rank = WORST_FIRST.index(item.severity)
            worst[item.rule] = min(rank, worst.get(item.rule, rank))
    counts = [
        RuleCount(rule, count, decks[rule], WORST_FIRST[worst[rule]], LINT_RULES[rule].meaning)
        for rule, count in findings.items()
    ]
    return sorted(counts, key=lambda item: (-item.findings, item.rule))
