"""How judges ask a model: drafting, checking and recording in one loop.

A judge's question whose reply cannot be had is NotScored with its cause, never a raised error or a
low score; a draft that cannot be had is an error.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from decklab.core.errors import BudgetSpent, ModelFailed
from decklab.core.options import Spending
from decklab.core.results import NotScored
from decklab.evals.judges.known import KnownStatements, KnownTally, WithKnown
from decklab.models.asking import Ask, Usage
from decklab.models.model_run import ModelRun, begin_run
from decklab.models.reading import TRIES, Unanswered, answered

Form = TypeVar("Form", bound=BaseModel)
Item = TypeVar("Item")
Said = TypeVar("Said")

LINE: Final = "-" * 40
"""Between a question and its material."""
_NOTHING_KNOWN: Final = KnownStatements({})


class Questions:
    """Questions that belong together; what they cost, and how the judge did on known statements,
    adds up in ``usage`` and ``known``.

    ``secret`` makes the marks around deck text; ``how`` goes with every question, as in ``Ask``.
    """

    def __init__(self, ask: Ask, secret: str = "", **how: Any) -> None:
        self.ask, self.secret, self._how = ask, secret, how
        self.usage, self.known = Usage(), KnownTally()
        self.model = ""
        """The model that gave the last reply."""
        self.left_out: list[str] = []
        """Drafted items that do not hold, a line each."""

    def put(
        self, prompt: str, form: type[Form], *, known: KnownStatements = _NOTHING_KNOWN, **how: Any
    ) -> Form | NotScored:
        """A reply that fits the form, asked for again if one does not; ``how`` as in ``answered``.

        ``known`` are the statements in the prompt that are known to be true or false. NotScored if
        the model failed, the budget is spent or the last reply is still amiss.
        """
        try:
            answer = self._answered(prompt, form, **how)
        except Unanswered as error:
            return NotScored(f"the judge's reply does not fit: {error.problem}")
        except (ModelFailed, BudgetSpent) as error:
            return NotScored(str(error))
        if isinstance(answer, WithKnown):
            self.known.add(known, answer.known)
        return answer

    def put_items(
        self,
        items: Mapping[int, Item],
        *,
        put: Callable[[Mapping[int, Item], Mapping[int, str]], Form | NotScored],
        read: Callable[[int, Item, Form], Said | NotScored],
        tries: int = TRIES,
    ) -> dict[int, Said | NotScored]:
        """Ask about numbered items at once, and again about those whose answer cannot be used.

        ``put`` asks about the items it gets, and gets by number the fault of their last answers.
        ``read`` gives the answer of one item in a reply, or its fault. An item is asked about
        ``tries`` times at most; a reply that fits no form ends it for all that are still open.
        """
        answers: dict[int, Said | NotScored] = dict.fromkeys(items, NotScored("it was not asked"))
        faults: dict[int, str] = {}
        for _ in range(tries):
            still = {n: items[n] for n, said in answers.items() if isinstance(said, NotScored)}
            if not still:
                break
            reply = put(still, faults)
            if isinstance(reply, NotScored):
                return answers | dict.fromkeys(still, reply)
            now = {number: read(number, item, reply) for number, item in still.items()}
            faults = {n: said.reason for n, said in now.items() if isinstance(said, NotScored)}
            answers |= now
        return answers

    def draft(
        self, prompt: str, form: type[Form], error: Callable[[str], Exception], **how: Any
    ) -> Form:
        """As ``put``, but raises ``error`` with the cause if no reply fits or the budget is spent,
        and what ``ask`` raises."""
        try:
            return self._answered(prompt, form, **how)
        except (Unanswered, BudgetSpent) as cause:
            problem = cause.problem if isinstance(cause, Unanswered) else str(cause)
            raise error(problem) from cause

    def draft_items(
        self,
        draft: Callable[[str], Iterable[Item]],
        checked: Callable[[Item], Said | str],
        named: Callable[[Item], str],
    ) -> list[Said]:
        """The items that hold; the others are asked for again, then noted in ``left_out``.

        ``draft`` gets the end of the prompt, which names the items to be mended. ``checked`` gives
        what is kept of an item, or in a string why it does not hold.
        """
        kept: list[Said] = []
        faults: list[str] = []
        for _ in range(TRIES):
            drafted, faults = draft(_mended(faults)), []
            for item in drafted:
                held = checked(item)
                if isinstance(held, str):
                    faults.append(f"{named(item)}: {held}")
                else:
                    kept.append(held)
            if not faults:
                break
        self.left_out += faults
        return kept

    def _answered(
        self, prompt: str, form: type[Form], *, images: Sequence[bytes] = (), **how: Any
    ) -> Form:
        shown: dict[str, Any] = {"images": images} if images else {}
        self.model = ""
        try:
            reply = answered(self.ask, prompt, form, **self._how, **shown, **how)
        except Unanswered as error:
            self.usage += error.usage
            self.model = error.model
            raise
        self.usage += reply.usage
        self.model = reply.reply.model
        return reply.answer


def _mended(faults: Sequence[str]) -> str:
    if not faults:
        return ""
    lines = "\n".join(f"- {line}" for line in faults)
    return f"\n\nAll else is kept. Give only these again, mended, or nothing for them:\n{lines}"


def batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """``size`` items at a time; the last batch may be smaller."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


@dataclass(frozen=True)
class AskedModel:
    """A model as a plain function, with the costs and the record of its run."""

    ask: Ask
    name: str
    run: ModelRun
    given: str = ""

    @property
    def secret(self) -> str:
        """From which marks around deck text are made: that of the run, or of the caller."""
        return self.given or self.run.secret


@contextmanager
def asked_model(
    model: str | Ask,
    spending: Spending | None,
    facts: Mapping[str, object],
    *,
    secret: str = "",
    tell: Callable[[str], None] | None = None,
) -> Iterator[AskedModel]:
    """A model by its name, within ``spending``; a function is taken as it is.

    ``facts`` say, beside version and model, what is run, as ``open_record`` takes it; ``secret`` is
    that of a function. Raises what ``begin_run`` and ``open_asking`` raise.
    """
    if not isinstance(model, str):
        yield AskedModel(model, "a function", ModelRun(), secret)
        return
    run = begin_run(spending, {"decklab": version("decklab"), "model": model, **facts})
    with run.asking(model, tell=tell) as ask:
        yield AskedModel(ask, model, run)
