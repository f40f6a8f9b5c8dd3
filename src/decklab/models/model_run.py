"""Models by their names, and the models of one run: one account of what they cost, one record of
what they were asked."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from typing import Any

from decklab.core.errors import ModelUnavailable
from decklab.core.lazy import needs_extra
from decklab.core.options import Spending
from decklab.core.version import VERSION
from decklab.models.asking import Ask, AskLimits, Budget, Prices, RunCosts
from decklab.models.asking_loop import Sight, with_sight_check
from decklab.models.record import QuestionRecord, open_record, recorded, with_kept_usage
from decklab.models.turns import Chat, chat_with_sight_check, recorded_chat

_FRAMEWORK = "inspect_ai"
BATCH_SECONDS = 86_400.0
"""How long a batch may take: providers promise a day."""


@contextmanager
def open_asking(
    name: str,
    *,
    limits: AskLimits | None = None,
    account: RunCosts | None = None,
    record: QuestionRecord | None = None,
    tell: Callable[[str], None] | None = None,
    connections: int | None = None,
    batch: int | None = None,
) -> Iterator[Ask]:
    """The model that Inspect AI knows as ``name``, as a plain function.

    ``limits`` bound each question, ``account`` all of them; ``record`` keeps every question and
    reply; ``tell`` is called with a line whenever a request is put again. Inspect AI keeps at most
    ``connections`` requests open at once, and gives ``batch`` of them together to the provider's
    batch interface, if it has one; a batch may take a day. Questions with pictures raise
    PicturesUnseen if the model does not see any. Raises ModelUnavailable if there is no such
    model, its key is missing, or ``decklab[evals]`` is not installed.
    """
    adapter = _adapter("decklab.models.inspect", name)
    given = {"connections": connections, "batch": batch}
    model = adapter.open_model(name, **{key: arg for key, arg in given.items() if arg is not None})
    if batch is not None and limits is None:
        limits = AskLimits(BATCH_SECONDS, BATCH_SECONDS)
    with adapter.asking(model, name=name, limits=limits, account=account, tell=tell) as ask:
        kept = ask if record is None else recorded(ask, record, name)
        yield with_sight_check(kept, name, tell=tell or (lambda _line: None))


@contextmanager
def open_chat(
    name: str,
    *,
    limits: AskLimits | None = None,
    account: RunCosts | None = None,
    record: QuestionRecord | None = None,
    tell: Callable[[str], None] | None = None,
) -> Iterator[Chat]:
    """The model that Inspect AI knows as ``name``, for conversations of many turns with tools;
    options and errors as in ``open_asking``."""
    adapter = _adapter("decklab.models.inspect", name)
    model = _adapter("decklab.models.inspect", name).open_model(name)
    said = tell or (lambda _line: None)
    how: dict[str, Any] = {"name": name, "limits": limits, "account": account, "tell": tell}
    with adapter.chatting(model, **how) as (chat, ask):
        kept = chat if record is None else recorded_chat(chat, record)
        known = ask if record is None else recorded(ask, record, name)
        yield chat_with_sight_check(kept, known, sight=Sight(), tell=said)


def _adapter(module: str, name: str) -> Any:
    """A module that needs Inspect AI; raises ModelUnavailable if that is not installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != _FRAMEWORK:
            raise
        raise ModelUnavailable(name, needs_extra("asking models", "evals")) from error


@dataclass(frozen=True)
class ModelRun:
    """Costs and record that all questions of a run share. See ``begin_run``."""

    costs: RunCosts = field(default_factory=RunCosts)
    record: QuestionRecord | None = None
    tell: Callable[[str], None] = lambda _line: None
    """Called with a line whenever a model is asked again."""

    @cached_property
    def secret(self) -> str:
        """Secret from which marks around deck text are made; the record keeps it."""
        return token_hex() if self.record is None else self.record.secret

    @contextmanager
    def asking(
        self,
        model: str,
        *,
        tell: Callable[[str], None] | None = None,
        connections: int | None = None,
        batch: int | None = None,
    ) -> Iterator[Ask]:
        """A model of the run by its name, as a plain function; see ``open_asking``.

        Replies out of the record have the usage of when they were asked.
        """
        how: dict[str, Any] = {"account": self.costs, "tell": tell or self.tell}
        how |= {"connections": connections, "batch": batch}
        with open_asking(model, record=self.record, **how) as ask:
            yield with_kept_usage(ask)

    def kept(self, ask: Ask, model: str) -> Ask:
        """A function that asks ``model``, with its questions and replies in the record."""
        return ask if self.record is None else with_kept_usage(recorded(ask, self.record, model))

    @contextmanager
    def chatting(self, model: str, *, tell: Callable[[str], None] | None = None) -> Iterator[Chat]:
        """A model of the run by its name, for conversations of many turns; see ``open_chat``."""
        how: dict[str, Any] = {"account": self.costs, "tell": tell or self.tell}
        with open_chat(model, record=self.record, **how) as chat:
            yield chat

    def kept_chat(self, chat: Chat) -> Chat:
        """A chat with its requests and replies in the record."""
        return chat if self.record is None else recorded_chat(chat, self.record)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folder of the record, if there is one; it holds what editors may not see."""
        return () if self.record is None else (self.record.folder,)

    @property
    def resumed(self) -> bool:
        """Whether the run goes on with its own record, so that it may write over its results."""
        return self.record is not None and self.record.resumed

    @property
    def words(self) -> str:
        """The costs so far, in a sentence; empty if nothing was asked."""
        spent, cost = self.costs.spent, self.costs.cost
        if not spent.requests:
            return ""
        tokens = f"{spent.input_tokens + spent.output_tokens:,}"
        if spent.untold:
            tokens = "unknown" if tokens == "0" else f"more than {tokens}"
        dollars = "" if cost is None else f", {cost:,.4f} US dollars"
        return f"Models: {tokens} tokens in {spent.requests:,} requests{dollars}."


def begin_run(
    spending: Spending | None,
    run: Mapping[str, Any],
    *,
    tell: Callable[[str], None] = lambda _line: None,
) -> ModelRun:
    """A run within ``spending``; ``run`` says what is run, beside decklab's version, as
    ``open_record`` takes it. ``tell`` is called with a line whenever a model is asked again.

    Raises ValueError for a budget in dollars without prices, FileExistsError if the record is
    that of another run.
    """
    how = spending or Spending()
    prices = {model: Prices(*pair) for model, pair in how.prices.items()} or None
    costs = RunCosts(Budget(how.tokens, how.dollars, how.minutes), prices)
    if how.record is None:
        return ModelRun(costs, tell=tell)
    stated = {"decklab": VERSION, **run}
    return ModelRun(costs, open_record(how.record, stated, prices=prices), tell)
