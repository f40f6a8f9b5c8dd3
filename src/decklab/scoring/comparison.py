"""Two decks compared for people: what changed in words, and how the changed slides look."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.match.sequences import blocks
from decklab.diffing.noise.resaved import needs_resave
from decklab.diffing.packages import diff_packages
from decklab.diffing.wording import clause, words_by_slide
from decklab.errors import RenderError
from decklab.metrics.pictures import VisualChange, visual_diff
from decklab.ooxml.package import Package
from decklab.rendering.cache import Cache
from decklab.rendering.model import RenderedDeck
from decklab.rendering.office.office import Converter, Office
from decklab.rendering.opening import open_incremental
from decklab.reports.diff_page import ChangedSlide, ChangeLine, Comparison, Piece, write_diff_page
from decklab.results import NotScored
from decklab.scoring.resaves import diff_snapshots, nothing_said
from decklab.scoring.thumbnails import fit_jpeg

_TEXTS = frozenset({("text", "text"), ("table", "cell text"), ("notes", "text"),
                    ("comment", "text"), ("alt text", "description")})  # fmt: skip
_BEHIND = frozenset({"theme", "master", "layout"})
_CONTEXT = 60
"""Characters kept of a text before and after what changed in it. Ours."""


@dataclass(frozen=True)
class _Decks:
    before: Snapshot
    after: Snapshot
    found: DeckDiff

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        return self.found.slides.pairs(len(self.before["slides"]), len(self.after["slides"]))

    @property
    def numbers(self) -> list[tuple[int | None, int | None]]:
        """Older and newer number of every slide of either deck: the newer in order, then those
        that were removed."""
        old = {after: before for before, after in self.pairs}
        newer = [(old.get(number), number) for number in range(1, 1 + len(self.after["slides"]))]
        return [*newer, *((number, None) for number in self.found.slides.removed)]


def write_comparison(
    path: str | Path,
    before: str | Path,
    after: str | Path,
    *,
    office: Converter | None = None,
    cache: Cache | None = None,
    on_rules: Callable[[str], None] = nothing_said,
    generated_by: str = "decklab",
) -> DeckDiff:
    """Compare two decks, write the page to ``path``, and give the changes.

    Arguments and errors are those of ``compare_decks``.
    """
    found, comparison = compare_decks(before, after, office=office, cache=cache, on_rules=on_rules)
    write_diff_page(path, comparison, generated_by=generated_by)
    return found


def compare_decks(
    before: str | Path,
    after: str | Path,
    *,
    office: Converter | None = None,
    cache: Cache | None = None,
    on_rules: Callable[[str], None] = nothing_said,
) -> tuple[DeckDiff, Comparison]:
    """The changes between two decks, and all that a page shows of them.

    Slides that changed are drawn as they were and as they are; after a change of a theme, master
    or layout all slides are, and those that look different are shown. ``office`` draws them
    (without one LibreOffice is started for the call), ``cache`` keeps what was drawn, by default
    in the user's cache folder. Where they cannot be drawn the comparison says why and has no
    pictures. Where LibreOffice saved the newer deck the changes are those of
    ``decklab.scoring.resaves.diff_decks``, which calls ``on_rules``. Raises what opening a package
    and taking a snapshot raise.
    """
    saver = office if isinstance(office, Office) else None
    decks = _read(Path(before), Path(after), saver, cache, on_rules)
    slides = list(_changed_slides(decks))
    unpictured = ""
    try:
        slides = _pictured(slides, Path(before), Path(after), office, cache or Cache())
    except RenderError as error:
        unpictured = str(error)
    behind = _looks_follow(decks.found)
    comparison = Comparison(
        before=str(before),
        after=str(after),
        deck=_lines(change for change in decks.found.edits if change.slide is None),
        slides=tuple(
            slide for slide in slides if slide.changes or (behind and slide.regions)
        ),
        slide_count=len(decks.after["slides"]),
        noise=tuple(
            (one.place, one.clauses)
            for one in words_by_slide(change for change in decks.found.changes if change.noise)
        ),
        unpictured=unpictured,
    )  # fmt: skip
    return decks.found, comparison


def _read(
    before: Path,
    after: Path,
    office: Office | None,
    cache: Cache | None,
    on_rules: Callable[[str], None],
) -> _Decks:
    with Package.open(before) as old, Package.open(after) as new:
        taken = snapshot(old), snapshot(new)
        found = None if needs_resave(*taken) else diff_packages(old, new, taken=taken)
    if found is None:
        found = diff_snapshots(before, *taken, office=office, cache=cache, on_rules=on_rules)
    return _Decks(*taken, found)


def _looks_follow(found: DeckDiff) -> bool:
    """Whether slides may look different though nothing on them changed."""
    return any(
        change.slide is None
        and (change.kind in _BEHIND or bool(change.element and change.element.sheet))
        for change in found.edits
    )


def _changed_slides(decks: _Decks) -> Iterator[ChangedSlide]:
    """Slides with changes of their own; all slides where what stands behind them changed."""
    removed: dict[int, list[Change]] = {}
    changed: dict[int, list[Change]] = {}
    for change in decks.found.edits:
        if change.slide is not None:
            gone = (change.kind, change.property) == ("slide", "removed")
            (removed if gone else changed).setdefault(change.slide, []).append(change)
    for before, after in decks.numbers:
        changes = removed[before or 0] if after is None else changed.get(after, [])
        if changes or _looks_follow(decks.found):
            yield ChangedSlide(before, after, _title(decks, before, after), _lines(changes))


def _title(decks: _Decks, before: int | None, after: int | None) -> str:
    deck, number = (decks.before, before) if after is None else (decks.after, after)
    return str(deck["slides"][(number or 1) - 1].get("title") or "")


def _lines(changes: Iterable[Change]) -> tuple[ChangeLine, ...]:
    return tuple(_line(change) for change in changes)


def _line(change: Change) -> ChangeLine:
    colors = (change.old, change.new) if _is_color(change.old) and _is_color(change.new) else ()
    told = (change.kind, change.property) in _TEXTS
    if told and isinstance(change.old, str) and isinstance(change.new, str):
        return ChangeLine(change.kind, _where(change), tuple(_pieces(change.old, change.new)))
    return ChangeLine(change.kind, clause(change), colors=colors)


def _is_color(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 7 and value.startswith("#")


def _where(change: Change) -> str:
    """What the text is of."""
    element = change.element
    names = () if element is None else (element.name, element.part)
    return ", ".join(name for name in names if name) or change.kind


def _pieces(old: str, new: str) -> Iterator[Piece]:
    found = blocks(old, new)
    for place, block in enumerate(found):
        if block.same:
            text = old[block.a0 : block.a1]
            yield Piece(_cut(text, first=not place, last=place == len(found) - 1), "same")
            continue
        pieces: tuple[tuple[str, Literal["gone", "come"]], ...] = (
            (old[block.a0 : block.a1], "gone"),
            (new[block.b0 : block.b1], "come"),
        )
        yield from (Piece(text, state) for text, state in pieces if text)


def _cut(text: str, *, first: bool, last: bool) -> str:
    """What is near a change."""
    if len(text) <= 2 * _CONTEXT:
        return text
    head, tail = text[:_CONTEXT], text[-_CONTEXT:]
    return f"…{tail}" if first else f"{head}…" if last else f"{head} … {tail}"


def _pictured(
    slides: Sequence[ChangedSlide], before: Path, after: Path, office: Converter | None,
    cache: Cache,
) -> list[ChangedSlide]:  # fmt: skip
    """The slides with their pictures; RenderError where one of the decks cannot be drawn."""
    if not slides:
        return []
    with ExitStack() as stack:
        converter = office or stack.enter_context(Office())
        drawn = [
            stack.enter_context(open_incremental(path, cache=cache, office=converter, ocr=False))
            for path in (before, after)
        ]
        return [_with_pictures(slide, drawn[0], drawn[1], 2 * len(slides)) for slide in slides]


def _with_pictures(
    slide: ChangedSlide, before: RenderedDeck, after: RenderedDeck, shown: int
) -> ChangedSlide:
    old = None if slide.before is None else before.slide(slide.before).image
    new = None if slide.after is None else after.slide(slide.after).image
    (seen,) = visual_diff([old], [new])
    return replace(
        slide,
        old_picture=None if old is None else fit_jpeg(old, slides=shown),
        new_picture=None if new is None else fit_jpeg(new, slides=shown),
        regions=() if old is None or new is None else seen.regions,
        likeness=_likeness(seen),
    )


def _likeness(seen: VisualChange) -> float | None:
    return None if isinstance(seen.ssim, NotScored) else seen.ssim
