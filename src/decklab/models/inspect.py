"""The one door to Inspect AI's models: any provider, with its counts and limits.

Inspect AI and the clients of the providers put failed requests again by themselves, each in its own
way; here both are told not to, and ``decklab.models.asking_loop`` does it alone.
"""

import base64
import functools
import json
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import anyio
import anyio.from_thread
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    GenerateConfig,
    Model,
    ModelOutput,
    ResponseSchema,
    get_model,
)
from inspect_ai.tool import ToolFunction, ToolInfo, ToolParams
from inspect_ai.util import json_schema
from pydantic import BaseModel

from decklab.errors import FailureKind, ModelUnavailable
from decklab.models.asking import AnswerForm, Ask, ModelReply, ModelTool
from decklab.models.asking_loop import Asker, Question, Request, Sent
from decklab.models.failures import SendFailure
from decklab.models.forms import ANSWER_TOOL, FORMS, FormMemory, schema_words
from decklab.models.limits import Account, AskLimits

_MARKUP = re.compile(r"\[/?[a-z]+\]")
"""Terminal styles in messages of Inspect AI about a model that it cannot open."""
_CODE = re.compile(r"^Error code: \d+ - ")
"""Before a server's words in the errors of its client."""
_MEMORIES: WeakKeyDictionary[Model, FormMemory] = WeakKeyDictionary()
"""What is known of each model, for all who ask it in this process."""


def open_model(name: str, **options: Any) -> Model:
    """The model that Inspect AI knows as ``name``, for instance ``openai/gpt-5``.

    ``options`` go to ``inspect_ai.model.get_model``. Raises ``ModelUnavailable`` where provider
    or key are missing; nothing is asked yet.
    """
    try:
        return get_model(name, **options)
    except (PrerequisiteError, ValueError, ImportError) as error:
        message = _MARKUP.sub("", str(getattr(error, "message", error)))
        raise ModelUnavailable(name, " ".join(message.split())) from error


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
    return await asker.ask(Question(prompt, tuple(images), tools=tuple(tools), **how))


def asker_of(
    model: Model,
    *,
    limits: AskLimits | None = None,
    account: Account | None = None,
    tell: Callable[[str], None] | None = None,
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Asker:
    """What puts questions to ``model``, within ``limits``.

    Where none are given they are those of the model's own ``max_retries``, ``timeout`` and
    ``attempt_timeout``, as far as they are set.
    """
    return Asker(
        str(model), functools.partial(_send, model), sleep, memory=_memory(model),
        limits=limits or _limits(model.config), account=account,
        tell=tell or (lambda _line: None), clock=clock,
    )  # fmt: skip


def _memory(model: Model) -> FormMemory:
    known = _MEMORIES.get(model)
    if known is None:
        bases = {base.__name__ for base in type(model.api).__mro__}
        forms = FORMS if "OpenAICompatibleAPI" in bases else [
            form for form in FORMS if form != "json_object"
        ]  # fmt: skip
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
    asker = asker_of(model, **options)
    with (
        anyio.from_thread.start_blocking_portal() as portal,
        portal.wrap_async_context_manager(model),
    ):

        def ask(prompt: str, **how: Any) -> ModelReply[Any]:
            return portal.call(functools.partial(ask_model, model, prompt, asker=asker, **how))

        yield ask


def asking_from_thread(model: Model, **options: Any) -> Ask:
    """``model`` as a plain function, for threads that an async task, as Inspect's are, started.

    Calls go through the event loop of the task, where Inspect counts and limits them. ``options``
    are those of ``asker_of``.
    """
    asker = asker_of(model, **options)

    def ask(prompt: str, **how: Any) -> ModelReply[Any]:
        return anyio.from_thread.run(
            functools.partial(ask_model, model, prompt, asker=asker, **how)
        )

    return ask


def image_url(image: bytes) -> str:
    """PNG or JPEG bytes as a ``data:`` address, the form in which messages carry pictures."""
    kind = "png" if image.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(image).decode()}"


async def _send(model: Model, request: Request[Any]) -> Sent:
    """Make one request; raises SendFailure."""
    client = getattr(model.api, "client", None)
    if client is not None and hasattr(client, "max_retries"):
        client.max_retries = 0
    question = request.question
    config, tools = _config(model, request), _answer_tool(question.answer, request.form)
    try:
        with anyio.fail_after(request.seconds):
            output = await model.generate(
                _messages(request), tools, ToolFunction(ANSWER_TOOL) if tools else None, config
            )
    # Each provider raises its own library's errors, which share no base below Exception; all of
    # them mean one thing here, and what they say is kept.
    except Exception as error:
        raise _failure(model, error) from error
    return _sent(output)


def _messages(request: Request[Any]) -> list[ChatMessage]:
    """The messages of a request. Without pictures the prompt is a plain string: some servers fail
    at a list of parts."""
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


def _config(model: Model, request: Request[Any]) -> GenerateConfig:
    """The schema is sent as strict: servers then want all its fields required and extra ones
    forbidden."""
    answer, room = request.question.answer, model.config.max_tokens
    config = GenerateConfig(
        temperature=request.question.temperature, max_retries=0,
        max_tokens=2 * room if room and request.more_room else None,
    )  # fmt: skip
    if answer is not None and request.form == "json_schema":
        config.response_schema = ResponseSchema(
            name=answer.__name__, json_schema=json_schema(answer), strict=True
        )
    if answer is not None and request.form == "json_object":
        schema = json_schema(answer).model_dump(exclude_none=True)
        config.extra_body = {"response_format": {"type": "json_object", "schema": schema}}
    return config


def _answer_tool(answer: type[BaseModel] | None, form: AnswerForm | None) -> list[ToolInfo]:
    """The tool whose call is the answer, where that is the form."""
    if answer is None or form != "tool":
        return []
    schema = json_schema(answer)
    if schema.properties is None:
        raise SendFailure("a tool takes an object, and this schema is none", status=400)
    parameters = ToolParams(properties=schema.properties, required=schema.required or [])
    return [ToolInfo(name=ANSWER_TOOL, description="Give the answer.", parameters=parameters)]


def _sent(output: ModelOutput) -> Sent:
    """What came of a request that the server took; raises SendFailure where that is no reply."""
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
            text, problem = json.dumps(call.arguments, ensure_ascii=False), call.parse_error
            break
    usage = output.usage
    return Sent(
        text, usage.input_tokens if usage else 0, usage.output_tokens if usage else 0,
        cut=output.stop_reason == "max_tokens", problem=problem and " ".join(problem.split())[:200],
    )  # fmt: skip


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
    decision = model.api.should_retry(cause)
    pause = getattr(decision, "retry_after", None)
    words = _CODE.sub("", str(said or cause))
    return SendFailure(words, status, _transport(cause, status), pause)


def _status(error: BaseException) -> int | None:
    for holder in (error, getattr(error, "response", None)):
        status = getattr(holder, "status_code", None)
        if isinstance(status, int):
            return status
    return None


def _transport(error: BaseException, status: int | None) -> FailureKind | None:
    """What the way to the server says of a failure that has no status."""
    names, at = "", error
    while status is None and at is not None:
        names += f" {type(at).__name__}"
        at = at.__cause__ or at.__context__  # type: ignore[assignment]
    if "Timeout" in names:
        return "stalled"
    return "unreachable" if re.search(r"Connect|Protocol|ReadError|ClosedRes", names) else None
