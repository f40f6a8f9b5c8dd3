"""Writes the table of requests in ``docs/edit-requests.md`` from what the operations declare.

Run ``.venv/bin/python -m generate.request_forms`` after a change of a phrase.
"""

from pathlib import Path

from decklab.editing.requests.forms import forms

PAGE = Path(__file__).parents[1] / "docs" / "edit-requests.md"
_HEAD = "| family | form | example |\n"


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


def with_forms(page: str) -> str:
    """A page with its table of forms written anew."""
    before, head, rest = page.partition(_HEAD)
    if not head:
        raise ValueError(f"{PAGE} has no table that begins {_HEAD!r}")
    _old, blank, after = rest.partition("\n\n")
    return f"{before}{forms_table()}{blank}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_forms(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
