"""Decks linted as their project says: its configuration, what decks ignore, a baseline."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from decklab.core.errors import DecklabError
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
