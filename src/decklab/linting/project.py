"""Decks linted as their project says: its configuration, what decks ignore, and a baseline of the
findings that it has already, so that only new ones are told.

Findings are known again by what they are about, not by the number of a slide: by the slide's id or
title and the shape's id or name. One finding for several slides is known as long as it names no
further slide; one that counts things, as long as it counts no more.
"""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final, overload

from decklab.core.errors import DecklabError, SettingsError, json_of
from decklab.core.files import write_output
from decklab.core.naming import labelled_id, labelled_name
from decklab.core.options import Severity
from decklab.core.results import Finding
from decklab.linting.lint import LintResult, SlideKey, lint
from decklab.linting.settings import LintSettings, find_settings
from decklab.rendering.opening import find_decks
from decklab.rendering.renderer import Renderer

_VERSION: Final = 1


@dataclass(frozen=True)
class KnownFinding:
    """A finding in a baseline."""

    rule: str
    slides: tuple[SlideKey, ...]
    """The slides it is about; empty for the deck as a whole."""
    shape: str | None
    count: float | None
    """How many things it counts; None if it counts none."""

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
        """The rest of it for others: its slides that a finding it covers is not about.

        Several slides with one cause are one finding, and fewer are one each.
        """
        rest = tuple(item for item in self.slides if not any(map(item.is_same, new.slides)))
        return [replace(self, slides=rest)] if rest else []


def _same_shape(name: str | None, other: str | None) -> bool:
    if name is None or other is None:
        return name == other
    if labelled_id(name) is not None and labelled_id(name) == labelled_id(other):
        return True
    return labelled_name(name) == labelled_name(other)


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
            if (match := next((item for item in left if item.covers(new)), None)) is None:
                fresh.append(finding)
            else:
                left.remove(match)
                left += match.without(new)
                known.append(finding)
        return replace(result, findings=tuple(fresh), ignored=(*result.ignored, *known))


def write_baseline(file: str | Path, results: Iterable[LintResult]) -> int:
    """Write the findings of some decks as a baseline, whole or not at all; return how many.

    A file of that name is replaced; if it is no baseline, a copy of it is kept beside it.
    """
    path = Path(file)
    decks = {}
    for result in (result for result in results if result.findings):
        known = [asdict(KnownFinding.of(finding, result)) for finding in result.findings]
        decks[_place(result.deck, path.absolute().parent)] = known
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
        if (content := json_of(path.read_bytes()))["version"] != _VERSION:
            raise SettingsError(file, f"its version is {content['version']}, not {_VERSION}")
        decks = {deck: tuple(_known(entries)) for deck, entries in content["decks"].items()}
    except OSError as error:
        raise SettingsError(file, error.strerror or str(error)) from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise SettingsError(file, "it is no baseline that decklab lint wrote") from error
    return Baseline(path.absolute().parent, decks)


def _known(entries: list[dict[str, Any]]) -> Iterator[KnownFinding]:
    for item in entries:
        slides = tuple(SlideKey(**slide) for slide in item["slides"])
        yield KnownFinding(item["rule"], slides, item["shape"], item["count"])


def _place(deck: str, folder: Path) -> str:
    return Path(os.path.relpath(deck, folder)).as_posix()


LINT_SUFFIXES = frozenset({".pptx", ".potx", ".ppsx", ".pptm", ".potm", ".ppsm"})
"""Of files in folders; a file that is named is linted whatever its suffix."""


@dataclass(frozen=True)
class LintOptions:
    """The settings of a run of lint, in place of its project's or besides."""

    rules: tuple[str, ...] = ()
    """In place of the rules that the project selects."""
    ignore: tuple[str, ...] = ()
    """Besides what it ignores."""
    settings: LintSettings | None = None
    """In place of those that are looked for beside and above each deck."""
    heed_deck: bool = True
    """Whether a deck has a say in what is ignored in it."""
    baseline: Baseline | None = field(default=None, repr=False)

    def settings_for(self, deck: str | Path) -> LintSettings:
        """The settings for a deck; raises SettingsError where its file cannot be used."""
        return find_settings(deck) if self.settings is None else self.settings

    def rules_for(self, deck: str | Path) -> frozenset[str]:
        """Ids of the rules that are applied to a deck."""
        settings = self.settings_for(deck)
        return settings.rules_for(Path(deck), only=self.rules, ignore=self.ignore)


def lint_in_project(
    deck: str | Path, options: LintOptions, renderer: Renderer | None = None
) -> LintResult:
    """The faults of a deck, as its project and the options say; see ``lint``.

    Raises what ``lint`` raises, SettingsError and UnknownName.
    """
    settings = options.settings_for(deck)
    rules = options.rules_for(deck)
    result = lint(
        deck, rules=rules, renderer=renderer, limits=settings.limits, heed_deck=options.heed_deck
    )
    return result if options.baseline is None else options.baseline.new_only(result)


@dataclass(frozen=True)
class LintedDecks(LintResult, Sequence[LintResult]):
    """The findings of lint in several decks: in all together, and by deck as a sequence."""

    decks: tuple[LintResult, ...] = ()
    failed: tuple[DecklabError, ...] = ()
    """Decks that could not be read, or not be converted."""

    def records(self) -> Iterator[dict[str, Any]]:
        """One row a finding, deck by deck."""
        for result in self.decks:
            yield from result.records()

    def at_least(self, severity: Severity) -> "LintedDecks":
        """The same results with only the findings of this severity or a worse one."""
        return _together(self.deck, [deck.at_least(severity) for deck in self.decks], self.failed)

    def __len__(self) -> int:
        return len(self.decks)

    @overload
    def __getitem__(self, index: int) -> LintResult: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[LintResult]: ...
    def __getitem__(self, index: int | slice) -> LintResult | Sequence[LintResult]:
        return self.decks[index]


@overload
def lint_paths(paths: str | Path, **how: Any) -> LintResult: ...
@overload
def lint_paths(paths: Iterable[str | Path], **how: Any) -> LintedDecks: ...
def lint_paths(paths: str | Path | Iterable[str | Path], **how: Any) -> LintResult:
    """The faults of a deck, or of the decks of a folder, a pattern or a list of these.

    Several decks give ``LintedDecks``; those that cannot be read are in its ``failed``. The other
    arguments, ``how``, are those of ``lint``. Raises what ``lint`` raises if no deck can be read.
    """
    named = [paths] if isinstance(paths, str | Path) else list(paths)
    decks = find_lintable(named)
    if isinstance(paths, str | Path) and decks == [Path(paths)]:
        return lint(paths, **how)
    results, failed = list[LintResult](), list[DecklabError]()
    with (how.pop("renderer", None) or Renderer()).started() as started:
        for deck in decks:
            try:
                results.append(lint(deck, renderer=started, **how))
            except DecklabError as error:
                failed.append(error)
    if not results:
        raise failed[0] if failed else DecklabError("no decks were named")
    return _together(", ".join(map(str, named)), results, failed)


def _together(
    name: str, results: Sequence[LintResult], failed: Iterable[DecklabError]
) -> LintedDecks:
    return LintedDecks(
        name,
        sum(result.slides for result in results),
        tuple(finding for result in results for finding in result.findings),
        {rule: why for result in results for rule, why in result.not_run.items()},
        tuple(finding for result in results for finding in result.ignored),
        tuple(problem for result in results for problem in result.problems),
        decks=tuple(results),
        failed=tuple(failed),
    )


def lint_or_error(
    deck: Path, options: LintOptions, renderer: Renderer | None = None
) -> LintResult | DecklabError:
    """``lint_in_project``, or the error of a deck that cannot be read."""
    try:
        return lint_in_project(deck, options, renderer)
    except DecklabError as error:
        return error


def find_lintable(paths: Iterable[str | Path]) -> list[Path]:
    """The decks that paths, folders and patterns name, each once, as ``find_decks`` gives them.

    Of folders only PowerPoint decks count (``LINT_SUFFIXES``); hidden files and folders, lock files
    (``~$talk.pptx``) and what decklab wrote are left out. A folder without one is in the list as a
    whole, and so is a path that is not there.
    """
    files: dict[Path, None] = {}
    for path in paths:
        decks = find_decks([path])
        if Path(path).is_dir():
            inside = [deck for deck in decks if deck.suffix.lower() in LINT_SUFFIXES]
            decks = inside or [Path(path)]
        files |= dict.fromkeys(decks)
    return list(files)
