"""Requests taken apart: every form that is documented, and what is beyond all of them."""

import re
from pathlib import Path
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.agents.editor.grammar import LAST, RequestScope, numbers_in, read_scope
from decklab.agents.editor.understanding import FORMS, NotUnderstood, forms_table, understand
from decklab.editing.finding import EditError

EXAMPLES = [example for forms in FORMS.values() for form in forms for example in form.examples]


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_one_step(example: str) -> None:
    understood = understand(example)
    assert len(understood.parts) == len(understood.operations) == 1


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
    page = Path(__file__).parents[3] / "docs" / "edit.md"
    assert forms_table() in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("between", ["; ", "\n", " and then ", ", then ", ". "])
def test_parts_are_divided(between: str) -> None:
    words = [step.words for step in understand(f"hide slide 1{between}Delete slide 2.").operations]
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
    (step,) = understand(request_).operations
    assert step.words == f"replace “{old}” with “{new}” on all slides"


@pytest.mark.parametrize(
    "request_",
    ["replace 'a'", "delete slide two", "set the title size", "make the titles bigger", "delete"],
)
def test_what_is_beyond_says_so_and_what_would_be_known(request_: str) -> None:
    (part,) = understand(request_).not_understood
    assert f"not understood without a model: “{request_}”" in part.words
    assert 1 <= len(part.nearest) <= 3
    assert set(part.nearest) <= set(EXAMPLES)


@pytest.mark.parametrize("request_", ["make it pop", "translate slide 3 into German", "数据 🎉"])
def test_what_is_like_no_request_is_told_what_requests_are_about(request_: str) -> None:
    (part,) = understand(request_).not_understood
    assert f"“{request_}”. Known are requests about: words; titles and cells;" in part.words


@pytest.mark.parametrize(
    ("request_", "first"),
    [
        ("make slide 3 invisible", "hide slide 3"),
        ("swap slides 2 and 3", "move slide"),
        ("erase every transition", "remove all transitions"),
        ("replace foo by bar", "replace 'Agenda' with"),
    ],
)
def test_other_words_for_what_is_known_lead_to_it(request_: str, first: str) -> None:
    (part,) = understand(request_).not_understood
    assert part.nearest[0].startswith(first)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ("On slide 2, replace 'a' with 'b'.", ["replace “a” with “b” on slide 2"]),
        ("Could you please delete slide 2?", ["delete slide 2"]),
        ("hide slide 1 and on slide 2, bold the title",
         ["hide slide 1", "the title becomes bold on slide 2"]),
        ("bold titles everywhere except slide 1", ["the title becomes bold on all slides but 1"]),
        ("set the footer to 'x' and bold the titles",
         ["the footer reads “x” on all slides", "the title becomes bold on all slides"]),
        ("delete slides 2 and 3", ["delete slides 2-3"]),
        ("replace 'a and b' with 'c'", ["replace “a and b” with “c” on all slides"]),
    ],
)  # fmt: skip
def test_requests_are_read_as_people_write_them(request_: str, words: list[str]) -> None:
    assert [step.words for step in understand(request_).operations] == words


def test_and_divides_only_what_is_known_on_both_sides() -> None:
    (part,) = understand("bold the titles and make it pop").parts
    assert isinstance(part, NotUnderstood)
    assert "“bold the titles and make it pop”" in part.words


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ("hide slides 5-3", "slides 5 to 3 run backwards"),
        ("bold the titles on slides 5-3", "slides 5 to 3 run backwards"),
        ("replace <0> with <1>", "in quotes"),
        ("set the title of slide 1 to 'a\x07b'", "characters that no deck can hold"),
        ("set the title of slide 1 to 'a\ud800b'", "characters that no deck can hold"),
        ("x" * 20_001, "20,001 characters, more than 20,000"),
        ("hide slide 1;" * 51, "51 parts, more than 50"),
    ],
)
def test_what_means_nothing_is_told_why(request_: str, why: str) -> None:
    (part,) = understand(request_).parts
    assert isinstance(part, NotUnderstood)
    assert part.words.startswith("not done: “")
    assert why in part.words
    assert len(part.words) < 300


def test_quoted_texts_may_look_like_marks() -> None:
    (step,) = understand("replace '<1>' with '<0>'").operations
    assert step.words == "replace “<1>” with “<0>” on all slides"


@pytest.mark.parametrize(
    "request_",
    ["delete slide {}", "move slide 2 to position {}", "set the size of the titles to {} pt",
     "set row {}, column 1 of the table to 'x'", "link 'x' to slide {}", "bold titles on slide {}"],
)  # fmt: skip
def test_numbers_of_any_length_are_read_or_beyond(request_: str) -> None:
    assert len(understand(request_.format("9" * 5000)).not_understood) == 1
    assert len(understand(request_.format("12")).operations) == 1


@pytest.mark.parametrize(
    "piece",
    ["'a ", '"', "1, ", " ", "\n", "on slide 1 ", "'a' ", "; ", "and ", "in titles of ", "1-2 to "],
)
def test_long_requests_take_no_longer_than_long_requests_should(piece: str) -> None:
    request = "make the titles bold on slides " + piece * (19_000 // len(piece))
    started = perf_counter()
    understand(request)
    assert perf_counter() - started < 5


def test_the_nearest_requests_are_of_the_same_kind() -> None:
    (part,) = understand("remove every transition from slide 4 please now").not_understood
    assert all("transition" in known for known in part.nearest[:1])


def test_nothing_is_nothing() -> None:
    assert understand("  ;\n ").parts == ()


@given(st.text(max_size=60))
def test_whatever_is_said_is_taken_apart(request_: str) -> None:
    understood = understand(request_)
    assert len(understood.operations) + len(understood.not_understood) == len(understood.parts)


@pytest.mark.parametrize(
    ("pieces", "scope"),
    [
        (["on slides 2, 4-6"], RequestScope((2, 4, 5, 6))),
        (["in all titles", "of slide 3"], RequestScope((3,), where="title")),
        (["on the last slide"], RequestScope((LAST,))),
        (["on all slides except slides 1 and 3"], RequestScope(None, (1, 3))),
        (["of the body text"], RequestScope(where="body")),
        (["everywhere"], RequestScope()),
    ],
)
def test_scopes_are_read(pieces: list[str], scope: RequestScope) -> None:
    assert read_scope(pieces, {}) == scope


def test_a_scope_names_slides_of_the_deck() -> None:
    assert RequestScope(None, (1, LAST)).numbers(4) == [2, 3]
    assert RequestScope((LAST,)).numbers(4) == [4]
    with pytest.raises(EditError, match="no slide 5; the deck has 4"):
        RequestScope((2, 5)).numbers(4)


def test_ranges_run_forwards() -> None:
    with pytest.raises(EditError, match="backwards"):
        numbers_in("5-2")
