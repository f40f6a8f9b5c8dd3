"""Arguments that several tools share, as clients see them in the schemas, and slides by number."""

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


DeckPath = Annotated[
    str,
    Field(description="Path of a PowerPoint deck (.pptx .potx .ppsx .pptm), as list_files says."),
]
SlideList = Annotated[
    str,
    BeforeValidator(_as_list_text),
    Field(description="Slide numbers from 1, such as '2,4-6'; empty for all slides."),
]
First = Annotated[
    int, Field(ge=1, description="From which line on, to see what an earlier answer left out.")
]
Start = Annotated[
    int, Field(ge=0, description="From which character on, to see what an earlier answer left out.")
]
NewDeck = Annotated[
    str,
    Field(
        description="Path of the new deck, which must not exist yet and ends as the input does; "
        "empty for a free name beside the input, such as talk.edited.pptx."
    ),
]
Names = Annotated[
    list[str],
    Field(description="Rules or groups of rules, such as ['text', 'contrast.low']; empty for all."),
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
    """The numbers in a list such as ``2,4-6``; raises ToolRefused where it is none."""
    try:
        return slide_numbers(slides)
    except ValueError as error:
        raise ToolRefused(str(error)) from None


def slides_there(slides: str, deck: Path, count: int) -> tuple[int, ...]:
    """The slides that are asked for, each there; raises ToolRefused where one is not."""
    numbers = asked_slides(slides) if slides.strip() else tuple(range(1, count + 1))
    beyond = [number for number in numbers if not 1 <= number <= count]
    if beyond:
        raise ToolRefused(f"there is no slide {beyond[0]} in {deck.name}; it has {count}")
    return numbers
