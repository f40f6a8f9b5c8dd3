"""The scores that need no model; docs and pages call them the companions of the judges."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from decklab.core.errors import RenderError
from decklab.core.results import NotScored
from decklab.diffing.changes import DeckDiff
from decklab.diffing.pictures import PictureLikeness, picture_likeness
from decklab.diffing.snapshots import DeckEdit
from decklab.diffing.wording import sentence, words
from decklab.evals.pptarena.case_decks import Decks
from decklab.evals.pptarena.cases import Case
from decklab.evals.rubrics.visibility.changes import ChangeVisibility
from decklab.metrics.edits import ChangeAgreement, Preservation, change_agreement, preservation

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
        pair = decks.side_by_side(case.ground_truth, prediction)
        if pair is not None:
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
