"""The scores that need no model; docs and pages call them the companions of the judges.

One says whether a change that is visible in one deck is visible in another deck with the same
change.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from decklab.core.errors import RenderError
from decklab.core.results import NotScored
from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.pictures import PictureLikeness, picture_likeness
from decklab.diffing.snapshots import DeckEdit
from decklab.diffing.wording import sentence, words
from decklab.evals.pptarena.cases import Case, Decks
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.metrics.edits import ChangeAgreement, Preservation, change_agreement, preservation
from decklab.seen.seen_slide import VisibilityFault
from decklab.seen.stated import declared_fault, shown_scale

_OF_SHAPES: Final = frozenset(
    ("text", "style", "geometry", "z-order", "added", "table", "chart", "diagram", "picture",
     "media", "link", "animation")
)  # fmt: skip
"""Kinds of changes that are seen only where the shape is."""
_DRAWN: Final = frozenset(("chart", "diagram", "picture", "media"))
"""For these kinds the drawing must be visible, not only the words."""
_TEXTS: Final = frozenset((("text", "text"), ("table", "cell text"), ("chart", "title")))
"""Kinds and properties whose new value is words on the slide."""


class ChangeVisibility:
    """The seen content of a truth (the original of ``pair``) and of a prediction (the modified
    deck).

    Methods raise DeckError and RenderError where a slide cannot be read or drawn.
    """

    def __init__(self, pair: ComparedDecks) -> None:
        self._truth, self._made = pair.seen("original"), pair.seen("modified")
        self._alike: dict[tuple[int, int], bool] = {}

    def why_unseen(self, asked: Change, made: Change) -> str:
        """Why a change is not seen in the prediction though it is in the truth; else empty.

        ``asked`` is the change in the truth, ``made`` the one in the prediction. A change that is
        hidden in both was requested so.
        """
        if made.slide is None or asked.slide is None:
            return self._why_no_slide()
        if (made.kind, made.property) == ("slide", "removed"):
            return ""
        if why := self._made.why_slide_hidden(made.slide):
            return "" if self._truth.why_slide_hidden(asked.slide) else why
        if made.element is None or made.element.sheet or asked.element is None:
            return ""
        if made.kind not in _OF_SHAPES:
            return ""
        id = made.element.id
        if self._looks_alike(asked.slide, made.slide) and not self._states_fault(made.slide, id):
            return ""
        look = made.kind in _DRAWN
        fault, why = self._shape_fault(made.slide, id, _words(made), look=look)
        if fault is None:
            return ""
        was, _ = self._truth.fault(asked.slide, asked.element.id, _words(asked), look=look)
        return "" if was == fault else why

    def _shape_fault(
        self, number: int, id: int, words: str | None, *, look: bool
    ) -> tuple[VisibilityFault | None, str]:
        """Why a shape of the prediction is not seen; tried twice. Its slides could be drawn: if the
        check of the shape fails, the prediction is the cause."""
        for _ in range(2):
            try:
                return self._made.fault(number, id, words, look=look)
            except RenderError as error:
                why = f"it cannot be looked at: {error.detail}"
        return "not drawn", why

    def _why_no_slide(self) -> str:
        """Why no slide of the prediction is visible, where the truth has a visible one."""
        reasons = [
            self._made.why_slide_hidden(number) for number in range(1, len(self._made.drawn) + 1)
        ]
        if not reasons or not all(reasons):
            return ""
        before = range(1, len(self._truth.drawn) + 1)
        return "" if all(map(self._truth.why_slide_hidden, before)) else reasons[0]

    def _states_fault(self, number: int, id: int) -> bool:
        """Whether the file itself hides a shape; LibreOffice draws some of these, such as hidden
        titles."""
        slide = self._made.slide(number)
        shapes = (element for element in slide.elements() if element.id == id)
        scale = shown_scale(slide)
        return any(declared_fault(element, None, scale=scale) is not None for element in shapes)

    def _looks_alike(self, truth: int, made: int) -> bool:
        """Whether two slides are drawn the same and their shapes appear and disappear the same."""
        if (truth, made) not in self._alike:
            first, second = self._truth.slide(truth), self._made.slide(made)
            self._alike[truth, made] = first.animations == second.animations and np.array_equal(
                self._truth.drawn.slide(truth).image, self._made.drawn.slide(made).image
            )
        return self._alike[truth, made]


def _words(change: Change) -> str | None:
    """The words that must be readable; None for all words of the shape."""
    if (change.kind, change.property) in _TEXTS and isinstance(change.new, str):
        return change.new or None
    return None


COMPANIONS: Final = ("recall", "precision", "preservation", "visual", "edit")
"""Names, in the order of tables."""


@dataclass(frozen=True)
class Companions:
    """The scores of an attempt that need no model."""

    asked: DeckEdit
    made: DeckEdit
    agreement: ChangeAgreement
    preservation: Preservation
    pictures: PictureLikeness | NotScored

    @property
    def edit(self) -> float | NotScored:
        """F1 of changes times preservation, 0 to 1: one number to order attempts by. Ours."""
        f1, preserved = self.agreement.f1, self.preservation.share
        if isinstance(f1, NotScored):
            return f1
        return f1 if isinstance(preserved, NotScored) else f1 * preserved

    @property
    def passed(self) -> bool:
        """Whether the attempt has every change of the truth, and no other."""
        preserved = self.preservation.share
        return self.agreement.f1 == 1 and (isinstance(preserved, NotScored) or preserved == 1)

    def value(self, name: str) -> float | NotScored:
        """One of ``COMPANIONS``; KeyError for another name."""
        pictures = self.pictures
        return {
            "recall": self.agreement.recall,
            "precision": self.agreement.precision,
            "preservation": self.preservation.share,
            "visual": pictures if isinstance(pictures, NotScored) else pictures.touched,
            "edit": self.edit,
        }[name]

    @property
    def missing_words(self) -> tuple[str, ...]:
        """Changes of the truth that were not made, or made invisibly, in sentences."""
        hidden = (
            f"{sentence(change).removesuffix('.')}, but {why}."
            for change, why in self.agreement.unseen
        )
        return (*words(DeckDiff(changes=self.agreement.missing)), *hidden)

    @property
    def unasked_words(self) -> tuple[str, ...]:
        """Changes that were made and are not in the truth, in sentences."""
        return words(DeckDiff(changes=self.agreement.unasked))

    @property
    def matched_words(self) -> tuple[str, ...]:
        """Changes of the truth that were made, in sentences."""
        return words(DeckDiff(changes=self.agreement.matched))


def compare(case: Case, prediction: Path, decks: Decks) -> Companions:
    """The companions of an edited deck; raises DeckError where a deck cannot be read.

    A change that the truth shows and the prediction hides counts as not made, where slides are
    drawn and both decks can be.
    """
    asked = decks.edit(case.original, case.ground_truth)
    made = decks.edit(case.original, prediction)
    return Companions(
        asked,
        made,
        _agreement(case, prediction, decks, asked, made),
        preservation(asked, made),
        _likeness(case, prediction, decks),
    )


def _agreement(
    case: Case, prediction: Path, decks: Decks, asked: DeckEdit, made: DeckEdit
) -> ChangeAgreement:
    if prediction in (case.original, case.ground_truth):
        return change_agreement(asked, made)
    try:
        if (pair := decks.side_by_side(case.ground_truth, prediction)) is not None:
            return change_agreement(asked, made, why_unseen=ChangeVisibility(pair).why_unseen)
    except RenderError:  # running.py finds out whether the prediction is at fault
        pass
    return change_agreement(asked, made)


def _likeness(case: Case, prediction: Path, decks: Decks) -> PictureLikeness | NotScored:
    drawn = []
    for path in (case.original, case.ground_truth, prediction):
        pictures = decks.pictures(path)
        if isinstance(pictures, NotScored):
            return pictures
        drawn.append(pictures)
    return picture_likeness(*drawn)
