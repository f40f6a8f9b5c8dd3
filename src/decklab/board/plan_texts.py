"""Strict forms and texts of one paragraph, which all parts of a plan share."""

import re
from typing import Annotated, Final

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    PlainSerializer,
    PlainValidator,
    WithJsonSchema,
)

from decklab.board.marked_text import MarkedText, text_of_markdown

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff\ud800-\udfff]")
"""Characters that no text of a plan has."""


def _one_line(text: str) -> str:
    plain = text.strip()
    if not plain:
        raise ValueError("it is empty")
    if CONTROL.search(plain):
        raise ValueError("it has a line break or another control character: text is one paragraph")
    return plain


def _shown(value: object) -> str:
    """A text that may have marks: it stands in a plan as itself, or as Markdown."""
    if (
        isinstance(value, dict)
        and set(value) == {"markdown"}
        and isinstance(value["markdown"], str)
    ):
        value = text_of_markdown(value["markdown"])
    if not isinstance(value, str):
        raise ValueError('it is no text, and no {"markdown": "..."}')
    plain = _one_line(value)
    return value if isinstance(value, MarkedText) and plain == value else plain


def _cell(value: object) -> str:
    return "" if value == "" else _shown(value)


def _stored(text: str) -> str | dict[str, str]:
    return {"markdown": text.markdown} if isinstance(text, MarkedText) else text


_AS_STORED: Final = PlainSerializer(_stored)
_AS_TEXT: Final = WithJsonSchema({"type": "string"})

Line = Annotated[str, AfterValidator(_one_line), AfterValidator(str)]
"""One paragraph of plain text: not empty, without line breaks."""

Text = Annotated[str, PlainValidator(_shown), _AS_STORED, _AS_TEXT]
"""One paragraph of text in which there may be marks: emphasis, links, code and formulas."""

CellText = Annotated[str, PlainValidator(_cell), _AS_STORED, _AS_TEXT]
"""A text that may be empty."""


class PlanForm(BaseModel):
    """A part of a plan: frozen, strict, without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)
