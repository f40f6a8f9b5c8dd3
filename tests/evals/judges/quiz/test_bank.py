import json
from pathlib import Path
from typing import Any

import pytest
from tests.evals.judges.quiz.scripts import REPORT, bank

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.evals.judges.quiz.bank import QuizBank, QuizError, bank_problems, load_bank, write_bank


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    path = tmp_path_factory.mktemp("report") / "harbour.md"
    path.write_text(REPORT)
    return read_documents([path])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bank.json"
    write_bank(bank(), path)
    return path


def changed(path: Path, place: int, /, **values: Any) -> Path:
    data = json.loads(path.read_text())
    data["questions"][place - 1].update(values)
    path.write_text(json.dumps(data))
    return path


def test_a_bank_keeps_the_rules_and_comes_back_as_it_was(
    file: Path, sources: KnowledgeBase
) -> None:
    assert bank_problems(bank(), sources) == []
    assert load_bank(file, sources) == bank()
    first = json.loads(file.read_text())["questions"][0]
    assert list(first["options"]) == ["A", "B", "C", "D"]
    assert first["options"][first["answer"]] == "the crane feeds power back"


def test_what_a_person_changes_is_read(file: Path) -> None:
    changed(file, 6, question="From how many countries did ships come?", topic="traffic")
    got = load_bank(file).questions[5]
    assert (got.question, got.topic) == ("From how many countries did ships come?", "traffic")


@pytest.mark.parametrize(
    ("number", "values", "said"),
    [
        (1, {"answer": "AC"}, "questions.0.answer"),
        (1, {"answer": ""}, "questions.0.answer"),
        (2, {"options": {"A": "one", "B": "two", "C": "three"}}, "questions.1.options"),
        (2, {"options": {"A": "one", "B": "two", "C": "three", "D": " "}}, "option D is empty"),
        (2, {"options": {"A": "One.", "B": "one", "C": "x", "D": "y"}}, "options A and B say"),
        (3, {"kind": "data"}, "4 concept and 6 data"),
        (4, {"number": 5}, "not numbered from 1"),
        (6, {"options": {"A": "1", "B": "31", "C": "31.0", "D": "7"}}, "options B and C say"),
        (7, {"options": {"A": "4.2 million euros", "B": "€4,200,000", "C": "1", "D": "2"}},
         "options A and B say the same"),
        (8, {"quote": "Ships called at the harbour"}, "do not stand in the quote"),
        (8, {"options": {"A": "a", "B": "b", "C": "few", "D": "more"}}, "has no number"),
        (1, {"question": "Why does the crane feeds power back matter?"}, "holds its answer"),
        (2, {"question": "Which reason is number 1?"}, "is there 2 times"),
        (1, {"extra": 1}, "questions.0.extra"),
        (1, {"difficulty": "impossible"}, "questions.0.difficulty"),
    ],
)  # fmt: skip
def test_a_bank_that_breaks_a_rule_is_refused_with_the_place(
    number: int, values: dict[str, Any], said: str, file: Path
) -> None:
    with pytest.raises(QuizError) as refused:
        load_bank(changed(file, number, **values))
    assert said in str(refused.value)
    assert str(refused.value).startswith(str(file)) and "\n" not in str(refused.value)


def test_nine_questions_are_no_bank(file: Path) -> None:
    data = json.loads(file.read_text())
    data["questions"].pop()
    file.write_text(json.dumps(data))
    with pytest.raises(QuizError, match="exactly 10 questions, not 9"):
        load_bank(file)


@pytest.mark.parametrize("text", ["", "[]", "{", "\x00"])
def test_what_is_no_bank_is_told(text: str, file: Path) -> None:
    file.write_text(text)
    with pytest.raises(QuizError, match=r"bank\.json"):
        load_bank(file)


def test_quotes_are_looked_up_in_the_documents(file: Path, sources: KnowledgeBase) -> None:
    changed(file, 1, quote="Energy became dearer because the crane feeds power back.")
    with pytest.raises(QuizError, match="question 1: no source says: Energy became dearer"):
        load_bank(file, sources)
    assert isinstance(load_bank(file), QuizBank)
    changed(file, 1, quote="Energy became cheaper", page=7)
    with pytest.raises(QuizError, match=r"question 1: its quote stands in harbour\.md"):
        load_bank(file, sources)


def published(path: Path, place: int = 1, /, **values: Any) -> Path:
    """The bank in the form of paper 002, figure 20, with one question changed."""
    listed = [
        {
            "id": one.number,
            "type": one.kind.capitalize(),
            "question": one.question,
            "options": [f"{'ABCD'[at]}. {option}" for at, option in enumerate(one.options)],
            "correct_answer": one.answer,
            "explanation": f"Based on Page 3: '{one.quote}'",
        }
        for one in bank().questions
    ]
    listed[place - 1].update(values)
    path.write_text(json.dumps({"quiz_bank": listed}))
    return path


def test_a_bank_in_the_papers_form_says_the_same(tmp_path: Path) -> None:
    got = load_bank(published(tmp_path / "5G.json"))
    assert (got.title, got.published, got.proxy) == ("5G", True, False)
    for one, same in zip(got.questions, bank().questions, strict=True):
        assert (one.question, one.options, one.answer) == (same.question, same.options, same.answer)
        assert (one.kind, one.quote, one.page) == (same.kind, same.quote, 3)
    write_bank(got, tmp_path / "again.json")
    assert load_bank(tmp_path / "again.json") == got


def test_options_lose_their_own_letter_and_no_other_words(tmp_path: Path) -> None:
    listed = ["one", " (B) two", "C: three\nand more", "A. four"]
    got = load_bank(published(tmp_path / "b.json", 6, options=listed)).questions[5]
    assert got.options == ("one", "two", "three\nand more", "A. four")


@pytest.mark.parametrize(
    ("values", "quote", "page"),
    [
        ({"source_quote": "Cold.", "location": "Page 12"}, "Cold.", 12),
        ({"explanation": "Page 7 says “Ships came.”"}, "Ships came.", 7),
        ({"explanation": "Nothing is quoted"}, "Nothing is quoted", None),
    ],
)
def test_quote_and_page_come_from_where_they_stand(
    values: dict[str, Any], quote: str, page: int | None, tmp_path: Path
) -> None:
    one = load_bank(published(tmp_path / "b.json", 6, **values)).questions[5]
    assert (one.quote, one.page) == (quote, page)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"correct_answer": "the crane feeds power back"}, r"questions\.0\.answer"),
        ({"type": "Trick"}, r"questions\.0\.kind"),
        ({"type": "Data"}, "4 concept and 6 data"),
        ({"options": ["A. one", "B. two"]}, r"questions\.0\.options"),
        ({"options": ["A. one", "B. two", "C. three", "D. "]}, "option D"),
        ({"options": None}, r"questions\.0\.options"),
        ({"explanation": ""}, r"questions\.0\.quote"),
        ({"question": None}, r"questions\.0\.question"),
    ],
)
def test_what_breaks_the_papers_rules_is_refused(
    values: dict[str, Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(QuizError, match=said):
        load_bank(published(tmp_path / "b.json", **values))


def test_rules_of_ours_do_not_hold_for_the_papers_form(tmp_path: Path) -> None:
    values = {"explanation": "Based on Page 3: 'Many ships called.'"}  # no number in the quote
    assert load_bank(published(tmp_path / "b.json", 6, **values)).published
    (tmp_path / "ours.json").write_text(bank().model_dump_json())
    changed(tmp_path / "ours.json", 6, quote="Many ships called.")
    with pytest.raises(QuizError, match="do not stand in the quote"):
        load_bank(tmp_path / "ours.json")


@pytest.mark.parametrize("listed", [[], 3, ["x"], [3] * 10])
def test_an_odd_list_in_the_papers_form_is_told(listed: Any, tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(json.dumps({"quiz_bank": listed}))
    with pytest.raises(QuizError, match=r"b\.json"):
        load_bank(tmp_path / "b.json")
