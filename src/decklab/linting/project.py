"""Decks linted as their project says: its configuration, what decks ignore, a baseline."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, overload

from decklab.core.errors import DecklabError
from decklab.core.options import Severity
from decklab.linting.baseline import Baseline
from decklab.linting.lint import LintResult, lint
from decklab.linting.settings import UNSET, LintSettings, find_settings
from decklab.rendering.inputs import find_decks
from decklab.rendering.renderer import Renderer

LINT_SUFFIXES = frozenset({".pptx", ".potx", ".ppsx", ".pptm", ".potm", ".ppsm"})
"""Of files in folders; a file that is named is linted whatever its suffix."""


@dataclass(frozen=True)
class LintOptions:
    """What a run of lint says in place of its project, or besides."""

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


WITHOUT_PROJECT = LintOptions(settings=UNSET)
"""Every rule with its own thresholds, whatever files say."""


def lint_in_project(
    deck: str | Path, options: LintOptions, renderer: Renderer | None = None
) -> LintResult:
    """What is wrong with a deck, as its project and the options say; see ``lint``.

    Raises what ``lint`` raises, SettingsError and UnknownName.
    """
    settings = options.settings_for(deck)
    result = lint(
        deck,
        rules=options.rules_for(deck),
        renderer=renderer,
        limits=settings.limits,
        heed_deck=options.heed_deck,
    )
    return result if options.baseline is None else options.baseline.new_only(result)


@dataclass(frozen=True)
class LintedDecks(LintResult, Sequence[LintResult]):
    """What lint found in several decks: in all together, and by deck as a sequence."""

    decks: tuple[LintResult, ...] = ()
    failed: tuple[DecklabError, ...] = ()
    """Decks that could not be read, or not be converted."""

    def records(self) -> Iterator[dict[str, Any]]:
        """One row a finding, deck by deck."""
        for result in self.decks:
            yield from result.records()

    def at_least(self, severity: Severity) -> "LintedDecks":
        """The same results with only the findings of this severity or a worse one."""
        return _together(self.deck, [one.at_least(severity) for one in self.decks], self.failed)

    def __len__(self) -> int:
        return len(self.decks)

    @overload
    def __getitem__(self, place: int) -> LintResult: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[LintResult]: ...
    def __getitem__(self, place: int | slice) -> LintResult | Sequence[LintResult]:
        return self.decks[place]


@overload
def lint_paths(paths: str | Path, **how: Any) -> LintResult: ...
@overload
def lint_paths(paths: Iterable[str | Path], **how: Any) -> LintedDecks: ...
def lint_paths(paths: str | Path | Iterable[str | Path], **how: Any) -> LintResult:
    """What is wrong with a deck, or with the decks of a folder, a pattern or a list of these.

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
        sum(one.slides for one in results),
        tuple(finding for one in results for finding in one.findings),
        {rule: why for one in results for rule, why in one.not_run.items()},
        tuple(finding for one in results for finding in one.ignored),
        tuple(problem for one in results for problem in one.problems),
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
    found: dict[Path, None] = {}
    for path in paths:
        decks = find_decks([path])
        if Path(path).is_dir():
            inside = [deck for deck in decks if deck.suffix.lower() in LINT_SUFFIXES]
            decks = inside or [Path(path)]
        found |= dict.fromkeys(decks)
    return list(found)
