"""A model that reads a drawn deck as a whole, writes pages anew, and says which picture is better.

Paper 004, section V-C looks for defects page by page. Here one reading sees all words and all
pictures at once, so that repetition, a buried message or three pages alike are met too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from decklab.board.blueprint import DeckPlan, SlidePlan
from decklab.models.asking import Ask, Usage, fill_prompt
from decklab.models.asking_loop import PicturesUnseen
from decklab.models.reading import Unanswered, answered
from decklab.pages.pictures import contact_sheet, decoded, encode_png
from decklab.writer.forms import BetterPicture, DeckRemarks
from decklab.writer.request import WriteOptions
from decklab.writer.rewriting import PageRewriter

MOST_REPLIES: Final = 40
"""Of a model while it mends one deck; with those before about 60 a deck. Ours."""
_MOST_REMARKS: Final = 5
_SHEET, _SHEET_WIDTH = 6, 640
"""Pages of a contact sheet, and the pixels across each of its two columns. Ours."""
_OWN_ROLES: Final = ("opening", "contents", "section")
"""Of pages that a model does not write: they follow from the others."""


@dataclass
class DeckReader:
    """The model's side of refining one deck.

    ``usage`` is what it has cost so far, ``told`` what it was asked in vain, ``not_run`` why it did
    not look.
    """

    ask: Ask
    options: WriteOptions
    rewriter: PageRewriter
    usage: Usage = field(default_factory=Usage)
    told: list[str] = field(default_factory=list)
    not_run: tuple[str, ...] = ()

    @property
    def _spent(self) -> bool:
        return self.usage.requests >= MOST_REPLIES

    def wishes(
        self,
        plan: DeckPlan,
        faults: Mapping[int, str],
        pictures: Mapping[int, bytes],
        places: Sequence[int],
    ) -> dict[int, str]:
        """Changes to make, by the place of the slide in the plan: its faults, and what a reader of
        the whole deck remarks.

        ``pictures`` are those of the slides by number, ``places`` the places of the plan that these
        are of. None of opening, contents and section pages, and none once all replies are spent.
        """
        wishes = {at: f"mend what is wrong with it as it is drawn: {words}"
                  for at, words in faults.items()}  # fmt: skip
        if not self._spent and not self.not_run:
            for number, change in self._remarks(plan, faults, pictures, places):
                at = places[number - 1]
                wishes[at] = "; ".join(filter(None, (change, wishes.get(at))))
        return {
            at: wish for at, wish in sorted(wishes.items())
            if plan.slides[at].shown_role not in _OWN_ROLES
        }  # fmt: skip

    def _remarks(
        self,
        plan: DeckPlan,
        faults: Mapping[int, str],
        pictures: Mapping[int, bytes],
        places: Sequence[int],
    ) -> list[tuple[int, str]]:
        sheets = page_sheets(pictures)
        if not sheets:
            return []
        pages = "\n\n".join(
            f"{number}. [{plan.slides[at].layout}] " + "\n".join(plan.slides[at].texts)
            for number, at in enumerate(places, start=1)
        )
        text = fill_prompt(
            "decklab.writer", "prompts/reading.txt",
            request=self.options.request, audience=self.options.audience, pages=pages,
            faults="\n".join(f"page {places.index(at) + 1}: {words}"
                             for at, words in sorted(faults.items())) or "nothing",
            most=str(_MOST_REMARKS),
        )  # fmt: skip

        def check(reading: DeckRemarks) -> str | None:
            strange = [item.page for item in reading.remarks if not 1 <= item.page <= len(places)]
            return f"remarks: there is no page {strange[0]}" if strange else None

        try:
            reply = answered(
                self.ask, text, DeckRemarks, check=check, stage="reading", images=sheets
            )
        except PicturesUnseen as error:
            self.not_run = (f"the model did not look at the slides: {error.detail}",)
            return []
        except Unanswered as error:
            self.usage += error.usage
            self.told.append(f"the deck was not read: {error.problem}")
            return []
        self.usage += reply.usage
        return [(item.page, item.change) for item in reply.answer.remarks[:_MOST_REMARKS]]

    def rewritten(
        self, plan: DeckPlan, at: int, wish: str, picture: bytes | None
    ) -> SlidePlan | None:
        """A slide of a plan as the model writes it anew; None where it leaves it as it is."""
        if self._spent or self.not_run:
            return None
        try:
            slide, usage = self.rewriter.rewritten(
                plan, at, wish, self.ask, images=[picture] if picture else ()
            )
        except Unanswered as error:
            self.usage += error.usage
            self.told.append(f"slide {at + 1}: no change of the model's: {error.problem}")
            return None
        self.usage += usage
        return slide

    def prefers(self, wish: str, old: bytes, new: bytes) -> bool:
        """Whether the model finds the new picture better, whichever of the two it sees first."""
        text = fill_prompt("decklab.writer", "prompts/better.txt", purpose=wish)
        better = partial(answered, self.ask, text, BetterPicture, stage="better")
        for pictures, wanted in (((old, new), 2), ((new, old), 1)):
            if self._spent:
                return False
            try:
                reply = better(images=pictures)
            except (PicturesUnseen, Unanswered) as error:
                self.usage += getattr(error, "usage", Usage())
                return False
            self.usage += reply.usage
            if reply.answer.better != wanted:
                return False
        return True


def page_sheets(pictures: Mapping[int, bytes]) -> list[bytes]:
    """Pictures of slides (PNG files) on sheets of six under their numbers, as PNG files."""
    labelled = [(f"page {number}", decoded(data)) for number, data in sorted(pictures.items())]
    return [
        encode_png(contact_sheet(labelled[at : at + _SHEET], columns=2, width=_SHEET_WIDTH))
        for at in range(0, len(labelled), _SHEET)
    ]
