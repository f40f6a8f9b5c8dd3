"""The forms of requests as people read them: examples, a list, the table of the documentation."""

from collections.abc import Iterator, Mapping
from functools import cache

from decklab.editing.operations import FAMILIES
from decklab.editing.requests.forms import forms


@cache
def request_examples() -> Mapping[str, tuple[str, ...]]:
    """Requests for ``decklab edit`` without a model, by family; one for each form."""
    return {
        family: tuple(
            dict.fromkeys(form.phrase.example for form in forms() if form.family == family)
        )
        for family in FAMILIES
        if any(form.family == family for form in forms())
    }


def form_lines(word: str = "") -> Iterator[str]:
    """The forms by family, each operation with an example; those only that hold a word."""
    family = ""
    for form in forms():
        texts = (form.family, form.shown, form.phrase.example)
        if not any(word.casefold() in text.casefold() for text in texts):
            continue
        if form.family != family:
            family = form.family
            yield f"{family}:"
        is_first = form.template == form.phrase.templates[0]
        yield f"  {form.shown}" + (f"\n      such as: {form.phrase.example}" if is_first else "")


def forms_table() -> str:
    """All forms with an example each, as the table of the documentation (Markdown)."""
    lines = ["| family | form | example |", "| --- | --- | --- |"]
    for form in forms():
        if form.template == form.phrase.templates[0]:
            shown = "<br>".join(
                f"`{other.shown}`".replace("|", "\\|")
                for other in forms()
                if other.phrase is form.phrase
            )
            lines.append(f"| {form.family} | {shown} | `{form.phrase.example}` |")
    return "\n".join(lines)
