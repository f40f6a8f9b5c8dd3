import re
from pathlib import Path

import pytest
import typer

from decklab.cli.parameters import BudgetOptions
from decklab.core.options import Spending


def test_options_become_bounds_and_prices() -> None:
    found = BudgetOptions(9, 1.5, 2.0, ["1.25,10", "ollama/one:8b=0,0"], Path("kept")).spending()
    prices = {"": (1.25, 10.0), "ollama/one:8b": (0.0, 0.0)}
    assert found == Spending(9, 1.5, 2.0, prices, Path("kept"))
    assert BudgetOptions().spending() == Spending()


@pytest.mark.parametrize("text", ["", "1", "1,2,3", "a,b", "-1,2", "nan,1", "1,inf", "m=1"])
def test_prices_are_two_numbers(text: str) -> None:
    with pytest.raises(typer.BadParameter, match=f"^{re.escape(repr(text))} is no pair"):
        BudgetOptions(None, None, None, [text], None).spending()


@pytest.mark.parametrize("bound", [float("nan"), float("inf")])
def test_a_budget_that_bounds_nothing_is_refused(bound: float) -> None:
    with pytest.raises(typer.BadParameter, match="is no number of minutes"):
        BudgetOptions(None, None, bound, None, None).spending()


def test_dollars_need_prices() -> None:
    with pytest.raises(typer.BadParameter, match="--budget-dollars needs --prices"):
        BudgetOptions(None, 1.0, None, [], None).spending()


def test_without_a_model_its_options_are_refused() -> None:
    with pytest.raises(typer.BadParameter, match="needs --model") as refused:
        BudgetOptions(budget_tokens=9).spending(None)
    assert refused.value.param_hint == "--budget-tokens"
    with pytest.raises(typer.BadParameter) as refused:
        BudgetOptions().spending(None, free_layout=True)
    assert refused.value.param_hint == "--free-layout"
    assert BudgetOptions().spending(None, free_layout=None) == Spending()
