"""Models by their names, and the models of one run: one account of what they cost, and one record:
every question, its reply and what both cost; a resumed run reads it. Conversations of many turns
with a model that calls tools.

The folder of a record holds::

    run.json           what was run: command, inputs by their SHA-256, options that change answers
    questions.jsonl    one line a question, in the order of their replies
    pictures/          the pictures that went along, by their SHA-256, each once
    secret.txt         what marks around deck text are made from, so that a replay asks the same

A run that is started anew with the same folder gets the replies that are there and asks for the
rest. So nothing is asked twice after a crash, a kill or a budget that was spent.

``Ask`` puts one question; in a conversation whoever asks holds the turns, runs the tools himself,
and sends all turns with each request.
"""

import errno
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, Protocol

from pydantic import BaseModel

from decklab.core.errors import DecklabError, ModelFailed, ModelUnavailable
from decklab.core.files import write_whole
from decklab.core.lazy import needs_extra
from decklab.core.options import TOOL_CALLS, Spending
from decklab.core.stages import Progress, silent
from decklab.core.version import VERSION
from decklab.models.asking import (
    NO_USAGE,
    Ask,
    AskLimits,
    Budget,
    ModelReply,
    ModelTool,
    PriceList,
    Prices,
    RunCosts,
    ToolOutput,
    Usage,
    for_stage,
    price_of,
)
from decklab.models.asking_loop import PicturesUnseen, Sight, with_sight_check
from decklab.models.reading import read_answer

_RUN, _QUESTIONS, _PICTURES = "run.json", "questions.jsonl", "pictures"
_SECRET = "secret.txt"
_RESULTS = ("edit.json", "results.json")
"""Results that runs leave in their folders besides."""
_SPENT = ("input_tokens", "output_tokens", "seconds", "requests", "untold")


class QuestionRecord:
    """The record in one folder; threads may share it. See ``open_record``."""

    def __init__(self, folder: Path, prices: Prices | PriceList | None = None) -> None:
        self.folder, self.prices = folder, prices
        self._lock = threading.Lock()
        self._asked: Counter[str] = Counter()
        """How often each question was put in this run: judges repeat theirs."""
        lines = _lines(folder / _QUESTIONS)
        self.resumed = bool(lines)
        """Whether the run was begun before, and asked something."""
        self._kept = {line["key"]: line for line in lines if line["failed"] is None}
        self._number = max((line["number"] for line in lines), default=0)

    @cached_property
    def secret(self) -> str:
        """The secret of the run, made when it is first needed."""
        if not (path := self.folder / _SECRET).exists():
            write_whole(path, token_hex().encode())
        return path.read_text(encoding="ascii").strip()

    def key_of(self, question: Mapping[str, Any]) -> str:
        """The key of a question that is put now; the same one put again has another."""
        text = json.dumps(question, sort_keys=True, ensure_ascii=False)
        with self._lock:
            self._asked[text] += 1
            return sha256(f"{self._asked[text]} {text}".encode(errors="replace")).hexdigest()

    def find(self, key: str) -> Mapping[str, Any] | None:
        """The line of a question that was answered; None if it was not."""
        return self._kept.get(key)

    def add(self, line: Mapping[str, Any], images: Sequence[bytes]) -> None:
        """Write one line, with the cost of its tokens, and the pictures that are new."""
        usage = Usage(line["input_tokens"], line["output_tokens"])
        prices = price_of(self.prices, line["model"])
        cost = None if prices is None or line["untold"] else prices.cost(usage)
        with self._lock:
            self._number += 1
            for image in images:
                path = self.folder / _PICTURES / f"{sha256(image).hexdigest()}{_suffix(image)}"
                if not path.exists():
                    path.parent.mkdir(exist_ok=True)
                    write_whole(path, image)
            text = json.dumps({"number": self._number, **line, "cost": cost}, ensure_ascii=False)
            with (self.folder / _QUESTIONS).open("ab") as file:
                file.write(f"{text}\n".encode(errors="replace"))


def open_record(
    folder: str | Path, run: Mapping[str, Any], *, prices: Prices | PriceList | None = None
) -> QuestionRecord:
    """The record of ``run`` in a folder that is new, empty, or holds the record of this very run.

    ``run`` is plain JSON and says what was run; paths have no place in it. Raises FileExistsError
    if the folder holds another run, or results without a record.
    """
    path, kept = Path(folder), Path(folder) / _RUN
    run_text = json.dumps(run, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    if kept.exists():
        if kept.read_text(encoding="utf-8") != run_text:
            raise FileExistsError(errno.EEXIST, "holds the record of another run", str(folder))
    elif any((path / name).exists() for name in (*_RESULTS, _QUESTIONS)):
        detail = "has what an earlier run wrote; name another folder"
        raise FileExistsError(errno.EEXIST, detail, str(folder))
    else:
        path.mkdir(parents=True, exist_ok=True)
        write_whole(kept, run_text.encode())
    return QuestionRecord(path, prices)


def file_digest(path: str | Path) -> str:
    """The SHA-256 of a file, by which a record knows an input."""
    return sha256(Path(path).read_bytes()).hexdigest()


def recorded(ask: Ask, record: QuestionRecord, model: str) -> Ask:
    """``ask`` with its questions and replies in ``record``; those already there are not asked.

    ``model`` is the name of the model. A reply out of the record costs nothing: its usage is empty,
    what it cost before is in ``kept``. Failures are written and asked again by the next run.
    """

    def asked(
        prompt: str,
        *,
        images: Sequence[bytes] = (),
        answer: type[BaseModel] | None = None,
        system: str | None = None,
        temperature: float | None = None,
        tools: Sequence[ModelTool] = (),
        most_calls: int = TOOL_CALLS,
        stage: str = "",
    ) -> ModelReply[Any]:
        question = {
            "model": model, "system": system, "prompt": prompt,
            "pictures": [sha256(image).hexdigest() for image in images],
            "schema": answer and answer.model_json_schema(), "temperature": temperature,
            "tools": [tool.name for tool in tools],
        }  # fmt: skip
        key = record.key_of(question)
        if (kept := record.find(key)) is not None:
            _make_again(kept.get("made", ()), tools)
            return _replayed_reply(kept, answer)
        made = list[Mapping[str, Any]]()
        tools = [_noting(tool, made) if tool.changes else tool for tool in tools]
        line = {**question, "key": key, "stage": stage, "schema": answer and answer.__name__}
        more: dict[str, Any] = {"tools": tools, "most_calls": most_calls} if tools else {}
        try:
            reply: ModelReply[Any] = for_stage(ask, stage)(
                prompt, images=images, answer=answer, system=system, temperature=temperature, **more
            )
        except ModelFailed as error:
            spent = Usage(seconds=error.seconds, requests=error.requests)
            record.add({**line, **_kept_reply(ModelReply("", usage=spent), error)}, images)
            raise
        record.add({**line, **_kept_reply(reply), "made": made}, images)
        return reply

    return asked


def _noting(tool: ModelTool, made: list[Mapping[str, Any]]) -> ModelTool:
    """A tool whose calls are noted in ``made``."""

    def run(arguments: Any) -> ToolOutput:
        made.append({"tool": tool.name, "arguments": arguments.model_dump(mode="json")})
        return tool.run(arguments)

    return replace(tool, run=run)


def _make_again(made: Iterable[Mapping[str, Any]], tools: Iterable[ModelTool]) -> None:
    """Make the calls of tools of a kept reply again; those that failed do so again."""
    known = {tool.name: tool for tool in tools}
    for call in made:
        tool = known[call["tool"]]
        with suppress(DecklabError, LookupError, ValueError, OSError):
            tool.run(tool.parameters.model_validate(call["arguments"]))


def with_kept_usage(ask: Ask) -> Ask:
    """``ask`` whose replies out of a record have in ``usage`` what they cost when they were asked,
    for runs that tell what their results cost."""

    def asked(prompt: str, **how: Any) -> ModelReply[Any]:
        reply: ModelReply[Any] = ask(prompt, **how)
        return replace(reply, usage=reply.usage + reply.kept)

    return asked


def _kept_reply(reply: ModelReply[Any], error: ModelFailed | None = None) -> dict[str, Any]:
    said = {name: getattr(reply, name) for name in ("problem", "mended", "cut", "calls")}
    kept = {"served_by": reply.model, "form": reply.form, "reply": reply.text, **said}
    why = {"failed": error and str(error), "failure": error and error.kind}
    return kept | usage_told(reply.usage) | why


def usage_told(usage: Usage) -> dict[str, Any]:
    """A usage as a line of a record has it."""
    values = {name: getattr(usage, name) for name in _SPENT}
    return {**values, "seconds": round(usage.seconds, 3)}


def usage_from(line: Mapping[str, Any]) -> Usage:
    """The usage in a line of a record."""
    return Usage(*(line.get(name, 0) for name in _SPENT))


def _replayed_reply(line: Mapping[str, Any], answer: type[BaseModel] | None) -> ModelReply[Any]:
    spent = usage_from(line)
    reply: ModelReply[Any] = ModelReply(
        line["reply"], None, line["problem"], Usage(), line["served_by"], line["form"],
        tuple(line["mended"]), line["cut"], spent, line.get("calls", 0),
    )  # fmt: skip
    if answer is None or reply.problem is not None:
        return reply
    reading = read_answer(reply.text, answer)
    return replace(reply, answer=reading.answer, problem=reading.problem, mended=reading.mended)


def _lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a record; one that a kill tore is taken out, to be asked again."""
    if not path.exists():
        return []
    data = path.read_bytes()
    if (whole := data[: data.rfind(b"\n") + 1]) != data:
        write_whole(path, whole)
    return [json.loads(line) for line in whole.splitlines()]


def _suffix(image: bytes) -> str:
    return ".png" if image.startswith(b"\x89PNG") else ".jpg"


@dataclass(frozen=True)
class OfferedTool:
    """A tool that a model may call; ``parameters`` is the form of its arguments."""

    name: str
    description: str
    parameters: type[BaseModel]


@dataclass(frozen=True)
class ToolCallMade:
    """A call of a tool by a model. ``problem`` says why its arguments could not be read."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    problem: str = ""


@dataclass(frozen=True)
class UserTurn:
    """A message to the model; ``images`` are PNG or JPEG bytes, shown after the text."""

    text: str
    images: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class ToolTurn:
    """Result of a call of a tool; ``refused`` if it was not carried out."""

    call: ToolCallMade
    text: str
    images: tuple[bytes, ...] = ()
    refused: bool = False


@dataclass(frozen=True)
class ModelTurn:
    """A reply of the model: its words, its thoughts if the provider shows them, and calls.

    ``message`` is the reply as the provider's adapter needs it in the next request, as plain JSON;
    empty for a turn that a test or a script made up.
    """

    text: str = ""
    thought: str = ""
    calls: tuple[ToolCallMade, ...] = ()
    usage: Usage = NO_USAGE
    model: str = ""
    cut: bool = False
    """Whether its length limit ended the reply."""
    message: Mapping[str, Any] = field(default_factory=dict)


Turn = UserTurn | ToolTurn | ModelTurn
_NO_FORM: Final[Mapping[str, Any]] = {"schema": None, "form": None, "problem": None, "mended": []}
"""Entries of a record's line about an answer's form; there is none here."""
_NOT_ASKED: Final = ("message", "thought")
"""Of a turn, what has no part in the key of a record: providers put names of their own into it."""


@dataclass(frozen=True)
class ChatFacts:
    """Facts known of a model before it is asked.

    ``own_computer``: its provider may put a tool of its own in place of Inspect AI's ``computer``.
    ``frame`` is the size of pictures, in pixels, that this tool assumes; None if it takes points
    in pixels of the picture it sees. With ``every_picture`` no picture may be left out of what a
    tool gave.
    """

    model: str
    own_computer: bool = False
    frame: tuple[int, int] | None = None
    every_picture: bool = False


class Chat(Protocol):
    """A function that sends a conversation to a model and waits for its next turn.

    ``turns`` begins with what the user says. Raises ``ModelError`` if no reply came.
    """

    @property
    def facts(self) -> ChatFacts:
        """Facts known of the model."""

    def __call__(
        self, turns: Sequence[Turn], *, system: str = "", tools: Sequence[OfferedTool] = ()
    ) -> ModelTurn: ...


@dataclass(frozen=True)
class FunctionChat:
    """A function as a ``Chat``, with facts beside it."""

    function: Callable[..., ModelTurn]
    facts: ChatFacts

    def __call__(self, turns: Sequence[Turn], **how: Any) -> ModelTurn:
        """The result of the function."""
        return self.function(turns, **how)


def chat_with_sight_check(chat: Chat, ask: Ask, *, sight: Sight, tell: Progress = silent) -> Chat:
    """``chat`` that raises PicturesUnseen for pictures if its model sees none.

    ``ask`` puts one question more to the same model, before the first turn with pictures; ``sight``
    is what is known of it. ``tell`` is called with a line if it sees none.
    """

    def checked(turns: Sequence[Turn], **how: Any) -> ModelTurn:
        shown = any(getattr(turn, "images", ()) for turn in turns)
        if fault := sight.fault(ask, chat.facts.model, tell) if shown else "":
            raise PicturesUnseen(chat.facts.model, fault)
        return chat(turns, **how)

    return FunctionChat(checked, chat.facts)


def recorded_chat(chat: Chat, record: QuestionRecord, *, stage: str = "turn") -> Chat:
    """``chat`` with its requests and replies in ``record``; what is there already is not asked.

    A line holds what is new in the request, the key stands for all of it. A reply out of the record
    has the usage of when it was asked. Failures are written, and asked again by the next run.
    """

    def answered(
        turns: Sequence[Turn], *, system: str = "", tools: Sequence[OfferedTool] = ()
    ) -> ModelTurn:
        said = [_kept_turn(turn) for turn in turns]
        names = [tool.name for tool in tools]
        asked = [{name: part[name] for name in part if name not in _NOT_ASKED} for part in said]
        question = {"model": chat.facts.model, "system": system, "turns": asked, "tools": names}
        key = record.key_of(question)
        if (kept := record.find(key)) is not None:
            return _replayed_turn(kept)
        answers = (n for n, turn in enumerate(turns, start=1) if isinstance(turn, ModelTurn))
        last = max(answers, default=0)
        first = {} if last else {"system": system, "tools": names}
        line = {**_NO_FORM, "model": chat.facts.model, "key": key, "stage": stage,
                "turns": len(turns), "new": said[last:], **first}  # fmt: skip
        images = [image for turn in turns[last:] for image in getattr(turn, "images", ())]
        try:
            reply = chat(turns, system=system, tools=tools)
        except ModelFailed as error:
            spent = Usage(seconds=error.seconds, requests=error.requests)
            failed = {"failed": str(error), "failure": error.kind}
            record.add({**line, **_kept_turn(ModelTurn()), **usage_told(spent), **failed}, images)
            raise
        facts = {**_kept_turn(reply), **usage_told(reply.usage), "served_by": reply.model}
        record.add({**line, **facts, "failed": None, "failure": None}, images)
        return reply

    return FunctionChat(answered, chat.facts)


def _kept_turn(turn: Turn) -> dict[str, Any]:
    """A turn as plain JSON, pictures by their SHA-256."""
    if isinstance(turn, ModelTurn):
        calls = [{"id": call.id, "name": call.name, "arguments": dict(call.arguments),
                  "problem": call.problem} for call in turn.calls]  # fmt: skip
        return {"reply": turn.text, "thought": turn.thought, "calls": calls, "cut": turn.cut,
                "message": dict(turn.message)}  # fmt: skip
    pictures = [sha256(image).hexdigest() for image in turn.images]
    if isinstance(turn, ToolTurn):
        return {"tool": turn.call.name, "call": turn.call.id, "text": turn.text,
                "refused": turn.refused, "pictures": pictures}  # fmt: skip
    return {"prompt": turn.text, "pictures": pictures}


def _replayed_turn(line: Mapping[str, Any]) -> ModelTurn:
    calls = tuple(ToolCallMade(**call) for call in line["calls"])
    return ModelTurn(
        line["reply"], line["thought"], calls, usage_from(line), line["served_by"], line["cut"],
        line["message"],
    )  # fmt: skip


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
    tell: Progress | None = None,
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
    tell: Progress | None = None,
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
    tell: Progress = silent
    """Called with a line whenever a model is asked again."""
    reported: bool = True
    """Whether a report says what failed. Without one, a sample is an error if no model replied."""

    def check(self, cause: str) -> None:
        """Raise ModelFailed with ``cause`` if there is no report, and no question put so far had a
        reply."""
        spent = self.costs.spent
        replied = spent.input_tokens + spent.output_tokens or spent.untold
        if spent.requests and not replied and not self.reported:
            raise ModelFailed("the run's models", f"no reply to {spent.requests} requests: {cause}")

    @cached_property
    def secret(self) -> str:
        """Secret from which marks around deck text are made; the record keeps it."""
        return token_hex() if self.record is None else self.record.secret

    @contextmanager
    def asking(
        self,
        model: str,
        *,
        tell: Progress | None = None,
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
    def chatting(self, model: str, *, tell: Progress | None = None) -> Iterator[Chat]:
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
    spending: Spending | None, run: Mapping[str, Any], *, tell: Progress = silent
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
