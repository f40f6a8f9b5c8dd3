"""Options of commands that ask models: what a run may cost, what tokens cost, and its record."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from decklab.core.options import Spending

SPENT = 3
"""Exit code of a command that wrote what it had when its budget was spent."""

WriterModel = Annotated[
    str | None, typer.Option("--model", help="The writer's model, as Inspect AI names it.")
]


@dataclass(frozen=True)
class BudgetOptions:
    """Bounds on questions to models in a run, prices of tokens, and the folder of the record."""

    budget_tokens: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="Ask models no more after so many tokens in and out."
        ),
    ] = None
    budget_dollars: Annotated[
        float | None,
        typer.Option(metavar="X", min=0, help="Ask models no more after so many US dollars."),
    ] = None
    budget_minutes: Annotated[
        float | None,
        typer.Option(metavar="N", min=0, help="Ask models no more after so many minutes."),
    ] = None
    prices: Annotated[
        list[str] | None,
        typer.Option(
            "--prices",
            metavar="[MODEL=]IN,OUT",
            help="US dollars for a million tokens in and out, of a model or of all; repeatable.",
        ),
    ] = None
    record: Annotated[
        Path | None,
        typer.Option(
            "--record",
            metavar="DIR",
            help="Keep every question and reply; the same command with it asks only the rest.",
        ),
    ] = None

    def spending(self) -> Spending:
        """The same, checked; raises typer.BadParameter for a wrong option."""
        pairs = dict(map(_price, self.prices or ()))
        if self.budget_dollars is not None and not pairs:
            raise typer.BadParameter("--budget-dollars needs --prices")
        for name, bound in (("dollars", self.budget_dollars), ("minutes", self.budget_minutes)):
            if bound is not None and not math.isfinite(bound):
                raise typer.BadParameter(f"{bound} is no number of {name}")
        return Spending(
            self.budget_tokens, self.budget_dollars, self.budget_minutes, pairs, self.record
        )


NO_BUDGET: Final = BudgetOptions()


def check_without_model(**options: object) -> None:
    """Check that no option for a model is given if no model is named.

    ``options`` by their names in Python, None if they are not given. Raises typer.BadParameter
    for the first that is.
    """
    for name, value in options.items():
        if value is not None:
            raise typer.BadParameter("needs --model", param_hint=f"--{name.replace('_', '-')}")


def _price(text: str) -> tuple[str, tuple[float, float]]:
    """The name of a model, empty for all others, and its prices.

    >>> _price("openai/gpt-5=1.25,10"), _price("1,2")
    (('openai/gpt-5', (1.25, 10.0)), ('', (1.0, 2.0)))
    """
    model, _, pair = text.rpartition("=")
    try:
        into, out = (float(price) for price in pair.split(","))
    except ValueError:
        into = out = -1.0
    if not (0 <= into < float("inf") and 0 <= out < float("inf")):
        detail = f"{text!r} is no pair such as 1.25,10 or openai/gpt-5=1.25,10"
        raise typer.BadParameter(detail, param_hint="--prices")
    return model, (into, out)
