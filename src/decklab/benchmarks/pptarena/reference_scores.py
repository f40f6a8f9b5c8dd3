"""The scores that need no model, and whether a change is seen where the truth shows it.

Docs and pages call them the companions of the judges.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from decklab.benchmarks.pptarena.case_decks import Decks
from decklab.benchmarks.pptarena.cases import Case
from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.snapshots import DeckEdit
from decklab.diffing.wording import sentence, words
from decklab.errors import RenderError
from decklab.grading.decks import ComparedDecks
from decklab.grading.visibility.declared import VisibilityFault, declared_fault
from decklab.metrics.edits import ChangeAgreement, change_agreement
from decklab.metrics.pictures import PictureLikeness, picture_likeness
from decklab.metrics.preservation import Preservation, preservation
from decklab.results import Measurement, NotScored

_OF_SHAPES: Final = frozenset(
    ("text", "style", "geometry", "z-order", "added", "table", "chart", "diagram", "picture",
     "media", "link", "animation")
)  # fmt: skip
"""Kinds of changes that are seen only where the shape is."""
_DRAWN: Final = frozenset(("chart", "diagram", "picture", "media"))
"""Of these what is drawn has to be seen, and not only their words."""
_TEXTS: Final = frozenset((("text", "text"), ("table", "cell text"), ("chart", "title")))
"""Kinds and properties whose new value is words on the slide."""


class ChangeVisibility:
    """A truth (the original of ``pair``) and a prediction (the modified deck), as they are seen.

    Methods raise DeckError and RenderError where a slide cannot be read or drawn.
    """

    def __init__(self, pair: ComparedDecks) -> None:
        self._truth, self._made = pair.seen("original"), pair.seen("modified")
        self._alike: dict[tuple[int, int], bool] = {}

    def why_unseen(self, asked: Change, made: Change) -> str:
        """Why a change is not seen in the prediction though it is in the truth, else nothing.

        ``asked`` leads to the truth, ``made`` to the prediction. What is hidden in both is what
        was asked for.
        """
        if made.slide is None or asked.slide is None:
            return self._why_no_slide()
        if (made.kind, made.property) == ("slide", "removed"):
            return ""
        why = self._made.why_slide_hidden(made.slide)
        if why:
            return "" if self._truth.why_slide_hidden(asked.slide) else why
        if made.element is None or made.element.sheet or asked.element is None:
            return ""
        if made.kind not in _OF_SHAPES:
            return ""
        id = made.element.id
        if self._looks_alike(asked.slide, made.slide) and not self._states_fault(made.slide, id):
            return ""
        look = made.kind in _DRAWN
        fault, why = self._looked_at(made.slide, id, _words(made), look=look)
        if fault is None:
            return ""
        was, _ = self._truth.fault(asked.slide, asked.element.id, _words(asked), look=look)
        return "" if was == fault else why

    def _looked_at(
        self, number: int, id: int, words: str | None, *, look: bool
    ) -> tuple[VisibilityFault | None, str]:
        """Why a shape of the prediction is not seen; tried twice. Its slides could be drawn: where
        the shape cannot be looked at, that is of its own making."""
        try:
            return self._made.fault(number, id, words, look=look)
        except RenderError:
            pass
        try:
            return self._made.fault(number, id, words, look=look)
        except RenderError as error:
            return "not drawn", f"it cannot be looked at: {error.detail}"

    def _why_no_slide(self) -> str:
        """Why no slide of the prediction is seen, where the truth shows one."""
        found = [
            self._made.why_slide_hidden(number) for number in range(1, len(self._made.drawn) + 1)
        ]
        if not found or not all(found):
            return ""
        before = range(1, len(self._truth.drawn) + 1)
        return "" if all(map(self._truth.why_slide_hidden, before)) else found[0]

    def _states_fault(self, number: int, id: int) -> bool:
        """Whether the file says of a shape that it is not to be seen; LibreOffice draws some such,
        as hidden titles."""
        shapes = (one for one in self._made.slide(number).elements() if one.id == id)
        return any(declared_fault(one, None) is not None for one in shapes)

    def _looks_alike(self, truth: int, made: int) -> bool:
        """Whether two slides are drawn the same, and nothing on them comes or goes otherwise."""
        if (truth, made) not in self._alike:
            one, other = self._truth.slide(truth), self._made.slide(made)
            self._alike[truth, made] = one.animations == other.animations and np.array_equal(
                self._truth.drawn.slide(truth).image, self._made.drawn.slide(made).image
            )
        return self._alike[truth, made]


def _words(change: Change) -> str | None:
    """The words that have to be readable; None for all that the shape has."""
    if (change.kind, change.property) in _TEXTS and isinstance(change.new, str):
        return change.new or None
    return None


COMPANIONS: Final = ("recall", "precision", "preservation", "visual", "edit")
"""Names, in the order of tables."""
_VERSION = "1"


@dataclass(frozen=True)
class Companions:
    """All that is known of an attempt without asking a model."""

    asked: DeckEdit
    made: DeckEdit
    agreement: ChangeAgreement
    preservation: Preservation
    pictures: PictureLikeness | NotScored

    @property
    def edit(self) -> float | NotScored:
        """F1 of changes times preservation, 0 to 1: one number to order attempts by. Ours."""
        f1, kept = self.agreement.f1, self.preservation.share
        if isinstance(f1, NotScored):
            return f1
        return f1 if isinstance(kept, NotScored) else f1 * kept

    @property
    def passed(self) -> bool:
        """Whether exactly what was asked was done: every change of the truth, and no other."""
        kept = self.preservation.share
        return self.agreement.f1 == 1 and (isinstance(kept, NotScored) or kept == 1)

    def value(self, name: str) -> float | NotScored:
        """One of ``COMPANIONS``; KeyError for another name."""
        seen = self.pictures
        return {
            "recall": self.agreement.recall,
            "precision": self.agreement.precision,
            "preservation": self.preservation.share,
            "visual": seen if isinstance(seen, NotScored) else seen.touched,
            "edit": self.edit,
        }[name]

    @property
    def rows(self) -> tuple[Measurement, ...]:
        """Measurements named ``editing.recall`` and so on."""
        return tuple(
            Measurement.of(f"editing.{name}", self.value(name), direction="higher",
                           version=_VERSION)
            for name in COMPANIONS
        )  # fmt: skip

    @property
    def missing_words(self) -> tuple[str, ...]:
        """What was asked for and not made, or made so that it is not seen, in sentences."""
        hidden = (
            f"{sentence(change).removesuffix('.')}, but {why}."
            for change, why in self.agreement.unseen
        )
        return (*words(DeckDiff(changes=self.agreement.missing)), *hidden)

    @property
    def unasked_words(self) -> tuple[str, ...]:
        """What was made and not asked for."""
        return words(DeckDiff(changes=self.agreement.unasked))

    @property
    def matched_words(self) -> tuple[str, ...]:
        """What was asked for and made."""
        return words(DeckDiff(changes=self.agreement.matched))


def compare(case: Case, prediction: Path, decks: Decks) -> Companions:
    """The companions of a deck that was made for a case; DeckError where one cannot be read.

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
        pair = decks.side_by_side(case.ground_truth, prediction)
        if pair is not None:
            return change_agreement(asked, made, why_unseen=ChangeVisibility(pair).why_unseen)
    except RenderError:  # whether the prediction is to blame, running.py finds out
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
