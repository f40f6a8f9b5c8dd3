from pathlib import Path

import pytest

from decklab.documents.markdown import read_markdown
from decklab.evals.judges.quiz.bank import QuizKind, QuizQuestion
from decklab.evals.judges.quiz.exam import INSUFFICIENT, ExamAnswer, answer_by_retrieval
from decklab.evals.judges.quiz.statements import DeckStatements, deck_statements


def deck(text: str) -> DeckStatements:
    return deck_statements(read_markdown(Path("deck.md"), "deck", text))


SLIDES = """
## Traffic

- Ships from 31 countries called at the harbour
- The average stay of a ship shortened from 31 hours to 26 hours
- Bulk goods fell by 3%

## Costs

| Item | 2024 | 2025 |
|---|---|---|
| Staff | 11.9 | 13.1 |
| Energy | 6.1 | 4.8 |

## Crane

- The crane cost €4,200,000 and feeds power back
"""


def question(text: str, *options: str, kind: QuizKind = "data") -> QuizQuestion:
    first, second, third, fourth = options
    return QuizQuestion(
        number=1, kind=kind, question=text, options=(first, second, third, fourth), answer="A",
        quote="q",
    )  # fmt: skip


def answer(text: str, *options: str, slides: str = SLIDES, kind: QuizKind = "data") -> ExamAnswer:
    return answer_by_retrieval(question(text, *options, kind=kind), deck(slides))


@pytest.mark.parametrize(
    ("text", "options", "letter"),
    [
        ("Ships from ____ countries called at the harbour.", ("26", "31", "3", "12"), "B"),
        ("The stay of a ship shortened from 31 hours to ____ hours.", ("31", "3", "26", "9"), "C"),
        ("Bulk goods fell by ____.", ("31%", "12%", "26%", "3%"), "D"),
        ("The crane cost ____.", ("4.3 million euros", "4.2 million euros", "€42", "1 euro"), "B"),
        ("Costs: Staff / 2025 = ____", ("13.1", "11.9", "4.8", "6.1"), "A"),
        ("Costs: Energy / 2024 = ____", ("13.1", "11.9", "4.8", "6.1"), "D"),
        ("How much did the crane cost?", ("€1", "€4.2 million", "€2", "€3"), "B"),
    ],
)
def test_numbers_are_compared_by_kind_value_and_unit(
    text: str, options: tuple[str, ...], letter: str
) -> None:
    assert answer(text, *options).selected == letter


def test_a_number_in_large_type_belongs_to_the_text_beside_it() -> None:
    slides = "## Growth\n\n12%\n\nmore containers came to the harbour\n\nThe staff is glad\n"
    text = "In all ____ more containers came to the harbour."
    assert answer(text, "3%", "12%", "20%", "4%", slides=slides).selected == "B"


def test_hyphens_and_titles() -> None:
    slides = "## Prices\n\n- Results show that Dual-core technology costs less\n"
    text = "Results show that ____ technology costs less."
    assert answer(text, "Prices", "Dual-core", "Metro", "Town", slides=slides).selected == "B"
    by_title = "Results show that technology of the ____ costs less."
    assert answer(by_title, "prices", "x", "metro", "town", slides=slides).selected == "A"


def test_a_number_of_another_unit_is_no_evidence() -> None:
    said = answer(
        "Ships from ____ countries called.", "31", "1", "2", "4", slides="- 31 % of ships"
    )
    assert said.selected == INSUFFICIENT


def test_terms_are_compared_as_words() -> None:
    text = "The ____ feeds power back."
    said = answer(text, "ship", "quay", "Crane", "staff", kind="concept")
    assert said.selected == "C" and "feeds power back" in said.reason


@pytest.mark.parametrize("slides", ["", "## Cats\n\n- Cats from 31 streets sleep 26 hours\n"])
def test_another_deck_and_an_empty_one_hold_nothing(slides: str) -> None:
    text = "Accidents fell from 14 to ____, the fewest since records began."
    said = answer(text, "9", "31", "26", "12", slides=slides)
    assert said.selected == INSUFFICIENT


def test_two_options_held_alike_decide_nothing() -> None:
    said = answer("Ships came from ____ countries.", "30", "40", "1", "2",
                  slides="- Ships came from 30 countries or from 40 countries")  # fmt: skip
    assert said.selected == INSUFFICIENT and "A and B" in said.reason


def test_the_fit_is_the_share_of_rare_words() -> None:
    stated = deck("- apples grow\n- apples fall\n- pears fall\n")
    one, _, _ = stated.statements
    assert stated.fit("apples grow", one) == pytest.approx(1.0)
    assert stated.fit("____", one) == 0.0
    # grow is rarer than apples, so it weighs more than half.
    assert stated.fit("apples fly", one) < 0.5 < stated.fit("grow fall", one)
