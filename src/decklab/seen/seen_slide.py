"""What an audience sees of one slide: its pieces, each with how much of it is seen and why."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from decklab.core.geometry import Box
from decklab.seen.beside import ChartWorkbook, SlideLink, Spoken
from decklab.seen.thresholds import VisibilityFault

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
    """Around its ink, by estimate, in px of the frame; None where it has no place."""
    share: float = 1.0
    """Of its ink that is on the slide, before its ground and not behind other things, 0 to 1."""
    size: float | None = None
    """Of text in points on a slide of 960 by 540 points; None where it is not known."""
    contrast: float | None = None
    """Of the ink with its ground, 1 to 21; None where the file does not say."""
    alpha: float = 1.0
    """Opacity."""
    reason: VisibilityFault | None = None
    """Why it is not seen; None where it is."""
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
            for link in self.links if link.fault
        )  # fmt: skip
        data = (f"chart data: {book.name}: {book.fault}" for book in self.workbooks if book.fault)
        silent = (
            f"screen reader: no words for the {item.kind} {item.name}"
            for item in self.spoken if not item.text
        )  # fmt: skip
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
    def unseen_graphics(self) -> tuple[SeenPiece, ...]:
        """Pictures, tables, charts and their like among them; areas and lines are not."""
        return tuple(piece for piece in self.unseen if piece.kind == "graphic")

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
