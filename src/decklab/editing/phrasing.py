"""The phrases of an operation, declared beside its signature.

From these declarations come the grammar of requests without a model, its help, the tables of the
documentation, and the descriptions of tools.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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
    needs_slide: bool = False
    """Whether the request has to say on which slide, in a deck of several."""
    fixed: Mapping[str, object] = field(default_factory=dict)
    """Arguments that the phrase itself settles."""


def phrase(
    *templates: str,
    example: str,
    changes: str,
    follows: str = "",
    shape: str = "",
    needs_slide: bool = False,
    **fixed: object,
) -> Callable[[Function], Function]:
    """Declare how to ask for an operation; see ``Phrase``. May stand several times."""
    declared = Phrase(templates, example, changes, follows, shape, needs_slide, fixed)

    def declare(function: Function) -> Function:
        vars(function)["phrases"] = (declared, *phrases_of(function))
        return function

    return declare


def phrases_of(function: Callable[..., object]) -> tuple[Phrase, ...]:
    """The phrases that a function declares; none where it can only be called."""
    declared: tuple[Phrase, ...] = vars(function).get("phrases", ())
    return declared
