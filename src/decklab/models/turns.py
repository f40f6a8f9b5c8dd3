"""Conversations of many turns with a model that calls tools, as plain types.

``Ask`` puts one question; here whoever asks holds the conversation, runs the tools himself, and
sends all turns with each request.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, Protocol

from pydantic import BaseModel

from decklab.core.errors import ModelFailed
from decklab.models.asking import Ask, Usage
from decklab.models.asking_loop import PicturesUnseen, Sight
from decklab.models.record import QuestionRecord, usage_from, usage_told

NO_USAGE: Final = Usage()


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


def chat_with_sight_check(
    chat: Chat, ask: Ask, *, sight: Sight, tell: Callable[[str], None] = lambda _line: None
) -> Chat:
    """``chat`` that raises PicturesUnseen for pictures if its model sees none.

    ``ask`` puts one question more to the same model, before the first turn with pictures; ``sight``
    is what is known of it. ``tell`` is called with a line if it sees none.
    """

    def checked(turns: Sequence[Turn], **how: Any) -> ModelTurn:
        if any(getattr(turn, "images", ()) for turn in turns):
            fault = sight.fault(ask, chat.facts.model, tell)
            if fault:
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
        said = [_told(turn) for turn in turns]
        names = [tool.name for tool in tools]
        asked = [{name: part[name] for name in part if name not in _NOT_ASKED} for part in said]
        question = {"model": chat.facts.model, "system": system, "turns": asked, "tools": names}
        key = record.key_of(question)
        kept = record.find(key)
        if kept is not None:
            return _replayed(kept)
        last = max(
            (n + 1 for n, turn in enumerate(turns) if isinstance(turn, ModelTurn)), default=0
        )
        first = {} if last else {"system": system, "tools": names}
        line = {**_NO_FORM, "model": chat.facts.model, "key": key, "stage": stage,
                "turns": len(turns), "new": said[last:], **first}  # fmt: skip
        images = [image for turn in turns[last:] for image in getattr(turn, "images", ())]
        try:
            reply = chat(turns, system=system, tools=tools)
        except ModelFailed as error:
            spent = Usage(seconds=error.seconds, requests=error.requests)
            failed = {"failed": str(error), "failure": error.kind}
            record.add({**line, **_told(ModelTurn()), **usage_told(spent), **failed}, images)
            raise
        facts = {**_told(reply), **usage_told(reply.usage), "served_by": reply.model}
        record.add({**line, **facts, "failed": None, "failure": None}, images)
        return reply

    return FunctionChat(answered, chat.facts)


def _told(turn: Turn) -> dict[str, Any]:
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


def _replayed(line: Mapping[str, Any]) -> ModelTurn:
    calls = tuple(ToolCallMade(**call) for call in line["calls"])
    return ModelTurn(
        line["reply"], line["thought"], calls, usage_from(line), line["served_by"], line["cut"],
        line["message"],
    )  # fmt: skip
