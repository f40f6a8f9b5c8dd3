from pathlib import Path

import pytest

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.evals.judges.quiz.amounts import SPELLED, facts_in, same_kind, same_number, same_values
from decklab.evals.judges.quiz.bank import BLANK, QuizBank, QuizError, bank_problems
from decklab.evals.judges.quiz.quiz import cloze_bank

HARBOUR = Path(__file__).parents[4] / "generate" / "writing" / "harbour.md"
SEEDS = range(6)


@pytest.fixture(scope="module")
def sources() -> KnowledgeBase:
    return read_documents([HARBOUR])


@pytest.fixture(scope="module")
def banks(sources: KnowledgeBase) -> list[QuizBank]:
    return [cloze_bank(sources, seed=seed) for seed in SEEDS]


def test_every_bank_keeps_the_rules_and_says_that_it_is_a_proxy(
    banks: list[QuizBank], sources: KnowledgeBase
) -> None:
    for bank in banks:
        assert bank_problems(bank, sources) == []
        assert bank.proxy and "by program" in bank.made_by
        assert all(one.question.count(BLANK) == 1 for one in bank.questions)
        assert len({one.quote for one in bank.questions}) == 10


def test_the_same_seed_gives_the_same_bank_and_another_one_another(
    banks: list[QuizBank], sources: KnowledgeBase
) -> None:
    assert cloze_bank(sources, seed=3) == banks[3]
    assert len({bank.model_dump_json() for bank in banks}) == len(banks)


def test_each_letter_is_right_two_or_three_times(banks: list[QuizBank]) -> None:
    for bank in banks:
        letters = "".join(question.answer for question in bank.questions)
        assert sorted(map(letters.count, "ABCD")) == [2, 2, 3, 3]
    assert len({question.answer for bank in banks for question in bank.questions[:1]}) > 1


def test_the_answer_stands_in_its_sentence(banks: list[QuizBank]) -> None:
    plain = " ".join(HARBOUR.read_text().replace("|", " ").split())
    for one in (one for bank in banks for one in bank.questions):
        assert " ".join(one.quote.split()) in plain
        assert one.right in one.quote


def test_wrong_options_are_of_the_same_kind_and_never_the_same_value(banks: list[QuizBank]) -> None:
    for one in (one for bank in banks for one in bank.questions if one.kind == "data"):
        place = one.question.index(BLANK)
        meant = [item for item in facts_in(one.filled(one.right)) if item.start == place]
        if spelled := [numbers for numbers in SPELLED if one.right in numbers]:
            assert set(one.options) <= set(spelled[0]) and len(set(one.options)) == 4
            continue
        for option in (option for option in one.options if option != one.right):
            (stated,) = facts_in(option)
            (right,) = facts_in(one.right)
            assert not same_values(stated, right), one
            assert stated.kind == right.kind, one
            assert option not in one.question.split(), one
            ratio = abs(stated.values[0] / right.values[0])
            assert 1 / 20 <= ratio <= 20, one
            if meant:
                (filled,) = (item for item in facts_in(one.filled(option)) if item.start == place)
                assert same_kind(filled, meant[0]), one


def test_terms_and_numbers_are_parted(banks: list[QuizBank]) -> None:
    for bank in banks:
        kinds = [one.kind for one in bank.questions]
        assert kinds == ["concept"] * 5 + ["data"] * 5
        assert not any(char.isdigit() for one in bank.questions[:5] for char in one.right)
        assert {one.difficulty for one in bank.questions} <= {"low", "medium", "high"}


@pytest.mark.parametrize(
    "text", ["\n", "# A title\n", "# T\n\nOne short sentence stands here now.\n"]
)
def test_too_little_to_ask_about_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "short.md"
    path.write_text(text)
    with pytest.raises(QuizError, match="the documents give 0 concept questions"):
        cloze_bank(read_documents([path]))


def test_numbers_agree_by_kind_value_and_unit() -> None:
    alike = [("12%", "12 percent"), ("4.2 million euros", "€4,200,000"), ("2019", "in 2019"),
             ("3 ships", "3 Ship"), ("3 km", "3")]  # fmt: skip
    apart = [("12%", "12"), ("3 km", "3 kg"), ("12%", "12 percentage points"), ("$5", "€5"),
             ("3 ships", "4 ships"), ("5 m", "5 M")]  # fmt: skip
    assert all(same_number(facts_in(a)[0], facts_in(b)[0]) for a, b in alike)
    assert not any(same_number(facts_in(a)[0], facts_in(b)[0]) for a, b in apart)
