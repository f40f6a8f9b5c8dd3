"""Text that an audience cannot see: which findings it may still cause, and the one that says so."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from decklab.core.naming import labelled_id
from decklab.deck.model.slide import KINDS, SlideElements
from decklab.linting.rules.page import DrawnSlide, DrawnText, is_wordy
from decklab.linting.rules.rule import Rule, called
from decklab.metrics.findings import Occurrence, quoted
from decklab.seen.ink import INK_SHARE, ink_share
from decklab.seen.seen_slide import SeenPiece, SeenSlide
from decklab.seen.thresholds import LEAST_SIZE, VisibilityFault

TOLD_BY: Final[Mapping[VisibilityFault, tuple[str, ...]]] = {
    "covered": ("text.hidden", "text.overlap"),
    "off the slide": ("text.off-slide", "shape.off-slide"),
    "faint": ("contrast.low",),
    "small": ("text.small", "text.broken"),
}
"""The rules that say why a text is not seen; other findings about its look would say nothing."""

LOOKS_OUT: Final = 0.02
"""Ours: share of a thing from which on an eye meets what looks out from behind another."""

TEXT_UNSEEN = Rule(
    "text.unseen",
    "UnseenText",
    "The audience cannot see a text.",
    source="decklab",
    severity="warning",
    threshold="a text with words of which `decklab seen` says that nothing is seen, if no other"
    " rule says so",
    fix="Show the text, or move it to the notes.",
    scored=False,
)


@dataclass(frozen=True)
class Unseen:
    """The elements of a slide of which nothing is seen."""

    texts: Mapping[int, SeenPiece] = field(default_factory=dict)
    """A piece of each text, with the reason, by the id of its shape."""
    things: frozenset[int] = frozenset()
    """The ids of areas, lines, pictures and other graphics."""

    @classmethod
    def on(cls, slide: SeenSlide | None, view: DrawnSlide) -> "Unseen":
        """What ``decklab seen`` says of a slide; nothing where it was not asked. That the show
        does not reach a slide does not count: its text may be shown another day. Nor is text lost
        whose ink the picture shows, or that stands letter by letter, or a thing that looks out."""
        texts: dict[int, list[SeenPiece]] = {}
        things = set()
        for piece in slide.pieces if slide is not None else ():
            if piece.kind == "text" and piece.text:
                texts.setdefault(piece.id, []).append(piece)
            elif piece.kind in ("shape", "graphic") and piece.reason and not _looks_out(piece):
                things.add(piece.id)
        shown = {item.element.id for item in view.texts if _is_inked(item, view)}
        lost = {
            id: own[0]
            for id, own in texts.items()
            if all(one.reason for one in own) and not _is_refuted(own[0], id in shown, view)
        }
        return cls(lost, frozenset(things))

    def seen_part(self, slide: SlideElements) -> SlideElements:
        """The slide without what is not seen."""
        if not self.texts and not self.things:
            return slide
        kept = {
            kind: tuple(
                item
                for item in getattr(slide, kind)
                if item.id not in (self.texts if kind == "texts" else self.things)
            )
            for kind in KINDS
        }
        return slide.model_copy(update=kept)

    def seen_view(self, view: DrawnSlide) -> DrawnSlide:
        """The drawn slide without what is not seen."""
        if not self.texts and not self.things:
            return view
        lost = [item for item in view.texts if item.element.id in self.texts]
        lost += [item for item in view.contents if item.element.id in self.things]
        gone, spans = {id(item) for item in lost}, {id(s) for item in lost for s in item.spans}
        return replace(
            view,
            slide=self.seen_part(view.slide),
            texts=tuple(item for item in view.texts if id(item) not in gone),
            contents=tuple(item for item in view.contents if id(item) not in gone),
            spans=tuple(span for span in view.spans if id(span) not in spans),
        )

    def tells(self, rule: str, shape: str | None) -> bool:
        """Whether a finding of a rule says why the text of a shape, named by its label, is not
        seen."""
        piece = self.texts.get(labelled_id(shape or "") or -1)
        return piece is not None and rule in TOLD_BY.get(piece.reason or "gone", ())


def _is_refuted(piece: SeenPiece, shown: bool, view: DrawnSlide) -> bool:
    """Whether a text may be seen after all: its ink is ``shown``, it stands letter by letter, or no
    picture says whether the file's colours and places are all there is."""
    if view.image is None:
        return piece.reason in TOLD_BY
    if piece.reason == "small":
        return (piece.size or 0.0) >= LEAST_SIZE
    return shown and (piece.reason == "faint" or _looks_out(piece))


def _looks_out(piece: SeenPiece) -> bool:
    """Whether a part of what is covered can be seen."""
    return piece.reason == "covered" and piece.share > LOOKS_OUT


def _is_inked(drawn: DrawnText, view: DrawnSlide) -> bool:
    """Whether the picture shows the ink of a text."""
    image = view.image
    if image is None:
        return False
    shares = (ink_share(image, one.box, one.color) for one in drawn.spans if one.color)
    return any(share is not None and share >= INK_SHARE for share in shares)


def unseen_texts(
    slide: SlideElements, unseen: Unseen, told: Collection[str | None]
) -> Iterator[Occurrence]:
    """Texts of which an audience sees nothing, as `decklab seen` finds them in the file: under an
    effect that never lets them in, on their head, or see-through.

    Shapes that are hidden, text off the slide, which is there for screen readers, and what another
    rule tells are left out.
    """
    for text in slide.texts:
        piece = unseen.texts.get(text.id)
        if piece is None or piece.reason in ("hidden", "off the slide", "empty", "gone"):
            continue
        finding = TEXT_UNSEEN.finding(
            f"The audience does not see {quoted(text.text)} in {called(text)}: {piece.detail}.",
            slide.number,
            text,
        )
        if is_wordy(text.text) and finding.shape not in told:
            yield Occurrence(finding, (text.name, piece.reason))
