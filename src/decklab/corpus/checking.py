"""The check of editing tasks: the untouched deck must fail, the truth pass, damage be seen.

It is the self-check of ``decklab bench pptarena``, for lists that ``corpus draft`` or a person
wrote, and needs ``decklab[bench]`` as that does.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from decklab.benchmarks.pptarena.case_decks import Decks
from decklab.benchmarks.pptarena.cases import Case, CaseSet, load_cases
from decklab.benchmarks.pptarena.checking import CaseCheck, self_check
from decklab.corpus.drafting import DRAFT


@dataclass(frozen=True)
class CheckedCases:
    """What the check of a list found."""

    checks: tuple[CaseCheck, ...]
    unreadable: tuple[str, ...]
    """Cases that are none, a line each."""
    drafts: tuple[str, ...]
    """Names of cases that are still marked as drafts."""

    @property
    def faults(self) -> list[str]:
        """Everything that is wrong, a line each with the name of its case."""
        return [
            *self.unreadable,
            *(f"{check.case.name}: {fault}" for check in self.checks for fault in check.faults),
        ]


def check_cases(path: str | Path) -> CheckedCases:
    """Check each case of a list or its folder: the untouched original must not pass, the truth
    must, and damage beside the task must be seen. No model is asked and nothing is drawn.

    Raises CasesRejected where there is no list, OSError where it cannot be read.
    """
    cases = load_cases(path)
    with Decks(pictures=False) as decks:
        checks = tuple(self_check(cases, decks=decks))
    return CheckedCases(checks, tuple(map(str, cases.faults)), tuple(_drafts(cases)))


def _drafts(cases: CaseSet) -> Iterator[str]:
    entries = json.loads(cases.path.read_bytes())
    named: dict[int, Case] = {case.number: case for case in cases}
    for number, entry in enumerate(entries, start=1):
        if number in named and isinstance(entry, dict) and entry.get("status") == DRAFT:
            yield named[number].name
