"""Conversations of many turns through Inspect AI, within the limits and retries of ``inspect``."""

import functools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentReasoning,
    ContentText,
    Model,
    ModelOutput,
)
from inspect_ai.tool import ToolCall

from decklab.models.asking import Ask, ModelReply, Usage
from decklab.models.asking_loop import Asker, ModelQuestion, ModelRequest, Sent
from decklab.models.inspect import (
    asker_of,
    asking_from_thread,
    asking_portal,
    generated,
    image_url,
    run_in_task,
    sent_of,
    sight_of,
    tool_info,
)
from decklab.models.turns import (
    Chat,
    ChatFacts,
    FunctionChat,
    ModelTurn,
    OfferedTool,
    ToolCallMade,
    ToolTurn,
    Turn,
    UserTurn,
    chat_with_sight_check,
)

_FRAME: Final = (1366, 768)
"""The screen that Inspect AI describes to providers with a ``computer`` tool of their own."""
_FRAMED: Final = ("AnthropicAPI", "GoogleGenAIAPI")
"""Those providers, by the names of their classes in Inspect AI."""
_OWN_COMPUTER: Final = (*_FRAMED, "OpenAIAPI")
"""Those that may put a tool of their own in place of one that looks like Inspect's ``computer``."""


@contextmanager
def chatting(model: Model, **options: Any) -> Iterator[tuple[Chat, Ask]]:
    """``model`` as a plain function of the turns of a conversation, and as one of single questions,
    for code that is not async.

    ``options`` are those of ``asker_of``. The model's connections are closed with the block, so it
    serves one block only.
    """
    asker = asker_of(model, **options)
    with asking_portal(model, asker) as (portal, ask):

        def chat(turns: Sequence[Turn], **how: Any) -> ModelTurn:
            return portal.call(functools.partial(next_turn, model, turns, asker=asker, **how))

        yield FunctionChat(chat, chat_facts(model, asker.model)), ask


def chatting_from_thread(model: Model, **options: Any) -> Chat:
    """``model`` as a plain function of turns, for threads that an async task, as Inspect's are,
    started; see ``asking_from_thread``. Pictures raise PicturesUnseen if it sees none."""
    asker = asker_of(model, **options)

    def chat(turns: Sequence[Turn], **how: Any) -> ModelTurn:
        return run_in_task(functools.partial(next_turn, model, turns, asker=asker, **how))

    ask = asking_from_thread(model, first_reply=True, **options)
    chat_function = FunctionChat(chat, chat_facts(model, asker.model))
    return chat_with_sight_check(chat_function, ask, sight=sight_of(model))


def chat_facts(model: Model, name: str = "") -> ChatFacts:
    """Facts known of a model before it is asked."""
    bases = {base.__name__ for base in type(model.api).__mro__}
    return ChatFacts(
        name or str(model),
        own_computer=bool(bases & set(_OWN_COMPUTER)),
        frame=_FRAME if bases & set(_FRAMED) else None,
        every_picture=model.api.disable_computer_screenshot_truncation(),
    )


async def next_turn(
    model: Model,
    turns: Sequence[Turn],
    *,
    system: str = "",
    tools: Sequence[OfferedTool] = (),
    asker: Asker | None = None,
) -> ModelTurn:
    """The model's next turn; errors as in ``Ask``. A reply that is cut off counts."""
    messages = chat_messages(turns, system)
    offered = [tool_info(tool.name, tool.description, tool.parameters) for tool in tools]
    outputs: list[ModelOutput] = []

    async def send(request: ModelRequest[Any]) -> Sent:
        output = await generated(model, request, messages, offered, "auto" if offered else None)
        sent = sent_of(output)
        outputs.append(output)
        return sent

    asked = replace(asker or asker_of(model), send=send)
    reply: ModelReply[Any] = await asked.ask(ModelQuestion("", first_reply=True))
    return _turn(outputs[-1], reply.usage, reply.model, cut=reply.cut)


def chat_messages(turns: Sequence[Turn], system: str = "") -> list[ChatMessage]:
    """A conversation as Inspect's messages, as its log keeps them."""
    messages: list[ChatMessage] = [ChatMessageSystem(content=system)] if system else []
    return messages + [_message(turn) for turn in turns]


def _message(turn: Turn) -> ChatMessage:
    if isinstance(turn, ModelTurn):
        if turn.message:
            return ChatMessageAssistant.model_validate(turn.message)
        calls = [ToolCall(id=call.id, function=call.name, arguments=dict(call.arguments))
                 for call in turn.calls]  # fmt: skip
        return ChatMessageAssistant(content=turn.text, tool_calls=calls or None)
    if isinstance(turn, UserTurn):
        return ChatMessageUser(content=_content(turn))
    # No error is set, though it may be one: providers would drop the pictures then.
    return ChatMessageTool(
        content=_content(turn), tool_call_id=turn.call.id, function=turn.call.name
    )


def _content(turn: UserTurn | ToolTurn) -> str | list[Content]:
    """Text with pictures; without them a plain string, for some servers fail at a list."""
    if not turn.images:
        return turn.text
    pictures = [ContentImage(image=image_url(image)) for image in turn.images]
    return [*([ContentText(text=turn.text)] if turn.text else []), *pictures]


def _turn(output: ModelOutput, usage: Usage, name: str, *, cut: bool) -> ModelTurn:
    message = output.message
    parts = message.content if isinstance(message.content, list) else []
    thoughts = [part.summary or part.reasoning for part in parts
                if isinstance(part, ContentReasoning) and not part.redacted]  # fmt: skip
    calls = tuple(
        ToolCallMade(
            call.id, call.function, call.arguments, " ".join((call.parse_error or "").split())
        )
        for call in message.tool_calls or ()
    )
    return ModelTurn(
        output.completion, "\n".join(filter(None, thoughts)), calls, usage, name, cut,
        message.model_dump(mode="json", exclude_none=True),
    )  # fmt: skip
