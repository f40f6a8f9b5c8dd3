"""Parts, slides and shapes of the original deck taken back into a draft of the edited one.

An element that changed again since is merged: it gets the original's state but for what differs
between two later ones.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from difflib import SequenceMatcher
from typing import Literal

from decklab.core.errors import DecklabError
from decklab.deck.part import every_shape, shape_elements, shape_tree
from decklab.editing.formatting import put_back_run_look
from decklab.editing.slide_operations import (
    LINK_ATTRIBUTE,
    MEDIA_KINDS,
    bring_media,
    drop_references,
    move_slide,
    refers_by_id,
)
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.parts import (
    RELATIONSHIPS_TYPE,
    Relationship,
    links_of,
    reachable,
    relationships_part,
    relative_target,
    transitional_bytes,
)
from decklab.ooxml.slide_list import (
    add_to_list,
    find_slide,
    list_items,
    recount,
    settle_in_section,
    slide_entries,
)
from decklab.ooxml.xml import (
    Element,
    non_visual_properties,
    parse_int,
    qn,
    serialize_xml,
    shape_id,
    shape_name,
    take_out,
)

_Key = tuple[object, ...]
_Piece = tuple[int, int, int, int]
"""From and to in the base, from and to in the other."""
_WHOLE = qn("a:p")
"""Half a paragraph of one text and half of another is a text that nobody wrote."""


class _Met(Exception):
    """Both sides changed the same thing within a paragraph."""


def merged(base: Element, ours: Element, theirs: Element) -> Element:
    """A copy of ``ours`` with what changed from ``base`` to ``theirs``.

    Where both changed the same attribute, the same text or the same children, ours stays; so does
    the whole of a paragraph in which they met.
    """
    return _merged(base, ours, theirs, strict=False)


def _merged(base: Element, ours: Element, theirs: Element, *, strict: bool) -> Element:
    was, here, there = (_key(element) for element in (base, ours, theirs))
    if here == was:
        return deepcopy(theirs)
    if there in (was, here):
        return deepcopy(ours)
    if not base.tag == ours.tag == theirs.tag:
        return _ours(ours, strict=strict)
    if ours.tag == _WHOLE and not strict:
        try:
            return _inside(base, ours, theirs, strict=True)
        except _Met:
            return deepcopy(ours)
    return _inside(base, ours, theirs, strict=strict)


def _ours(ours: Element, *, strict: bool) -> Element:
    if strict:
        raise _Met
    return deepcopy(ours)


def _inside(base: Element, ours: Element, theirs: Element, *, strict: bool) -> Element:
    made = deepcopy(ours)
    del made[:]
    sides = (base, ours, theirs)
    made.text = _value([side.text for side in sides], strict=strict)
    for name in {*base.attrib, *ours.attrib, *theirs.attrib}:
        if (value := _value([side.get(name) for side in sides], strict=strict)) is not None:
            made.set(name, value)
        elif name in made.attrib:
            del made.attrib[name]
    tags = [[child.tag for child in side] for side in sides]
    if tags[0] == tags[1] == tags[2]:
        children = [_merged(*three, strict=strict) for three in zip(*sides, strict=True)]
    elif all(len(set(tag)) == len(tag) for tag in tags):
        children = list(_by_tag(base, ours, theirs, strict=strict))
    else:
        children = list(_in_order(list(base), list(ours), list(theirs), strict=strict))
    made.extend(children)
    return made


def _value(sides: Sequence[str | None], *, strict: bool) -> str | None:
    was, here, there = sides
    if here == was:
        return there
    if strict and there not in (was, here):
        raise _Met
    return here


def _by_tag(base: Element, ours: Element, theirs: Element, *, strict: bool) -> Iterator[Element]:
    """The children of an element that has one of each kind, such as properties."""
    was, here, there = ({child.tag: child for child in parent} for parent in (base, ours, theirs))
    order = list(here)
    for at, tag in enumerate(there):
        if tag not in order:
            before = [order.index(child) for child in list(there)[:at] if child in order]
            order.insert(max(before, default=-1) + 1, tag)
    for tag in order:
        if tag in was and tag in here and tag in there:
            yield _merged(was[tag], here[tag], there[tag], strict=strict)
        elif tag in was:  # one side took it out
            other = here.get(tag, there.get(tag))
            if other is not None and _key(other) != _key(was[tag]):
                if strict:
                    raise _Met
                if tag in here:
                    yield deepcopy(other)
        elif tag in here:
            if strict and tag in there and _key(here[tag]) != _key(there[tag]):
                raise _Met
            yield deepcopy(here[tag])
        else:
            yield deepcopy(there[tag])


def _in_order(
    base: list[Element], ours: list[Element], theirs: list[Element], *, strict: bool
) -> Iterator[Element]:
    """Children of which several are of one kind, such as paragraphs and shapes."""
    keys = [[_key(child) for child in side] for side in (base, ours, theirs)]
    at, shifts = 0, (0, 0)
    for start, end, here, there in _regions(_changed(*keys[:2]), _changed(keys[0], keys[2])):
        yield from map(deepcopy, base[at:start])
        sides = tuple(
            side[start + shift : end + shift + sum(b - a - (j - i) for i, j, a, b in own)]
            for side, shift, own in zip((ours, theirs), shifts, (here, there), strict=True)
        )
        at, was = end, base[start:end]
        shifts = (shifts[0] + len(sides[0]) - len(was), shifts[1] + len(sides[1]) - len(was))
        if not here or not there:
            yield from map(deepcopy, sides[0] if here else sides[1])
        elif len(was) == len(sides[0]) == len(sides[1]):
            for three in zip(was, *sides, strict=True):
                yield _merged(*three, strict=strict)
        elif strict:
            raise _Met
        else:
            yield from map(deepcopy, sides[0])
    yield from map(deepcopy, base[at:])


def _changed(base: list[_Key], other: list[_Key]) -> list[_Piece]:
    numbers: dict[_Key, int] = {}
    was, now = ([numbers.setdefault(key, len(numbers)) for key in side] for side in (base, other))
    codes = SequenceMatcher(None, was, now, autojunk=False).get_opcodes()
    return [(i, j, a, b) for what, i, j, a, b in codes if what != "equal"]


def _regions(
    here: list[_Piece], there: list[_Piece]
) -> Iterator[tuple[int, int, list[_Piece], list[_Piece]]]:
    """Stretches of the base that a side changed, with the changes of both; what overlaps is one."""
    waiting = sorted([(child, 0) for child in here] + [(child, 1) for child in there])
    while waiting:
        (start, end, _a, _b), _side = waiting[0]
        own: tuple[list[_Piece], list[_Piece]] = ([], [])
        while waiting and (waiting[0][0][0] < end or waiting[0][0][0] == start):
            piece, side = waiting.pop(0)
            own[side].append(piece)
            end = max(end, piece[1])
        yield start, end, *own


def _key(element: Element) -> _Key:
    """The same for elements that say the same."""
    text = "" if len(element) else element.text or ""
    return str(element.tag), text, *sorted(element.attrib.items()), *map(_key, element)


_TEMPLATES = frozenset(
    {"slideLayout", "slideMaster", "theme", "notesMaster", "handoutMaster", "commentAuthors",
     "authors", "tableStyles", "presProps", "viewProps", "officeDocument", "font"}
)  # fmt: skip
"""Kinds of relationships to parts that slides share: they keep their names in every edit."""
_BY_THEMSELVES = frozenset({"slideLayout", "notesSlide", "comments", "tags", "customXml"})
"""Kinds of relationships of a slide that nothing on it has to mention."""
_GROUP = qn("p:grpSp")
_NO_LINKS = b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>'
ShapePiece = Literal["text", "place", "look", "names"]
"""A piece of a shape: its text with fonts, its position and size, its fill and line with its form,
or its name, alternative text and link."""
_PROPERTIES = (qn("p:spPr"), qn("p:grpSpPr"))
_PLACE = qn("a:xfrm")
_ORDER = ("p:cSld", "p:clrMapOvr", "p:transition", "p:timing", "p:extLst")
"""Children of a slide, in the order of the standard."""


class Unrestorable(DecklabError):
    """Something of the original that has no place in the edited deck; the text says what."""


class Restoring:
    """Takes parts of ``original`` back into ``draft``, a draft of the edited deck.

    ``slides`` gives the part of each slide in the draft by its part in the original. A part that
    only one slide leads to gets the original's bytes; one that others use, too, is not touched, and
    a new part is added instead. Methods raise Unrestorable and DeckError.
    """

    def __init__(self, original: Package, draft: Draft, slides: Mapping[str, str]) -> None:
        self.original, self.draft = original, draft
        self.slides = dict(slides)
        self._known: dict[str, str] = {}
        self._others: dict[str, set[str]] = {}
        """By slide of the draft, the parts that can be reached without it."""

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Take back all that the block names, or nothing if it raises."""
        known, slides = dict(self._known), dict(self.slides)

        def restore() -> None:
            self._known, self.slides = known, slides

        with ExitStack() as undo:
            undo.callback(restore)
            with self.draft.whole():
                yield
            undo.pop_all()

    def slide(self, old: str) -> None:
        """A slide as it was, with notes, comments, charts, diagrams and pictures of its own."""
        self._part(old, self.slides[old], self.slides[old])

    def part(self, name: str) -> None:
        """A part that has the same name in both decks, such as a layout, as it was."""
        self._part(name, name, name)

    def merge_part(self, name: str, base: Element) -> None:
        """A part that has the same name in both decks as it was, but for what changed since
        ``base``."""
        made = merged(base, self.draft.root(name), self.original.xml(name))
        self.draft.replace(name, serialize_xml(made))

    def bring_slide(self, old: str) -> str:
        """The part of a slide that the draft no longer has, added again; it is not listed yet."""
        name = self._free_name(old)
        self.draft.add(name, self.original.content_type(old) or "", b"")
        self.slides[old] = name
        return name

    def list_slide(self, old: str) -> None:
        """A slide of the original brought again, in the list of slides behind the nearest before
        it that is still there; with its id, unless another slide has that now."""
        id = add_to_list(self.draft, self.slides[old], self._position(old))
        root = self.draft.edit(self.draft.main_part)
        wanted = str(find_slide(self.original, old).id)
        items = list_items(root)
        if all(item.get("id") != wanted for item in items):
            (item,) = (item for item in items if parse_int(item.get("id")) == id)
            item.set("id", wanted)
            id = int(wanted)
        settle_in_section(root, id)
        recount(self.draft)

    def move_slide(self, old: str) -> None:
        """A slide moved behind the nearest before it in the original that is still there."""
        new = self.slides[old]
        here, position = find_slide(self.draft, new).number, self._position(old)
        move_slide(self.draft, new, position - (here < position))

    def _position(self, old: str) -> int:
        """The place in the draft behind the slide before ``old`` in the original."""
        places = {entry.part: entry.number for entry in slide_entries(self.draft)}
        before = [self.slides.get(entry.part) for entry in slide_entries(self.original)]
        at = next(entry.number for entry in slide_entries(self.original) if entry.part == old)
        known = [places[part] for part in before[: at - 1] if part in places]
        return known[-1] + 1 if known else 1

    def shape(self, old: str, id: int, name: str) -> None:
        """A shape of a slide as it was: replaced, or put back at its place.

        Its name counts if several have its ``id``.
        """
        was, now = self._both(old, id, name)
        copy = self.adopted(_unit(was), old)
        if now is None:
            self._insert(copy, _unit(was), self.slides[old])
        else:
            _unit(now).addprevious(copy)
            take_out(_unit(now))

    def _both(self, old: str, id: int, name: str) -> tuple[Element, Element | None]:
        """A shape of the original slide, and the same in the draft or None if it is gone."""
        trees = self._tree(old, newer=False), self._tree(self.slides[old], newer=True)
        sides = [[shape for shape in every_shape(tree) if shape_id(shape) == id] for tree in trees]
        if max(map(len, sides)) > 1:
            sides = [[shape for shape in side if shape_name(shape) == name] for side in sides]
        if len(sides[0]) != 1 or len(sides[1]) > 1:
            raise Unrestorable(f"the original has no shape {id} there, or several")
        was, now = sides[0][0], next(iter(sides[1]), None)
        if now is not None and now.tag != was.tag:
            raise Unrestorable(f"the shape {id} is another one now")
        return was, now

    def merge(self, old: str, id: int, name: str, base: Element) -> None:
        """A shape of a slide as it was, but for what changed since ``base``, the edited slide."""
        was, now = self._both(old, id, name)
        between = _called(_tree_of(base), id, name)
        if now is None or len(between) != 1:
            raise Unrestorable(f"the shape {id} came or went")
        made = merged(_unit(between[0]), _unit(now), self.adopted(_unit(was), old))
        _unit(now).addprevious(made)
        take_out(_unit(now))

    def piece(self, old: str, id: int, name: str, piece: ShapePiece) -> None:
        """One piece of a shape that both slides have, as it was; the rest of it stays."""
        was, now = self._both(old, id, name)
        if now is None:
            raise Unrestorable(f"the shape {id} is gone")
        older, newer = (_piece(shape, piece) for shape in (was, now))
        if piece == "look" and older is not None and newer is not None:
            self._look(older, newer, old)
        elif older is not None and newer is not None:
            newer.addprevious(self.adopted(older, old))
            take_out(newer)
        elif piece == "place" and newer is not None:  # the original takes it from its layout
            take_out(newer)
        elif piece == "place" and older is not None and (holder := _piece(now, "look")) is not None:
            holder.insert(0, self.adopted(older, old))
        else:
            raise Unrestorable(f"the shape {id} has no {piece} in one of the decks")

    def _look(self, older: Element, newer: Element, old: str) -> None:
        for child in [child for child in newer if child.tag != _PLACE]:
            take_out(child)
        for child in [child for child in older if child.tag != _PLACE]:
            newer.append(self.adopted(child, old))

    def run_look(self, old: str, id: int, name: str, look: str) -> None:
        """One of ``RUN_LOOKS`` of a shape's text as it was; its words have to be the same."""
        was, now = self._both(old, id, name)
        if now is None or not put_back_run_look(was, now, look):
            raise Unrestorable(f"the shape {id} has other runs of text now")

    def cell(self, old: str, id: int, name: str, row: int, column: int) -> None:
        """A cell of a table as it was, by row and column from 1; both tables have one size."""
        was, now = self._both(old, id, name)
        sides = [_cells(shape) for shape in (was, now) if shape is not None]
        if len(sides) < 2 or [len(side) for side in sides[0]] != [len(side) for side in sides[1]]:
            raise Unrestorable(f"the table {id} has other rows or columns now")
        try:
            older, newer = (side[row - 1][column - 1] for side in sides)
        except IndexError:
            raise Unrestorable(f"the table {id} has no such cell") from None
        newer.addprevious(self.adopted(older, old))
        take_out(newer)

    def remove_shape(self, old: str, id: int, name: str) -> None:
        """A shape that the original slide does not have, taken out."""
        shapes = _called(self._tree(self.slides[old], newer=True), id, name)
        if len(shapes) != 1:
            raise Unrestorable(f"there is no shape {id} to take out, or several")
        take_out(_unit(shapes[0]))

    def order(self, old: str) -> None:
        """The shapes directly on a slide that both decks have, in the order they had."""
        was, now = self._tree(old, newer=False), self._tree(self.slides[old], newer=True)
        ids = [shape_id(shape) for shape in shape_elements(was)]
        both = [_unit(shape) for shape in shape_elements(now) if shape_id(shape) in ids]
        places = [now.index(shape) for shape in both]
        both.sort(key=lambda shape: ids.index(shape_id(shape)))
        for shape in both:
            now.remove(shape)
        for at, shape in zip(places, both, strict=True):
            now.insert(at, shape)

    def children(self, old: str, tag: str) -> None:
        """The children of a slide that hold ``tag``, such as ``p:timing``, as they were."""
        was, now = self.original.xml(old), self.draft.edit(self.slides[old])
        for child in [child for child in now if _holds(child, tag)]:
            now.remove(child)
        rank = _ORDER.index(tag)
        for child in [child for child in was if _holds(child, tag)]:
            later = [at for at, other in enumerate(now) if _rank(other) > rank]
            now.insert(later[0] if later else len(now), self.adopted(child, old))

    def background(self, old: str) -> None:
        """The background that a slide states itself, as it was."""
        was = self.original.xml(old).find(qn("p:cSld"))
        now = self.draft.edit(self.slides[old]).find(qn("p:cSld"))
        if was is None or now is None:
            raise Unrestorable("the slide has no content")
        for item in now.findall(qn("p:bg")):
            now.remove(item)
        for item in was.findall(qn("p:bg")):
            now.insert(0, self.adopted(item, old))

    def attributes(self, old: str) -> None:
        """Restore what a slide states of itself, such as that it is hidden."""
        was, now = self.original.xml(old), self.draft.edit(self.slides[old])
        for name in {*was.attrib, *now.attrib}:
            if was.get(name) is None:
                del now.attrib[name]
            else:
                now.set(name, was.get(name, ""))

    def related(self, old: str, kind: str) -> None:
        """Restore what a slide leads to by relationships of one kind, such as its notes."""
        new, links = self.slides[old], self.original.relationships(old).values()
        wanted = [link for link in links if link.kind == kind and not link.external]
        targets = [self._target(link, new) for link in wanted]
        for id, link in self.draft.relationships(new).items():
            if link.kind == kind and link.target not in targets:
                self.draft.unlink(new, id)
        for link in wanted:
            self._link(old, link, new)

    def tidy(self, old: str) -> int:
        """Drop relationships of a slide that it did not have, and that nothing on it uses; gives
        how many."""
        new = self.slides[old]
        had = {(link.type, link.target) for link in self.original.relationships(old).values()}
        unused = [
            id
            for id, link in self.draft.relationships(new).items()
            if link.kind not in _BY_THEMSELVES
            and (link.type, link.target) not in had
            and not refers_by_id(self.draft.root(new), {id})
        ]
        for id in unused:
            self.draft.unlink(new, id)
        return len(unused)

    def adopted(self, element: Element, old: str) -> Element:
        """A copy of an element of a slide, its relationships led to the same in the draft."""
        copy = deepcopy(element)
        copy.tail = None
        links, new = self.original.relationships(old), self.slides[old]
        for item in copy.iter():
            for name, value in item.attrib.items():
                if str(name).startswith(LINK_ATTRIBUTE) and value in links:
                    item.set(name, self._link(old, links[value], new))
        return copy

    def _part(self, old: str, new: str, slide: str) -> None:
        self._known[old] = new
        self.draft.replace(new, transitional_bytes(self.original, old))
        self._links(old, new, slide)

    def _links(self, old: str, new: str, slide: str) -> None:
        """Give a part of the draft the relationships that it had."""
        rels = relationships_part(new)
        if (held := self.original.find(relationships_part(old))) is None:
            if self.draft.find(rels) is not None:
                self.draft.remove(rels)
            return
        root, links = self.original.xml(held), links_of(self.original, old)
        gone = set()
        for item in list(root):
            link = links.get(item.get("Id") or "")
            if link is None or link.external or link.target not in self.original:
                continue
            if (target := self._target(link, slide)) is None:
                root.remove(item)
                gone.add(link.id)
            elif target != link.target or new.rpartition("/")[0] != old.rpartition("/")[0]:
                item.set("Target", relative_target(new, target))
        if self.draft.find(rels) is None:
            self.draft.add(rels, RELATIONSHIPS_TYPE, serialize_xml(root))
        else:
            self.draft.replace(rels, serialize_xml(root))
        if gone and refers_by_id(self.draft.root(new), gone):
            drop_references(self.draft.edit(new), gone)

    def _target(self, link: Relationship, slide: str) -> str | None:
        """The draft's part for the target of an original relationship; None if gone."""
        if (old := link.target) in self._known:
            return self._known[old]
        if link.kind == "slide":
            return self.slides.get(old)
        present, stated = self.draft.find(old), self.original.content_type(old)
        same_type = present is not None and self.draft.content_type(old) == stated
        if link.kind in _TEMPLATES and present is not None and same_type:
            return present
        if link.kind in MEDIA_KINDS:
            data = self.original.read(old)
            if present is not None and self.draft.read(old) == data:
                return present
            if self.draft.was_used(old):
                return bring_media(self.original, self.draft, link)
            return self.draft.add(old, stated or "", data)
        if present is not None and same_type and present not in self._shared(slide):
            self._part(old, present, slide)
            return present
        name = self._known[old] = self._free_name(old)
        self.draft.add(name, stated or "", transitional_bytes(self.original, old))
        self._links(old, name, slide)
        return name

    def _shared(self, slide: str) -> set[str]:
        if slide not in self._others:
            self._others[slide] = reachable(self.draft, without=slide)
        return self._others[slide]

    def _free_name(self, old: str) -> str:
        return self.draft.unused_name(old) if self.draft.was_used(old) else old

    def _link(self, old: str, link: Relationship, new: str) -> str:
        """The id of the relationship of ``new`` that leads where ``link`` of ``old`` leads."""
        inside = not link.external and link.target in self.original
        if (target := self._target(link, new) if inside else link.target) is None:
            raise Unrestorable("it leads to a slide that is gone")
        links = self.draft.relationships(new)
        ends = {id: (known.type, known.target, known.external) for id, known in links.items()}
        same = [id for id, end in ends.items() if end == (link.type, target, link.external)]
        if same:
            return link.id if link.id in same else same[0]
        if self.draft.find(relationships_part(new)) is None:
            self.draft.add(relationships_part(new), RELATIONSHIPS_TYPE, _NO_LINKS)
        root = self.draft.edit(relationships_part(new))
        used = {item.get("Id") for item in root}
        id = link.id if link.id not in used else _free_id(used)
        held = self.original.xml(relationships_part(old))
        item = deepcopy(next(item for item in held if item.get("Id") == link.id))
        item.set("Id", id)
        if inside:
            item.set("Target", relative_target(new, target))
        root.append(item)
        return id

    def _tree(self, slide: str, *, newer: bool) -> Element:
        return _tree_of(self.draft.edit(slide) if newer else self.original.xml(slide))

    def _insert(self, copy: Element, was: Element, new: str) -> None:
        """Put a shape back behind the nearest shape before it that is still there."""
        tree = self._tree(new, newer=True)
        around, parent = was.getparent(), tree
        if around is not None and around.tag == _GROUP:
            if (group := _shape(tree, shape_id(around))) is None:
                raise Unrestorable("its group is gone")
            parent = group
        for before in was.itersiblings(preceding=True):
            there = _shape(parent, shape_id(before)) if shape_id(before) else None
            if there is not None and _unit(there).getparent() is parent:
                _unit(there).addnext(copy)
                return
        if (first := next(shape_elements(parent), None)) is None:
            parent.append(copy)
        else:
            _unit(first).addprevious(copy)


def _tree_of(root: Element) -> Element:
    if (tree := shape_tree(root)) is None:
        raise Unrestorable("the slide has no shapes")
    return tree


def _piece(shape: Element, piece: ShapePiece) -> Element | None:
    if piece == "names":
        return non_visual_properties(shape)
    if piece == "text":
        return shape.find(qn("p:txBody"))
    holder = next((child for child in shape if child.tag in _PROPERTIES), None)
    if piece == "look":
        return holder
    own = shape.find(qn("p:xfrm"))  # of tables, charts and other frames
    return own if own is not None or holder is None else holder.find(_PLACE)


def _cells(shape: Element) -> list[list[Element]]:
    return [row.findall(qn("a:tc")) for row in shape.iter(qn("a:tr"))]


def within(tree: Element, id: int) -> frozenset[int]:
    """Ids of a shape, of the groups around it, and of all shapes in it."""
    if (shape := _shape(tree, id)) is None:
        return frozenset({id})
    around = {shape_id(item) for item in shape.iterancestors(_GROUP)}
    return frozenset({*around, *(shape_id(item) for item in every_shape(shape)), id})


def _called(tree: Element, id: int, name: str) -> list[Element]:
    """The shapes of a tree with an id and a name."""
    return [item for item in every_shape(tree) if (shape_id(item), shape_name(item)) == (id, name)]


def _shape(tree: Element, id: int | None) -> Element | None:
    return next((shape for shape in every_shape(tree) if shape_id(shape) == id), None)


def _unit(shape: Element) -> Element:
    """The shape, or the ``mc:AlternateContent`` that holds it beside its other forms."""
    return next(shape.iterancestors(qn("mc:AlternateContent")), shape)


def _holds(child: Element, tag: str) -> bool:
    return child.tag == qn(tag) or (
        child.tag == qn("mc:AlternateContent") and next(child.iter(qn(tag)), None) is not None
    )


def _rank(child: Element) -> int:
    return next((at for at, tag in enumerate(_ORDER) if _holds(child, tag)), len(_ORDER))


def _free_id(used: Collection[str | None]) -> str:
    number = 1
    while f"rId{number}" in used:
        number += 1
    return f"rId{number}"
