"""One slide as an audience sees it: its pieces, each with how much of it is seen and why; and
what lies behind the picture: clicks, workbooks of charts, words of a screen reader; and
from where on something counts as not seen."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from decklab.core.geometry import Box
from decklab.deck.graphic_frames import read_workbook
from decklab.deck.model.base import Action
from decklab.deck.model.outline import OutlineSlide, WorkbookState
from decklab.deck.model.shapes import (
    Chart,
    Diagram,
    Element,
    Group,
    Image,
    Media,
    Other,
    Table,
    Text,
)
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.ooxml.package import Package

VisibilityFault = Literal[
    "gone", "slide", "hidden", "empty", "off the slide", "animation", "symbols", "upside down",
    "small", "faint", "not drawn", "covered", "edge-on",
]  # fmt: skip
"""Why something is not seen."""

ENOUGH: Final = 0.9
"""Share of a text's characters that must be seen. Ours: drawing loses a few to ligatures and
hyphens."""
PART: Final = 0.5
"""Share of a picture's, chart's or shape's ink that must be seen, and of its box that must lie on
the slide. Ours: things may overlap a little."""
LEAST_SIDE: Final = 4.0
"""Px of the 960x540 frame under which a thing is too small to see. Ours."""
LEAST_SHOWN_MS: Final = 1000
"""Least time to read a slide. Ours."""
LATEST_MS: Final = 60_000
"""Delay after which nobody waits for a thing to appear. Ours."""
FAINT: Final = 0.1
"""Opacity of text under which it counts as transparent. Ours."""
LEAST_LEFT: Final = 0.02
"""Share of a picture's width and height that must remain after cropping. Ours."""
LEAST_CONTRAST: Final = 2.0
"""Ours: WCAG 2.2 contrast from which letters stand out from their ground. WCAG 2.2 asks 3:1 of
large text; grey #B4B4B4 on white has 2:1."""
LEAST_DISTANCE: Final = 27.0
LEAST_DISTANCE_LARGE: Final = 20.0
"""Ours: ``color_distance`` from which letters stand out all the same, such as white on pink, and
from which text from ``LARGE`` or, if bold, ``LARGE_BOLD`` points on does. A grey that is 27 from
white or from black has 2:1 with it; 20 from white is #C6C6C6, 1.7:1. Real decks set white titles
on light orange, 1.4:1 and 21 apart: badly legible, but seen."""
YELLOW_BLUE: Final = 1 / 3
"""Ours: weight of b* in ``color_distance``. Eyes make out little detail between yellow and blue
alone: pale yellow letters on white are lost."""
LARGE: Final = 18.0
LARGE_BOLD: Final = 14.0
"""Points on a slide of 960 by 540 points from which on WCAG 2.2 calls text, and bold text,
large."""
SCRIPT: Final = 2 / 3
"""Share of its size in which raised and lowered text is set (PowerPoint and LibreOffice: about
two thirds)."""
LEAST_SIZE: Final = 6.0
"""Ours: points on a slide of 960 by 540 points under which nobody reads text that is shown: half
of what Microsoft and others call the least for notes at the foot of a slide."""
CROWDED: Final = 0.35
"""Share of its size by which letters may be moved together: they are about half as wide as their
size, so that seven tenths of each would lie on the one before. Ours."""
HEAP: Final = 3
"""Texts that lie on each other, from which on none of them can be read. Ours: two are a slip."""
LEAST_LIGHT: Final = 0.25
"""Share of what lies behind that see-through things in front must let through. Ours: a white plate
that lets a quarter through leaves black text on white a contrast of 1.8."""
OPAQUE: Final = 0.9
"""From this opacity on nothing can be read through a fill. Ours."""
EDGE_ON: Final = 0.1
"""Share of its width or height under which a thing turned in space is seen from its edge. Ours:
84 degrees."""
SYMBOL_FONTS: Final = frozenset(
    ("wingdings", "wingdings 2", "wingdings 3", "webdings", "symbol", "zapf dingbats",
     "zapfdingbats", "marlett", "mt extra", "opensymbol", "bookshelf symbol 7", "ms outlook",
     "wp typographic symbols", "monotype sorts")
)  # fmt: skip
"""Typefaces that have no letters: letters set in them are drawn as signs."""

SAFE_SCHEMES: Final = frozenset(("http", "https", "mailto", "tel"))
"""Of addresses that open a page, a letter or a call and no program. Ours."""
On = Literal["click", "hover"]
_WAYS: Final[tuple[On, ...]] = ("click", "hover")
_KINDS: Final[Mapping[type[Element], str]] = {
    Text: "text", Table: "table", Chart: "chart", Diagram: "diagram", Image: "picture",
    Media: "medium", Other: "object", Group: "group",
}  # fmt: skip


@dataclass(frozen=True)
class SlideLink:
    """A link or action of a text or shape."""

    id: int
    """Of its shape."""
    name: str
    """Of its shape."""
    text: str
    """The words that carry it; empty if the whole shape does."""
    on: On
    kind: str
    """As ``Action.kind``: ``url``, ``slide``, ``jump``, ``file``, ``program`` ..."""
    target: str
    """Address, file, or for ``slide`` the number of the slide."""
    fault: str = ""
    """The fault in words, such as "leads nowhere"; empty for a link that works as far as the file
    says. Addresses are not tried."""

    def record(self) -> dict[str, Any]:
        """The link as JSON."""
        return {
            "shape": self.id, "name": self.name, "text": self.text, "on": self.on,
            "kind": self.kind, "target": self.target, "fault": self.fault,
        }  # fmt: skip


@dataclass(frozen=True)
class Spoken:
    """The words of a screen reader for one shape, in its turn."""

    id: int
    name: str
    kind: str
    """``title``, ``text``, ``table``, ``chart``, ``diagram``, ``picture``, ``medium``, ``object``
    or ``group``."""
    text: str
    """Its words or its alternative text; empty if the reader can only say that it is there."""

    def record(self) -> dict[str, Any]:
        """The words as JSON."""
        return {"shape": self.id, "name": self.name, "kind": self.kind, "text": self.text}


@dataclass(frozen=True)
class ChartWorkbook:
    """Whether a chart draws the numbers that its workbook holds: who edits its data gets these."""

    id: int
    """Of its shape."""
    name: str
    """Of its shape."""
    state: WorkbookState
    mismatches: tuple[str, ...]
    """Sentences, such as "B3 holds 8.5, the chart draws 7"."""

    @property
    def fault(self) -> str:
        """The fault in words; empty if it has none."""
        if self.mismatches:
            more = len(self.mismatches) - 1
            return self.mismatches[0] + (f", and {more} more" if more else "")
        said = {"missing": "has no workbook", "unreadable": "has a workbook that cannot be read"}
        return said.get(self.state, "")

    def record(self) -> dict[str, Any]:
        """The state as JSON."""
        return {
            "shape": self.id, "name": self.name, "state": self.state,
            "mismatches": list(self.mismatches),
        }  # fmt: skip


def chart_workbooks(package: Package, slide: OutlineSlide) -> tuple[ChartWorkbook, ...]:
    """Of each chart of a slide whether its workbook agrees with what it draws."""
    workbooks = []
    for shape in slide.shapes:
        if shape.chart is not None:
            check = read_workbook(package, shape.chart)
            workbooks.append(ChartWorkbook(shape.id, shape.name, check.state, check.mismatches))
    return tuple(workbooks)


def slide_links(slide: SlideElements, deck: DeckElements) -> tuple[SlideLink, ...]:
    """The links and actions of a slide in drawing order; runs with one link are one."""
    numbers = {str(sheet.id): sheet.number for sheet in deck.slides}
    shows = {str(show.id) for show in deck.shows}
    links: dict[tuple[int, str, On], SlideLink] = {}
    for element, words, on, action in _actions(slide):
        at_slide = action.kind == "slide"
        target = str(numbers.get(action.target, "")) if at_slide else action.target
        fault = _fault(action, target, shows)
        link = SlideLink(element.id, element.name, words, on, action.kind, target, fault)
        links.setdefault((element.id, words, on), link)
    return tuple(links.values())


def _actions(slide: SlideElements) -> Iterator[tuple[Element, str, On, Action]]:
    for element in slide.elements():
        if element.hidden:
            continue
        for on in _WAYS:
            action: Action | None = getattr(element, on)
            if action is not None:
                yield element, "", on, action
        for paragraph in element.paragraphs if isinstance(element, Text) else ():
            for on in _WAYS:
                linked = groupby(paragraph.runs, attrgetter(on))
                for action, runs in linked:
                    if action is not None:
                        yield element, "".join(run.text for run in runs).strip(), on, action


def _fault(action: Action, target: str, shows: Collection[str]) -> str:
    """The fault of an action in words; empty if it has none."""
    kind: str = action.kind
    if kind == "url" and target:
        if scheme := urlsplit(target).scheme.lower():
            return "" if scheme in SAFE_SCHEMES else f"leads to an address of the kind {scheme}"
        kind = "file"
    if kind == "slide":
        return "" if target else "leads to a slide that is not there"
    if kind == "show":
        return "" if target in shows else "leads to a custom show that is not there"
    if kind == "jump":
        return "ends the show" if target == "endshow" else ""
    said: Mapping[str, str] = {
        "none": "leads nowhere",
        "url": "leads nowhere",
        "unknown": "has an action that no program knows",
        "file": "leads to a file that the deck does not hold",
        "program": "starts a program",
        "macro": "runs a macro",
    }
    return said.get(kind, "")


def spoken_order(slide: SlideElements) -> tuple[Spoken, ...]:
    """The words of a screen reader for a slide, in its order: from the back of the drawing order to
    the front.

    Hidden and decorative things are passed over, and so are areas and lines without a text of
    their own.
    """
    spoken: dict[int, Spoken] = {}
    for element in slide.elements():
        kind = _KINDS.get(type(element))
        described = element.alt_text.strip() or element.alt_title.strip()
        if element.hidden or element.decorative or (kind is None and not described):
            continue
        words = _words(element) or described
        if isinstance(element, Text | Group) and not words:
            continue
        if isinstance(element, Text) and element.placeholder is not None:
            kind = "title" if element.placeholder.type in ("title", "ctrTitle") else kind
        known = spoken.get(element.id)
        if known is None or (words and not known.text) or isinstance(element, Text):
            spoken[element.id] = Spoken(element.id, element.name, kind or "shape", words)
    return tuple(spoken.values())


def _words(element: Element) -> str:
    """The words that an element itself holds as text; empty for pictures and charts."""
    if isinstance(element, Text):
        return " ".join(element.text.split())
    if isinstance(element, Table):
        return "; ".join(", ".join(filter(None, row)) for row in element.cells)
    if isinstance(element, Diagram):
        return ", ".join(node.text for node in element.nodes if node.text.strip())
    return ""


PieceKind = Literal["text", "cell", "chart text", "diagram text", "graphic", "shape"]
"""A graphic is a picture, table, chart, diagram, medium or embedded object, a shape an area or
line."""


@dataclass(frozen=True)
class SeenPiece:
    """A piece of a slide, such as a run of text or a picture, and what of it is seen."""

    kind: PieceKind
    id: int
    """Of its shape."""
    name: str
    """Of its shape."""
    text: str = ""
    """The words; empty for graphics and shapes."""
    path: tuple[int | str, ...] = ()
    """Where the words are: paragraph and run; of a cell row and column before; of a chart the
    part, of a diagram the node."""
    box: Box | None = None
    """Around its ink, by estimate, in px of the frame; None if it has no place."""
    share: float = 1.0
    """Of its ink that is on the slide, before its ground and not behind other things, 0 to 1."""
    size: float | None = None
    """Of text in points on a slide of 960 by 540 points; None if it is not known."""
    contrast: float | None = None
    """Of the ink with its ground, 1 to 21; None if the file does not say."""
    alpha: float = 1.0
    """Opacity."""
    reason: VisibilityFault | None = None
    """Why it is not seen; None if it is."""
    detail: str = ""
    """The reason as words."""
    drawn: bool = False
    """Whether it is not seen by what the file states, but LibreOffice draws it: LibreOffice plays
    no effects, turns nothing in space, and fits text into its shape anew."""

    @property
    def words(self) -> int:
        """How many words it has, divided by spaces; parts of a word in two runs count in both."""
        return len(self.text.split())

    def record(self) -> dict[str, Any]:
        """The piece as JSON."""
        return {
            "kind": self.kind, "shape": self.id, "name": self.name, "text": self.text,
            "box": None if self.box is None else [round(edge, 1) for edge in self.box],
            "share": round(self.share, 3),
            "size": None if self.size is None else round(self.size, 2),
            "contrast": None if self.contrast is None else round(self.contrast, 2),
            "alpha": self.alpha, "seen": self.reason is None, "reason": self.reason,
            "detail": self.detail,
        }  # fmt: skip


@dataclass(frozen=True)
class SeenSlide:
    """One slide with all that is on it, in drawing order."""

    number: int
    pieces: tuple[SeenPiece, ...]
    left_out: str = ""
    """Why the show does not reach the slide; empty where it does. Nothing of it is seen then."""
    links: tuple[SlideLink, ...] = ()
    """Where clicks lead, if it was asked for (``see``)."""
    workbooks: tuple[ChartWorkbook, ...] = ()
    """Of its charts, if it was asked for (``see``)."""
    spoken: tuple[Spoken, ...] = ()
    """The words of a screen reader in its order, if they were asked for (``see``)."""

    @property
    def beside(self) -> tuple[str, ...]:
        """Faults of its links and of the workbooks of its charts, and the things that a screen
        reader has no words for, in sentences."""
        links = (
            f"link: {_quoted(link.text)}of {link.name} {link.fault}"
            for link in self.links
            if link.fault
        )
        data = (f"chart data: {book.name}: {book.fault}" for book in self.workbooks if book.fault)
        silent = (
            f"screen reader: no words for the {item.kind} {item.name}"
            for item in self.spoken
            if not item.text
        )
        return (*links, *data, *silent)

    @property
    def unseen(self) -> tuple[SeenPiece, ...]:
        """The pieces that are not seen for a reason of their own."""
        return tuple(piece for piece in self.pieces if piece.reason is not None)

    @property
    def unseen_text(self) -> tuple[SeenPiece, ...]:
        """The pieces of text among them."""
        return tuple(piece for piece in self.unseen if piece.text)

    @property
    def words_seen(self) -> int:
        """How many words are seen."""
        if self.left_out:
            return 0
        return sum(piece.words for piece in self.pieces if piece.reason is None)

    @property
    def words_unseen(self) -> Mapping[VisibilityFault, int]:
        """How many words are not seen, by reason."""
        if self.left_out:
            return {"slide": sum(piece.words for piece in self.pieces)}
        return words_by_reason(self.pieces)


_LONGEST: Final = 60


def _quoted(text: str) -> str:
    words = " ".join(text.split())
    short = words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"
    return f'"{short}" ' if short else ""


def words_by_reason(pieces: Iterable[SeenPiece]) -> Mapping[VisibilityFault, int]:
    """How many words of pieces are not seen, by reason, the most frequent first."""
    counts: Counter[VisibilityFault] = Counter()
    for piece in pieces:
        if piece.reason is not None and piece.words:
            counts[piece.reason] += piece.words
    return dict(counts.most_common())
