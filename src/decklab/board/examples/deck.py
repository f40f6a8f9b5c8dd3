"""A planned deck in the design of an example: its slides sorted, chosen, cloned and filled."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from math import inf
from pathlib import Path
from typing import Any, Final

from PIL import Image, UnidentifiedImageError
from pptx.opc.constants import CONTENT_TYPE
from pptx.presentation import Presentation

from decklab.board.blueprint import ChartPlan, DeckPlan, PicturePlan, SlidePlan, TablePlan
from decklab.board.chart_looks import chart_table
from decklab.board.examples.choosing import MOST_COST, ChosenSlide, choose
from decklab.board.examples.colors import accents_of
from decklab.board.examples.drawing import ObjectParts, is_drawn, part_look
from decklab.board.examples.filling import SlideFiller
from decklab.board.examples.item_texts import ordinal
from decklab.board.examples.objects import ObjectWriter
from decklab.board.examples.reading import read_examples, representatives
from decklab.board.examples.slots import ExampleSlide, SlideScale
from decklab.board.marked_text import MarkedText
from decklab.board.native.lists import list_notes_master, list_sections
from decklab.board.slots.parts import NOTHING, Avoided, PageUse, write_notes
from decklab.board.templates.emptying import added_slide, drop_left_over, layouts_of
from decklab.board.templates.filling import fill
from decklab.board.templates.pages import FilledSlide
from decklab.board.templates.places import DeckTemplate
from decklab.board.templates.reading import read_template
from decklab.board.templates.writing import SlideInTemplate
from decklab.core.errors import PlanError
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.deck.model.slide import DeckElements
from decklab.deck.reading import read_elements
from decklab.editing.finding import EditError, find_shape, properties, shapes
from decklab.editing.open_parts import edited
from decklab.editing.opening import (
    FIXED_DATE,
    drop_unlisted,
    opened,
    save_undated,
    undated_workbook,
)
from decklab.editing.paragraphs import set_body_text
from decklab.editing.slides import clone_slide, delete_slide
from decklab.ooxml.package import Package
from decklab.ooxml.xml import qn

_UNMARKED: Final = "emphasis, links and equations in its texts are not kept"
_CLEAR: Final = 0.1
"""Share of a picture that is clear (fully transparent) from which on it is cut out, no photograph
or figure. Ours."""
_VECTORS: Final = ("image/svg+xml", "image/x-emf", "image/x-wmf", "image/emf", "image/wmf")
_OLD_COUNTS: Final = (
    "TitlesOfParts", "HeadingPairs", "Words", "Paragraphs", "TotalTime", "Manager", "Company",
)  # fmt: skip


@dataclass(frozen=True)
class UsedExample:
    """Which slide of the example deck a new slide follows."""

    slide: int
    """Number of the new slide."""
    example: int | None
    """Number of the example; None for an empty slide of a layout."""
    layout: str
    """Name of the layout."""


@dataclass(frozen=True)
class LikeFact:
    """Something that the examples could not show as planned, and what was done instead."""

    slide: int
    what: str

    def __str__(self) -> str:
        return f"slide {self.slide}: {self.what}"


@dataclass(frozen=True)
class LikeDeck:
    """A deck that was written in the design of another."""

    path: Path
    used: tuple[UsedExample, ...]
    facts: tuple[LikeFact, ...]
    stays: tuple[str, ...]
    """Words of the example that repeat on most of its slides and stay, such as a company's name."""
    own_numbers: tuple[tuple[int, str], ...]
    """Ordinals of items and numbers of slides, which are no statements: slide and text."""
    pages: tuple[PageUse, ...] = ()
    """For each slide which slide of the plan it shows, and where it stands."""

    def holds(self, slide: int, text: str) -> bool:
        """Whether words on a slide are no statement of the plan: they stay or count something."""
        plain = " ".join(text.split())
        return (slide, plain) in self.own_numbers or any(plain in words for words in self.stays)

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "used": [asdict(one) for one in self.used],
            "facts": [str(fact) for fact in self.facts],
            "stays": list(self.stays),
        }


@dataclass(frozen=True)
class ExampleDeck:
    """A deck that was read to write like it: its slides, its layouts and its strong colours."""

    template: DeckTemplate
    examples: tuple[ExampleSlide, ...]
    accents: tuple[str, ...]


def read_example_deck(path: str | Path) -> ExampleDeck:
    """Read a deck to write like it.

    Raises DeckError where it cannot be read or has no layout, OSError where it is not there.
    """
    template = read_template(path)
    prs = _opened(template.path)
    file = BytesIO()
    prs.save(file)
    with Package.from_bytes(file.getvalue(), str(path)) as package:
        deck = read_elements(package)
        drawn = illustrations(package, deck)
    return ExampleDeck(
        template, tuple(representatives(read_examples(deck, drawn))), accents_of(deck)
    )


def _opened(path: Path) -> Presentation:
    """A deck opened for new slides: an ordinary one, in which every shape can be named."""
    prs = opened(path)
    _make_ordinary(prs.part)
    drop_unlisted(prs.part)
    for master in prs.slide_masters:
        for sheet in (master, *master.slide_layouts):
            drop_left_over(sheet._element, int(prs.slide_height or 0))
    _renumber_twins(prs)
    return prs


def write_like(
    plan: DeckPlan, source: ExampleDeck, out: str | Path, avoided: Avoided = NOTHING
) -> LikeDeck:
    """Write a plan as a deck of slides cloned from those of another one, and filled; none like a
    slide or on a layout that it should avoid if there is another.

    Nothing of the example's content stays: its slides, notes, comments and what only they need are
    removed. A slide that no example shows well is made on a layout of the deck. Raises DeckError
    where the example cannot be read any more, Unavailable where ``decklab[write]`` is missing, and
    OSError where the file cannot be written.
    """
    template = source.template
    prs = _opened(template.path)
    own = len(prs.slides)
    width, height = template.size
    scale = SlideScale(width / FRAME_WIDTH, height / FRAME_HEIGHT, plan.language)
    parts = ObjectParts(plan, scale, source.accents)
    most = MOST_COST if any(layout.title for layout in template.layouts) else inf
    chosen = choose(plan, source.examples, scale, most, avoided)
    placed = _pages(plan, chosen, parts, template, avoided)
    pages = [page for _of, page in placed]
    facts = list(_write_slides(prs, pages, scale, parts, plan))
    for _ in range(own):
        delete_slide(prs, 1)
    _finish(prs, plan, [page.plan for page in pages])
    path = save_undated(prs, Path(out), undated_workbook)
    followed = [page.example for page in pages if isinstance(page, ChosenSlide)]
    return LikeDeck(
        path, tuple(_used(pages)), tuple(facts),
        tuple(dict.fromkeys(text for example in followed for text in example.stays)),
        tuple(_own_numbers(pages)), tuple(PageUse(of, _key(page)) for of, page in placed),
    )  # fmt: skip


def _pages(
    plan: DeckPlan,
    chosen: Sequence[list[ChosenSlide]],
    parts: ObjectParts,
    template: DeckTemplate,
    avoided: Avoided,
) -> list[tuple[int, ChosenSlide | FilledSlide]]:
    """All slides in order, each with the number of that of the plan, from 0: those that follow an
    example, and the others on layouts."""
    rest = [number for number, found in enumerate(chosen) if not found]
    bare = plan.model_copy(update={"slides": tuple(plan.slides[number] for number in rest)})
    less = {at: avoided[number] for at, number in enumerate(rest) if number in avoided}
    filled = fill(bare, template, less).slides if rest else ()
    pages: list[tuple[int, ChosenSlide | FilledSlide]] = []
    for number, found in enumerate(parts.drawn(chosen)):
        pages += [(number, page) for page in found]
        pages += [(number, page) for page in filled if rest[page.of] == number]
    return pages


def _key(page: ChosenSlide | FilledSlide) -> str:
    return page.layout.key if isinstance(page, FilledSlide) else page.example.key


def _renumber_twins(prs: Presentation) -> None:
    """Give shapes that share an id on their slide ids of their own, so that each can be named."""
    for slide in prs.slides:
        seen: set[str] = set()
        top = max((int(properties(one).get("id") or 0) for one in shapes(slide)), default=1)
        for element in shapes(slide):
            marks = properties(element)
            if marks.get("id") in seen:
                top += 1
                marks.set("id", str(top))
            seen.add(str(marks.get("id")))


def _write_slides(
    prs: Presentation,
    pages: Sequence[ChosenSlide | FilledSlide],
    scale: SlideScale,
    parts: ObjectParts,
    plan: DeckPlan,
) -> Iterator[LikeFact]:
    layouts = [layout for _master, layout in layouts_of(prs)]
    for place, page in enumerate(pages, start=1):
        if isinstance(page, ChosenSlide):
            facts: Iterable[object] = _write_example(prs, page, place, scale, parts)
        else:
            added = added_slide(prs, layouts[page.layout.number - 1])
            SlideInTemplate(added, page, plan, parts.drawer).write()
            used = f"no slide suits it: a new one on the layout {page.layout.name!r}"
            facts = (used, *page.missing)
        for fact in facts:
            yield LikeFact(place, str(fact))


def _write_example(
    prs: Presentation, choice: ChosenSlide, place: int, scale: SlideScale, parts: ObjectParts
) -> tuple[str, ...]:
    """Write a slide that follows an example; what the example could not show as planned."""
    number = clone_slide(prs, choice.example.number, len(prs.slides) + 1)
    slide = prs.slides[number - 1]
    slide._element.attrib.pop("show", None)
    _drop_notes(slide)
    filler = SlideFiller(prs, number, scale)
    filler.describe()
    try:
        filler.fill(choice)
    except EditError as error:
        raise PlanError(f"slide {place}: the example {choice.example.number}: {error}") from error
    more = _put_object(ObjectWriter(prs, number, scale), choice, parts)
    filler.drop_links()
    _number(prs, number, place, choice.example)
    write_notes(slide, _notes(choice, more.numbers), scale.language)
    marked = any(isinstance(text, MarkedText) for text in choice.plan.texts)
    return (*choice.facts, *more.facts, *((_UNMARKED,) if marked else ()))


@dataclass(frozen=True)
class _More:
    """Messages about an object, and its numbers if they stand in the notes."""

    facts: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()


def _put_object(writer: ObjectWriter, choice: ChosenSlide, parts: ObjectParts) -> _More:
    """Give a slide its object: the example's with other data, else a new one, else a note."""
    placed, shown = choice.placed, choice.content.shown
    if placed is None or not (shown or choice.content.drawn):
        return _More()
    facts: tuple[str, ...] = ()
    if not is_drawn(choice):
        try:
            writer.put(choice)
        except EditError as error:
            if isinstance(shown, PicturePlan):
                return _More((f"the picture is not shown: {error}",))
            facts = (f"the {choice.content.kind} of the example was replaced: {error}",)
            choice = parts.alone(choice)
        else:
            return _More()
    part = choice.part
    assert part is not None, "what is not put was drawn, or could not be"
    if not isinstance(part, str):
        writer.draw(placed, part, part_look(choice, parts.accents), parts.drawer)
        return _More(facts)
    writer.take_out(placed)
    table = chart_table(shown) if isinstance(shown, ChartPlan) else shown
    rows = choice.plan.texts[1:]
    if isinstance(table, TablePlan):
        rows = tuple(" | ".join(row) for row in (table.header, *table.rows))
    return _More((f"the {choice.content.kind} stands in the notes: {part}",), rows)


def _drop_notes(slide: Any) -> None:
    for id, link in list(slide.part.rels.items()):
        if link.reltype.endswith("/notesSlide"):
            slide.part.rels.pop(id)


def _notes(choice: ChosenSlide, numbers: Sequence[str]) -> Iterator[str]:
    """Our sources, and what had no place on the slide."""
    plan = choice.plan
    yield from (plan.notes.strip(), *numbers, plan.shown_source or "")
    shown = any(filled.slot is choice.example.subtitle for filled in choice.texts)
    if choice.content.subtitle and not shown:
        yield choice.content.subtitle


def _number(prs: Presentation, number: int, place: int, example: ExampleSlide) -> None:
    """Update numbers of slides, whether fields or text boxes; footers of the slide alone go."""
    slide = prs.slides[number - 1]
    for field in slide._element.iter(qn("a:fld")):
        if field.get("type") == "slidenum" and field.find(qn("a:t")) is not None:
            field.find(qn("a:t")).text = str(place)
    for id in example.numbers:
        body = find_shape(prs, number, id).find(qn("p:txBody"))
        old = "".join(item.text or "" for item in body.iter(qn("a:t")))
        set_body_text(body, ordinal(old, place - 1))
    for id in example.footers:
        element = find_shape(prs, number, id)
        element.getparent().remove(element)


def _own_numbers(pages: Sequence[ChosenSlide | FilledSlide]) -> Iterator[tuple[int, str]]:
    for place, choice in enumerate(pages, start=1):
        if isinstance(choice, FilledSlide):
            continue
        if choice.example.numbers:
            yield place, str(place)
        for texts in choice.items.texts if choice.items else ():
            for filled in texts.values():
                if filled.lines[0][0].rstrip(".)").isdecimal():
                    yield place, filled.lines[0][0]


def _used(pages: Sequence[ChosenSlide | FilledSlide]) -> Iterator[UsedExample]:
    for place, page in enumerate(pages, start=1):
        if isinstance(page, FilledSlide):
            yield UsedExample(place, None, page.layout.name)
        else:
            yield UsedExample(place, page.example.number, page.example.layout_name)


def _finish(prs: Presentation, plan: DeckPlan, slides: Sequence[SlidePlan]) -> None:
    """Sections, shows and properties of the new deck in place of the old one's."""
    root: Any = prs.part._element
    for name in ("p:custShowLst",):
        for item in root.findall(qn(name)):
            root.remove(item)
    _renew_sections(prs, plan, slides)
    list_notes_master(prs)
    core: Any = prs.core_properties
    for name in ("subject", "keywords", "comments", "category", "author", "last_modified_by"):
        setattr(core, name, "")
    core.title, core.language, core.revision = plan.title, plan.language, 1
    core.created = core.modified = FIXED_DATE
    package: Any = prs.part.package
    for id, link in list(package._rels.items()):
        kind = link.reltype.rsplit("/", 1)[-1]
        if kind in ("thumbnail", "custom-properties"):
            package._rels.pop(id)
        elif kind == "extended-properties":
            _forget_titles(link.target_part)
    for id, link in list(prs.part.rels.items()):
        if link.reltype.rsplit("/", 1)[-1] in ("commentAuthors", "authors", "tags"):
            _drop_mark(root, id)
            prs.part.rels.pop(id)


def _make_ordinary(part: Any) -> None:
    """Make the deck an ordinary presentation: no template, show or macros, as its name says.

    Before anything is saved: python-pptx asks a part for its type only once.
    """
    part._content_type = CONTENT_TYPE.PML_PRESENTATION_MAIN
    for id, link in list(part.rels.items()):
        if link.reltype.rsplit("/", 1)[-1] == "vbaProject":
            part.rels.pop(id)


def _drop_mark(root: Any, id: str) -> None:
    for item in list(root.iter()):
        if item.get(qn("r:id")) == id and item.tag == qn("p:tags"):
            holder = item.getparent()
            holder.remove(item)
            if not len(holder):
                holder.getparent().remove(holder)


def _forget_titles(part: Any) -> None:
    """Take the titles of the old slides out of the list of a deck's parts, and their counts."""
    with edited(part) as root:
        for item in list(root):
            if item.tag.rsplit("}", 1)[-1] in _OLD_COUNTS:
                root.remove(item)


def _renew_sections(prs: Presentation, plan: DeckPlan, slides: Sequence[SlidePlan]) -> None:
    """The sections of the plan in place of the example's."""
    root: Any = prs.part._element
    held = root.find(qn("p:extLst"))
    for item in list(held) if held is not None else ():
        if item.find(qn("p14:sectionLst")) is not None:
            held.remove(item)
    list_sections(prs, plan.sections, [slide.section for slide in slides])
    lists = root.findall(qn("p:extLst"))
    for other in lists[1:]:  # there may be only one
        lists[0].extend(list(other))
        root.remove(other)
    if lists and not len(lists[0]):
        root.remove(lists[0])


def illustrations(package: Package, deck: DeckElements) -> set[str]:
    """The SHA-256 of pictures of a deck that are drawings: vectors, and those cut out.

    What cannot be read counts as one, since it cannot be told what it shows.
    """
    found = set()
    for medium in deck.media:
        if not medium.content_type.startswith("image/"):
            continue
        if medium.content_type in _VECTORS or _is_cut_out(package.read(medium.parts[0])):
            found.add(medium.sha256)
    return found


def _is_cut_out(data: bytes) -> bool:
    try:
        with Image.open(BytesIO(data)) as picture:
            if picture.mode not in ("RGBA", "LA", "PA") and "transparency" not in picture.info:
                return False
            small = picture.convert("RGBA").resize((64, 64))
            clear = sum(small.getchannel("A").histogram()[:16])
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError, ValueError):
        return True
    return clear > _CLEAR * 64 * 64
