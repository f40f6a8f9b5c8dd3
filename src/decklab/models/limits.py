"""What questions may cost: the time and tries of each, and the tokens, money and time of a run."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from decklab.errors import BudgetSpent
from decklab.models.asking import Usage


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
        """What the tokens cost, in US dollars."""
        return (usage.input_tokens * self.input + usage.output_tokens * self.output) / 1e6


@dataclass(frozen=True)
class Budget:
    """What a run may cost; None sets no bound."""

    tokens: int | None = None
    """In and out together."""
    dollars: float | None = None
    minutes: float | None = None


class RunCosts:
    """What the questions of a run have cost so far; threads may share it.

    The budget is looked at before each request, so that the last one may go beyond it. Raises
    ValueError for a budget in dollars without prices.
    """

    def __init__(
        self,
        budget: Budget | None = None,
        prices: Prices | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.budget, self.prices = budget or Budget(), prices
        if self.budget.dollars is not None and prices is None:
            raise ValueError("a budget in dollars needs the prices of tokens")
        self._clock, self._started = clock, clock()
        self._lock, self._spent = threading.Lock(), Usage()

    @property
    def spent(self) -> Usage:
        """The sum over all questions that were added."""
        return self._spent

    @property
    def cost(self) -> float | None:
        """In US dollars; None where the prices are not known."""
        return None if self.prices is None else self.prices.cost(self._spent)

    def add(self, usage: Usage) -> None:
        """Add what a request cost."""
        with self._lock:
            self._spent += usage

    def check(self, model: str) -> None:
        """Raise BudgetSpent where nothing more may be asked."""
        tokens = self._spent.input_tokens + self._spent.output_tokens
        minutes = (self._clock() - self._started) / 60
        for name, most, spent, style in (
            ("tokens", self.budget.tokens, tokens, ",d"),
            ("dollars", self.budget.dollars, self.cost or 0.0, ",.4f"),
            ("minutes", self.budget.minutes, minutes, ",.1f"),
        ):
            if most is not None and spent >= most:
                told = f"the budget of {most:,} {name} is spent: {format(spent, style)}"
                raise BudgetSpent(model, told)
