"""Every text of a deck, with a name by which it can be given back changed.

A text is a paragraph, an alternative text, a name in a chart or of a section. Words that a deck
repeats, as the names of a chart or the words of a diagram, are one text here.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from re import Pattern
from typing import Any, Literal

from pptx.presentation import Presentation

from decklab.editing.chart_names import (
    ChartName,
    chart_names,
    replace_in_workbook,
    write_in_workbook,
)
from decklab.editing.finding import (
    FOOTERS,
    SHAPES,
    EditError,
    placeholder_type,
    slide_ids,
    slides_of,
)
from decklab.editing.formatting import mark_language
from decklab.editing.open_parts import edited
from decklab.editing.replacing import (
    OBJECT,
    checked_text,
    editable_text,
    replace_paragraph,
    replaced,
    rewrite_paragraph,
    word_pattern,
)
from decklab.editing.texts import parts_of_diagram
from decklab.ooxml.xml import local_name, qn, shape_id, shape_name

TextKind = Literal[
    "text", "table", "chart", "diagram", "notes", "alt text", "footer", "layout", "master",
    "section", "comment", "property",
]  # fmt: skip
"""Where a text stands. Of layouts and masters it is what they show themselves, not the prompts of
their placeholders, with their alternative texts; ``notes`` is all text of a notes page."""

SHOWN_KINDS: tuple[TextKind, ...] = (
    "text", "table", "chart", "diagram", "notes", "alt text", "footer", "layout", "master",
    "section",
)  # fmt: skip
"""All kinds but comments and properties, which say who said what, or describe the file."""

_HOLDERS = (*SHAPES, qn("p:contentPart"))
_PARAGRAPH, _DIAGRAM = qn("a:p"), qn("dgm:relIds")
_CHARTS = (qn("c:chart"), qn("cx:chart"))
PROPERTIES = ("title", "subject", "description", "keywords", "category")
"""Properties of a file that are words."""


@dataclass(frozen=True)
class TextPlace:
    r"""A text and where it stands.

    ``text`` has ``\n`` for a line break, and ``OBJECT`` for a field or a formula.
    """

    id: str
    """Such as ``s256/7/p0``: the slide's own id, the shape's, the paragraph from 0; tables have
    ``s256/7/r1c2/p0``, notes ``s256/notes/2/p1``, layouts ``l2/5/p0``. Equal whenever the same
    file is opened, and until paragraphs, rows, shapes or layouts are added or taken out."""
    kind: TextKind
    slide: int | None
    """The number of its slide; None for texts of the deck."""
    shape: str
    """The name of its shape; empty for none."""
    text: str


@dataclass(frozen=True)
class HeldText:
    """A text of a deck that is open for changes."""

    place: TextPlace
    shape: Any
    """The element of its shape; None for none."""
    write: Callable[[str], object]
    """Writes another text to it, in words as ``TextPlace`` has it."""
    replace: Callable[[Pattern[str], str], int]
    """Puts words in place of what a pattern finds, and returns how often."""
    paragraphs: tuple[Any, ...] = ()
    """The elements that hold it; empty for what is no paragraph."""


def every_text(
    prs: Presentation,
    *,
    slides: Iterable[int] | None = None,
    kinds: Collection[TextKind] | None = None,
) -> list[TextPlace]:
    """Every text of a deck, in reading order of the file; none that is empty.

    ``slides`` limits it to slides of these numbers, and leaves out what belongs to no slide.
    ``kinds`` are ``SHOWN_KINDS`` for None. ``left_out`` tells of words that are not among them.
    """
    with held_texts(prs, slides=slides, kinds=kinds) as held:
        return [text.place for text in held]


def set_texts(
    prs: Presentation, texts: Mapping[str, str], languages: Mapping[str, str] | None = None
) -> int:
    """Give texts, by their ids, other words; return how many changed.

    Words that stay keep their looks; others look like the first of those that they replace.
    Workbooks of charts and drawings of diagrams follow. ``languages`` are the tags of the texts
    whose language is another now. Raises EditError, and changes nothing, for an id that is not
    there, or a text that cannot stand there.
    """
    kinds: tuple[TextKind, ...] = (*SHOWN_KINDS, "comment", "property")
    spoken = languages or {}
    with held_texts(prs, kinds=kinds) as every:
        held = {text.place.id: text for text in every}
        if unknown := [id for id in texts if id not in held]:
            listed = ", ".join(unknown[:10])
            raise EditError(f"there is no text {listed}; see every_text for what there is")
        fresh = {id: _checked(id, text, held[id].place.text) for id, text in texts.items()}
        changed = [id for id, text in fresh.items() if text != held[id].place.text]
        for id in changed:
            held[id].write(fresh[id])
            for paragraph in held[id].paragraphs if id in spoken else ():
                mark_language(paragraph, spoken[id])
    return len(changed)


def _checked(id: str, text: str, before: str) -> str:
    try:
        return checked_text(text, before)
    except EditError as error:
        raise EditError(f"{id}: {error}") from None


@contextmanager
def held_texts(
    prs: Presentation,
    *,
    slides: Iterable[int] | None = None,
    kinds: Collection[TextKind] | None = None,
) -> Iterator[list[HeldText]]:
    """The texts of ``every_text``, to be changed while the block lasts."""
    wanted = frozenset(SHOWN_KINDS if kinds is None else kinds)
    with ExitStack() as stack:
        walk = _Walk(prs, wanted, stack)
        texts = list(walk.of_slides(slides))
        if slides is None:
            texts += [*walk.of_designs(), *walk.of_deck()]
        yield [text for text in texts if text.place.kind in wanted]


@dataclass(frozen=True)
class _Spot:
    """Beginning of the id, kind, slide number and shape that the texts of an element share."""

    id: str
    """The beginning of their ids."""
    kind: TextKind
    number: int | None
    shape: Any = None

    def at(self, place: str) -> "_Spot":
        return replace(self, id=f"{self.id}/{place}")

    def of(self, kind: TextKind) -> "_Spot":
        """A text of a slide is of this kind; those of other sheets stay of theirs."""
        return replace(self, kind=kind) if self.kind == "text" else self


class _Walk:
    """One walk through the texts of a deck; each part is walked once."""

    def __init__(self, prs: Presentation, kinds: frozenset[TextKind], stack: ExitStack) -> None:
        self._prs = prs
        self._kinds = kinds
        self._stack = stack
        self._roots: dict[Any, Any] = {}
        self._ids: Counter[str] = Counter()

    def of_slides(self, slides: Iterable[int] | None) -> Iterator[HeldText]:
        if self._kinds <= {"layout", "master", "section", "property"}:
            return
        ids = slide_ids(self._prs)
        for number, slide in slides_of(self._prs, slides):
            spot = _Spot(f"s{ids[number - 1]}", "text", number)
            yield from self._of_sheet(slide.part, spot)
            if slide.has_notes_slide:
                notes = _Spot(f"{spot.id}/notes", "notes", number)
                yield from self._of_sheet(slide.notes_slide.part, notes)
            if "comment" in self._kinds:
                yield from self._of_comments(slide.part, spot.at("comments").of("comment"))

    def of_designs(self) -> Iterator[HeldText]:
        if not self._kinds & {"layout", "master"}:
            return
        layouts = 0
        for number, master in enumerate(self._prs.slide_masters, 1):
            yield from self._of_sheet(master.part, _Spot(f"m{number}", "master", None))
            for layout in master.slide_layouts:
                layouts += 1
                yield from self._of_sheet(layout.part, _Spot(f"l{layouts}", "layout", None))
        for prefix, kind in (("nm", "notesMaster"), ("hm", "handoutMaster")):
            for part in related_parts(self._prs.part.rels, kind):
                yield from self._of_sheet(part, _Spot(prefix, "master", None))

    def of_deck(self) -> Iterator[HeldText]:
        for number, section in enumerate(self._prs.part._element.iter(qn("p14:section"))):
            yield from self._attribute(section, "name", _Spot(f"section/{number}", "section", None))
        for part in related_parts(self._prs.part.package._rels, "core-properties"):
            for item in self._root(part):
                if (name := local_name(str(item.tag))) in PROPERTIES:
                    yield from self._element(item, _Spot(f"property/{name}", "property", None))

    def _of_sheet(self, part: Any, spot: _Spot) -> Iterator[HeldText]:
        """The texts of a slide, notes page, layout or master."""
        if part in self._roots:
            return
        for item in self._root(part).iter(_PARAGRAPH, *_CHARTS, _DIAGRAM, qn("p:cNvPr")):
            shape = next(item.iterancestors(*_HOLDERS), None)
            role = None if shape is None else placeholder_type(shape)
            if spot.kind in ("layout", "master") and role not in (None, *FOOTERS):
                continue
            held = replace(spot, shape=shape)
            held = held if shape is None else held.at(str(shape_id(shape)))
            if item.tag == _PARAGRAPH:
                own = held.at(_address(item)).of(_own_kind(item, role))
                yield from self._paragraph([item], own)
            elif item.tag == _DIAGRAM:
                yield from self._of_diagram(part, item, held.at("diagram").of("diagram"))
            elif item.tag in _CHARTS:
                linked = _linked(part, item.get(qn("r:id")))
                yield from self._of_chart(linked, held.at("chart").of("chart"))
            else:
                for name in ("descr", "title"):
                    yield from self._attribute(item, name, held.at(name).of("alt text"))

    def _of_chart(self, part: Any, spot: _Spot) -> Iterator[HeldText]:
        if part is None or part in self._roots:
            return
        root, after = self._root(part), partial(replace_in_workbook, part)
        yield from self._paragraphs(root, spot, after)
        cells: dict[str, str] = {}
        self._stack.enter_context(_written(part, cells))
        for name in chart_names(root):
            at = self._place(spot.at(name.cell), name.text)
            put = partial(_replace_name, name, after)
            yield HeldText(at, spot.shape, partial(_write_name, name, cells), put)
        for drawing in related_parts(part.rels, "chartUserShapes"):
            yield from self._paragraphs(self._root(drawing), spot.at("drawing"))

    def _of_diagram(self, owner: Any, ids: Any, spot: _Spot) -> Iterator[HeldText]:
        """The texts of a diagram's data, each with those of its drawing that read the same."""
        parts = list(parts_of_diagram(owner, ids))
        if not parts or any(part in self._roots for part in parts):
            return
        data, *drawings = [list(self._root(part).iter(_PARAGRAPH)) for part in parts]
        drawn: dict[str, list[Any]] = {}
        for paragraph in (part for drawing in drawings for part in drawing):
            drawn.setdefault(editable_text(paragraph), []).append(paragraph)
        alike = Counter(editable_text(paragraph) for paragraph in data)
        for index, paragraph in enumerate(data):
            text = editable_text(paragraph)
            alike[text] -= 1
            same = drawn.get(text, [])
            taken = len(same) if not alike[text] else 1
            mine, drawn[text] = same[:taken], same[taken:]
            yield from self._paragraph([paragraph, *mine], spot.at(f"p{index}"))
        for index, paragraph in enumerate(text for same in drawn.values() for text in same):
            yield from self._paragraph([paragraph], spot.at(f"drawn/p{index}"))

    def _of_comments(self, slide: Any, spot: _Spot) -> Iterator[HeldText]:
        for part in related_parts(slide.rels, "comments"):
            yield from self._paragraphs(self._root(part), spot)
            for index, item in enumerate(self._root(part).iter(qn("p:text"))):
                yield from self._element(item, spot.at(f"{index}"))

    def _paragraphs(
        self, root: Any, spot: _Spot, after: Callable[[Pattern[str], str], None] | None = None
    ) -> Iterator[HeldText]:
        for index, paragraph in enumerate(root.iter(_PARAGRAPH)):
            yield from self._paragraph([paragraph], spot.at(f"p{index}"), after)

    def _paragraph(
        self, held: list[Any], spot: _Spot, after: Callable[[Pattern[str], str], None] | None = None
    ) -> Iterator[HeldText]:
        """One paragraph, with others that read the same and change with it, if it has words."""
        if (text := editable_text(held[0])).replace(OBJECT, "").strip():
            write, put = partial(_write_all, held), partial(_replace_all, held, after)
            yield HeldText(self._place(spot, text), spot.shape, write, put, tuple(held))

    def _attribute(self, item: Any, name: str, spot: _Spot) -> Iterator[HeldText]:
        if (text := item.get(name) or "").strip():
            yield self._plain(text, partial(item.set, name), lambda: item.get(name), spot)

    def _element(self, item: Any, spot: _Spot) -> Iterator[HeldText]:
        if (item.text or "").strip():
            yield self._plain(item.text, partial(setattr, item, "text"), lambda: item.text, spot)

    def _plain(
        self, text: str, write: Callable[[str], object], read: Callable[[], str], spot: _Spot
    ) -> HeldText:
        put = partial(_replace_by, write, read)
        return HeldText(self._place(spot, text), spot.shape, write, put)

    def _place(self, spot: _Spot, text: str) -> TextPlace:
        self._ids[spot.id] += 1
        count = self._ids[spot.id]
        id = spot.id if count == 1 else f"{spot.id}.{count}"
        name = "" if spot.shape is None else shape_name(spot.shape)
        return TextPlace(id, spot.kind, spot.number, name, text)

    def _root(self, part: Any) -> Any:
        if part not in self._roots:
            self._roots[part] = self._stack.enter_context(edited(part))
        return self._roots[part]


def _own_kind(paragraph: Any, role: str | None) -> TextKind:
    if next(paragraph.iterancestors(qn("a:tc")), None) is not None:
        return "table"
    return "footer" if role in FOOTERS else "text"


def _address(paragraph: Any) -> str:
    """Where in its shape a paragraph stands."""
    at = f"p{sum(1 for _ in paragraph.itersiblings(qn('a:p'), preceding=True))}"
    if (cell := next(paragraph.iterancestors(qn("a:tc")), None)) is None:
        return at
    row = sum(1 for _ in cell.getparent().itersiblings(qn("a:tr"), preceding=True)) + 1
    column = sum(1 for _ in cell.itersiblings(qn("a:tc"), preceding=True)) + 1
    return f"r{row}c{column}/{at}"


def _linked(part: Any, id: str | None) -> Any:
    """The part that a relationship leads to; None if it leads to none."""
    link = part.rels.get(id)
    return None if link is None or link.is_external else link.target_part


def related_parts(links: Any, kind: str) -> list[Any]:
    """The parts of python-pptx that relationships of a kind, such as ``image``, lead to."""
    inside = (link for link in links.values() if not link.is_external)
    return [link.target_part for link in inside if link.reltype.endswith(f"/{kind}")]


def _write_all(held: Iterable[Any], text: str) -> None:
    for paragraph in held:
        rewrite_paragraph(paragraph, text)


def _replace_all(
    held: list[Any], after: Callable[[Pattern[str], str], None] | None, old: Pattern[str], new: str
) -> int:
    counts = [replace_paragraph(paragraph, old, new) for paragraph in held]
    if (count := counts[0]) and after is not None:
        after(old, new)
    return count


def _replace_by(
    write: Callable[[str], object], read: Callable[[], str], pattern: Pattern[str], new: str
) -> int:
    fresh, count = replaced(read(), pattern, new)
    if count:
        write(fresh)
    return count


def _write_name(name: ChartName, cells: dict[str, str], text: str) -> None:
    name.write(text)
    cells[name.cell] = text


def _replace_name(
    name: ChartName, after: Callable[[Pattern[str], str], None], pattern: Pattern[str], new: str
) -> int:
    if count := name.replace(pattern, new):
        after(pattern, new)
    return count


@contextmanager
def _written(part: Any, cells: dict[str, str]) -> Iterator[None]:
    """Write the texts in ``cells`` at the end of the block into the workbook of a chart."""
    yield
    if cells:
        write_in_workbook(part, cells)


_MEDIA = ("audio", "video", "media")
_EMBEDDED = ("oleObject", "package", "control")


def left_out(prs: Presentation) -> tuple[str, ...]:
    """Content that may hold words and is not among the texts of ``every_text``, one line each.

    Words drawn in pictures, said in sound or video, inside of embedded files, custom XML, tips of
    links; charts that take their names from another file; comments and properties, which are
    changed only if they are asked for by kind. Empty if the deck has none.
    """
    on_slides = (
        ("pictures", lambda slide: _parts(slide, ("image",))),
        ("sound or video", lambda slide: _parts(slide, _MEDIA)),
        ("embedded files", lambda slide: _parts(slide, _EMBEDDED)),
        ("charts with their data in another file", _linked_charts),
        ("tips of links", _tips),
        ("comments", lambda slide: _parts(slide, ("comments",))),
    )
    lines = []
    for what, find in on_slides:
        if numbers := list(_slides_with(prs, find)):
            noun = "slide" if len(numbers) == 1 else "slides"
            lines.append(f"{what} on {noun} {', '.join(map(str, numbers))}")
    if related_parts(prs.part.rels, "customXml"):
        lines.append("custom XML of the deck")
    if _has_properties(prs):
        lines.append("properties of the file, such as its title")
    return tuple(lines)


def _slides_with(prs: Presentation, find: Callable[[Any], Iterable[Any]]) -> Iterator[int]:
    return (number for number, slide in enumerate(prs.slides, 1) if any(True for _ in find(slide)))


def _parts(slide: Any, kinds: Iterable[str]) -> list[Any]:
    return [part for kind in kinds for part in related_parts(slide.part.rels, kind)]


def _linked_charts(slide: Any) -> list[Any]:
    charts = _parts(slide, ("chart", "chartEx"))
    return [link for part in charts for link in part.rels.values() if link.is_external]


def _tips(slide: Any) -> list[Any]:
    links = slide._element.iter(qn("a:hlinkClick"), qn("a:hlinkHover"))
    return [link for link in links if link.get("tooltip")]


def _has_properties(prs: Presentation) -> bool:
    parts = related_parts(prs.part.package._rels, "core-properties")
    held = [item for part in parts for item in part._element if (item.text or "").strip()]
    return any(local_name(str(item.tag)) in PROPERTIES for item in held)


ON_SLIDES: tuple[TextKind, ...] = ("text", "table", "footer", "diagram", "chart")
"""Kinds of texts that slides show."""
OF_SLIDES: tuple[TextKind, ...] = (*ON_SLIDES, "notes", "alt text")


def replace_everywhere(
    prs: Presentation,
    pattern: Pattern[str],
    new: str,
    *,
    slides: Iterable[int] | None = None,
    kinds: Collection[TextKind] = SHOWN_KINDS,
    where: Callable[[HeldText], bool] = lambda _text: True,
) -> Counter[TextKind]:
    """Replace what ``word_pattern`` finds in all texts of a deck, or of some slides, of some kinds
    and for which ``where`` holds; how often, by kind. Looks stay.

    Names of a chart are changed in its workbook as well. Prompts of masters and layouts, such as
    “Click to add a title”, show on no slide and stay.
    """
    counts: Counter[TextKind] = Counter()
    with held_texts(prs, slides=slides, kinds=kinds) as held:
        for text in filter(where, held):
            counts[text.place.kind] += text.replace(pattern, new)
    return +counts


def is_in(text: HeldText, element: Any) -> bool:
    """Whether a text is that of a shape, or of one in it."""
    return text.shape is element or any(shape is element for shape in text.shape.iterancestors())


def words_in(
    prs: Presentation, slides: Iterable[int], words: str, *, whole_word: bool = True
) -> dict[str, int]:
    """How often words stand on slides and in their notes and descriptions, by their spelling.

    Letter case does not count: ``Cat`` and ``CAT`` are spellings of ``cat``.
    """
    pattern = word_pattern(words, whole_word=whole_word, match_case=False)
    texts = every_text(prs, slides=slides, kinds=OF_SLIDES)
    return dict(Counter(match.group() for text in texts for match in pattern.finditer(text.text)))
