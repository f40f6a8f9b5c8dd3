"""A baseline: the findings that a project has already, so that only new ones are told.

Findings are known again by what they are about, not by the number of a slide: by the slide's id or
title and the shape's id or name. One finding for several slides is known as long as it names no
further slide; one that counts things, as long as it counts no more.
"""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import SettingsError
from decklab.core.faults import json_of
from decklab.core.files import write_output
from decklab.core.naming import labelled_id, labelled_name
from decklab.core.results import Finding
from decklab.linting.lint import LintResult, SlideKey

_VERSION: Final = 1


@dataclass(frozen=True)
class KnownFinding:
    """A finding in a baseline."""

    rule: str
    slides: tuple[SlideKey, ...]
    """The slides it is about; empty for the deck as a whole."""
    shape: str | None
    count: float | None
    """How many things it counts; None where it counts none."""

    @classmethod
    def of(cls, finding: Finding, result: LintResult) -> "KnownFinding":
        """A finding of a result as a baseline has it."""
        numbers = finding.slides or (() if finding.slide is None else (finding.slide,))
        slides = tuple(result.slide_keys.get(number, SlideKey(0, "")) for number in numbers)
        count = finding.measured if finding.threshold == 0 else None
        return cls(finding.rule, slides, finding.shape, count)

    def covers(self, new: "KnownFinding") -> bool:
        """Whether a finding of a later version of the deck is this one, and no worse."""
        if new.rule != self.rule or bool(new.slides) != bool(self.slides):
            return False
        if not all(any(map(slide.is_same, self.slides)) for slide in new.slides):
            return False
        if len(self.slides) <= 1 and not _same_shape(self.shape, new.shape):
            return False
        return self.count is None or new.count is None or new.count <= self.count

    def without(self, new: "KnownFinding") -> "list[KnownFinding]":
        """What is left of it for others: its slides that a finding it covers is not about.

        Several slides with one cause are one finding, and fewer are one each.
        """
        rest = tuple(item for item in self.slides if not any(map(item.is_same, new.slides)))
        return [replace(self, slides=rest)] if rest else []


def _same_shape(one: str | None, other: str | None) -> bool:
    if one is None or other is None:
        return one == other
    if labelled_id(one) is not None and labelled_id(one) == labelled_id(other):
        return True
    return labelled_name(one) == labelled_name(other)


@dataclass(frozen=True)
class Baseline:
    """The known findings of decks."""

    folder: Path
    """The folder of the file, from which the paths of decks count."""
    decks: dict[str, tuple[KnownFinding, ...]]
    """By the path of the deck."""

    def new_only(self, result: LintResult) -> LintResult:
        """The result with its known findings ``ignored``.

        A known one stands for one finding, or one on each of its slides.
        """
        left = list(self.decks.get(_place(result.deck, self.folder), ()))
        fresh: list[Finding] = []
        known: list[Finding] = []
        for finding in result.findings:
            new = KnownFinding.of(finding, result)
            match = next((item for item in left if item.covers(new)), None)
            if match is None:
                fresh.append(finding)
            else:
                left.remove(match)
                left += match.without(new)
                known.append(finding)
        return replace(result, findings=tuple(fresh), ignored=(*result.ignored, *known))


def write_baseline(file: str | Path, results: Iterable[LintResult]) -> int:
    """Write the findings of some decks as a baseline, whole or not at all; return how many.

    What is there is replaced; where it is no baseline, a copy of it is kept beside it.
    """
    path = Path(file)
    decks = {
        _place(result.deck, path.absolute().parent): [
            asdict(KnownFinding.of(finding, result)) for finding in result.findings
        ]
        for result in results
        if result.findings
    }
    text = json.dumps({"version": _VERSION, "decks": decks}, ensure_ascii=False, indent=1)
    write_output(path, f"{text}\n".encode(), force=True, ours=is_baseline)
    return sum(map(len, decks.values()))


def is_baseline(file: Path) -> bool:
    """Whether a file is a baseline that can be read."""
    try:
        read_baseline(file)
    except (OSError, SettingsError):
        return False
    return True


def read_baseline(file: str | Path) -> Baseline:
    """A baseline from its file; raises SettingsError where it cannot be used."""
    path = Path(file)
    try:
        content = json_of(path.read_bytes())
        if content["version"] != _VERSION:
            raise SettingsError(file, f"its version is {content['version']}, not {_VERSION}")
        decks = {deck: tuple(_known(found)) for deck, found in content["decks"].items()}
    except OSError as error:
        raise SettingsError(file, error.strerror or str(error)) from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise SettingsError(file, "it is no baseline that decklab lint wrote") from error
    return Baseline(path.absolute().parent, decks)


def _known(found: list[dict[str, Any]]) -> Iterator[KnownFinding]:
    for item in found:
        slides = tuple(SlideKey(**slide) for slide in item["slides"])
        yield KnownFinding(item["rule"], slides, item["shape"], item["count"])


def _place(deck: str, folder: Path) -> str:
    return Path(os.path.relpath(deck, folder)).as_posix()
