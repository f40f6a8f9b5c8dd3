"""Arguments that several tools share, and the answers of tools: lines, words of decks marked as
data, pictures, and how to get more."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from decklab.core.errors import DecklabError
from decklab.editor.edit import slide_numbers


def _as_list_text(value: object) -> object:
    """A number, or a list of numbers, as the text that is wanted."""
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


DeckPath = Annotated[str, Field(description="Path of a deck, as list_files says.")]
SlideList = Annotated[
    str, BeforeValidator(_as_list_text), Field(description="Such as '2,4-6'; empty for all slides.")
]
First = Annotated[int, Field(ge=1, description="Line to begin with, for the rest of an answer.")]
Start = Annotated[
    int, Field(ge=0, description="Character to begin with, for the rest of an answer.")
]
NewDeck = Annotated[
    str,
    Field(
        description="Path of a new deck, not there yet, ending as the input does; empty to go on "
        "with a deck of this session, else for a free name such as talk.edited.pptx."
    ),
]
PictureCount = Annotated[int, Field(ge=0, le=4, description="Most changed slides to show.")]
Names = Annotated[
    list[str],
    Field(description="Rules or groups, such as ['text', 'contrast.low']; empty for all."),
]
Width = Annotated[int, Field(ge=160, le=1920, description="Of a picture, in pixels.")]


class PatchArgument(BaseModel):
    """One change of the XML of a part; fields that its action has no use for stay empty."""

    model_config = ConfigDict(extra="forbid")

    part: str = Field(description="Name of a part, such as ppt/slides/slide2.xml.")
    action: Literal["add", "replace", "remove", "set", "text", "add part", "link"] = Field(
        description="add: put xml at position of what xpath finds. replace: put xml in its place. "
        "remove: take it out (an attribute with .../@name). set: give attribute the value. text: "
        "give an element without children, such as a:t, the text value. add part: add a part. "
        "link: relate part to the part value."
    )
    xpath: str = Field("", description="Such as //p:sp[p:nvSpPr/p:cNvPr/@id='3']//a:rPr")
    xml: str = Field("", description="Elements with the usual prefixes a:, p:, r:, c:.")
    position: Literal["first", "last", "before", "after"] = "last"
    attribute: str = ""
    value: str = ""
    owner: str = Field("", description="Of a new part: the part that leads to it.")
    relationship: str = Field("", description="Kind of a new part or link, such as chart.")
    relationship_id: str = ""
    copy_of: str = Field("", description="The part that a new part is a copy of.")
    data: str = Field("", description="The bytes of a new picture, in base64.")


class ToolRefused(DecklabError):
    """A call that makes no sense for this deck; the text says what to ask instead."""


def asked_slides(slides: str) -> tuple[int, ...]:
    """The numbers in a list such as ``2,4-6``; raises ToolRefused if it is none."""
    try:
        return slide_numbers(slides)
    except ValueError as error:
        raise ToolRefused(str(error)) from None


def slides_there(slides: str, deck: Path, count: int) -> tuple[int, ...]:
    """The slides that are asked for, each there; raises ToolRefused if one is not."""
    numbers = asked_slides(slides) if slides.strip() else tuple(range(1, count + 1))
    if beyond := [number for number in numbers if not 1 <= number <= count]:
        raise ToolRefused(f"there is no slide {beyond[0]} in {deck.name}; it has {count}")
    return numbers


PAGE_CHARACTERS = 12_000
"""Most characters of a page of lines: some 3,000 tokens (ours)."""
_LONGEST_LINE = 600
_MARK = "deck_content"


@dataclass(frozen=True)
class Answer:
    """Answer of a tool. ``heading`` is decklab's own; ``content`` may hold words of a deck."""

    heading: str
    content: str = ""
    pictures: tuple[bytes, ...] = ()
    """As PNG files."""
    failed: bool = False

    def text(self) -> str:
        """The whole answer; the content between marks, which nothing in it can close."""
        if not self.content:
            return self.heading
        inner = self.content.replace(f"</{_MARK}", f"<\\/{_MARK}")
        return f"{self.heading}\n<{_MARK}>\n{inner}\n</{_MARK}>".lstrip()


@dataclass(frozen=True)
class LinePage:
    """A part of a list of lines: from which line to which, of how many."""

    lines: tuple[str, ...]
    first: int
    count: int

    @property
    def more(self) -> str:
        """How to ask for the lines behind the page; empty if none are left."""
        if (end := self.first + len(self.lines)) > self.count:
            return ""
        return f"{self.count - end + 1} more of {self.count}: ask again with first={end}."


def line_page(lines: Sequence[str], first: int = 1, *, most: int = 60) -> LinePage:
    """The lines from the ``first``, counted from 1, that fit an answer; a line is cut if it is
    very long.

    >>> line_page(["a", "b", "c"], 2, most=1).more
    '1 more of 3: ask again with first=3.'
    """
    kept, room = list[str](), PAGE_CHARACTERS
    for line in lines[first - 1 : first - 1 + most]:
        short = line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}…"
        room -= len(short) + 1
        if room < 0:
            break
        kept.append(short)
    return LinePage(tuple(kept), first, len(lines))


def listed(heading: str, lines: Sequence[str], first: int = 1, *, most: int = 60) -> Answer:
    """An answer of lines that hold words of a deck, with the number of those left out."""
    shown = line_page(lines, first, most=most)
    beyond = (
        f"There are only {len(lines)}, so none from {first} on." if first > len(lines) > 0 else ""
    )
    head = "\n".join(line for line in (heading, shown.more, beyond) if line)
    return Answer(head, "\n".join(shown.lines))


def sliced(heading: str, text: str, start: int) -> Answer:
    """An answer of the characters of a long text from ``start``, counted from 0."""
    end = start + PAGE_CHARACTERS
    rest = (
        f"{len(text) - end:,} more characters: ask again with start={end}."
        if end < len(text)
        else ""
    )
    if start and start >= len(text):
        rest = f"It has only {len(text):,} characters."
    return Answer("\n".join(line for line in (heading, rest) if line), text[start:end])
