"""Banks and exams end to end, on decks of known quality."""

from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from tests.evals.judges.quiz.scripts import ANCHORS, EXAM, REPORT, Script, bank, exam_reply
from tests.evals.judges.quiz.test_slide_texts import write_deck

from decklab.core.results import NotScored
from decklab.evals.judges.quiz.bank import QUIZ_PROXY_NOTE, QuizError, load_bank, write_bank
from decklab.evals.judges.quiz.exam import accuracies_by, accuracy_of
from decklab.evals.judges.quiz.quiz import build_quiz, take_quiz
from decklab.writer.request import WriteOptions
from decklab.writer.write import write_deck as write_from

HARBOUR = Path(__file__).parents[4] / "generate" / "writing" / "harbour.md"
CATS = """# Cats

Cats sleep for 16 hours a day in a quiet corner. The oldest cat of the town is 24 years old. A cat
has 18 toes, and some have more of them. Most cats drink 200 ml of water a day from a bowl.
"""


@pytest.fixture(scope="module")
def decks(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Four decks from the best to the worst: twelve slides, four, of another document, none."""
    folder = tmp_path_factory.mktemp("decks")
    cats = folder / "cats.md"
    cats.write_text(CATS)
    for name, source, slides in (("full", HARBOUR, 12), ("short", HARBOUR, 4), ("cats", cats, 4)):
        write_from([source], folder / f"{name}.pptx", options=WriteOptions(slides=slides))
    Presentation().save(str(folder / "empty.pptx"))
    return [folder / f"{name}.pptx" for name in ("full", "short", "cats", "empty")]


@pytest.mark.long
def test_the_proxy_puts_decks_in_their_order(decks: list[Path], tmp_path: Path) -> None:
    pairs: list[list[Any]] = [[] for _ in decks]
    for seed in range(3):
        build_quiz([HARBOUR], tmp_path / "bank.json", seed=seed, force=True)
        results = take_quiz(tmp_path / "bank.json", decks, documents=[HARBOUR])
        assert all(result.proxy for result in results)
        for place, result in enumerate(results):
            pairs[place] += result.pairs
    full, short, cats, empty = (accuracy_of(one).share for one in pairs)
    assert full >= 0.8 and 0.1 <= short <= full - 0.2
    assert cats <= 0.05 and empty == 0
    assert accuracies_by(pairs[3], "kind")["data"].insufficient == 15


@pytest.mark.long
def test_every_wrong_answer_has_a_class(decks: list[Path], tmp_path: Path) -> None:
    build_quiz([HARBOUR], tmp_path / "bank.json")
    for result in take_quiz(tmp_path / "bank.json", decks):
        wrong = [one for one in result.records() if one["correct"] is False]
        assert len(wrong) == len(result.mistakes) == sum(result.mistake_counts.values())
    assert result.mistake_counts == {"missing": 10}


def test_a_model_builds_and_answers(tmp_path: Path) -> None:
    source = tmp_path / "harbour.md"
    source.write_text(REPORT)
    script = Script(
        anchors=[ANCHORS], verify=[ANCHORS], questions=[EXAM], exam=[exam_reply("A" * 10)],
        mistakes=[{"mistakes": []}],
    )  # fmt: skip
    built = build_quiz([source], tmp_path / "bank.json", model=script)
    assert load_bank(tmp_path / "bank.json") == built.bank
    deck = write_deck(tmp_path / "talk.pptx", [("The harbour", "Ships from 31 countries", "")])
    (result,) = take_quiz(built.bank, [deck], model=script)
    right = sum(one.answer == "A" for one in built.bank.questions)
    assert result.accuracy.correct == right and not result.proxy
    assert result.usage.requests >= 1 and len(result.mistakes) == 10 - right
    assert QUIZ_PROXY_NOTE not in result.as_json()["told"]
    (by_program,) = take_quiz(built.bank, [deck])
    assert by_program.as_json()["told"][0] == QUIZ_PROXY_NOTE


def test_a_deck_that_cannot_be_read_is_not_scored_and_stops_nothing(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pptx"
    broken.write_bytes(b"no deck")
    good = write_deck(tmp_path / "talk.pptx", [("The harbour", "Ships", "")])
    first, second = take_quiz(bank(), [broken, good])
    assert first.accuracy.not_scored == 10 and isinstance(first.accuracy.share, NotScored)
    assert first.notes and "broken.pptx" in first.notes[0]
    assert second.accuracy.questions == 10


def test_pictures_need_a_model_and_banks_need_documents(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="only a model"):
        take_quiz(bank(), [], reading="pictures")
    with pytest.raises(QuizError, match="at least one document"):
        build_quiz([], tmp_path / "bank.json")
    short = tmp_path / "short.md"
    short.write_text("# One\n\nNothing much.\n")
    with pytest.raises(QuizError):
        build_quiz([short], tmp_path / "bank.json")
    assert not (tmp_path / "bank.json").exists()


def test_a_bank_whose_quotes_stand_nowhere_is_refused(tmp_path: Path) -> None:
    write_bank(bank(), tmp_path / "bank.json")
    with pytest.raises(QuizError, match="no source says"):
        take_quiz(tmp_path / "bank.json", [], documents=[HARBOUR])
