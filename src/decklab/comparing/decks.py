"""Two deck files compared, with LibreOffice at hand to tell edits from what its own save does."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.changes import DeckDiff
from decklab.diffing.noise.resaved import diff_resaved, needs_resave
from decklab.diffing.packages import diff_packages
from decklab.diffing.snapshots import diff
from decklab.errors import DeckError, RenderError
from decklab.ooxml.package import Package
from decklab.rendering.cache import Cache
from decklab.rendering.renderer import Renderer

OnFallback = Callable[[str], None]
"""Is told why LibreOffice could not save the older deck, where rules tell noise from edits."""


@dataclass(frozen=True)
class ReadDecks:
    """Two decks, and the changes that lead from one to the other."""

    before: Snapshot
    after: Snapshot
    found: DeckDiff

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Older and newer number of the slides that are in both."""
        return self.found.slides.pairs(len(self.before["slides"]), len(self.after["slides"]))

    @property
    def numbers(self) -> list[tuple[int | None, int | None]]:
        """Older and newer number of every slide of either deck: the newer in order, then those
        that were removed."""
        old = {after: before for before, after in self.pairs}
        newer = [(old.get(number), number) for number in range(1, 1 + len(self.after["slides"]))]
        return [*newer, *((number, None) for number in self.found.slides.removed)]


def diff_decks(
    before: str | Path,
    after: str | Path,
    *,
    renderer: Renderer | None = None,
    on_rules: OnFallback | None = None,
) -> DeckDiff:
    """The changes between two files: those of ``diff_packages``; but where LibreOffice saved the
    newer deck and not the older, those of ``diff_resaved``.

    LibreOffice saves a copy of the older deck then; by default the user's cache folder stores that
    copy. Where LibreOffice is missing, or cannot save the deck, ``on_rules`` is told why, and rules
    on what LibreOffice does tell noise from edits, less well. Raises what opening packages and
    reading decks raise.

    ::

        for change in decklab.diff("old.pptx", "new.pptx").edits:
            print(change.slide, change.kind, change.property, change.old, change.new)
    """
    with Package.open(before) as old, Package.open(after) as new:
        marks = snapshot(old, slides=()), snapshot(new, slides=())
        if not needs_resave(*marks):
            return diff_packages(old, new)
        taken = snapshot(old), snapshot(new)
    return _diff_resaved(Path(before), taken, renderer, on_rules)


def read_decks(
    before: str | Path,
    after: str | Path,
    *,
    renderer: Renderer | None = None,
    on_rules: OnFallback | None = None,
) -> ReadDecks:
    """The same with both decks read whole; arguments and errors are those of ``diff_decks``."""
    with Package.open(before) as old, Package.open(after) as new:
        taken = snapshot(old), snapshot(new)
        if not needs_resave(*taken):
            return ReadDecks(*taken, diff_packages(old, new, taken=taken))
    return ReadDecks(*taken, _diff_resaved(Path(before), taken, renderer, on_rules))


def _diff_resaved(
    path: Path,
    taken: tuple[Snapshot, Snapshot],
    renderer: Renderer | None,
    on_rules: OnFallback | None,
) -> DeckDiff:
    """The changes to the deck in ``path``, whose edited version LibreOffice saved."""
    try:
        resaved = _resaved(path, renderer or Renderer(cache=Cache()))
    except (DeckError, RenderError) as error:
        if on_rules is not None:
            on_rules(str(error))
        return diff(*taken)
    return diff_resaved(taken[0], resaved, taken[1])


def _resaved(path: Path, renderer: Renderer) -> Snapshot:
    """What LibreOffice makes of a deck by only saving it."""
    with renderer.started() as started:
        data = started.resaved(path)
    with Package.from_bytes(data, f"{path}, saved by LibreOffice") as package:
        return snapshot(package)
