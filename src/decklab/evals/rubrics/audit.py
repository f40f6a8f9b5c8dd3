"""Models that answer leaves: what they are shown of an edited deck, and whether they look at it.

Leaves are written by others, so text of the deck is found in their questions by program. What an
audience cannot see is taken out, the rest stands between marks. Before its first answer a model is
asked of statements about the edited deck that are known to be true or false, and before its first
answer on pictures which of two is plainly damaged. One that does not know answers no leaf.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from decklab.core.options import JUDGE_TEMPERATURE
from decklab.core.results import NotScored
from decklab.deck.deck import open_deck
from decklab.evals.judges.asking import Questions
from decklab.evals.judges.fencing import FENCE_RULE, fenced, fenced_where_said
from decklab.evals.judges.known import (
    KnownStatements,
    WithKnown,
    decoded,
    known_statements,
    lines_said,
    scrambled,
)
from decklab.evals.judges.preference.showing import hidden_out, unseen_texts
from decklab.models.asking import Ask, StrictForm
from decklab.pages.pictures import encode_png
from decklab.seen.reader import seen_deck

_SHOWN: Final = 6000
_LEAST_WORDS: Final = 2
_LEAST_CHARACTERS: Final = 8
"""Characters of the deck that go with known statements; words, or characters, of a text that is
looked for in questions. Ours: a single word may as well be the rubric's."""


class WhichIsDamaged(StrictForm):
    """Which of two pictures of a slide is damaged, and how one sees it."""

    damaged: Literal["first", "second"]
    reason: str = Field(min_length=1)


@dataclass
class LeafAudit:
    """The audit of a model that answers the leaves of one tree."""

    ask: Ask
    original: Path
    modified: Path
    picture: Callable[[int], bytes]
    """Gives a slide of the modified deck as PNG; raises RenderError."""
    secret: str
    looked: bool = False
    """Whether the model was asked about pictures."""

    @cached_property
    def texts(self) -> dict[int, list[str]]:
        """The texts of the edited deck that an audience sees, by slide."""
        with open_deck(self.modified) as deck:
            seen = seen_deck(deck)
        return {
            slide.number: [one.text for one in slide.pieces if one.text and one.reason is None]
            for slide in seen.slides
        }

    @cached_property
    def _unseen(self) -> tuple[str, ...]:
        with open_deck(self.original) as deck:
            pieces = (piece for slide in seen_deck(deck).slides for piece in slide.pieces)
            known = [piece.text for piece in pieces if piece.text]
        return unseen_texts(self.modified, known, hidden_slides=False)

    def question(self, prompt: str) -> str:
        """A question of a leaf as it is put: without words that nobody sees and nobody but the
        editor wrote, and with the deck's text between marks."""
        texts = (text for own in self.texts.values() for text in own if _is_text(text))
        spelled = (way for text in texts for way in (text, json.dumps(text)[1:-1]))
        return fenced_where_said(hidden_out(prompt, self._unseen), spelled, self.secret)

    def statements(self, prompt: str) -> KnownStatements:
        """Statements about the deck's text in a question that are known to be true or false."""
        said = [text for own in self.texts.values() for text in own if text in prompt]
        return known_statements({"The question holds the words": said}, prompt, self.secret)

    @cached_property
    def failure(self) -> str:
        """Why no answer of the model counts, by its words about the edited deck; empty where it
        knows them, or there are none."""
        said = {number: "\n".join(own) for number, own in self.texts.items()}
        slides = "\n\n".join(f"Slide {number}:\n{text}" for number, text in said.items())
        slides = slides[:_SHOWN]
        shown = {
            number: [line for line in lines if line in slides]
            for number, lines in lines_said(said).items()
        }
        known = known_statements(shown, slides, self.secret)
        if not known.text:
            return ""
        prompt = f"{FENCE_RULE}\n\n{fenced(slides, 'known', self.secret)}\n\n{known.text}"
        judge = Questions(self.ask, temperature=JUDGE_TEMPERATURE)
        answer = judge.put(prompt, WithKnown, stage="known statements", known=known)
        if isinstance(answer, NotScored):
            return f"known statements: {answer.reason}"
        return judge.known.failure

    @cached_property
    def failure_with_pictures(self) -> str:
        """Why no answer of the model on pictures counts; empty where it tells a slide from a
        plainly damaged copy of it, in both orders. Raises RenderError."""
        for number in self.texts:
            slide = self.picture(number)
            copy = scrambled(decoded(slide))
            if copy is not None:
                return self._compared(slide, encode_png(copy))
        return ""

    def _compared(self, slide: bytes, copy: bytes) -> str:
        judge = Questions(self.ask, stage="known pictures", temperature=JUDGE_TEMPERATURE)
        for images, right in (([slide, copy], "second"), ([copy, slide], "first")):
            answer = judge.put(_COMPARE, WhichIsDamaged, images=images)
            if isinstance(answer, NotScored):
                return f"a damaged copy: {answer.reason}"
            judge.known.compare(right=answer.damaged == right)
        return judge.known.failure


_COMPARE: Final = """Two pictures of one slide. In one of them pieces have changed places, so that
words are cut off and nothing stands in line. Which one is damaged?"""


def _is_text(text: str) -> bool:
    return len(text.split()) >= _LEAST_WORDS or len(text) >= _LEAST_CHARACTERS
