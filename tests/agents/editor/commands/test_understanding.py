"""Requests taken apart: every form that is documented, and what is beyond all of them."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.agents.editor.commands import FORMS, Scope, forms_table, understand
from decklab.agents.editor.commands.scope import LAST, numbers_in, read_scope
from decklab.agents.editor.library import EditError

EXAMPLES = [example for forms in FORMS.values() for form in forms for example in form.examples]


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_one_step(example: str) -> None:
    understood = understand(example)
    assert len(understood.parts) == len(understood.steps) == 1


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_read_by_the_form_it_stands_at(example: str) -> None:
    quoted: dict[str, str] = {}

    def mark(match: re.Match[str]) -> str:
        quoted[str(len(quoted))] = match[1]
        return f"<{len(quoted) - 1}>"

    bare = re.sub(r"(?<!\w)'([^']*)'", mark, example)
    forms = [form for family in FORMS.values() for form in family if form.match(bare, quoted)]
    assert example in forms[0].examples


def test_the_page_on_editing_holds_the_table() -> None:
    page = Path(__file__).parents[4] / "docs" / "edit.md"
    assert forms_table() in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("between", ["; ", "\n", " and then ", ", then ", ". "])
def test_parts_are_divided(between: str) -> None:
    words = [step.words for step in understand(f"hide slide 1{between}Delete slide 2.").steps]
    assert words == ["hide slide 1", "delete slide 2"]


@pytest.mark.parametrize(
    ("request_", "old", "new"),
    [
        ("replace 'a; b' with 'c. D'", "a; b", "c. D"),
        ('replace "it\'s" with "its"', "it's", "its"),
        ("replace 'don't' with 'do not'", "don't", "do not"),
        ("replace “a” with ‘b’", "a", "b"),
        ("replace `and then` with `slide 3`", "and then", "slide 3"),
    ],
)
def test_quoted_text_is_taken_as_it_stands(request_: str, old: str, new: str) -> None:
    (step,) = understand(request_).steps
    assert step.words == f"replace “{old}” with “{new}” on all slides"


@pytest.mark.parametrize(
    "request_",
    ["make it pop", "replace 'a'", "translate the deck to German", "delete", "set the title size"],
)
def test_what_is_beyond_says_so_and_what_would_be_known(request_: str) -> None:
    (part,) = understand(request_).beyond
    assert request_ in part.words
    assert len(part.nearest) == 3
    assert set(part.nearest) <= set(EXAMPLES)


def test_the_nearest_requests_are_of_the_same_kind() -> None:
    (part,) = understand("remove every transition from slide 4 please now").beyond
    assert all("transition" in known for known in part.nearest[:1])


def test_nothing_is_nothing() -> None:
    assert understand("  ;\n ").parts == ()


@given(st.text(max_size=60))
def test_whatever_is_said_is_taken_apart(request_: str) -> None:
    understood = understand(request_)
    assert len(understood.steps) + len(understood.beyond) == len(understood.parts)


@pytest.mark.parametrize(
    ("pieces", "scope"),
    [
        (["on slides 2, 4-6"], Scope((2, 4, 5, 6))),
        (["in all titles", "of slide 3"], Scope((3,), where="title")),
        (["on the last slide"], Scope((LAST,))),
        (["on all slides except slides 1 and 3"], Scope(None, (1, 3))),
        (["of the body text"], Scope(where="body")),
        (["everywhere"], Scope()),
    ],
)
def test_scopes_are_read(pieces: list[str], scope: Scope) -> None:
    assert read_scope(pieces, {}) == scope


def test_a_scope_names_slides_of_the_deck() -> None:
    assert Scope(None, (1, LAST)).numbers(4) == [2, 3]
    assert Scope((LAST,)).numbers(4) == [4]
    with pytest.raises(EditError, match="no slide 5; the deck has 4"):
        Scope((2, 5)).numbers(4)


def test_ranges_run_forwards() -> None:
    with pytest.raises(EditError, match="backwards"):
        numbers_in("5-2")
