"""The one door to Inspect AI's models: any provider, with its counts and limits, for questions and
conversations of many turns.

Inspect AI and the clients of the providers put failed requests again by themselves, each in its own
way; here both are kept from it, and ``decklab.models.asking_loop`` does it alone.
"""

import base64
import functools
import json
import math
import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from dataclasses import replace
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

import anyio
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread
from anyio.from_thread import BlockingPortal
from anyio.lowlevel import EventLoopToken
from inspect_ai._util.error import PrerequisiteError
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
    GenerateConfig,
    Model,
    ModelOutput,
    ResponseSchema,
    get_model,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolFunction, ToolInfo, ToolParams
from inspect_ai.util import json_schema
from pydantic import BaseModel

from decklab.core.errors import DecklabError, FailureKind, ModelUnavailable
from decklab.core.stages import Progress
from decklab.models.asking import (
    ANSWER_TOOL,
    FORMS,
    AnswerForm,
    Ask,
    AskLimits,
    FormMemory,
    ModelReply,
    ModelTool,
    RunCosts,
    TextWithPictures,
    ToolOutput,
    Usage,
    schema_words,
)
from decklab.models.asking_loop import (
    Asker,
    ModelQuestion,
    ModelRequest,
    SendFailure,
    Sent,
    Sight,
    with_sight_check,
)
from decklab.models.model_run import (
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
from decklab.models.reading import read_answer

Result = TypeVar("Result")

_MARKUP = re.compile(r"\[/?[a-z]+\]")
"""Terminal styles in messages of Inspect AI about a model that it cannot open."""
_CODE = re.compile(r"^Error code: \d+ - ")
"""Before a server's words in the errors of its client."""
_UNPARSED = re.compile(
    r"Error parsing the following tool call arguments:\n\n(.*)\n\nError details: .*", re.DOTALL
)
"""Inspect AI's words for arguments that are no JSON."""
_CALLING: Final = 2 / 3
"""Share of the time for a question in which tools may be called, without the time that they take
themselves; the rest is for the answer. Ours."""
_NO_MORE_CALLS = "This was not run: no tool may be called any more. Give the answer now."
_MEMORIES: WeakKeyDictionary[Model, FormMemory] = WeakKeyDictionary()
"""Memory of the forms that each model takes, for all who ask it in this process."""
_SIGHTS: WeakKeyDictionary[Model, Sight] = WeakKeyDictionary()


def open_model(
    name: str, *, connections: int | None = None, batch: int | None = None, **options: Any
) -> Model:
    """The model that Inspect AI knows as ``name``, for instance ``openai/gpt-5``.

    ``connections`` and ``batch`` are Inspect's ``max_connections`` and ``batch``; ``options`` go to
    ``inspect_ai.model.get_model``. Raises ``ModelUnavailable`` if provider or key are missing;
    nothing is asked yet.
    """
    if connections is not None or batch is not None:
        options["config"] = GenerateConfig(max_connections=connections, batch=batch)
    try:
        return get_model(name, **options)
    except (PrerequisiteError, ValueError, ImportError) as error:
        message = _MARKUP.sub("", str(getattr(error, "message", error)))
        raise ModelUnavailable(name, " ".join(message.split())) from error


_LOOP: ContextVar[EventLoopToken | None] = ContextVar("_LOOP", default=None)
"""The event loop of the task that started a thread."""


async def ask_model(
    model: Model,
    prompt: str,
    *,
    images: Sequence[bytes] = (),
    tools: Sequence[ModelTool] = (),
    asker: Asker | None = None,
    **how: Any,
) -> ModelReply[Any]:
    """Put one question to ``model``; parameters, reply and errors as in ``Ask``.

    ``asker`` is one that ``asker_of`` gave, where several questions share limits and account.
    """
    asker = asker or asker_of(model)
    return await asker.ask(ModelQuestion(prompt, tuple(images), tools=tuple(tools), **how))


def asker_of(
    model: Model,
    *,
    name: str = "",
    limits: AskLimits | None = None,
    account: RunCosts | None = None,
    tell: Progress | None = None,
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Asker:
    """An asker of ``model``, which errors and ``account`` call ``name``, within ``limits``.

    If none are given they are those of the model's own ``max_retries``, ``timeout`` and
    ``attempt_timeout``, as far as they are set.
    """
    tell, limits = tell or (lambda _line: None), limits or _limits(model.config)
    open_asker = functools.partial(
        Asker, name or str(model), functools.partial(_send, model), sleep
    )
    memory = _memory(model)
    return open_asker(memory=memory, limits=limits, account=account, tell=tell, clock=clock)


def _memory(model: Model) -> FormMemory:
    if (known := _MEMORIES.get(model)) is None:
        bases = {base.__name__ for base in type(model.api).__mro__}
        compatible = "OpenAICompatibleAPI" in bases
        forms = [form for form in FORMS if compatible or form != "json_object"]
        known = _MEMORIES[model] = FormMemory(forms)
    return known


def _limits(config: GenerateConfig) -> AskLimits:
    usual = AskLimits()
    return AskLimits(
        config.timeout or usual.question_seconds,
        config.attempt_timeout or usual.attempt_seconds,
        usual.tries if config.max_retries is None else config.max_retries + 1,
    )


@contextmanager
def asking(model: Model, **options: Any) -> Iterator[Ask]:
    """``model`` as a plain function, for code that is not async; may be called by threads.

    ``options`` are those of ``asker_of``. The model's connections are closed with the block, so it
    serves one block only.
    """
    with asking_portal(model, asker_of(model, **options)) as (_, ask):
        yield ask


@contextmanager
def asking_portal(model: Model, asker: Asker) -> Iterator[tuple[BlockingPortal, Ask]]:
    """An event loop for calls of code that is not async, and ``model`` as a plain function; the
    model's connections are closed with the block."""
    with (
        anyio.from_thread.start_blocking_portal() as portal,
        portal.wrap_async_context_manager(model),
    ):

        def ask(prompt: str, **how: Any) -> ModelReply[Any]:
            return portal.call(functools.partial(ask_model, model, prompt, asker=asker, **how))

        yield portal, ask


def run_in_task(call: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Result of an async function, run in the event loop of the task that started this thread.

    After the first call of a thread also in threads that it starts with a copy of its context
    (``contextvars``).
    """
    if (token := _LOOP.get()) is None:
        token = anyio.from_thread.run_sync(anyio.lowlevel.current_token)
        _LOOP.set(token)
    return anyio.from_thread.run(call, token=token)


def _task_context() -> Context | None:
    """The context of the task that runs here, with its event loop; None in a thread."""
    try:
        token = anyio.lowlevel.current_token()
    except RuntimeError:
        return None
    context = copy_context()
    context.run(_LOOP.set, token)
    return context


def asking_from_thread(model: Model, *, first_reply: bool = False, **options: Any) -> Ask:
    """``model`` as a plain function, for threads that an async task, as Inspect's are, started.

    Calls go through the event loop of the task, where Inspect counts and limits them; where the
    function is made by the task itself, those of any other thread too. ``options`` are those of
    ``asker_of``. Questions with pictures raise PicturesUnseen if the model does not
    see any. With ``first_reply``, for benchmarks that measure replies, the first one counts, and
    nobody asks what the model sees.
    """
    asker = asker_of(model, **options)
    home = _task_context()

    def ask(prompt: str, **how: Any) -> ModelReply[Any]:
        call = functools.partial(
            ask_model, model, prompt, asker=asker, first_reply=first_reply, **how
        )
        return run_in_task(call) if home is None else home.copy().run(run_in_task, call)

    return ask if first_reply else with_sight_check(ask, str(model), sight=sight_of(model))


def sight_of(model: Model) -> Sight:
    """The sight of a model, for all who ask it in this process."""
    return _SIGHTS.setdefault(model, Sight())


def image_url(image: bytes) -> str:
    """PNG or JPEG bytes as a ``data:`` address, the form in which messages carry pictures."""
    kind = "png" if image.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(image).decode()}"


async def _send(model: Model, request: ModelRequest[Any]) -> Sent:
    """Make one request, and those that calls of tools entail; raises SendFailure."""
    question, started = request.question, time.monotonic()
    messages, answer = _messages(request), _answer_tool(question.answer, request.form)
    offered = [tool_info(tool.name, tool.description, tool.parameters) for tool in request.tools]
    choice: ToolChoice | None = ToolFunction(ANSWER_TOOL) if answer else None
    if offered:
        choice = "any" if answer else "auto"
    calls, spent, ours = 0, Sent("", requests=0), 0.0
    while True:
        took = time.monotonic() - started - ours
        ended = calls > 0 and (took >= request.left * _CALLING or not request.affords(spent))
        if last := calls >= request.calls or ended:
            choice = ToolFunction(ANSWER_TOOL) if answer else "none"
        try:
            if took >= request.left:
                raise SendFailure("", kind="stalled", requests=0)
            output = await generated(model, request, messages, [*offered, *answer], choice)
            spent = _with(spent, sent_of(output))
        except SendFailure as failure:
            failure.requests += spent.requests
            failure.input_tokens, failure.output_tokens = spent.input_tokens, spent.output_tokens
            failure.calls = calls
            raise
        wanted = [call for call in output.message.tool_calls or () if call.function != ANSWER_TOOL]
        answered = len(wanted) < len(output.message.tool_calls or ())
        if last and wanted and not answered:
            return replace(spent, calls=calls, text="")  # what is said beside calls is no answer
        if last or not wanted or answered:
            return replace(spent, calls=calls)
        room = request.calls - calls
        calls += min(room, len(wanted))
        before = time.monotonic()
        messages += [output.message, *await _results(request.tools, wanted, room)]
        ours += time.monotonic() - before


async def generated(
    model: Model, request: ModelRequest[Any], messages: list[ChatMessage], tools: list[ToolInfo],
    choice: ToolChoice | None,
) -> ModelOutput:  # fmt: skip
    """Output of a model for messages, within the time of ``request``; raises SendFailure."""
    if type(model.api).__name__ == "MockLLM":  # it would download an encoding to count tokens
        vars(model.api)["count_text_tokens"] = _estimated_tokens
    client = getattr(model.api, "client", None)
    if client is not None and hasattr(client, "max_retries"):
        client.max_retries = 0
    # Inspect limits a request in whole seconds, counted from when a connection is free.
    most = request.seconds if request.seconds < 1 else None
    config = _config(model, request)
    try:
        with anyio.fail_after(most):
            return await model.generate(messages, tools, choice, config)
    # Each provider raises its own library's errors, which share no base below Exception; all of
    # them mean one thing here, and what they say is kept.
    except Exception as error:
        raise _failure(model, error) from error


async def _estimated_tokens(text: str) -> int:
    return len(text) // 4


def _with(before: Sent, now: Sent) -> Sent:
    """The last response, with the tokens and requests of both."""
    counts = ("input_tokens", "output_tokens", "requests", "untold")
    return replace(now, **{name: getattr(before, name) + getattr(now, name) for name in counts})


async def _results(
    tools: Sequence[ModelTool], calls: Sequence[ToolCall], room: int
) -> list[ChatMessage]:
    """Outputs of tools, as messages; calls beyond ``room`` are not run. Pictures follow in one of
    the user's, for the chat API takes none from tools."""
    messages: list[ChatMessage] = []
    pictures: list[Content] = []
    for number, call in enumerate(calls):
        out: ToolOutput = _NO_MORE_CALLS
        if number < room:
            out = await anyio.to_thread.run_sync(_result, tools, call)
        if isinstance(out, bytes):
            out = TextWithPictures("The picture is in the next message.", (out,))
        if isinstance(out, TextWithPictures):
            pictures += [ContentImage(image=image_url(image)) for image in out.images]
            out = out.text
        messages.append(ChatMessageTool(content=out, tool_call_id=call.id, function=call.function))
    return messages + ([ChatMessageUser(content=pictures)] if pictures else [])


def _result(tools: Sequence[ModelTool], call: ToolCall) -> ToolOutput:
    """Output of one call; a fault of it becomes text for the model."""
    known = {tool.name: tool for tool in tools}
    if call.function not in known:
        return f"There is no tool {call.function}; there are {', '.join(known)}."
    tool = known[call.function]
    reading = read_answer(json.dumps(call.arguments), tool.parameters)
    if reading.answer is None:
        return f"The arguments do not fit: {call.parse_error or reading.problem}"
    try:
        return tool.run(reading.answer)
    except (DecklabError, LookupError, ValueError, OSError) as error:
        return f"That did not work: {error}"


def _messages(request: ModelRequest[Any]) -> list[ChatMessage]:
    """The messages of a request; a plain prompt, for some servers fail at a list of parts."""
    question = request.question
    words = [question.prompt]
    if question.answer is not None and request.form in ("json_object", "text"):
        words.append(schema_words(question.answer))
    text = "\n\n".join([*words, request.again] if request.again else words)
    content: str | list[Content] = text
    if question.images:
        pictures = [ContentImage(image=image_url(image)) for image in question.images]
        content = [ContentText(text=text), *pictures]
    asked: list[ChatMessage] = [ChatMessageUser(content=content)]
    return [ChatMessageSystem(content=question.system), *asked] if question.system else asked


def _config(model: Model, request: ModelRequest[Any]) -> GenerateConfig:
    """The schema is sent as strict: all fields are required, extra ones forbidden."""
    answer, room = request.question.answer, model.config.max_tokens
    config = GenerateConfig(
        temperature=request.question.temperature,
        max_retries=0,
        attempt_timeout=max(1, math.ceil(request.seconds)),
        max_tokens=2 * room if room and request.more_room else None,
    )
    if answer is not None and request.form == "json_schema":
        config.response_schema = ResponseSchema(
            name=answer.__name__, json_schema=json_schema(answer), strict=True
        )
    if answer is not None and request.form == "json_object":
        schema = json_schema(answer).model_dump(exclude_none=True)
        config.extra_body = {"response_format": {"type": "json_object", "schema": schema}}
    return config


def _answer_tool(answer: type[BaseModel] | None, form: AnswerForm | None) -> list[ToolInfo]:
    """The tool whose call is the answer, if that is the form."""
    if answer is None or form != "tool":
        return []
    return [tool_info(ANSWER_TOOL, "Give the answer.", answer)]


def tool_info(name: str, description: str, form: type[BaseModel]) -> ToolInfo:
    """A tool as Inspect offers it; raises SendFailure if ``form`` is not that of an object."""
    if (schema := json_schema(form)).properties is None:
        raise SendFailure("a tool takes an object, and this schema is none", status=400, requests=0)
    parameters = ToolParams(properties=schema.properties, required=schema.required or [])
    return ToolInfo(name=name, description=description, parameters=parameters)


def sent_of(output: ModelOutput) -> Sent:
    """The reply to a request that the server took; raises SendFailure if that is no reply."""
    if output.error:
        raise SendFailure(output.error)
    if output.stop_reason == "content_filter":
        raise SendFailure("", kind="withheld")
    if output.stop_reason == "model_length":
        raise SendFailure(output.completion, kind="too_long")
    if not output.choices:
        raise SendFailure("the reply is empty")
    text, problem = output.completion, None
    for call in output.message.tool_calls or ():
        if call.function == ANSWER_TOOL:
            text, problem = _arguments(call)
            break
    usage, cut = output.usage, output.stop_reason == "max_tokens"
    tokens = (usage.input_tokens, usage.output_tokens) if usage else (0, 0)
    return Sent(text, *tokens, cut=cut, problem=problem, untold=int(usage is None))


def _arguments(call: ToolCall) -> tuple[str, str | None]:
    """The arguments of a call, and their fault if they cannot be read. If Inspect cannot read them,
    its message holds them as the model wrote them."""
    if call.parse_error is None:
        return json.dumps(call.arguments, ensure_ascii=False), None
    if (written := _UNPARSED.fullmatch(call.parse_error)) is None:
        return "", " ".join(call.parse_error.split())[:200]
    return written[1], None


def _failure(model: Model, error: Exception) -> SendFailure:
    """An error of Inspect AI or of a provider's client as a failure, with the server's words."""
    if isinstance(error, SendFailure):
        return error
    attempt = getattr(error, "last_attempt", None)
    cause = error if attempt is None else attempt.exception() or error
    status = _status(cause)
    body = getattr(cause, "body", None)
    said = body.get("message") if isinstance(body, dict) else None
    said = said or getattr(cause, "provider_message", None)
    if status is None and not said:
        said = " ".join(f"{type(cause).__name__}: {cause}".split()).removesuffix(":")
    pause = getattr(model.api.should_retry(cause), "retry_after", None)
    kind = _transport(cause, status)
    words = "" if kind == "stalled" else _CODE.sub("", str(said or cause))
    return SendFailure(words, status, kind, pause)


def _status(error: BaseException) -> int | None:
    for holder in (error, getattr(error, "response", None)):
        status = getattr(holder, "status_code", None)
        if isinstance(status, int):
            return status
    return None


def _transport(error: BaseException, status: int | None) -> FailureKind | None:
    """Kind of a failure that has no status, by errors on the way to the server."""
    names, at = "", error
    while status is None and at is not None:
        names += f" {type(at).__name__}"
        at = at.__cause__ or at.__context__  # type: ignore[assignment]
    if "Timeout" in names:
        return "stalled"
    return "unreachable" if re.search(r"Connect|Protocol|ReadError|ClosedRes", names) else None


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
        given = ((call, dict(call.arguments)) for call in turn.calls)
        calls = [ToolCall(id=it.id, function=it.name, arguments=args) for it, args in given]
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
    reasoning = (part for part in parts if isinstance(part, ContentReasoning) and not part.redacted)
    thoughts = "\n".join(filter(None, (part.summary or part.reasoning for part in reasoning)))
    made = ((call, " ".join((call.parse_error or "").split())) for call in message.tool_calls or ())
    calls = tuple(ToolCallMade(it.id, it.function, it.arguments, fault) for it, fault in made)
    raw = message.model_dump(mode="json", exclude_none=True)
    return ModelTurn(output.completion, thoughts, calls, usage, name, cut, raw)
