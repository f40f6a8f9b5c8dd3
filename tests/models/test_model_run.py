"""One account and one record for all models of a run."""

from pathlib import Path

import pytest
from tests.openai_server import Answer, serving

from decklab.core.errors import BudgetSpent
from decklab.core.options import Spending
from decklab.models.asking import Usage
from decklab.models.model_run import begin_run

RUN = {"command": "test"}


def test_two_models_share_budget_and_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = {"a/one": (1.0, 10.0), "a/two": (10.0, 100.0)}
    spending = Spending(tokens=25, prices=prices, record=tmp_path / "record")
    with serving(["Yes."]) as server:
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name: server.model())
        run = begin_run(spending, RUN)
        with run.asking("a/one") as one, run.asking("a/two") as two:
            assert (one("A?").text, two("B?").text, one("C?").text) == ("Yes.",) * 3
            with pytest.raises(BudgetSpent, match=r"^a/two: the budget of 25 tokens is spent: 30"):
                two("D?")
        assert run.words == "Models: 30 tokens in 3 requests, 0.0004 US dollars."
        again = begin_run(spending, RUN)
        with again.asking("a/one") as one, again.asking("a/two") as two:
            assert (one("A?").text, two("B?").text, one("C?").text) == ("Yes.",) * 3
            assert (again.words, again.resumed, len(server.requests)) == ("", True, 3)
            two("D?")
    assert len(server.requests) == 4
    with pytest.raises(FileExistsError, match="another run"):
        begin_run(spending, {"command": "another"})


def test_without_bounds_nothing_is_kept() -> None:
    run = begin_run(None, RUN)
    assert (run.record, run.resumed, run.words) == (None, False, "")


def test_tokens_that_are_not_told_are_unknown() -> None:
    run = begin_run(None, RUN)
    run.costs.add(Usage(requests=2, untold=2))
    assert run.words == "Models: unknown tokens in 2 requests."
    run.costs.add(Usage(7, 3, requests=1))
    assert run.words == "Models: more than 10 tokens in 3 requests."


@pytest.mark.parametrize(("minutes", "allowed"), [(None, 1), (60.0, 3)])
def test_a_provider_that_does_not_tell_tokens_ends_a_budget_in_them(
    monkeypatch: pytest.MonkeyPatch, minutes: float | None, allowed: int
) -> None:
    run = begin_run(Spending(tokens=1000, minutes=minutes), RUN)
    with serving([Answer("Yes.", usage=False)]) as server:
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name: server.model())
        with run.asking("a/one") as ask:
            assert ask("A?").usage.untold == 1
            if minutes is None:
                with pytest.raises(BudgetSpent, match="1,000 tokens cannot be kept: the provider"):
                    ask("B?")
            else:
                assert [ask("B?").text, ask("C?").text] == ["Yes.", "Yes."]
    assert len(server.requests) == allowed
    assert run.words.startswith("Models: unknown tokens in ")
