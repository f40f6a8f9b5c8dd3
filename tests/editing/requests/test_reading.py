"""The language of requests: what is carried out, what is asked back, what is refused."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import example as also
from hypothesis import given
from hypothesis import strategies as st

from decklab.editing.requests.forms import PLANS, form_words, forms, request_examples
from decklab.editing.requests.reading import FREE_WORDS, NotUnderstood, ParsedRequest
from decklab.editing.requests.reading import understand as understand_in
from decklab.editing.requests.slide_names import Scope, numbers_in
from decklab.editing.requests.templates import DeckNames, names, quoted, tokens_of

FACTS = DeckNames(
    ("Agenda", "Costs", "Costs", "Outlook", "Links", "Numbers"),
    shapes=names(["Picture 3", "Title 1", "Plan", "Check", "Picture note", "Box"]),
    rows=names(["North", "South"]),
    columns=names(["Region", "2024"]),
    lines=names(["€ 210", "heating oil", "2025", "DRAFT"]),
    categories=names(["North", "South"]),
    series=names(["2025"]),
    layouts=names(["Title Only"]),
    sections={"Findings": (3, 4)},
    having={"pictures": frozenset({4}), "hidden": frozenset({2})},
)
EXAMPLES = [one for examples in request_examples().values() for one in examples]
TAILS = (
    "but not in the title", "and keep the font", "if it fits", "unless hidden",
    "but only the first", "instead of the footer", "and so on", "in a nicer way", "not too big",
    "like before", "as well", "and everywhere else it's mentioned", "where needed", "for me",
    "except in the table", "only once", "but leave the rest", "and nothing else",
    "without changing the size", "and make it bold", "too", "also in the notes",
    "and the text white", "almost everywhere", "ignoring the pictures",
)  # fmt: skip
"""What people add to a request that no form can say."""
EVERY = (20, pytest.param(5, marks=pytest.mark.long), pytest.param(1, marks=pytest.mark.bench))
"""Every how many examples are tried."""
INSERTED = ("blorp", "only", "not", "almost")


def understand(request: str) -> ParsedRequest:
    """What is understood of a request about a deck of six slides."""
    return understand_in(request, FACTS)


def done(request: str) -> list[str]:
    """The operations of a request, as requests."""
    return [one.words for one in understand(request).operations]


def refused(request: str) -> NotUnderstood:
    """Why the only part of a request is not done."""
    (part,) = understand(request).parts
    assert isinstance(part, NotUnderstood)
    return part


@pytest.mark.parametrize("request_", EXAMPLES)
def test_every_example_is_read_in_one_way(request_: str) -> None:
    assert len(understand(request_).operations) == 1
    assert understand(request_).not_understood == ()


@pytest.mark.by_day(2)
@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("every", EVERY)
def test_nothing_is_done_where_more_is_said_than_a_form_holds(tail: str, every: int) -> None:
    can_be_said = tail in ("but not in the title", "except in the table")  # of replaced words
    for request in EXAMPLES[::every]:
        for joint in (" ", ", "):
            if not (can_be_said and request.startswith("replace")):
                assert done(f"{request}{joint}{tail}") == []


@pytest.mark.by_day(1)
@pytest.mark.parametrize("word", INSERTED)
@pytest.mark.parametrize("every", EVERY)
def test_no_word_is_passed_over(word: str, every: int) -> None:
    """A word that is put in somewhere is a part of a value, or nothing is done."""
    for request in EXAMPLES[::every]:
        pieces = re.findall(r"'[^']*'|\S+", request)
        for place in range(len(pieces) + 1):
            changed = " ".join([*pieces[:place], word, *pieces[place:]])
            for operation in done(changed):
                assert word in " ".join(_values(operation)) or "not bold" in operation


def _values(request: str) -> Iterator[str]:
    return (token.text for token in tokens_of(request) if token.kind == "quoted")


QUALIFIED = (
    "2026 but not in bold", "Costs and keep the font", "Plan only",
    "Outlook for every region", "Sales, also in bold",
    "Results in bold", "Berlin (not in the notes)", "Plan - keep the subtitle", "slide 3",
    "everything else", "today", "the file name",
    "the same as slide 1", "Costs italic",
)  # fmt: skip
"""Values without quotes that hold words which may be meant for the request."""


@pytest.mark.parametrize("value", QUALIFIED)
@pytest.mark.parametrize(
    "request_",
    ["set the title of slide 2 to {}", "replace 'Agenda' with {}", "set the notes of slide 2 to {}",
     "set cell 2, 3 of the table to {}", "set the footer to {}", "rename slide 4 to {}"],
)  # fmt: skip
def test_a_value_that_may_be_a_part_of_the_request_is_asked_back(request_: str, value: str) -> None:
    asked = refused(request_.format(value))
    assert asked.readings
    assert any(reading.endswith(f" {quoted(value)}") for reading in asked.readings)


@pytest.mark.parametrize(
    "request_",
    [
        "replace 2025 with 2026 but not in bold", "move slide 2 to slide 4",
        "hide the slide 'Costs'", "set the title of slide 2 to Costs and keep the font",
        "set the title on slide 2 to Arial",
        "set the title of slide 2 to 24",
        "hide every second slide", "make 'Plan' red",
        "change the title of slide 3 to Red", "set the title of slide 2 to Costs and hide slide 3",
        "change € 210 to € 250 on slide 2 and everywhere else it's mentioned",
        "set the title of slide 4 to Outlook.",
    ],
)  # fmt: skip
def test_each_reading_is_a_request_that_is_read_in_one_way(request_: str) -> None:
    asked = refused(request_)
    assert asked.readings
    for reading in asked.readings:
        again = understand(reading)
        assert again.operations and not again.not_understood
        assert "; ".join(one.words for one in again.operations) == reading
        assert reading in asked.words


@pytest.mark.parametrize("limit", ["not on slide 3", "only on slide 3", "but not in the table",
                                   "only where it is bold", "not the subtitle"])  # fmt: skip
@pytest.mark.parametrize("request_", ["replace Agenda with Our view", "set the title to Our view",
                                      "set the notes to Our view"])  # fmt: skip
def test_no_reading_drops_a_limit_or_takes_it_for_its_contrary(request_: str, limit: str) -> None:
    parts = understand(f"{request_}, {limit}").parts
    asked = [one for part in parts if isinstance(part, NotUnderstood) for one in part.readings]
    said = {"but not in the table": " not in the table"}.get(limit, "")
    for words in [*asked, *done(f"{request_}, {limit}")]:
        assert f"Our view, {limit}'" in words or (said and words.endswith(said)), words


@pytest.mark.parametrize(
    ("request_", "operations"),
    [
        ("change heating oil to fuel oil on slide 4",
         ["change 'heating oil' to 'fuel oil' on slide 4"]),
        ("hide slide 1; hide slide 2\nhide slide 3", ["hide slide 1", "hide slide 2",
                                                      "hide slide 3"]),
        ("hide slide 1 then delete slide 2", ["hide slide 1", "delete slide 2"]),
        ("hide slide 1, bold the titles and delete slide 2",
         ["hide slide 1", "bold all titles", "delete slide 2"]),
        ("Hide slide 1. Delete slide 2.", ["hide slide 1", "delete slide 2"]),
        ("set the title of slide 2 to Costs; hide slide 3",
         ["set the title on slide 2 to 'Costs'", "hide slide 3"]),
        ("set the title of slide 2 to 'A; b, then c\nand d'",
         ["set the title on slide 2 to 'A; b, then c\nand d'"]),
        ("set the title of slide 2 to 'It's 5 o'clock'",
         ["set the title on slide 2 to 'It's 5 o'clock'"]),
        ("replace 'oil' with fuel oil on slide four", ["replace 'oil' with 'fuel oil' on slide 4"]),
        ("set the footer to Draft except on slide 1",
         ["set the footer to 'Draft' on all slides except 1"]),
        ("delete slides 2 and 3 and hide slide 4", ["delete slides 2-3", "hide slide 4"]),
    ],
)  # fmt: skip
def test_parts_of_an_instruction(request_: str, operations: list[str]) -> None:
    assert done(request_) == operations
    assert understand(request_).not_understood == ()


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ("make the tiltes bold", "“tiltes” is no word of these requests (“titles”?)"),
        ("make only the numbers in the body bold", "no form goes on with “only”"),
        ("delete slide 3 unless it is hidden", "“unless” is no word of these requests"),
        ("make the titles bold on slides 5-3", "slides 5 to 3 run backwards"),
        ("rename slide 3 to Plan and move it to the end", "“move it to the end” is no request"),
        ("hide the slide 'Budget'", "no slide has the title “Budget”"),
        ("hide slides with charts", "no slide is with charts"),
        ("hide the last 9 slides", "there are no 9 slides; the deck has 6"),
        ("hide slides before 1", "no slide stands before slide 1"),
        ("make the titles 200% smaller", "cannot become smaller than nothing"),
        ("set 'West' in '2025' to 3", "no chart of the deck has a category “West”"),
        ("Mach die Titel auf Folie 2 fett", FREE_WORDS),
        ("summarise this for the board", FREE_WORDS),
        ("do not delete slide 3", FREE_WORDS),
    ],
)
def test_a_refusal_says_why_and_what_can_be_asked(request_: str, why: str) -> None:
    part = refused(request_)
    assert part.readings == ()
    assert why in part.words
    assert "\n" not in part.words


@pytest.mark.parametrize("request_", ["replace cats with dogs", "change cats to dogs on slide 2"])
def test_words_that_stand_nowhere_are_named(request_: str) -> None:
    assert refused(request_).why.startswith("“cats” stands nowhere on the slides")


def test_a_refusal_names_the_nearest_form() -> None:
    assert "“make the titles bold and 32 pt”" in refused("make the titles pop").words
    assert "--model" in refused("make the titles pop").words


@pytest.mark.parametrize(
    "request_",
    ["right-align the numbers in the table", "make the titles red and blue",
     "make the titles bigger and smaller", "make it bigger",
     "change the language to German", "change currency to euro", "delete slides", "hide slide",
     "hide the deck now",
     "background of the first and last slide blue and the text white", "swap slides", "and", ";",
     "the", "set to", "make bold", "delete the second", "''", "replace '' with", "to 'x'"],
)  # fmt: skip
def test_what_is_no_request_is_not_done(request_: str) -> None:
    assert done(request_) == []


def test_an_instruction_has_an_end() -> None:
    assert "20,000" in refused("x" * 20_001).why
    assert "50" in refused("hide slide 1;" * 51).why
    assert "120" in refused("set the title of slide 2 to " + "very " * 130).why
    assert understand(" ;\n ; ").parts == ()


def test_characters_that_no_deck_can_hold_are_refused() -> None:
    part = refused("set the title of slide 2 to 'a\x0bb'")
    assert "characters that no deck can hold" in part.words
    assert "\x0b" not in part.words


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("2,4-6", (2, 4, 5, 6)), ("2, 4 to 6 and 9", (2, 4, 5, 6, 9)), ("three", (3,)), ("", ()),
     ("2 of", ()), ("all", ())],
)  # fmt: skip
def test_lists_of_numbers(text: str, numbers: tuple[int, ...]) -> None:
    assert numbers_in(text) == numbers


@pytest.mark.long
@given(st.sets(st.integers(1, 30), min_size=1), st.sets(st.integers(1, 30)))
def test_slides_are_read_as_they_are_named(slides: set[int], but: set[int]) -> None:
    facts = DeckNames(tuple("Title" for _slide in range(30)))
    for scope in (Scope(tuple(sorted(slides))), Scope(but=tuple(sorted(but)))):
        (operation,) = understand_in(f"hide {scope.words}", facts).operations
        assert operation.words == f"hide {scope.words}"


@pytest.mark.long
@given(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]), min_size=1))
@also("it's 'so'")
@also("a “b” 'c' \"d\"")
@also("l’été")
def test_a_quoted_value_is_taken_as_it_stands(text: str) -> None:
    written = quoted(text)
    (token,) = tokens_of(written)
    kept = text if token.text == text else text.replace('"', "”")
    assert (token.kind, token.text) == ("quoted", kept)


@given(st.lists(st.sampled_from(sorted(form_words())), max_size=12))
def test_words_of_the_language_in_any_order_are_read_to_an_end(said: list[str]) -> None:
    for operation in understand(" ".join(said)).operations:
        assert done(operation.words) == [operation.words]


def test_every_plan_is_that_of_an_operation_with_phrases() -> None:
    assert {form.operation.__name__ for form in forms()} >= set(PLANS)


def test_templates_are_words_that_people_can_say() -> None:
    for form in forms():
        assert re.fullmatch(r"[a-z0-9HL{}\[\]()|:', \-.]+", form.shown), form.shown
