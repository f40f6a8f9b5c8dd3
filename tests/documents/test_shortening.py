import pytest

from decklab.documents.shortening import point_text, standing

SHORTENED = {
    "However, sales fell by 12% (Smith 2019).": "Sales fell by 12%",
    "Accidents fell from 14 to 9 [3, 7].": "Accidents fell from 14 to 9",
    "The crane (a gift of the city) can lift 60 tonnes.": "The crane can lift 60 tonnes",
    "In contrast to last year accidents rose to 9.":
        "In contrast to last year accidents rose to 9",
    "In addition, the hazard doubles every ten years (see Figure 3).":
        "The hazard doubles every ten years",
    "This report describes how the harbour did.": "This report describes how the harbour did",
    "Die Kosten sanken um 12 % gegenüber dem Vorjahr.":
        "Die Kosten sanken um 12 % gegenüber dem Vorjahr",
    "港口有3400名工人。": "港口有3400名工人",
}  # fmt: skip
NEEDY = [
    "This is what we meant.",
    "港口每年接待多少艘船只？",
    "Manipulation des bogues » est fortement recommandée.",
    "In that case the harbour is closed.",
    "(The crane was given by the city of Graz in 2019.)",
    "For what changed in the harbour, see the report of the city.",
    "They come from two places in the north.",
    "What does it cost to run?",
    "As shown in Figure 3 the curves cross.",
    "The model of Section 4 fits better than others.",
    "fit <- coxph(Surv(time, status) ~ age)",
    "The call plot(x, y) draws a line of both.",
    "The steps are the following:",
    "and then it ended in the north.",
    "University of Wisconsin Madison and Zurich McMaster University Hamilton.",
    "A new treatment of the pain of rheuma-",
    "12 34 56 78 90 12 34.",
    "Although a harbour can be built by hand in a year.",
    "One event Multiple events per subject per subject One event.",
    "The vector of a subject is written as Xi(t).",
    "The default is to set the value to n − k.",
    "The curves that we have drawn are like this.",
    "At least under the null.",
    "2Note that this is a footnote of the page.",
]


@pytest.mark.parametrize("sentence", SHORTENED)
def test_a_sentence_keeps_its_words_without_asides_and_connectives(sentence: str) -> None:
    assert point_text(sentence) == SHORTENED[sentence]


@pytest.mark.parametrize("sentence", NEEDY)
def test_a_sentence_that_needs_its_neighbours_or_is_no_prose_stands_less_well(
    sentence: str,
) -> None:
    assert standing(sentence) < 1


@pytest.mark.parametrize(
    "sentence",
    [
        "The crane cost $4.2 million in 2025.",
        "Costs fell from €1,200 to €900 a month.",
        "The share of p < 0.05 was 12 % in the sample of n = 40.",
        "A card is sent to you by desk@harbour.example on request.",
        "Ticket #214 was closed by the harbour on Monday.",
        "The value is > 3 in all of the years.",
    ],
)
def test_money_shares_and_comparisons_are_no_code(sentence: str) -> None:
    assert standing(sentence) == 1


def test_a_long_sentence_loses_its_last_clause_but_never_a_number() -> None:
    head = "The harbour authority of the northern region paid for all of the new cranes on the quay"
    tail = ", which had been planned for a decade before anybody found the money to order them"
    assert point_text(f"{head}{tail}.") == head
    counted = ", which had been planned for 12 years before anybody found the money to order them"
    assert point_text(f"{head}{counted}.") == head + counted
    assert point_text(f"{head}: the price was 4.2 million euros.").endswith("4.2 million euros")


def test_no_sentence_with_a_letter_is_refused_and_none_is_endless() -> None:
    for sentence in (*NEEDY, "word " * 200 + "end.", "港口" * 300):
        point = point_text(sentence)
        assert bool(point) == any(map(str.isalpha, sentence)), sentence
        assert len(point.split()) <= 46
    assert point_text("") == point_text("12 34") == ""


def test_a_list_item_need_not_be_a_sentence() -> None:
    assert point_text("4 days of repairs") == "4 days of repairs"
    assert point_text("two operators") == "Two operators"
    assert standing("two operators", item=True) > standing("two operators")


def test_every_point_is_of_words_of_its_sentence() -> None:
    for sentence in SHORTENED:
        point = point_text(sentence)
        assert point and len(point) <= len(sentence)
        assert {word.casefold() for word in point.split()} <= {
            word.strip(".,[]()。").casefold() for word in sentence.split()
        }


def test_a_clause_inside_a_sentence_does_not_take_the_verb_with_it() -> None:
    sentence = (
        "Checkers can enforce that functions of the harbour, such as those that move the crane or "
        "the ship to the dock, are called with care"
    )
    assert point_text(f"{sentence}.") == sentence
