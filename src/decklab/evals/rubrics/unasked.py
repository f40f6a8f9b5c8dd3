"""The changes of an edit that its task does not ask for, with what an audience loses by each."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.wording import clause
from decklab.diffing.xml.claims import explains
from decklab.evals.rubrics.allowed import AllowedChanges
from decklab.evals.rubrics.inside import InsideValues
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.xml import Element, qn

WORDS: Final = 1.0
"""Loss by words, numbers, pictures or whole shapes that are others or gone, for each text, cell or
picture: the audience is told something else. Ours."""
LOOK: Final = 0.25
"""Loss by anything else that can be noticed: style, place, effects, links, descriptions. Ours."""
HIDDEN: Final = 0.05
"""Loss by what no audience notices: properties of the file, comments, and any change of what was
not seen before. Ours."""
WHOLE: Final = 1.0
"""Loss by a change of all slides at once: a theme, a master, the show. Ours."""

_WORDS = re.compile(
    r"^(?:text|removed|media):|^table:(?:cell text|row |column (?:added|removed))|"
    r"^chart:(?:values|categor|series|sizes|title$|type|axis\.(?:title|minimum|maximum|hidden))|"
    r"^diagram:nodes|^picture:(?:image|sha256)|:image$"
)
_ROWS = re.compile(r"^table:(?:row|column) (?:added|removed)$")
_HIDDEN_KINDS = frozenset(("comment", "properties", "name"))
_WHOLE_KINDS = frozenset(("theme", "master", "layout", "show"))
_OF_ALL_SLIDES = frozenset(("slide size", "first slide number"))
_SLIDES_AS_SUCH = frozenset(("added", "removed", "moved"))
_SHAPES = frozenset(qn(f"p:{name}") for name in ("sp", "pic", "graphicFrame", "cxnSp", "grpSp"))
_FILLS = ("a:solidFill", "a:gradFill", "a:blipFill", "a:pattFill")
_MORE = re.compile(r"and (\d+) more")


@dataclass(frozen=True)
class Unasked:
    """A change that nobody asked for."""

    slide: int | None
    """Number in the original; None for the deck."""
    shape: int
    """Id in the original; 0 if it is no shape's."""
    name: str
    """Of the shape, or what else it is of."""
    kind: str
    """Of the change; ``inside`` for a value inside of an allowed one, ``new`` for added shapes."""
    words: str
    loss: float
    """In things of a slide."""


class FilePair(Protocol):
    """An original and its edited version, compared; ``ComparedDecks`` is one. The sides are
    ``original`` and ``modified``."""

    @property
    def paths(self) -> Mapping[Any, Path]:
        """The two files."""

    @property
    def snapshots(self) -> Mapping[Any, Snapshot]:
        """What they hold; that of the original is enough."""

    @property
    def changes(self) -> DeckDiff:
        """All that differs."""

    @property
    def earlier(self) -> Mapping[int, int]:
        """The number in the original of each slide of the modified deck that is in both."""

    @property
    def written_anew(self) -> bool:
        """Whether LibreOffice saved the modified deck."""

    def later_ids(self, old: int, new: int) -> Mapping[int, int]:
        """The id in the modified deck of each shape of slide ``old`` that is on slide ``new``."""


def unasked_changes(decks: FilePair, scope: AllowedChanges) -> Iterator[Unasked]:
    """All changes of a pair of decks that ``scope`` does not name, noise aside. Slides that were
    added, removed or moved as such are left out. Raises DeckError.
    """
    search = _Search(decks, scope)
    yield from search.changes()
    yield from search.values()


class _Search:
    def __init__(self, decks: FilePair, scope: AllowedChanges) -> None:
        self._decks, self._scope = decks, scope
        self._edits = decks.changes.edits
        self._old = {slide["number"]: slide for slide in decks.snapshots["original"]["slides"]}
        self._left: dict[int, set[str]] = {}
        """Names of the changes that were not asked for, by slide of the original."""

    def changes(self) -> Iterator[Unasked]:
        added: dict[int, set[int]] = {}
        rows: dict[tuple[int | None, int, str], list[Change]] = defaultdict(list)
        for change in self._edits:
            if change.kind == "slide" and change.property in _SLIDES_AS_SUCH:
                continue
            old = None if change.slide is None else self._decks.earlier.get(change.slide)
            if change.slide is not None and old is None:
                continue  # on a slide that was added
            id = change.element.id if change.element is not None else 0
            if change.kind == "added" and old is not None:
                added.setdefault(old, set()).add(id)
                continue
            if old is not None and id in added.get(old, ()):
                continue
            id = self._earlier_id(old, change)
            if not self._scope.names(old, change, self._shape(old, id)):
                name = change.element.name if change.element is not None else ""
                if old is not None:
                    self._left.setdefault(old, set()).add(f"{change.kind}:{change.property}")
                if _ROWS.search(f"{change.kind}:{change.property}"):
                    rows[old, id, name].append(change)
                    continue
                yield Unasked(
                    old, id, name or ("the deck" if old is None else "the slide"), change.kind,
                    clause(change), _loss(change),
                )  # fmt: skip
        for (where, id, name), own in rows.items():
            yield Unasked(where, id, name, "table", clause(own[0]), WORDS * _cells_lost(own))
        for old, ids in added.items():
            more = len(ids) - self._scope.new_shapes(old)
            if more > 0:
                words = f"{more} more than asked for"
                yield Unasked(old, 0, "new shapes", "new", words, more * LOOK)

    def values(self) -> Iterator[Unasked]:
        """Values inside of what was asked for; none where LibreOffice wrote every part anew."""
        if self._decks.written_anew:
            return
        paths = self._decks.paths
        with Package.open(paths["original"]) as before, Package.open(paths["modified"]) as after:
            inside = InsideValues(before, after)
            older, newer = (
                {entry.number: entry.part for entry in slide_entries(side)}
                for side in (before, after)
            )
            for number in sorted({change.slide for change in self._edits if change.slide}):
                old = self._decks.earlier.get(number)
                asked = old is not None or self._scope.added > 0
                if asked and newer.get(number):
                    if old is None:
                        yield from self._crowd(after, newer[number], number)
                        yield from self._painted(after, newer[number], number)
                    yield from self._strange(inside, newer[number], older.get(old or 0), number)

    def _crowd(self, package: Package, part: str, number: int) -> Iterator[Unasked]:
        """Shapes of an added slide beyond those that it is to have."""
        most = self._scope.new_on_added(number)
        tree = package.xml(part).find(f"{qn('p:cSld')}/{qn('p:spTree')}")
        if most is None or tree is None:
            return
        more = sum(map(_fills_slide, tree)) - most
        if more > 0:
            words = f"{more} more than asked for"
            yield Unasked(None, 0, f"shapes of the new slide {number}", "new", words, more * LOOK)

    def _painted(self, package: Package, part: str, number: int) -> Iterator[Unasked]:
        """Placeholders of an added slide with fills of their own, in place of their layout's."""
        if self._scope.names_new(number, "fill"):
            return
        for shape in package.xml(part).iter(qn("p:sp")):
            look = shape.find(qn("p:spPr"))
            fills = [] if look is None else [look.find(qn(name)) for name in _FILLS]
            if shape.find(f"{qn('p:nvSpPr')}/{qn('p:nvPr')}/{qn('p:ph')}") is not None and any(
                fill is not None for fill in fills
            ):
                where = f"a placeholder of the new slide {number}"
                yield Unasked(None, 0, where, "new", "a fill of its own", LOOK)

    def _strange(
        self, inside: InsideValues, new_part: str, old_part: str | None, number: int
    ) -> Iterator[Unasked]:
        old = self._decks.earlier.get(number)
        fresh = old is None or self._scope.new_shapes(old) > 0

        def is_named(property: str) -> bool:
            if old is None:
                return self._scope.names_new(number, property)
            return self._scope.names_property(old, property)

        for found in inside.strange(new_part, old_part, fresh=fresh, is_named=is_named):
            if old is None or not explains(found.key, self._left.get(old, ())):
                words = f"{found.property} {found.value}".strip()
                yield Unasked(old, 0, "inside of what was asked for", "inside", words, LOOK)

    def _earlier_id(self, old: int | None, change: Change) -> int:
        """The id in the original of the shape that a change is of."""
        id = change.element.id if change.element is not None else 0
        if old is None or not id or change.kind == "removed" or change.slide is None:
            return id
        later = self._decks.later_ids(old, change.slide)
        return next((was for was, now in later.items() if now == id), id)

    def _shape(self, old: int | None, id: int) -> tuple[str, str] | None:
        """Name and text of a shape of the original."""
        if old is None or not id:
            return None
        for shape in self._old[old]["shapes"]:
            if shape.get("id") == id:
                return str(shape.get("name", "")), _text(shape)
        return "", ""


def _fills_slide(shape: Element) -> bool:
    """Whether an element is a shape of a slide, and neither a footer nor an empty placeholder."""
    if shape.tag not in _SHAPES:
        return False
    placeholder = next(shape.iter(qn("p:ph")), None)
    if placeholder is None:
        return True
    says = any((text.text or "").strip() for text in shape.iter(qn("a:t")))
    draws = shape.tag != qn("p:sp")
    return (says or draws) and placeholder.get("type") not in ("dt", "ftr", "sldNum")


def _text(shape: Snapshot) -> str:
    return str(shape.get("text", {}).get("text", ""))


def _loss(change: Change) -> float:
    if change.slide is None:
        if change.kind in _WHOLE_KINDS or change.property in _OF_ALL_SLIDES:
            return WHOLE
        return HIDDEN if change.kind in _HIDDEN_KINDS else LOOK
    if change.kind in _HIDDEN_KINDS:
        return HIDDEN
    part = change.element.part if change.element is not None else ""
    return _pieces(part) * (WORDS if _WORDS.search(f"{change.kind}:{change.property}") else LOOK)


def _pieces(part: str) -> int:
    """How many parts of a shape a change is in."""
    more = _MORE.search(part)
    return part.count("; ") + (int(more[1]) if more else 1)


def _cells_lost(changes: Sequence[Change]) -> int:
    """How many cells say something else where rows or columns of a table went and came: those of a
    row that went whose words did not come back, or the other way round; 1 at least."""
    gone, new = Counter[str](), Counter[str]()
    for change in changes:
        count = _pieces(change.element.part if change.element is not None else "")
        for side, cells in ((gone, change.old), (new, change.new)):
            for cell in cells if isinstance(cells, list | tuple) else ():
                side[str(cell)] += count if cell else 0
    return max(1, (gone - new).total(), (new - gone).total())
