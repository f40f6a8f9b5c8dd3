"""What somebody wants a deck for, and what it is to be."""

from dataclasses import dataclass

from decklab.core.options import WRITE_SLIDES, DeckFormat, DocumentKindName, ImageModel, TextLength


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
    language: str = ""
    """BCP 47 tag of the deck; empty for that of the documents, else English."""
    source_language: str = ""
    """BCP 47 tag of the documents. A model writes in ``language``; without one words stay as they
    are, in this language."""
    kind: DocumentKindName | None = None
    """The kind of document that the sources are; None for what the rules of ``story`` find. Without
    a model it decides what matters most."""
    source_tokens: int = 30_000
    """Tokens of the sources that a model reads, roughly, before it plans a deck."""
    audience: str = "a general audience"
    tone: str = "plain and factual"
    length: TextLength = "standard"
    theme: str = ""
    """Its name; empty for that of the slides in Markdown, else the one that suits the topic."""
    template: str | None = None
    """A .pptx or .potx in whose masters and layouts the deck is made, in place of a theme."""
    like: str | None = None
    """A deck whose slides are the examples for the new ones, in place of a theme."""
    title_page: bool | None = None
    contents: bool | None = None
    closing: bool | None = None
    """Whether there is a title page, a contents page, an ending; None for what the content asks
    for."""
    slides_from: str = ""
    """A Markdown file with the slides as they are to be; see ``markdown_slides``."""
    pictures: str = ""
    """A folder with pictures that the deck may show."""
    images: ImageModel | None = None
    """What makes pictures for slides that have none."""
    icons: bool = False
    """Whether cards, steps and numbers get icons where their English words have one."""
    redo: tuple[int, str] | None = None
    """Of a deck that was kept the number of one slide, and what it should be instead."""
    formats: tuple[DeckFormat, ...] = ("pptx",)
    style: bool = True
    """Whether a model fills in the style of the deck on top of the theme."""
    free_layout: bool = False
    """Whether a model may give the contents of slides places of their own."""
    refine: bool | None = None
    """Whether the drawn deck is looked at and mended; None for only where there is a model."""

    @property
    def spoken(self) -> str:
        """The language of the deck in words for a model, with that of the sources."""
        if self.source_language in ("", self.language):
            return self.language
        return f"{self.language} (the sources are in {self.source_language}: quotes stay so)"

    @property
    def request(self) -> str:
        """The prompt, with the title that is wanted; where there is neither, the common request."""
        wanted = [self.prompt.strip(), self.title and f"The title is: {self.title}"]
        said = "\n".join(line for line in wanted if line)
        return said or "Present what the sources say to people who have not read them."
