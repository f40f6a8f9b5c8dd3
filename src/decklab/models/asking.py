"""Questions to models and their replies: plain types, prompts from files, and the forms in which a
structured answer is asked for.

Servers differ: some take a JSON schema, some only a tool call, some only the word that JSON is
wanted, some nothing but a prompt. The forms are tried in the order of ``FORMS`` until one is taken;
that one is remembered, so that only the first question of a run pays for it.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import resources
from inspect import signature
from string import Template
from typing import Any, Final, Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from decklab.core.options import TOOL_CALLS

Answer = TypeVar("Answer", bound=BaseModel)

AnswerForm = Literal["json_schema", "tool", "json_object", "text"]
"""How a structured answer is asked for; see ``decklab.models.asking``."""
ToolOutput = str | bytes
"""Output of a tool for the model: text, or the bytes of a PNG."""


class StrictForm(BaseModel):
    """A form that a model fills in: every field is required, and no other is allowed.

    The names and docstrings of its classes are part of the JSON schema that a model gets.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True)
class ModelTool:
    """A function that a model may call while it answers.

    ``parameters`` is the form of its arguments; ``run`` takes them in that form.
    """

    name: str
    description: str
    parameters: type[BaseModel]
    run: Callable[[Any], ToolOutput]


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
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.seconds + other.seconds,
            self.requests + other.requests,
            self.untold + other.untold,
        )

    def __sub__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens - other.input_tokens,
            self.output_tokens - other.output_tokens,
            self.seconds - other.seconds,
            self.requests - other.requests,
            self.untold - other.untold,
        )


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
    ``decklab.models.record``."""
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
        self._tools_ignored = 0
        self.tools_work = False

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
    told = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"Reply with JSON and nothing else. It has to fit this JSON schema:\n{told}"
