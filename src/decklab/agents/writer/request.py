"""What somebody wants a deck for, and what it is to be."""

from dataclasses import dataclass

from decklab.options import WRITE_SLIDES, DeckFormat, TextLength


@dataclass(frozen=True)
class WriteOptions:
    """What a deck is wanted for, what it says, and what it is written as.

    ``audience``, ``tone`` and ``length`` are for a model; a deck without one takes the sentences of
    its sources as they are.
    """

    prompt: str = ""
    """What the deck should be about; without a model its words choose among the sentences."""
    title: str = ""
    """Of the deck; empty for that of the first document, or what the model finds."""
    slides: int = WRITE_SLIDES
    """The most there may be, before those that hold too much are split."""
    language: str = "en"
    """BCP 47 tag, of the documents and the deck."""
    audience: str = "a general audience"
    tone: str = "plain and factual"
    length: TextLength = "standard"
    theme: str = "light"
    like: str | None = None
    """A deck whose slides are the examples for the new ones, in place of a theme."""
    formats: tuple[DeckFormat, ...] = ("pptx",)

    @property
    def request(self) -> str:
        """The prompt, with the title that is wanted; where there is neither, the common request."""
        wanted = [self.prompt.strip(), self.title and f"The title is: {self.title}"]
        said = "\n".join(line for line in wanted if line)
        return said or "Present what the sources say to people who have not read them."
