"""How a model edits: the switches of paper 003's ablation, limits and prices."""

from dataclasses import dataclass

from decklab.core.options import EDIT_ROUNDS, TOOL_CALLS, EditPaths, Isolation
from decklab.editor.steps import PROGRAM_SECONDS
from decklab.models.asking import Ask, Usage
from decklab.models.limits import Prices


@dataclass(frozen=True, kw_only=True)
class ModelEditOptions:
    """How a model edits. The first four are the switches of paper 003's ablation (table 4).

    Raises ValueError for fewer than one round, call of a tool or question at once.
    """

    paths: EditPaths = "hybrid"
    """How steps are made: ``program``, ``xml``, or each as the model chooses."""
    rounds: int = EDIT_ROUNDS
    """How often it may try, the first included."""
    vision: bool = True
    """Whether it is shown the slides; they have to be drawn for that."""
    review: bool = True
    """Whether a version that passes verification is shown to it once more, also that of the last
    round; an objection then makes the outcome ``partly``. Else that version is taken."""
    check_plan: bool = True
    """Whether a second question holds the plan against the request before anything is made; an
    objection made twice makes the outcome ``partly``."""
    router: Ask | None = None
    """The model that chooses the steps; None for the one that edits."""
    temperature: float | None = None
    prices: tuple[float, float] | None = None
    """US dollars for a million tokens in and out."""
    router_prices: tuple[float, float] | None = None
    """The same for the router, if it is another model."""
    seconds: float = PROGRAM_SECONDS
    """How long a program that it writes may run."""
    isolation: Isolation = "bubblewrap"
    """Of the programs that it writes."""
    tools: bool = True
    """Whether it may look at the deck by tools while it plans and writes, if it can."""
    tool_calls: int = TOOL_CALLS
    """How often it may call them in one question."""
    parallel: int = 4
    """Most batches of texts that are asked about at once."""

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise ValueError("rounds must be at least 1")
        if self.tool_calls < 1:
            raise ValueError("tool_calls must be at least 1")
        if self.parallel < 1:
            raise ValueError("parallel must be at least 1")

    def cost(self, usage: Usage, routed: Usage | None = None) -> float | None:
        """US dollars; None if the prices are not known.

        ``routed`` is what the router took of ``usage``.
        """
        if self.prices is None:
            return None
        if self.router is None or routed is None:
            return Prices(*self.prices).cost(usage)
        if self.router_prices is None:
            return None
        own = Prices(*self.prices).cost(usage - routed)
        return own + Prices(*self.router_prices).cost(routed)
