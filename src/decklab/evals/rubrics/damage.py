"""The damage that an edit does beside its task, which the leaves of a rubric may overlook.

Every change that the task does not ask for costs, property by property, whatever else may change on
the same shape: ``AllowedChanges`` names what may. Slides must look as before but where something
may look otherwise, and what was seen must still be. A rubric that names nothing allows all changes;
then only things that are no longer visible count, for no task asks for that.

Losses are counted in things of a slide: a text, a cell of a table, a picture.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from decklab.core.colors import differing_pixels
from decklab.core.geometry import Box
from decklab.deck.model.shapes import Chart, Diagram, Element, Group, Image, Media, Table, box_of
from decklab.deck.model.slide import SlideElements
from decklab.deck.views.drawn import claim
from decklab.diffing.changes import Change
from decklab.diffing.wording import clause
from decklab.diffing.xml.claims import explains
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.graded import Damage, Harm
from decklab.evals.rubrics.inside import InsideValues
from decklab.evals.rubrics.rubric import AllowedChanges
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.xml import Element as XmlElement
from decklab.ooxml.xml import qn
from decklab.rendering.slide_keys import SlideKeys
from decklab.seen.drawn import AudienceView, PixelMask

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


def unasked_changes(decks: ComparedDecks, scope: AllowedChanges) -> Iterator[Unasked]:
    """All changes of a pair of decks that ``scope`` does not name, noise aside. Slides that were
    added, removed or moved as such are left out. Raises DeckError.
    """
    search = _Search(decks, scope)
    yield from search.changes()
    yield from search.values()


class _Search:
    def __init__(self, decks: ComparedDecks, scope: AllowedChanges) -> None:
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
                name = name or ("the deck" if old is None else "the slide")
                yield Unasked(old, id, name, change.kind, clause(change), _loss(change))
        for (where, id, name), own in rows.items():
            yield Unasked(where, id, name, "table", clause(own[0]), WORDS * _cells_lost(own))
        for old, ids in added.items():
            if (more := len(ids) - self._scope.new_shapes(old)) > 0:
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
                if newer.get(number) and (old is not None or self._scope.added > 0):
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
        if (more := sum(map(_fills_slide, tree)) - most) > 0:
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

        for strangeness in inside.strange(new_part, old_part, fresh=fresh, is_named=is_named):
            if old is None or not explains(strangeness.key, self._left.get(old, ())):
                words = f"{strangeness.property} {strangeness.value}".strip()
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
                return str(shape.get("name", "")), str(shape.get("text", {}).get("text", ""))
        return "", ""


def _fills_slide(shape: XmlElement) -> bool:
    """Whether an element is a shape of a slide, and neither a footer nor an empty placeholder."""
    if shape.tag not in _SHAPES:
        return False
    if (placeholder := next(shape.iter(qn("p:ph")), None)) is None:
        return True
    says = any((text.text or "").strip() for text in shape.iter(qn("a:t")))
    draws = shape.tag != qn("p:sp")
    return (says or draws) and placeholder.get("type") not in ("dt", "ftr", "sldNum")


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
    """How many cells say something else if rows or columns went and came; 1 at least."""
    gone, new = Counter[str](), Counter[str]()
    for change in changes:
        count = _pieces(change.element.part if change.element is not None else "")
        for side, cells in ((gone, change.old), (new, change.new)):
            for cell in cells if isinstance(cells, list | tuple) else ():
                side[str(cell)] += count if cell else 0
    return max(1, (gone - new).total(), (new - gone).total())


GONE: Final = 1.0
"""Loss by a thing that is no longer seen. Ours."""
LOOKS_OTHER: Final = 0.002
"""Share of changed pixels from which a slide looks different: a word of small print. Ours."""
_MARGIN = 8.0
"""Px around a shape that may change, for its outline, shadow and long words. Ours."""
_MOST_DRAWN = 12
"""Most changed shapes without text that are drawn alone to find whether they are visible. Ours."""
_DECK_KINDS = frozenset(("theme", "master", "layout", "section", "show"))
_SEEN_KINDS = frozenset(
    ("text", "style", "geometry", "table", "chart", "diagram", "picture", "media", "added")
)
_BLOCKS = (Image, Chart, Diagram, Media, Group)
_REMOVED = Change(slide=None, element=None, kind="removed", property="shape", old=None, new=None)
_REWORDED = Change(slide=None, element=None, kind="text", property="text", old="", new="")


def damage_of(decks: ComparedDecks, scope: AllowedChanges | None) -> Damage:
    """The harm that the modified deck does to the original, and the visible share of its work.

    Raises RenderError where a deck cannot be drawn, DeckError where a slide cannot be read.
    """
    return _Inspection(decks, scope).damage()


class _Inspection:
    """The comparison of one pair of decks."""

    def __init__(self, decks: ComparedDecks, scope: AllowedChanges | None) -> None:
        self._decks, self._scope = decks, scope
        self._before, self._after = decks.seen("original"), decks.seen("modified")
        sides = decks.snapshots["original"], decks.snapshots["modified"]
        self._old = [slide["number"] for slide in sides[0]["slides"]]
        self._new = {slide["number"] for slide in sides[1]["slides"]}
        self._resized = not np.allclose(sides[0]["size_pt"], sides[1]["size_pt"], rtol=0.01)
        self._same = _same_content(decks)
        self._unasked: dict[int | None, list[Unasked]] = defaultdict(list)
        for item in unasked_changes(decks, scope) if scope is not None else ():
            self._unasked[item.slide].append(item)

    def damage(self) -> Damage:
        harms = [*self._slide_harms(), *self._deck_harms()]
        losses: dict[int | None, float] = defaultdict(float)
        for harm in harms:
            losses[harm.slide] += harm.loss
        later = {old: new for new, old in self._decks.earlier.items()}
        loss = losses.pop(None, 0.0)
        most = {number: self._things(number, later.get(number)) for number in losses if number}
        loss += sum(min(losses[number], most[number]) for number in losses if number)
        return Damage(tuple(harms), loss, self._work())

    def _things(self, number: int, later: int | None = None) -> float:
        """How much a slide of the original, now at ``later``, has to lose; at least 1."""
        sides = [self._before.slide(number)]
        sides += [self._after.slide(later)] if later is not None else []
        return float(max(1, *(sum(map(_count, _content(side))) for side in sides)))

    def _deck_harms(self) -> Iterator[Harm]:
        scope, count = self._scope, WHOLE if self._scope else 0.0
        if self._resized and not (scope and scope.resized):
            yield Harm(None, "the slides have another size", count)
        yield from _by_name(None, self._unasked[None])
        if scope is None:
            for change in self._decks.changes.edits:
                if change.slide is None and change.kind in _DECK_KINDS:
                    yield Harm(None, clause(change), 0.0)
        else:
            moves = self._decks.changes.slides
            if len(moves.added) > scope.added:
                more_slides = len(moves.added) - scope.added
                what = f"{more_slides} slides were added that nobody asked for"
                yield Harm(None, what, count * more_slides)
            if moves.moved and not scope.moved:
                yield Harm(None, "slides changed their order", count)
        if (worse := self._after.errors - self._before.errors) > 0:
            yield Harm(None, f"{worse} faults more that PowerPoint may want to repair", count)

    def _slide_harms(self) -> Iterator[Harm]:
        later = {old: new for new, old in self._decks.earlier.items()}
        for number in self._old:
            if number in later:
                yield from self._harms_of_slide(number, later[number])
            elif self._scope is not None and number not in self._scope.removed:
                yield Harm(number, "the slide is gone", self._things(number))

    def _harms_of_slide(self, old: int, new: int) -> Iterator[Harm]:
        if (why := self._after.why_slide_hidden(new)) and not self._before.why_slide_hidden(old):
            yield Harm(old, why, self._things(old))
            return
        if self._resized and self._scope is not None and not self._scope.resized:
            what = "the slide has another size, and nothing its place"
            yield Harm(old, what, self._things(old))
            return
        differs = (old, new) not in self._same
        lost = self._no_longer_visible(old, new) if differs else {}
        for name, cause, count in lost.values():
            yield Harm(old, f"{name}: {cause}", GONE * count)
        others = [self._weighed(item) for item in self._unasked[old] if item.shape not in lost]
        yield from _by_name(old, others)
        if differs and self._scope is not None:
            share = float(self._changed_pixels(old, new).mean())
            if share > LOOKS_OTHER:
                what = f"{share:.1%} of the slide looks different"
                count = max(1, len(_content(self._before.slide(old))))
                yield Harm(old, what, share * count)

    def _weighed(self, change: Unasked) -> Unasked:
        """A change of what nobody saw before loses little."""
        assert change.slide is not None
        known = any(item.id == change.shape for item in self._before.slide(change.slide).elements())
        unseen = known and self._before.fault(change.slide, change.shape)[0] not in (None, "empty")
        return replace(change, loss=min(change.loss, HIDDEN)) if unseen else change

    def _no_longer_visible(self, old: int, new: int) -> dict[int, tuple[str, str, int]]:
        """Name, cause and number of things, by id in the original, for each text and table on a
        slide that is no longer visible.

        A missing text counts only where the rubric states allowed changes.
        """
        causes: dict[int, tuple[str, str, int]] = {}
        later = self._decks.later_ids(old, new)
        for element, words in self._before.texts(old):
            if self._before.fault(old, element.id)[0]:
                continue
            fault, why = self._after.fault(new, later.get(element.id, element.id))
            missing = fault in ("gone", "empty")
            if fault is not None and not (missing and self._may_go(old, element, words)):
                name = element.name or f"shape {element.id}"
                causes[element.id] = name, why, _count(element)
        return causes

    def _may_go(self, old: int, element: Element, words: str) -> bool:
        """Whether a shape may lose its words, or go."""
        if self._scope is None:
            return True
        shape = element.name, str(getattr(element, "text", words))
        return any(self._scope.names(old, change, shape) for change in (_REMOVED, _REWORDED))

    def _changed_pixels(self, old: int, new: int) -> PixelMask:
        """Which pixels differ outside the places of shapes that may look otherwise."""
        assert self._scope is not None
        before, after = self._before.drawn.slide(old).image, self._after.drawn.slide(new).image
        if before.shape != after.shape:
            return np.ones(before.shape[:2], np.bool_)
        apart = differing_pixels(before, after)
        if self._scope.whole_look(old):
            apart[:] = False
        for box in self._free_places(old, new):
            area = box.on_picture(apart.shape)
            left, top, right, bottom = (max(0, int(edge)) for edge in area)
            apart[top:bottom, left:right] = False
        return apart

    def _free_places(self, old: int, new: int) -> Iterator[Box]:
        assert self._scope is not None
        shapes, later = list(self._before.slide(old).elements()), self._decks.later_ids(old, new)
        known = {later.get(shape.id, shape.id) for shape in shapes}
        texts = ((shape, str(getattr(shape, "text", ""))) for shape in shapes)
        free = {shape.id for shape, text in texts if self._scope.look(old, shape.name, text)}
        fresh = {shape.id for shape in self._after.slide(new).elements()} - known
        after = {later.get(id, id) for id in free}
        if len(fresh) <= self._scope.new_shapes(old):
            after |= fresh
        for deck, number, ids in ((self._before, old, free), (self._after, new, after)):
            for element in deck.slide(number).elements():
                if element.id in ids:
                    yield from _places(deck, number, element)

    def _work(self) -> float:
        """Share of the changed and added content that is visible; 0 for no visible slide."""
        if self._new and all(self._after.why_slide_hidden(number) for number in self._new):
            return 0.0
        wanted: dict[tuple[int, int], bool] = {}
        for item in self._decks.changes.edits:
            if item.slide is None or item.element is None or item.kind not in _SEEN_KINDS:
                continue
            if item.slide in self._new:
                wanted[item.slide, item.element.id] = True
        for number in self._decks.changes.slides.added:
            for element in _content(self._after.slide(number)):
                wanted[number, element.id] = True
        visible = []
        drawn = 0
        for number, id in wanted:
            shapes = [item for item in self._after.slide(number).elements() if item.id == id]
            has_text = any((said := claim(item)) is not None and said.words for item in shapes)
            if not shapes or (not has_text and drawn >= _MOST_DRAWN):
                continue
            drawn += not has_text
            if not has_text and not any(isinstance(item, _BLOCKS) for item in shapes):
                continue
            visible.append(not self._decks.why_unseen(number, id, {}))
        return sum(visible) / len(visible) if visible else 1.0


def _by_name(slide: int | None, changes: Sequence[Unasked]) -> Iterator[Harm]:
    """One harm for each shape or kind of deck change; small losses add up to one at most."""
    groups: dict[str, list[Unasked]] = defaultdict(list)
    for change in changes:
        groups[change.kind if slide is None else f"{change.shape} {change.name}"].append(change)
    for own in groups.values():
        more = f", and {len(own) - 1} more" if len(own) > 1 else ""
        of = "" if slide is None else f"{own[0].name}: "
        words = sum(harm.loss for harm in own if harm.loss >= WORDS)
        look = min(WORDS, sum(harm.loss for harm in own if harm.loss < WORDS))
        loss = min(WHOLE, words + look) if slide is None else words + look
        yield Harm(slide, f"{of}{own[0].words}{more}", loss)


def _count(element: Element) -> int:
    """How many things an element is: the cells of a table that say something, else one."""
    if isinstance(element, Table):
        return max(1, sum(bool(cell.text.strip()) for row in element.rows for cell in row))
    return 1


def _content(slide: SlideElements) -> list[Element]:
    """The elements of a slide that count: those with text, pictures, charts, media and groups."""
    things = {}
    for element in slide.elements():
        claimed = claim(element)
        if (claimed is not None and claimed.words) or isinstance(element, _BLOCKS):
            things[element.id] = element
    return list(things.values())


def _places(deck: AudienceView, number: int, element: Element) -> Iterator[Box]:
    """The boxes of an element and its drawn text, with a margin; a table may grow a row."""
    boxes: Sequence[Box | None] = (box_of(element), deck.text(number, element.id).area)
    for box in boxes:
        if box is not None:
            rows = len(element.cells) if isinstance(element, Table) else 0
            below = _MARGIN + (box.height / rows if rows else 0.0)
            yield Box(
                box.left - _MARGIN, box.top - _MARGIN, box.right + _MARGIN, box.bottom + below
            )


def _same_content(decks: ComparedDecks) -> set[tuple[int, int]]:
    """Pairs of slides, older and newer number, with equal content in every part."""
    paths = decks.paths
    with Package.open(paths["original"]) as before, Package.open(paths["modified"]) as after:
        older, newer = SlideKeys(before, {}), SlideKeys(after, {})
        pairs = ((old, new) for new, old in decks.earlier.items())
        return {(old, new) for old, new in pairs if older.content(old) == newer.content(new)}
