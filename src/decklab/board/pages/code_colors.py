"""Lines of a program with their words in colours, as HTML. Pygments says what each word is."""

from functools import cache
from html import escape
from typing import Any, Final

from decklab.board.blueprint import CodePlan
from decklab.core.lazy import extra_module

_CLASSES: Final = (
    ("Comment", "c"), ("Keyword", "k"), ("Operator.Word", "k"), ("Literal.String", "s"),
    ("Literal.Number", "n"), ("Name.Function", "f"), ("Name.Class", "f"), ("Name.Decorator", "f"),
    ("Name.Tag", "k"), ("Name.Attribute", "f"), ("Generic.Inserted", "s"), ("Generic.Deleted", "k"),
)  # fmt: skip
"""Kinds of tokens of Pygments, and the class of ``pages.css`` that colours them."""


def code_html(plan: CodePlan) -> str:
    """The lines with ``span`` elements around what has a colour; all plain if the language is
    unknown. Raises Unavailable without ``decklab[write]``."""
    text = "\n".join(plan.lines)
    lexer = _lexer(plan.language or "")
    if lexer is None:
        return escape(text)
    return "".join(
        f'<span class="{name}">{escape(words)}</span>' if (name := _class(kind)) else escape(words)
        for kind, words in lexer.get_tokens(text)
    )


@cache
def _lexer(language: str) -> Any:
    """Of a language by the name that a source gives it; None if there is none."""
    lexers = extra_module("pygments.lexers", "colouring code", "write")
    unknown = extra_module("pygments.util", "colouring code", "write").ClassNotFound
    try:
        return lexers.get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except unknown:
        return None


@cache
def _class(kind: Any) -> str:
    name = str(kind).removeprefix("Token.")
    return next((short for long, short in _CLASSES if name.startswith(long)), "")
