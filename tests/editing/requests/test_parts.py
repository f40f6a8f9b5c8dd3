"""Requests taken apart: every known one, and what is beyond all of them."""

from pathlib import Path
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.editing.finding import EditError
from decklab.editing.requests import examples, parts
from decklab.editing.requests.examples import nearest
from decklab.editing.requests.parts import NotUnderstood, ParsedRequest
from decklab.editing.requests.slide_names import DeckFacts, Scope, SlideReader, numbers_in
from decklab.editing.requests.words import tokens_of

EXAMPLES = [example for family in examples.EXAMPLES.values() for example in family]
FACTS = DeckFacts(("One", "Two", "Three", "Four", "Five", "Six", "Agenda"))


def understand(request: str) -> ParsedRequest:
    """What is understood of a request about a deck of seven slides."""
    return parts.understand(request, FACTS)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_one_step(example: str) -> None:
    understood = understand(example)
    assert len(understood.parts) == len(understood.operations) == 1


def test_the_page_on_editing_holds_the_table() -> None:
    page = Path(__file__).parents[3] / "docs" / "edit.md"
    assert examples.examples_table() in page.read_text(encoding="utf-8")


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


@pytest.mark.parametrize("request_", ["replace 'a'", "set the title size", "delete", "set row two"])
def test_what_is_beyond_says_so_and_what_would_be_known(request_: str) -> None:
    (part,) = understand(request_).not_understood
    assert f"not understood without a model: “{request_}”" in part.words
    assert 1 <= len(part.nearest) <= 3
    assert set(part.nearest) <= set(EXAMPLES)


@pytest.mark.parametrize("request_", ["make it pop", "translate slide 3 into German", "数据 🎉"])
def test_what_is_like_no_request_is_told_what_requests_are_about(request_: str) -> None:
    (part,) = understand(request_).not_understood
    assert (
        f"“{request_}”. Known are requests about: words; titles, texts and bullets;" in part.words
    )


@pytest.mark.parametrize(
    ("request_", "first"),
    [
        ("make slide 3 invisible", "hide slides 4 and 5"),
        ("erase every transition smoothly", "remove all transitions"),
        ("swap the titles around", "swap slides 3 and 5"),
    ],
)
def test_other_words_for_what_is_known_lead_to_it(request_: str, first: str) -> None:
    assert nearest(request_)[0].startswith(first)


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
    ("request_", "words"),
    [
        ("delete slides two and three", ["delete slides 2-3"]),
        ("delete the last two slides", ["delete slides 6-7"]),
        ("Delte the 2nd slide", ["delete slide 2"]),
        ("hide every slide except 1 and 7", ["hide all slides but 1, 7"]),
        ("hide the agenda slide", ["hide slide 7"]),
        ("make the titles blue and the body text grey",
         ["the title becomes #0000FF on all slides", "the body becomes #808080 on all slides"]),
        ("change the title of slide 2 to A and the title of slide 3 to B",
         ["the title reads “A” on slide 2", "the title reads “B” on slide 3"]),
        ("change the title of slide 2 to Plan and make it italic",
         ["the title reads “Plan” on slide 2", "the title becomes italic on slide 2"]),
        ("give slide 2 a black background and make its text white",
         ["the background becomes #000000 on slide 2", "all text becomes #FFFFFF on slide 2"]),
        ("On slide 6, the title should read \"Next\"", ["the title reads “Next” on slide 6"]),
        ("set the size on slides 2 and 3 to 20", ["all text becomes 20 pt on slides 2-3"]),
        ("set the size on slides 2 to 4 to 20", ["all text becomes 20 pt on slides 2-4"]),
        ("substitute b for a", ["replace “a” with “b” on all slides"]),
        ("rename slide 4 to Good to great on the ridge",
         ["the title reads “Good to great on the ridge” on slide 4"]),
        ("set the notes on slide 6 to Ask for questions first.",
         ["the notes read “Ask for questions first.” on slide 6"]),
        ("swap slides 3 and 5, then delete slide 1", ["swap slides 3, 5", "delete slide 1"]),
    ],
)  # fmt: skip
def test_words_come_in_any_order(request_: str, words: list[str]) -> None:
    assert [step.words for step in understand(request_).operations] == words


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ("hide slides 5-3", "slides 5 to 3 run backwards"),
        ("bold the titles on slides 5-3", "slides 5 to 3 run backwards"),
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
    (part,) = understand("remove every transition from slide 4 rather slowly").not_understood
    assert all("transition" in known for known in part.nearest[:1])


def test_nothing_is_nothing() -> None:
    assert understand("  ;\n ").parts == ()


@given(st.text(max_size=60))
def test_whatever_is_said_is_taken_apart(request_: str) -> None:
    understood = understand(request_)
    assert len(understood.operations) + len(understood.not_understood) == len(understood.parts)


@pytest.mark.parametrize(
    ("said", "scope"),
    [
        ("slides 2, 4-6", Scope((2, 4, 5, 6))),
        ("slide 3", Scope((3,))),
        ("the last slide", Scope((7,))),
        ("the first and the last slide", Scope((1, 7))),
        ("all slides except slides 1 and 3", Scope(None, (1, 3))),
        ("every slide but the last two", Scope(None, (6, 7))),
        ("slides 5 onwards", Scope((5, 6, 7))),
        ("slides after 5", Scope((6, 7))),
        ("even slides", Scope((2, 4, 6))),
        ("the slide called 'Two'", Scope((2,))),
        ("the whole deck", Scope()),
    ],
)
def test_slides_are_named_in_many_ways(said: str, scope: Scope) -> None:
    tokens = tokens_of(said)
    assert SlideReader(FACTS).read(tokens, 0) == (scope, len(tokens))


def test_a_scope_names_slides_of_the_deck() -> None:
    assert Scope(None, (1, 4)).numbers(4) == [2, 3]
    with pytest.raises(EditError, match="no slide 5; the deck has 4"):
        Scope((2, 5)).numbers(4)


def test_ranges_run_forwards() -> None:
    with pytest.raises(EditError, match="backwards"):
        numbers_in("5-2")


KNOWN = ("make", "the", "title", "of", "slide", "2", "bold", "and", "red", "delete", "'x'", "to")


@given(
    st.permutations(
        [
            "make",
            "the",
            "title",
            "of",
            "slide",
            "2",
            "bold",
            "and",
            "red",
            "delete",
            "'x'",
            "to",
            "3",
            "pt",
        ]
    ),
    st.integers(2, 14),
)
def test_any_order_of_known_words_is_read_or_not_and_never_fails(
    words: list[str], length: int
) -> None:
    request = " ".join(words[:length])
    assert len(understand(request).parts) >= 1


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ("duplicate slide 3 and hide it", "the slide or its copy"),
        ("make a copy of slide 3 after slide 5; hide it", "the slide or its copy"),
        ("duplicate slide 3; change its title to Again", "the slide or its copy"),
        ("set row 2, column 2 of the table on slide 6 to 12 and make it bold", "the cell or the"),
        ("put 12 in row 2, column 2 of the table on slide 6; make it bold", "the cell or the"),
    ],
)
def test_it_is_unclear_where_two_things_may_be_meant(request_: str, words: str) -> None:
    (part,) = understand(request_).not_understood
    assert words in part.words


def test_a_copy_or_its_slide_moves_as_well_and_the_word_it_may_be_a_text() -> None:
    moved = understand("duplicate slide 3 and move it to the end").operations
    assert [step.words for step in moved] == ["double slide 3", "move slide 3"]
    named = understand("duplicate slide 3; change the title of slide 4 to It works").operations
    assert named[1].words == "the title reads “It works” on slide 4"


@pytest.mark.parametrize(
    "request_",
    ["delete the picture on slide 6 and on slide 7", "make the first word of each title bold"],
)
def test_a_place_is_no_slide_to_delete_and_an_ordinal_no_word(request_: str) -> None:
    assert understand(request_).not_understood


def test_bullets_of_a_new_slide_do_not_become_its_title() -> None:
    (part,) = understand("add a slide with the title Foo and bullets A").not_understood
    assert "a title and bullets" in part.words
    (named,) = understand("add a slide called 'Silver bullets'").operations
    assert "“Silver bullets”" in named.words
