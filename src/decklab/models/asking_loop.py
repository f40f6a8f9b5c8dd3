"""One question put until there is a reply: the only place in decklab where a request is put again.

A refusal by the server is reported at once. If it refuses only the form of the answer, the next
form is tried at once. A server that is busy, fails or gives no sign is asked again after a pause,
within the limits of ``AskLimits``.

Some servers drop pictures without a word and answer all the same; such a model invents what it says
of the look of slides. So before the first question with pictures a model is shown a drawn number,
and has to read it.
"""

import io
import math
import random
import re
import threading
import time
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import shorten
from typing import Any, Final, Generic, NoReturn

from PIL import Image, ImageDraw, ImageFont

from decklab.core.errors import BudgetSpent, FailureKind, ModelFailed, one_line
from decklab.core.options import TOOL_CALLS
from decklab.core.stages import Progress, silent
from decklab.models.asking import (
    WORDS,
    Answer,
    AnswerForm,
    Ask,
    AskLimits,
    FormMemory,
    ModelReply,
    ModelTool,
    RunCosts,
    Usage,
    for_stage,
    only_called,
)
from decklab.models.reading import read_answer

_BUSY: Final = frozenset({408, 409, 425, 429, 529})
_FAILING: Final = frozenset({500, 502, 503, 504, 520, 521, 522, 523, 524})
_NO_SUCH_FORM: Final = frozenset({400, 404, 405, 415, 422, 500, 501})
"""With which servers answer to a form of structured answers that they do not know."""
_TOO_LONG = re.compile(
    r"context.?length|maximum context|context window|too many tokens|prompt is too long"
    r"|exceeds? the (available )?context|context_length_exceeded",
    re.IGNORECASE,
)
_NAMES_FORM = re.compile(r"response_format|schema|json|\btools?\b|tool_choice|function", re.I)
_NAMES_MODEL = re.compile(r"\bmodel\b.{0,80}(not found|not exist|unknown)|no such model", re.I)
_NAMES_PICTURE = re.compile(r"image|picture|vision|multimodal", re.IGNORECASE)
_NAMES_HEAT = re.compile(r"temperature", re.IGNORECASE)
_SHOWN: Final = 300
"""Characters of a server's words in messages. Ours."""


@dataclass
class SendFailure(Exception):
    """One request failed: ``status`` of HTTP if there is one, and the server's words.

    ``kind`` is set where the transport says more than the status: no sign in time, no connection.
    ``retry_after`` is the pause in seconds that the server asks for. ``requests``, the tokens and
    ``calls`` of tools are those spent before and with it.
    """

    message: str
    status: int | None = None
    kind: FailureKind | None = None
    retry_after: float | None = None
    requests: int = 1
    input_tokens: int = 0
    output_tokens: int = 0
    calls: int = 0

    @property
    def words(self) -> str:
        """Status and words in a line, such as ``429: slow down``, shortened."""
        said = one_line(shorten(self.message, _SHOWN, placeholder=" …"))
        return said if self.status is None else f"{self.status}: {said}"


def failure_kind(failure: SendFailure) -> FailureKind:
    """The kind of a failure."""
    status = failure.status
    if failure.kind is not None:
        return failure.kind
    if status is None:
        return "failed"
    if _TOO_LONG.search(failure.message) and status not in _BUSY:
        return "too_long"
    if status in _BUSY:
        return "busy"
    return "server" if status in _FAILING else "refused"


def refuses_form(failure: SendFailure, *, worked: bool) -> bool:
    """Whether another form of the answer may be taken; ``worked``: this one was, before."""
    if failure.status not in _NO_SUCH_FORM or failure_kind(failure) == "too_long":
        return False
    said = failure.message
    if _NAMES_FORM.search(said):
        return failure.status < 500 or not worked
    return not worked and not (_NAMES_MODEL.search(said) or _NAMES_PICTURE.search(said))


def refuses_temperature(failure: SendFailure) -> bool:
    """Whether the server does not take a temperature."""
    return failure.status in (400, 422) and _NAMES_HEAT.search(failure.message) is not None


LONGEST_PAUSE: Final = 60.0
"""Seconds between two requests where the server names none. Ours."""
_TRIES: Final[Mapping[FailureKind, int]] = {"unreachable": 3, "stalled": 2}
"""Tries if they are fewer than ``AskLimits.tries``."""
_WORDS: Final[Mapping[FailureKind, str]] = {
    "refused": "refused", "too_long": "the question is too long for it", "busy": "busy",
    "server": "the server failed", "stalled": "no reply in time", "unreachable": "no connection",
    "withheld": "the provider's filter withheld the reply",
}  # fmt: skip
_SIGHT_TRIES: Final = 2
"""Tries of a question whether the model sees, if the server fails: that is an answer, too."""
SHORTER: Final = "Your last reply was cut off by its length limit. Reply again, and shorter."


@dataclass(frozen=True)
class ModelQuestion(Generic[Answer]):
    """A question as it is put: parameters of ``Ask``.

    ``first_reply``: the first reply counts, though it is cut off, and nothing is made of prose; for
    benchmarks that measure replies.
    """

    prompt: str
    images: tuple[bytes, ...] = ()
    answer: type[Answer] | None = None
    system: str | None = None
    temperature: float | None = None
    tools: tuple[ModelTool, ...] = ()
    most_calls: int = TOOL_CALLS
    stage: str = ""
    first_reply: bool = False


@dataclass(frozen=True)
class ModelRequest(Generic[Answer]):
    """One request to the server: a question, and how it is put this time."""

    question: ModelQuestion[Answer]
    form: AnswerForm | None
    """None if no structured answer is wanted."""
    seconds: float
    """How long the server may take."""
    again: str = ""
    """Words to put after the prompt."""
    more_room: bool = False
    """Whether the reply may be twice as long as is set."""
    tools: tuple[ModelTool, ...] = ()
    """Those that are offered; the answer is a tool, too, then."""
    calls: int = 0
    """How often they may be called; then the model has to answer."""
    left: float = math.inf
    """Seconds for this request with all calls of tools."""
    affords: Callable[["Sent"], bool] = lambda _spent: True
    """Whether the budget allows more calls of tools after what was spent; then the model has to
    answer."""


@dataclass(frozen=True)
class Sent:
    """Response to one request."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 1
    calls: int = 0
    """Calls of tools."""
    cut: bool = False
    problem: str | None = None
    """Fault of the reply whatever was asked, such as arguments of a tool that are no JSON."""
    untold: int = 0
    """Replies without tokens from the provider."""


Send = Callable[[ModelRequest[Any]], Awaitable[Sent]]
"""Sends one request; raises SendFailure."""


@dataclass
class Asker:
    """Puts questions to one model. ``send`` makes the requests; all else bounds and counts.

    ``sleep`` and ``clock`` are given by tests that do not want to wait.
    """

    model: str
    send: Send
    sleep: Callable[[float], Awaitable[None]]
    memory: FormMemory = field(default_factory=FormMemory)
    limits: AskLimits = field(default_factory=AskLimits)
    account: RunCosts | None = None
    tell: Progress = silent
    clock: Callable[[], float] = time.monotonic

    async def ask(self, question: ModelQuestion[Answer]) -> ModelReply[Answer]:
        """The reply to a question. Raises ModelFailed, and BudgetSpent."""
        return await _Asking(self, question).reply()


class _Asking(Generic[Answer]):
    """One question under way."""

    def __init__(self, asker: Asker, question: ModelQuestion[Answer]) -> None:
        self.asker, self.question = asker, question
        self.started = asker.clock()
        self.usage = Usage()
        self.calls = 0
        self.failures: dict[FailureKind, int] = {}
        self.refused: list[AnswerForm] = []
        tools = question.tools if asker.memory.takes_tools else ()
        form = "tool" if tools and question.answer else self._form()
        self.request = ModelRequest(question, form, 0.0, tools=tools)

    async def reply(self) -> ModelReply[Answer]:
        """See ``Asker.ask``. A reply that is cut off counts if the budget allows no other."""
        cut: Sent | None = None
        while True:
            try:
                sent = await self._sent()
            except SendFailure as failure:
                if pause := self._pause_after(failure):
                    await self.asker.sleep(pause)
                continue
            except BudgetSpent:
                if cut is None:
                    raise
                return self._read(cut)
            if sent.cut and not (self.request.again or self.question.first_reply):
                cut = sent
                self.asker.tell("the reply was cut off, asking for a shorter one")
                self.request = replace(self.request, again=SHORTER, more_room=True)
                continue
            return self._read(sent)

    async def _sent(self) -> Sent:
        if (asker := self.asker).account is not None:
            asker.account.check(asker.model)
        left = asker.limits.question_seconds - self._seconds
        most = max(0.001, min(asker.limits.attempt_seconds, left))
        calls = self.question.most_calls - self.calls
        request = replace(self.request, seconds=most, left=left, calls=calls, affords=self._affords)
        before = self._seconds
        try:
            sent = await asker.send(request)
        except SendFailure as failed:
            took = self._seconds - before
            tokens = failed.input_tokens, failed.output_tokens
            self._count(Usage(*tokens, took, failed.requests))
            self.calls += failed.calls
            raise
        took = self._seconds - before
        tokens = sent.input_tokens, sent.output_tokens
        self._count(Usage(*tokens, took, sent.requests, sent.untold))
        self.calls += sent.calls
        return sent

    def _affords(self, spent: Sent) -> bool:
        usage = Usage(spent.input_tokens, spent.output_tokens)
        account = self.asker.account
        return account is None or account.allows(usage, self.asker.model)

    def _count(self, usage: Usage) -> None:
        self.usage += usage
        if self.asker.account is not None:
            self.asker.account.add(usage, self.asker.model)

    @property
    def _seconds(self) -> float:
        """Since the question was put."""
        return self.asker.clock() - self.started

    def _form(self) -> AnswerForm | None:
        if (answer := self.question.answer) is None:
            return None
        return self.asker.memory.form(answer.__name__, self.refused)

    def _pause_after(self, failure: SendFailure) -> float:
        """The pause before the next request; raises ModelFailed if no other follows."""
        form, question = self.request.form, self.request.question
        if question.temperature is not None and refuses_temperature(failure):
            self.request = replace(self.request, question=replace(question, temperature=None))
            self.asker.tell("the model takes no temperature, asking without")
            return 0.0
        memory = self.asker.memory
        first = self.request.tools and failure.requests <= 1
        if first and refuses_form(failure, worked=memory.tools_work):
            memory.tools(worked=False, refused=True)
            self.request = replace(self.request, form=self._form(), tools=())
            self.asker.tell(f"tools are not taken ({failure.words}), asking without")
            return 0.0
        worked = form is not None and memory.has_worked(form)
        if form is not None and form != "text" and refuses_form(failure, worked=worked):
            self._leave(form, failure)
            return 0.0
        return self._wait(failure, failure_kind(failure))

    def _leave(self, form: AnswerForm, failure: SendFailure) -> None:
        """Make the request ready in the form after one that is not taken."""
        self.refused.append(form)
        following = self._form()
        self.request = replace(self.request, form=following)
        reason = f"{WORDS[form]} is not taken ({failure.words})"
        self.asker.tell(f"{reason}, asking for {WORDS[following or 'text']}")

    def _wait(self, failure: SendFailure, kind: FailureKind) -> float:
        """The pause after a failure that may pass; raises ModelFailed after others."""
        if kind not in ("busy", "server", "stalled", "unreachable"):
            self._fail(failure, kind)
        limits = self.asker.limits
        self.failures[kind] = self.failures.get(kind, 0) + 1
        tried = sum(self.failures.values())
        most = min(limits.tries, _TRIES.get(kind, limits.tries))
        if kind == "server" and self.question.stage == SIGHT_STAGE:
            most = min(most, _SIGHT_TRIES)
        if (pause := failure.retry_after) is None:
            pause = min(2.0**tried, LONGEST_PAUSE) * random.uniform(0.75, 1.0)
        if kind == "stalled":
            pause = 0.0
        if self.failures[kind] >= most or tried >= limits.tries:
            self._fail(failure, kind)
        if self._seconds + pause >= limits.question_seconds:
            self._fail(failure, kind)
        reason = _told(failure, kind)
        self.asker.tell(f"{reason}, try {tried + 1} of {most} in {pause:.0f} s")
        return pause

    def _fail(self, failure: SendFailure, kind: FailureKind) -> NoReturn:
        reason = _told(failure, kind)
        count, seconds = self.usage.requests, self._seconds
        if count > 1:
            reason = f"gave up after {count} requests in {seconds:.0f} s: {reason}"
        raise ModelFailed(self.asker.model, reason, kind, count, seconds) from failure

    def _read(self, sent: Sent) -> ModelReply[Answer]:
        answer, form = self.question.answer, self.request.form
        reply: ModelReply[Answer] = ModelReply(
            sent.text, usage=self.usage, model=self.asker.model, form=form, cut=sent.cut,
            calls=self.calls,
        )  # fmt: skip
        problem = "the reply is cut off by its length limit" if sent.cut else sent.problem
        if not sent.text.strip() and self.calls >= self.question.most_calls and self.calls:
            problem = only_called(self.calls)
        if answer is None or form is None:
            empty = None if sent.text.strip() else "the reply is empty"
            return replace(reply, problem=problem or empty)
        reading = read_answer(sent.text, answer)
        self._remember(sent, form, reading.is_json)
        if problem is not None:
            return replace(reply, problem=problem)
        return replace(reply, answer=reading.answer, problem=reading.problem, mended=reading.mended)

    def _remember(self, sent: Sent, form: AnswerForm, is_json: bool) -> None:
        """Remember for later questions whether the form, or the tools, worked."""
        memory, answer = self.asker.memory, self.question.answer
        if self.request.tools:
            memory.tools(worked=sent.calls > 0 or is_json)
            return
        memory.refused(self.refused, answer.__name__ if answer else "")
        if is_json:
            memory.worked(form)
        elif sent.text.strip() and not (sent.cut or self.question.first_reply):
            memory.ignored(form)


def _told(failure: SendFailure, kind: FailureKind) -> str:
    """A failure in words: its kind, and what the server said."""
    if kind == "failed":
        return failure.words
    return f"{_WORDS[kind]} ({failure.words})" if failure.words else _WORDS[kind]


QUESTION: Final = "Which number do you see in the picture? Reply with its digits only."
_NEUTRAL: Final = "Reply with the word yes."
SIGHT_STAGE: Final = "sight"
"""The stage of these questions."""


class PicturesUnseen(ModelFailed):
    """The model does not see pictures, or its server takes none."""

    def __init__(self, model: str, why: str) -> None:
        super().__init__(model, f"does not see pictures: {why}", "refused")


class Sight:
    """The sight of one model; threads share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._fault: str | None = None

    def fault(self, ask: Ask, model: str, tell: Progress) -> str:
        """Why the model does not see, found out at the first call; empty if it does."""
        with self._lock:
            if self._fault is None:
                self._fault = _fault(ask, model)
                if self._fault:
                    tell(f"{model} does not see pictures")
            return self._fault


def with_sight_check(
    ask: Ask, model: str, *, sight: Sight | None = None, tell: Progress = silent
) -> Ask:
    """``ask`` that raises PicturesUnseen for questions with pictures if ``model`` sees none.

    One question more is put before the first one with pictures; threads wait for its answer.
    ``sight`` is what others who ask this model know. ``tell`` is called with a line if it sees
    none.
    """
    known = sight or Sight()

    def asked(prompt: str, *, images: Sequence[bytes] = (), **how: Any) -> ModelReply[Any]:
        if fault := known.fault(ask, model, tell) if images else "":
            raise PicturesUnseen(model, fault)
        return ask(prompt, images=images, **how)

    return asked


def sight_number(model: str) -> str:
    """The four digits that a model is shown; always the same ones, so that a record knows them.

    >>> sight_number("openai/gpt-5")
    '4062'
    """
    return str(1000 + zlib.crc32(model.encode()) % 9000)


def _fault(ask: Ask, model: str) -> str:
    """Why the model is taken not to see, in words; empty if it read the number."""
    number = sight_number(model)
    try:
        said = for_stage(ask, SIGHT_STAGE)(QUESTION, images=[_drawn(number)]).text
    except ModelFailed as error:
        if error.kind not in ("refused", "server"):
            raise
        if error.kind == "server":
            for_stage(ask, SIGHT_STAGE)(_NEUTRAL)  # raises where the server fails at anything
        return error.detail
    if number in "".join(said.split()):
        return ""
    return f"shown the number {number} it said “{' '.join(said.split())[:60]}”"


def _drawn(text: str) -> bytes:
    """The text in black on white, 40 pixels high, as PNG."""
    picture = Image.new("RGB", (240, 120), "white")
    ImageDraw.Draw(picture).text(
        (120, 60), text, fill="black", font=ImageFont.load_default(size=56), anchor="mm"
    )
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()
