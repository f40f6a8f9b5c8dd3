"""The one door to Inspect AI's models: any provider, its retries, its caching, its counts."""

import base64
import functools
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

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
from inspect_ai.util import json_schema

from decklab.errors import ModelFailed, ModelUnavailable
from decklab.models.asking import Answer, Ask, ModelReply, Usage, parse_answer

_MARKUP = re.compile(r"\[/?[a-z]+\]")
"""Terminal styles in messages of Inspect AI about a model that it cannot open."""


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
    answer: type[Answer] | None = None,
    system: str | None = None,
    temperature: float | None = None,
) -> ModelReply[Answer]:
    """Put one question to ``model``; parameters, reply and errors as in ``Ask``.

    The schema of ``answer`` is sent as strict: servers then want all its fields required and
    extra ones forbidden.
    """
    started = time.monotonic()
    output = await _generate(model, _messages(prompt, images, system), _config(answer, temperature))
    usage = Usage(
        output.usage.input_tokens if output.usage else 0,
        output.usage.output_tokens if output.usage else 0,
        time.monotonic() - started,
    )
    text = output.completion
    if answer is None:
        return ModelReply(text, usage=usage, model=str(model))
    parsed, problem = parse_answer(text, answer)
    return ModelReply(text, parsed, problem, usage, str(model))


@contextmanager
def asking(model: Model) -> Iterator[Ask]:
    """``model`` as a plain function, for code that is not async; may be called by threads.

    The model's connections are closed with the block, so it serves one block only.
    """
    with (
        anyio.from_thread.start_blocking_portal() as portal,
        portal.wrap_async_context_manager(model),
    ):

        def ask(prompt: str, **options: Any) -> ModelReply[Any]:
            return portal.call(functools.partial(ask_model, model, prompt, **options))

        yield ask


def asking_from_thread(model: Model) -> Ask:
    """``model`` as a plain function, for threads that an async task, as Inspect's are, started.

    Calls go through the event loop of the task, where Inspect counts and limits them.
    """

    def ask(prompt: str, **options: Any) -> ModelReply[Any]:
        return anyio.from_thread.run(functools.partial(ask_model, model, prompt, **options))

    return ask


def image_url(image: bytes) -> str:
    """PNG or JPEG bytes as a ``data:`` address, the form in which messages carry pictures."""
    kind = "png" if image.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(image).decode()}"


def _messages(prompt: str, images: Sequence[bytes], system: str | None) -> list[ChatMessage]:
    content: list[Content] = [ContentText(text=prompt)]
    content += [ContentImage(image=image_url(image)) for image in images]
    asked: list[ChatMessage] = [ChatMessageUser(content=content)]
    return [ChatMessageSystem(content=system), *asked] if system else asked


def _config(answer: type[Answer] | None, temperature: float | None) -> GenerateConfig:
    if answer is None:
        return GenerateConfig(temperature=temperature)
    return GenerateConfig(
        temperature=temperature,
        response_schema=ResponseSchema(
            name=answer.__name__, json_schema=json_schema(answer), strict=True
        ),
    )


async def _generate(
    model: Model, messages: list[ChatMessage], config: GenerateConfig
) -> ModelOutput:
    try:
        output = await model.generate(messages, config=config)
    # Each provider raises its own library's errors, which share no base below Exception; all of
    # them mean one thing here, and what they say is kept.
    except Exception as error:
        raise ModelFailed(str(model), f"{type(error).__name__}: {error}") from error
    if output.error:
        raise ModelFailed(str(model), output.error)
    if output.stop_reason == "content_filter":
        raise ModelFailed(str(model), "the provider's filter withheld the reply")
    if not output.choices:
        raise ModelFailed(str(model), "the reply is empty")
    return output
