"""Limits on the cost of questions: the time and tries of each, the length of its texts, and the
tokens, money and time of a run.
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from decklab.core.errors import BudgetSpent
from decklab.models.asking import Usage

Key = TypeVar("Key")

PARALLEL: Final = 4
"""Questions put at once. Ours."""


def in_shares(needs: Mapping[Key, int], most: int, make: Callable[[Key, int], str]) -> list[str]:
    """Texts made within ``most`` characters together, in the order of ``needs``.

    ``needs`` has the characters of each in full; ``make`` gives one within a share. Characters that
    short ones do not need go to the longer ones.
    """
    left, made = most, dict[Key, str]()
    for count, key in enumerate(sorted(needs, key=lambda one: needs[one])):
        made[key] = make(key, left // (len(needs) - count))
        left = max(0, left - len(made[key]) - 1)
    return [made[key] for key in needs]


@dataclass(frozen=True)
class AskLimits:
    """Bounds of one question. All three are ours."""

    question_seconds: float = 600.0
    """All tries and pauses together."""
    attempt_seconds: float = 300.0
    """One request. A small model on one core takes 76 s to read 5,800 tokens."""
    tries: int = 5
    """Requests to a server that is busy or fails."""


@dataclass(frozen=True)
class Prices:
    """US dollars for a million tokens in and out."""

    input: float
    output: float

    def cost(self, usage: Usage) -> float:
        """Price of the tokens, in US dollars."""
        return (usage.input_tokens * self.input + usage.output_tokens * self.output) / 1e6


PriceList = Mapping[str, Prices]
"""Prices by the name of the model; those of ``""`` are for all others."""


def price_of(prices: Prices | PriceList | None, model: str) -> Prices | None:
    """The prices of a model; None if they are not known."""
    if prices is None or isinstance(prices, Prices):
        return prices
    return prices.get(model) or prices.get("")


@dataclass(frozen=True)
class Budget:
    """Limits on the cost of a run; None sets no bound."""

    tokens: int | None = None
    """In and out together."""
    dollars: float | None = None
    minutes: float | None = None


class RunCosts:
    """Cost so far of a run's questions, to all its models; threads may share it.

    The budget is looked at before each request, so that the last one may go beyond it. If the
    provider reports no tokens, a budget in tokens or dollars cannot be kept: it ends the run after
    the first reply, unless there is one in minutes. So does a budget in dollars after the first
    reply of a model without prices. Raises ValueError for a budget in dollars without any.
    """

    def __init__(
        self,
        budget: Budget | None = None,
        prices: Prices | PriceList | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.budget, self.prices = budget or Budget(), prices
        if self.budget.dollars is not None and not prices:
            raise ValueError("a budget in dollars needs the prices of tokens")
        self._clock, self._started = clock, clock()
        self._lock, self._spent = threading.Lock(), Usage()
        self._dollars, self._unpriced = 0.0, ""
        self.ended = ""
        """Why a question was refused; empty if none was."""

    @property
    def spent(self) -> Usage:
        """The sum over all questions that were added."""
        return self._spent

    @property
    def cost(self) -> float | None:
        """In US dollars; None if prices or tokens are not known."""
        known = self.prices and not (self._unpriced or self._spent.untold)
        return self._dollars if known else None

    def cost_of(self, usage: Usage, model: str) -> float | None:
        """Cost of a reply of ``model`` in US dollars; None if prices or tokens are not known."""
        prices = price_of(self.prices, model)
        return None if prices is None or usage.untold else prices.cost(usage)

    def add(self, usage: Usage, model: str = "") -> None:
        """Add what a request to ``model`` cost."""
        prices = price_of(self.prices, model)
        with self._lock:
            self._spent += usage
            if prices is not None:
                self._dollars += prices.cost(usage)
            elif usage.input_tokens + usage.output_tokens:
                self._unpriced = model

    def check(self, model: str) -> None:
        """Raise BudgetSpent if nothing more may be asked."""
        told = self._over()
        if told:
            self.ended = told
            raise BudgetSpent(model, told)

    def _over(self) -> str:
        """Which budget is spent, or cannot be kept; empty if more may be asked."""
        tokens = self._spent.input_tokens + self._spent.output_tokens
        minutes = (self._clock() - self._started) / 60
        for name, most, spent, style in (
            ("tokens", self.budget.tokens, tokens, ",d"),
            ("dollars", self.budget.dollars, self._dollars, ",.4f"),
            ("minutes", self.budget.minutes, minutes, ",.1f"),
        ):
            if most is not None and spent >= most:
                return f"the budget of {most:,} {name} is spent: {format(spent, style)}"
        return self._unknown() if self.budget.minutes is None else ""

    def _unknown(self) -> str:
        """Why the budget cannot be kept; empty if it can."""
        bounds = {"tokens": self.budget.tokens, "dollars": self.budget.dollars}
        set_bounds = [f"{most:,} {name}" for name, most in bounds.items() if most is not None]
        if set_bounds and self._spent.untold:
            return (
                f"the budget of {' and '.join(set_bounds)} cannot be kept: the provider tells "
                "no tokens; set one in minutes"
            )
        if self.budget.dollars is not None and self._unpriced:
            return (
                f"the budget of {self.budget.dollars:,} dollars cannot be kept: there are no "
                f"prices of {self._unpriced}"
            )
        return ""
