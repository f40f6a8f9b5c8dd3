"""The record of a run: what it holds, and that a run resumed from it asks nothing twice."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from decklab.core.errors import ModelFailed
from decklab.models.asking import ModelReply, Prices, Usage
from decklab.models.model_run import file_digest, open_record, recorded

RUN = {"command": "test", "deck": "abc"}
PNG = b"\x89PNG\r\n\x1a\nnot really"


class Score(BaseModel):
    score: int


class Model:
    """Counts what it is asked; fails at what holds ``fail``."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, prompt: str, *, answer: Any = None, **_how: Any) -> ModelReply[Any]:
        self.asked.append(prompt)
        if "fail" in prompt:
            raise ModelFailed("m", "gave up", "busy", requests=5, seconds=2.0)
        text = f'{{"score": "{len(self.asked)}"}}' if answer else f"reply {len(self.asked)}"
        parsed = answer(score=len(self.asked)) if answer else None
        usage = Usage(100, 10, 1.5, 1)
        return ModelReply(
            text, parsed, usage=usage, model="m-1", mended=("read",) if answer else ()
        )


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "questions.jsonl").read_text().splitlines()]


def test_a_question_is_kept_with_its_reply_and_cost(tmp_path: Path) -> None:
    ask = recorded(Model(), open_record(tmp_path, RUN, prices=Prices(1.0, 10.0)), "a/model")
    ask("How good?", images=[PNG, PNG], answer=Score, system="Be fair.", stage="judge")
    (line,) = lines(tmp_path)
    digest = sha256(PNG).hexdigest()
    assert (tmp_path / "pictures" / f"{digest}.png").read_bytes() == PNG
    wanted = {
        "number": 1, "stage": "judge", "model": "a/model", "served_by": "m-1",
        "system": "Be fair.", "prompt": "How good?", "pictures": [digest] * 2, "schema": "Score",
        "temperature": None, "reply": '{"score": "1"}', "mended": ["read"], "problem": None,
        "input_tokens": 100, "output_tokens": 10, "seconds": 1.5, "requests": 1, "failed": None,
    }  # fmt: skip
    assert {name: line[name] for name in wanted} == wanted
    assert line["cost"] == pytest.approx(200e-6)
    assert json.loads((tmp_path / "run.json").read_text()) == RUN


def test_a_resumed_run_asks_nothing_twice(tmp_path: Path) -> None:
    def run(ask: Any) -> list[Any]:
        return [ask("one"), ask("two", answer=Score), ask("one"), ask("two")]

    first, second = Model(), Model()
    record = open_record(tmp_path, RUN)
    before = run(recorded(first, record, "a/model"))
    again = open_record(tmp_path, RUN)
    after = run(recorded(second, again, "a/model"))
    assert (record.resumed, again.resumed) == (False, True)
    assert (len(first.asked), second.asked) == (4, [])
    assert [one.text for one in before] == [one.text for one in after]
    assert before[1].answer == after[1].answer == Score(score=2)
    assert [one.usage for one in after] == [Usage()] * 4
    assert [one.kept for one in after] == [one.usage for one in before]
    assert len(lines(tmp_path)) == 4


def test_a_question_that_is_put_again_gets_the_reply_to_its_turn(tmp_path: Path) -> None:
    ask = recorded(Model(), open_record(tmp_path, RUN), "a/model")
    assert [ask("again").text for _ in range(2)] == ["reply 1", "reply 2"]
    ask = recorded(Model(), open_record(tmp_path, RUN), "a/model")
    assert [ask("again").text for _ in range(3)] == ["reply 1", "reply 2", "reply 1"]


@pytest.mark.parametrize("other", [{"system": "x"}, {"temperature": 0.5}, {"images": [PNG]},
                                   {"answer": Score}])  # fmt: skip
def test_another_question_is_asked(tmp_path: Path, other: dict[str, Any]) -> None:
    model = Model()
    ask = recorded(model, open_record(tmp_path, RUN), "a/model")
    ask("one")
    ask = recorded(model, open_record(tmp_path, RUN), "a/model")
    ask("one", **other)
    recorded(model, open_record(tmp_path, RUN), "another/model")("one")
    assert len(model.asked) == 3


def test_a_failure_is_kept_and_asked_again(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(ModelFailed):
            recorded(Model(), open_record(tmp_path, RUN), "a/model")("fail")
    assert [line["failed"] for line in lines(tmp_path)] == ["m: gave up"] * 2
    assert [line["failure"] for line in lines(tmp_path)] == ["busy"] * 2
    assert [(line["requests"], line["number"]) for line in lines(tmp_path)] == [(5, 1), (5, 2)]


@pytest.mark.parametrize("cut", [1, 40])
def test_a_line_that_a_kill_tore_is_asked_for_again(tmp_path: Path, cut: int) -> None:
    ask = recorded(Model(), open_record(tmp_path, RUN), "a/model")
    ask("one")
    ask("two")
    place = tmp_path / "questions.jsonl"
    place.write_bytes(place.read_bytes()[:-cut])
    model = Model()
    ask = recorded(model, open_record(tmp_path, RUN), "a/model")
    ask("one")
    ask("two")
    assert model.asked == ["two"]
    assert [line["prompt"] for line in lines(tmp_path)] == ["one", "two"]


def test_runs_are_never_mixed(tmp_path: Path) -> None:
    open_record(tmp_path / "a", RUN)
    with pytest.raises(FileExistsError, match="holds the record of another run"):
        open_record(tmp_path / "a", {**RUN, "deck": "abd"})
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "edit.json").write_text("{}")
    with pytest.raises(FileExistsError, match="earlier run"):
        open_record(tmp_path / "b", RUN)


def test_words_that_no_file_can_hold_are_kept_as_well_as_may_be(tmp_path: Path) -> None:
    ask = recorded(Model(), open_record(tmp_path, RUN), "a/model")
    ask("half a pair \ud83d")
    assert len(lines(tmp_path)) == 1


def test_an_input_is_known_by_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "deck").write_bytes(b"deck")
    assert file_digest(tmp_path / "deck") == sha256(b"deck").hexdigest()


def test_a_question_is_known_again_whatever_the_order_of_its_fields(tmp_path: Path) -> None:
    record = open_record(tmp_path / "one", RUN)
    key = record.key_of({"model": "a/model", "text": "Überschrift?"})
    again = open_record(tmp_path / "two", RUN)
    assert again.key_of({"text": "Überschrift?", "model": "a/model"}) == key
    # The same question once more in a run is another one: judges repeat theirs.
    assert again.key_of({"model": "a/model", "text": "Überschrift?"}) != key
    assert again.key_of({"model": "another", "text": "Überschrift?"}) != key
