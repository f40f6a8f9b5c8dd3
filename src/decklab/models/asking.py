"""Questions to models and their replies: plain types, limits on their cost, prompts from files, and
the forms in which a structured answer is asked for.

Servers differ: some take a JSON schema, some only a tool call, some only the word that JSON is
wanted, some nothing but a prompt. The forms are tried in the order of ``FORMS`` until one is taken;
that one is remembered, so that only the first question of a run pays for it.
"""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import partial
from importlib import resources
from inspect import signature
from operator import add, sub
from string import Template
from typing import Any, Final, Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from decklab.core.errors import BudgetSpent
from decklab.core.options import TOOL_CALLS

Answer = TypeVar("Answer", bound=BaseModel)

AnswerForm = Literal["json_schema", "tool", "json_object", "text"]
"""How a structured answer is asked for; see ``decklab.models.asking``."""


@dataclass(frozen=True)
class TextWithPictures:
    """Text, and the bytes of PNG files that it speaks of."""

    text: str
    images: tuple[bytes, ...] = ()


ToolOutput = str | bytes | TextWithPictures
"""Output of a tool for the model; bytes are those of a PNG."""


class StrictForm(BaseModel):
    """A form that a model fills in: every field is required, and no other is allowed.

    The names and docstrings of its classes are part of the JSON schema that a model gets.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True)
class ModelTool:
    """A function that a model may call while it answers.

    ``parameters`` is the form of its arguments; ``run`` takes them in that form. ``changes`` tells
    that calls change something the answer speaks of: where a record gives the answer, they are
    made again.
    """

    name: str
    description: str
    parameters: type[BaseModel]
    run: Callable[[Any], ToolOutput]
    changes: bool = False


@dataclass(frozen=True)
class Usage:
    """Tokens, seconds of waiting and requests to the server, of one question or several."""

    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    requests: int = 0
    """How many requests were sent, those included that failed."""
    untold: int = 0
    """Replies without tokens from the provider."""

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(*map(add, astuple(self), astuple(other)))

    def __sub__(self, other: "Usage") -> "Usage":
        return Usage(*map(sub, astuple(self), astuple(other)))


NO_USAGE: Final = Usage()


@dataclass(frozen=True)
class ModelReply(Generic[Answer]):
    """The reply of a model.

    ``text`` is the reply as the model wrote it. ``answer`` is the reply in the schema that was
    asked for, or None; then ``problem`` says in a line what did not fit. If no schema was asked
    for, ``answer`` is None, and ``problem`` tells only of an empty reply or one that is cut off.
    """

    text: str
    answer: Answer | None = None
    problem: str | None = None
    usage: Usage = Usage()
    model: str = ""
    form: AnswerForm | None = None
    """How the answer was asked for when this reply came."""
    mended: tuple[str, ...] = ()
    """Tolerances in reading the reply, in words; see ``decklab.models.reading``."""
    cut: bool = False
    """Whether the reply was ended by its length limit."""
    kept: Usage = Usage()
    """Its cost when it was asked, if the reply comes out of a record; see
    ``decklab.models.model_run``."""
    calls: int = 0
    """How often tools were called for it."""


class Ask(Protocol):
    """A function that puts one question to one model and waits for the reply.

    ``images`` are PNG or JPEG bytes, shown after the prompt in their order. With ``answer``, a
    pydantic model, its JSON schema goes along as the form of the reply. ``tools`` are what the
    model may call while it answers, ``most_calls`` times in all; ``stage`` says in a word what the
    question is for. They are passed only if there are any. Raises ``ModelError`` if no reply
    came; a reply that does not fit the schema is no error but a ``ModelReply.problem``.
    """

    def __call__(
        self,
        prompt: str,
        *,
        images: Sequence[bytes] = (),
        answer: type[Answer] | None = None,
        system: str | None = None,
        temperature: float | None = None,
        tools: Sequence[ModelTool] = (),
        most_calls: int = TOOL_CALLS,
        stage: str = "",
    ) -> ModelReply[Answer]: ...


def for_stage(ask: Ask, stage: str) -> Ask:
    """``ask`` for the questions of one stage, which is passed on where the function takes one."""
    return partial(ask, stage=stage) if stage and takes(ask, "stage") else ask


def takes(ask: Ask, keyword: str) -> bool:
    """Whether a function has a parameter for one of the keywords that are optional in ``Ask``."""
    names = signature(ask).parameters.values()
    return any(name.name == keyword or name.kind is name.VAR_KEYWORD for name in names)


def fill_prompt(package: str, path: str, **values: str) -> str:
    """The prompt in a text file of a package, its ``$names`` filled in.

    Values are put in as they are, ``$`` included. Raises KeyError for a name without a value.
    """
    text = resources.files(package).joinpath(path).read_text(encoding="utf-8")
    return Template(text).substitute(values)


def only_called(count: int) -> str:
    """The problem of a reply that calls tools once more than the ``count`` times it may."""
    often = f"{count} time{'s' * (count != 1)}"
    return f"it called tools {often}, the most that are allowed, and gave no answer"


def excerpt(text: str) -> str:
    """The first 200 characters of a reply, on one line, for messages."""
    return " ".join(text.split())[:200]


FORMS: Final[tuple[AnswerForm, ...]] = ("json_schema", "tool", "json_object", "text")
ANSWER_TOOL: Final = "give_answer"
"""The name of the tool whose call is the answer."""
_PROSE: Final = 2
"""Replies without any JSON after which a form that never worked is left. Ours."""
WORDS: Final[dict[AnswerForm, str]] = {
    "json_schema": "a JSON schema", "tool": "a tool call", "json_object": "a JSON object",
    "text": "JSON in words",
}  # fmt: skip


class FormMemory:
    """Which forms of an answer a model takes; one for each model, shared by all questions.

    A form is left for all answers if it never worked, else for the answer in question alone.
    ``tools_work`` says whether the model has called a tool.
    """

    def __init__(self, forms: Sequence[AnswerForm] = FORMS) -> None:
        self._forms = tuple(forms)
        self._works: set[AnswerForm] = set()
        self._left: set[tuple[AnswerForm, str]] = set()
        self._prose: Counter[AnswerForm] = Counter()
        self._tools_ignored, self.tools_work = 0, False

    def form(self, answer: str, but: Sequence[AnswerForm] = ()) -> AnswerForm:
        """The first form to ask for ``answer`` in, the name of its class, none of ``but``."""
        for form in self._forms:
            known = form in but or (form, "") in self._left or (form, answer) in self._left
            if not known:
                return form
        return "text"

    def has_worked(self, form: AnswerForm) -> bool:
        """Whether a model has answered in this form."""
        return form in self._works

    def worked(self, form: AnswerForm) -> None:
        """Remember that a model answered in this form."""
        self._works.add(form)

    def refused(self, forms: Sequence[AnswerForm], answer: str) -> None:
        """Remember that a model does not take these forms, though it took the question."""
        self._left.update((form, answer if form in self._works else "") for form in forms)

    def ignored(self, form: AnswerForm) -> None:
        """Remember a reply that held no JSON at all."""
        self._prose[form] += 1
        if form != "text" and form not in self._works and self._prose[form] >= _PROSE:
            self._left.add((form, ""))

    @property
    def takes_tools(self) -> bool:
        """Whether tools are offered: until they were refused, or ignored twice."""
        return self.tools_work or self._tools_ignored < _PROSE

    def tools(self, *, worked: bool, refused: bool = False) -> None:
        """Remember whether a model that was offered tools called any, or refused them."""
        self.tools_work = worked or (self.tools_work and not refused)
        self._tools_ignored += _PROSE if refused else not worked


def schema_words(answer: type[BaseModel]) -> str:
    """The schema of an answer as a request in words."""
    schema: dict[str, Any] = answer.model_json_schema()
    schema_text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"Reply with JSON and nothing else. It has to fit this JSON schema:\n{schema_text}"


Key = TypeVar("Key")


def in_shares(needs: Mapping[Key, int], most: int, make: Callable[[Key, int], str]) -> list[str]:
    """Texts made within ``most`` characters together, in the order of ``needs``.

    ``needs`` has the characters of each in full; ``make`` gives one within a share. Characters that
    short ones do not need go to the longer ones.
    """
    left, made = most, dict[Key, str]()
    for count, key in enumerate(sorted(needs, key=needs.__getitem__)):
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

    def allows(self, usage: Usage, model: str) -> bool:
        """Whether more may be asked of ``model`` after ``usage``, which was not added yet."""
        return not self._over(usage, self.cost_of(usage, model) or 0.0)

    def check(self, model: str) -> None:
        """Raise BudgetSpent if nothing more may be asked."""
        if reason := self._over():
            self.ended = reason
            raise BudgetSpent(model, reason)

    def _over(self, more: Usage = NO_USAGE, dollars: float = 0.0) -> str:
        """Which budget is spent with ``more`` on top, or cannot be kept; empty if none."""
        spent = self._spent + more
        tokens = spent.input_tokens + spent.output_tokens
        minutes = (self._clock() - self._started) / 60
        for name, most, took, style in (
            ("tokens", self.budget.tokens, tokens, ",d"),
            ("dollars", self.budget.dollars, self._dollars + dollars, ",.4f"),
            ("minutes", self.budget.minutes, minutes, ",.1f"),
        ):
            if most is not None and took >= most:
                return f"the budget of {most:,} {name} is spent: {format(took, style)}"
        return self._unknown() if self.budget.minutes is None else ""

    def _unknown(self) -> str:
        """Why the budget cannot be kept; empty if it can."""
        bounds = {"tokens": self.budget.tokens, "dollars": self.budget.dollars}
        set_bounds = [f"{most:,} {name}" for name, most in bounds.items() if most is not None]
        bound, cause = " and ".join(set_bounds), ""
        if set_bounds and self._spent.untold:
            cause = "the provider tells no tokens; set one in minutes"
        elif self.budget.dollars is not None and self._unpriced:
            bound = f"{self.budget.dollars:,} dollars"
            cause = f"there are no prices of {self._unpriced}"
        return f"the budget of {bound} cannot be kept: {cause}" if cause else ""
