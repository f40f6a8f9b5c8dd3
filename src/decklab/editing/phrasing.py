"""The phrases of an operation, declared beside its signature.

From these declarations come the grammar of requests without a model, its help, the tables of the
documentation, and the descriptions of tools.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

Function = TypeVar("Function", bound=Callable[..., object])


@dataclass(frozen=True)
class Phrase:
    """The ways to ask for one thing that an operation does.

    A template is words, ``{slots}``, ``[what may be left out]`` and ``(this|that)``. A slot has the
    name of a parameter: ``{name}``, ``{name:type}`` or ``{name=choice|choice}``.
    """

    templates: tuple[str, ...]
    example: str
    """A request of this form."""
    changes: str
    """Kinds of changes that ``decklab diff`` shows afterwards, and after a colon the names of the
    properties that may change: ``style table: font.name``."""
    follows: str = ""
    """Changes that may come along, written as ``changes``."""
    shape: str = ""
    """The kind of shape that is meant where a request names none."""
    fixed: Mapping[str, object] = field(default_factory=dict)
    """Arguments that the phrase itself settles."""


def phrase(
    *templates: str, example: str, changes: str, follows: str = "", shape: str = "", **fixed: object
) -> Callable[[Function], Function]:
    """Declare how to ask for an operation; see ``Phrase``. May stand several times."""
    declared = Phrase(templates, example, changes, follows, shape, fixed)

    def declare(function: Function) -> Function:
        vars(function)["phrases"] = (declared, *phrases_of(function))
        return function

    return declare


def phrases_of(function: Callable[..., object]) -> tuple[Phrase, ...]:
    """The phrases that a function declares; none if it can only be called."""
    declared: tuple[Phrase, ...] = vars(function).get("phrases", ())
    return declared


chart_phrase = partial(phrase, changes="chart", follows="detail other", shape="chart")
"""``phrase`` of an operation on a chart."""
table_phrase = partial(phrase, changes="table", follows="table style", shape="table")
"""``phrase`` of an operation on a table."""
bullet_phrase = partial(phrase, changes="text", follows="style text", shape="body")
"""``phrase`` of an operation on lines of a text."""
words_phrase = partial(phrase, changes="text table diagram chart notes alt_text")
"""``phrase`` of an operation on words, wherever they stand."""
place_phrase = partial(phrase, changes="geometry", follows="geometry table style")
"""``phrase`` of an operation that moves or sizes shapes."""
look_phrase = partial(phrase, changes="style table")
"""``phrase`` of an operation on the look of texts."""
order_phrase = partial(phrase, changes="slide:moved", follows="section show")
"""``phrase`` of an operation on the order of slides."""
new_phrase = partial(phrase, changes="added", follows="detail other media")
"""``phrase`` of an operation that adds something to a slide."""
