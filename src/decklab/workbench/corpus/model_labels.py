"""What a deck is about and for, told by a model; its quotes are looked up in the deck."""

from typing import Final

from decklab.core.results import NotScored
from decklab.documents.quotes import SearchableText
from decklab.models.answering import Unanswered, answered
from decklab.models.asking import Ask, StrictForm, fill_prompt
from decklab.workbench.corpus.labels import DeckContent, DeckLabel, DeckLabels, Purpose, Topic

MOST_CHARACTERS: Final = 12_000
"""Of a deck's text in a question. Ours: some 3,000 tokens."""
_SLIDE_CHARACTERS: Final = 600
_LONGEST_QUOTE: Final = 200


class TopicReply(StrictForm):
    """What the deck is about and what it is for, each with words of the deck that show it."""

    topic: Topic
    topic_quote: str
    purpose: Purpose
    purpose_quote: str


def labels_by_model(content: DeckContent, ask: Ask) -> DeckLabels:
    """The labels that a model gives, each with a quote that stands in the deck.

    A quote that does not stand there goes back to the model. NotScored where the deck has no text,
    and where no reply could be used. Raises what ``ask`` raises: ModelFailed and BudgetSpent.
    """
    pieces = _pieces(content)
    if not any(any(char.isalnum() for char in piece) for piece in pieces):
        cause = NotScored("it has no text")
        return DeckLabels(cause, cause)
    searchable = SearchableText(pieces)

    def check(reply: TopicReply) -> str | None:
        wrong = [
            f"{name} does not stand in the deck: {quote[:80]!r}"
            for name, quote in (
                ("topic_quote", reply.topic_quote), ("purpose_quote", reply.purpose_quote),
            ) if len(quote) > _LONGEST_QUOTE or searchable.find(quote) is None
        ]  # fmt: skip
        return "; ".join(wrong) or None

    prompt = fill_prompt("decklab.workbench.corpus", "prompts/annotate.txt", deck=_shown(pieces))
    try:
        reply = answered(ask, prompt, TopicReply, check=check, stage="annotate").answer
    except Unanswered as error:
        cause = NotScored(f"the model's reply cannot be used: {error.problem}")
        return DeckLabels(cause, cause)
    return DeckLabels(
        DeckLabel(reply.topic, reply.topic_quote), DeckLabel(reply.purpose, reply.purpose_quote)
    )


def _pieces(content: DeckContent) -> list[str]:
    """The text of each slide as the model sees it, so that a quote is one of what it was shown."""
    pieces = [" ".join(text.split())[:_SLIDE_CHARACTERS] for text in content.slides]
    room = MOST_CHARACTERS
    shown = []
    for piece in pieces:
        shown.append(piece[:room])
        room -= len(shown[-1])
    return shown


def _shown(pieces: list[str]) -> str:
    return "\n".join(f"Slide {number}: {piece}" for number, piece in enumerate(pieces, 1) if piece)
