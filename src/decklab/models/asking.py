"""Questions to models and their replies: plain types, prompts from files, JSON from replies."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module, resources
from string import Template
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from decklab.errors import ModelUnavailable

Answer = TypeVar("Answer", bound=BaseModel)

_FRAMEWORK = "inspect_ai"
_FENCED = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)


class NoAnswer(ValueError):
    """The model replied, but not in the form that was asked for."""


@dataclass(frozen=True)
class Usage:
    """Tokens, and seconds of waiting, of one call or several."""

    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.seconds + other.seconds,
        )


@dataclass(frozen=True)
class ModelReply(Generic[Answer]):
    """The reply of a model.

    ``text`` is the reply as the model wrote it. ``answer`` is the reply in the schema that was
    asked for, or None; then ``problem`` says in a line what did not fit. If no schema was asked
    for, both are None.
    """

    text: str
    answer: Answer | None = None
    problem: str | None = None
    usage: Usage = Usage()
    model: str = ""


class Ask(Protocol):
    """A function that puts one question to one model and waits for the reply.

    ``images`` are PNG or JPEG bytes, shown after the prompt in their order. With ``answer``, a
    pydantic model, its JSON schema goes along as the form of the reply. Raises ``ModelError``
    where no reply came; a reply that does not fit the schema is no error but a
    ``ModelReply.problem``.
    """

    def __call__(
        self,
        prompt: str,
        *,
        images: Sequence[bytes] = (),
        answer: type[Answer] | None = None,
        system: str | None = None,
        temperature: float | None = None,
    ) -> ModelReply[Answer]: ...


def fill_prompt(package: str, path: str, **values: str) -> str:
    """The prompt in a text file of a package, its ``$names`` filled in.

    Values are put in as they are, ``$`` included. Raises KeyError for a name without a value.
    """
    text = resources.files(package).joinpath(path).read_text(encoding="utf-8")
    return Template(text).substitute(values)


def parse_answer(text: str, answer: type[Answer]) -> tuple[Answer | None, str | None]:
    """``text`` read as JSON of the schema ``answer``, or None and what is wrong in one line.

    Models wrap JSON in a fenced block though asked not to; the fence is removed, nothing else
    is repaired.

    >>> class Score(BaseModel):
    ...     score: int
    >>> parse_answer('```json\\n{"score": 4}\\n```', Score)
    (Score(score=4), None)
    >>> parse_answer('{"score": "high"}', Score)[1]
    'score: Input should be a valid integer, unable to parse string as an integer'
    >>> parse_answer('Sorry', Score)[1]
    'the reply is no JSON: expected value at line 1 column 1'
    """
    try:
        return answer.model_validate_json(_unfenced(text)), None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        if first["type"] == "json_invalid":
            return None, f"the reply is no JSON: {first['ctx']['error']}"
        place = ".".join(str(step) for step in first["loc"])
        return None, f"{place}: {first['msg']}" if place else first["msg"]


def _unfenced(text: str) -> str:
    stripped = text.strip()
    if not (stripped.startswith("```") and stripped.endswith("```") and "\n" in stripped):
        return stripped
    return stripped.split("\n", 1)[1].removesuffix("```").strip()


def json_answer(text: str) -> Any:
    """The JSON in a reply: in a fenced block, or from the first brace or bracket on.

    Text around it is ignored; ``parse_answer`` is strict about that. Raises NoAnswer if there is
    none.

    >>> json_answer('Sure. {"score": 0.5} is what I would give.')
    {'score': 0.5}
    """
    starts = [text[i:] for i in (text.find("{"), text.find("[")) if i >= 0]
    for candidate in [*_FENCED.findall(text), text, *sorted(starts, key=len, reverse=True)]:
        try:
            return json.JSONDecoder().raw_decode(candidate.strip())[0]
        except (ValueError, RecursionError):
            continue
    raise NoAnswer(f"the model's answer holds no JSON: {excerpt(text)}")


def excerpt(text: str) -> str:
    """The first 200 characters of a reply, on one line, for messages."""
    return " ".join(text.split())[:200]


@contextmanager
def open_asking(
    name: str, *, retries: int | None = None, seconds: int | None = None
) -> Iterator[Ask]:
    """The model that Inspect AI knows as ``name``, as a plain function.

    ``retries`` is how often a failing server is tried again, ``seconds`` how long one question may
    take with all its tries; None leaves either to Inspect AI. Raises ModelUnavailable where there
    is no such model, its key is missing, or ``decklab[bench]`` is not installed.
    """
    try:
        adapter = import_module("decklab.models.inspect")
    except ModuleNotFoundError as error:
        if error.name != _FRAMEWORK:
            raise
        raise ModelUnavailable(name, "asking models needs decklab[bench]") from error
    given = {"max_retries": retries, "timeout": seconds}
    limits = {option: value for option, value in given.items() if value is not None}
    options = {"config": adapter.GenerateConfig(**limits)} if limits else {}
    with adapter.asking(adapter.open_model(name, **options)) as ask:
        yield ask
