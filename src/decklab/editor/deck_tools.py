"""Tools by which a model looks at a deck while it plans and writes; none changes anything."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from pydantic import Field

from decklab.core.errors import DeckError
from decklab.core.files import scratch_folder
from decklab.deck.views.snapshot import Snapshot, snapshot_of
from decklab.editing.every_text import TextPlace
from decklab.editing.opening import PPTX_ERRORS, opened, saved
from decklab.editing.operations import operation_calls, operation_doc, operations_like
from decklab.editing.slides import add_slide
from decklab.editor.conversation import slides_before
from decklab.editor.outline import (
    contents_of,
    design_facts,
    fitting_lines,
    outline_lines,
    slides_in_full,
)
from decklab.editor.text_steps import deck_texts
from decklab.models.asking import ModelTool, StrictForm, ToolOutput
from decklab.ooxml.package import Package
from decklab.ooxml.patches import part_text
from decklab.rendering.renderer import Renderer

_FRAME = (960, 540)
_SMALL = ("date", "footer", "slide number")
"""Placeholders whose place no request needs."""


def layout_lines(deck: Path) -> list[str]:
    """One line for each layout: its name, part and placeholders, with idx, type, x, y, width and
    height in px of the 960x540 frame, and the other shapes that it shows; masters likewise.

    Raises DeckError if the deck cannot be opened for editing.
    """
    prs = opened(deck)
    scale = (_FRAME[0] / (prs.slide_width or 1), _FRAME[1] / (prs.slide_height or 1))
    try:
        sheets = [
            sheet for master in prs.slide_masters for sheet in (master, *master.slide_layouts)
        ]
        return [_sheet_line(sheet, scale) for sheet in sheets]
    except PPTX_ERRORS as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise DeckError(deck, f"its layouts cannot be read: {said}") from error


def _sheet_line(sheet: Any, scale: tuple[float, float]) -> str:
    """A layout or master in a line."""
    part = sheet.part.partname[1:]
    name = f'"{sheet.name}"' if "slideLayouts/" in part else "Master"
    held = [_placeholder(shape, scale) for shape in sheet.placeholders]
    others = [f"{shape.shape_id} {shape.name} at {_place(shape, scale)}" for shape in sheet.shapes
              if not shape.is_placeholder]  # fmt: skip
    shows = f"; shows {', '.join(others)}" if others else ""
    return f"{name} ({part}): {'; '.join(held) or 'none'}{shows}"


def _placeholder(shape: Any, scale: tuple[float, float]) -> str:
    held = shape.placeholder_format
    kind = held.type.name.lower().replace("_", " ") if held.type is not None else "object"
    if kind in _SMALL:
        return f"{held.idx} {kind}"
    return f"{held.idx} {kind} at {_place(shape, scale)}"


def _place(shape: Any, scale: tuple[float, float]) -> str:
    """The place of a shape in px of the frame."""
    left, top, width, height = (
        "?" if length is None else f"{length * scale[at % 2]:.0f}"
        for at, length in enumerate((shape.left, shape.top, shape.width, shape.height))
    )
    return f"{left},{top} {width}x{height}"


ANSWER_CHARACTERS = 12_000
"""Most characters of what a tool gives back: some 3,000 tokens. Ours."""
_NO_LIMIT = 1 << 30


class ListSlides(StrictForm):
    """From which slide to which, numbers from 1."""

    first: int
    last: int


class OneSlide(StrictForm):
    """The number of a slide, from 1."""

    slide: int


class PartXml(StrictForm):
    """Which part, and from which character of it."""

    part: str
    """Its name, such as ppt/theme/theme1.xml, or the number of a slide."""
    start: int = Field(ge=0)
    """0 for its beginning."""


class FindText(StrictForm):
    """The words to look for; letters may be large or small."""

    text: str = Field(min_length=1)
    whole_word: bool


class NamedLike(StrictForm):
    """A word that the name has, or empty for all."""

    word: str


class DeckFacts(StrictForm):
    """Which facts: the design, or the charts or tables of all slides with their numbers."""

    about: Literal["design", "charts", "tables"]


def deck_tools(
    deck: Path,
    snapshot: Snapshot,
    *,
    renderer: Renderer | None = None,
    newest: Callable[[], Path] | None = None,
    sees: Callable[[], bool] = lambda: True,
) -> tuple[ModelTool, ...]:
    """The tools to look at a deck, of which ``snapshot`` is the snapshot; at the deck that
    ``newest`` names at the time of the call, if it is given.

    An answer has at most ``ANSWER_CHARACTERS``, and says what it leaves out. Without a ``renderer``
    there is no tool for pictures; without ``sees()`` it gives none. A wrong call raises
    DecklabError or LookupError, whose text goes to the model.
    """
    looks = {deck: _Look(deck, snapshot, renderer)}

    def current() -> _Look:
        if (now := newest() if newest else deck) not in looks:
            looks[now] = _Look(now, snapshot_of(now), renderer)
        return looks[now]

    def called(function: Callable[[_Look, Any], ToolOutput]) -> Callable[[Any], ToolOutput]:
        return lambda asked: function(current(), asked)

    tools: list[
        tuple[str, str, type[StrictForm], Callable[[_Look, Any], ToolOutput]]
    ] = [
        ("list_slides", "Titles, layouts, counts of shapes and first words of slides.",
         ListSlides, _Look.list_slides),
        ("slide_elements", "All shapes of a slide as JSON: ids, names, texts, places in px of a "
         "960x540 frame, looks, notes, links, animations.", OneSlide, _Look.slide_elements),
        ("part_xml", "The XML of a part of the file, or of a slide by its number.",
         PartXml, _Look.part_xml),
        ("find_text", "Where words stand: slides, notes, tables, charts, SmartArt, alternative "
         "texts, layouts, masters, sections.", FindText, _Look.find_text),
        ("list_layouts", "Layouts and masters with their placeholders (idx, type, place) and "
         "what else they show.",
         NamedLike, _Look.list_layouts),
        ("deck_facts", "The deck's design (themes, text styles, backgrounds), or all of its charts "
         "or tables with their numbers.", DeckFacts, _Look.deck_facts),
        ("list_operations", "Functions for edits with their documentation, by words of their names "
         "(several divided by commas) or by family.",
         NamedLike, _Look.list_operations),
    ]  # fmt: skip
    if renderer is not None:

        def picture(look: _Look, asked: OneSlide) -> ToolOutput:
            return look.slide_picture(asked) if sees() else "There are no pictures."

        def layout_picture(look: _Look, asked: NamedLike) -> ToolOutput:
            return look.layout_picture(asked) if sees() else "There are no pictures."

        tools.append(("slide_picture", "A slide as a picture.", OneSlide, picture))
        tools.append(
            (
                "layout_picture",
                "An empty slide of a layout as a picture.",
                NamedLike,
                layout_picture,
            )
        )
    return tuple(ModelTool(name, says, form, called(run)) for name, says, form, run in tools)


@dataclass
class _Look:
    """One deck, read as far as questions need it; questions may come from several threads."""

    deck: Path
    snapshot: Snapshot
    renderer: Renderer | None

    def __post_init__(self) -> None:
        self._lock = Lock()

    def list_slides(self, asked: ListSlides) -> str:
        lines = outline_lines(self.snapshot)[max(0, asked.first - 1) : max(0, asked.last)]
        return _fitting(lines, "slides") or f"There are {self._count} slides."

    def slide_elements(self, asked: OneSlide) -> str:
        self._check(asked.slide)
        return slides_in_full(self.snapshot, [asked.slide], most=ANSWER_CHARACTERS)

    def slide_picture(self, asked: OneSlide) -> ToolOutput:
        self._check(asked.slide)
        if self.renderer is None:
            return "There are no pictures."
        with self._lock:
            shown = slides_before(self.deck, [asked.slide], renderer=self.renderer)
        return shown.images[0] if shown.images else shown.words

    def layout_picture(self, asked: NamedLike) -> ToolOutput:
        if self.renderer is None:
            return "There are no pictures."
        prs = opened(self.deck)
        number = add_slide(prs, layout=asked.word)
        with self._lock, scratch_folder("layout") as folder:
            drawn = saved(prs, folder / f"layout{self.deck.suffix}")
            shown = slides_before(drawn, [number], renderer=self.renderer)
        return shown.images[0] if shown.images else shown.words

    def deck_facts(self, asked: DeckFacts) -> str:
        if asked.about == "design":
            return _fitting(list(design_facts(self.snapshot)), "lines")
        kind = asked.about.removesuffix("s")
        return _fitting(list(contents_of(self.snapshot, kind)), asked.about) or "There are none."

    def part_xml(self, asked: PartXml) -> str:
        name = asked.part.strip().removeprefix("/")
        if name.isdecimal():
            self._check(int(name))
            name = self.snapshot["slides"][int(name) - 1]["part"]
        with Package.open(self.deck) as package:
            if (known := package.find(name)) is None:
                near = [part for part in package.names if name.rpartition("/")[2] in part]
                listed = _fitting(near or package.names, "parts")
                return f"There is no part {name}. There are:\n{listed}"
            text = part_text(package, known, most=_NO_LIMIT)
        end = asked.start + ANSWER_CHARACTERS
        rest = f"\n… {len(text) - end:,} more characters, from {end}" if end < len(text) else ""
        return text[asked.start : end] + rest or f"It has {len(text):,} characters."

    def find_text(self, asked: FindText) -> str:
        with self._lock:
            places = self._places
        lines = place_lines(places, asked.text, whole_word=asked.whole_word)
        return _fitting(lines, "places") or "It stands nowhere."

    def list_layouts(self, asked: NamedLike) -> str:
        with self._lock:
            return _named_like(self._layouts, asked.word, "layouts")

    def list_operations(self, asked: NamedLike) -> str:
        docs = list(map(operation_doc, operations_like(asked.word.split(","))))
        return _fitting(docs, "operations") or operation_calls()

    @cached_property
    def _places(self) -> list[TextPlace]:
        return deck_texts(self.deck)

    @cached_property
    def _layouts(self) -> list[str]:
        return layout_lines(self.deck)

    @property
    def _count(self) -> int:
        return len(self.snapshot["slides"])

    def _check(self, slide: int) -> None:
        if not 1 <= slide <= self._count:
            raise LookupError(f"there is no slide {slide}; the deck has {self._count}")


def place_lines(places: Iterable[TextPlace], words: str, *, whole_word: bool = False) -> list[str]:
    """Where words stand among the texts of a deck, a line each; letters may be large or small."""
    spelled = re.escape(" ".join(words.split())).replace(r"\ ", r"\s+")
    pattern = re.compile(rf"(?<!\w){spelled}(?!\w)" if whole_word else spelled, re.IGNORECASE)
    return [place_line(place) for place in places if pattern.search(place.text)]


def place_line(place: TextPlace) -> str:
    """Where a text stands, and its first 300 characters, on one line."""
    where = "the deck" if place.slide is None else f"slide {place.slide}"
    return f"{where}, {place.kind}, {place.shape or place.id}: {' '.join(place.text.split())[:300]}"


def _named_like(lines: Sequence[str], word: str, what: str) -> str:
    """The lines that have a word; if none has, all of them."""
    wanted = word.strip().casefold()
    fitting = [line for line in lines if wanted in line.casefold()]
    return _fitting(fitting or lines, what) or "There are none."


def _fitting(lines: Sequence[str], what: str) -> str:
    return fitting_lines(lines, ANSWER_CHARACTERS, what)
