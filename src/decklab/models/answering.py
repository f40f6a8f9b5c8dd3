"""Questions asked again until the answer can be used."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic

from decklab.core.errors import DecklabError
from decklab.core.options import TOOL_CALLS
from decklab.models.asking import (
    Answer,
    Ask,
    ModelReply,
    ModelTool,
    Usage,
    fill_prompt,
    for_stage,
    only_called,
    schema_words,
)
from decklab.models.reading import read_answer

TRIES: Final = 3
"""How often a question is asked until its answer has the form asked for. Ours."""
_SHOWN: Final = 200
_QUOTED: Final = 4000
"""Characters of a reply that the model is shown again."""


@dataclass(frozen=True)
class Answered(Generic[Answer]):
    """A usable answer, with the reply that held it and the sum of all tries in ``usage``."""

    answer: Answer
    reply: ModelReply[Answer]
    usage: Usage


class Unanswered(DecklabError):
    """No reply of the model could be used.

    ``problem`` is the fault of the last one, ``said`` its text, ``usage`` the sum over all tries,
    ``model`` the name of the model; ``cut`` tells that its length limit ended the last one.
    """

    def __init__(self, stage: str, problem: str, last: ModelReply[Any], usage: Usage) -> None:
        self.problem, self.said, self.usage = problem, last.text, usage
        self.model, self.cut = last.model, last.cut
        said = last.text
        shown = " ".join(said.split())
        shown = shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
        where = f" ({stage})" if stage else ""
        super().__init__(f"no usable answer{where}: {problem}; the model said: {shown or '…'}")


def answered(
    ask: Ask,
    prompt: str,
    form: type[Answer],
    *,
    check: Callable[[Answer], str | None] = lambda _: None,
    tries: int = TRIES,
    stage: str = "",
    tools: Sequence[ModelTool] = (),
    most_calls: int = TOOL_CALLS,
    **how: Any,
) -> Answered[Answer]:
    """An answer of the form ``form`` in which ``check`` finds no problem.

    If there is a problem the model is told, with the schema, and asked again, ``tries`` times in
    all. All tries together may call ``tools`` ``most_calls`` times; a model that did nothing else
    is not asked again. ``how`` are further parameters of ``Ask``. Raises Unanswered if no answer
    can be used, and what ``ask`` raises.
    """
    asked, problem, usage = prompt, "", Usage()
    left = most_calls
    ask = for_stage(ask, stage)
    for _ in range(tries):
        offered: dict[str, Any] = {"tools": tools, "most_calls": left} if tools else {}
        reply: ModelReply[Answer] = ask(asked, answer=form, **offered, **how)
        usage += reply.usage
        left -= reply.calls
        reply = _read(reply, form)
        problem = reply.problem or ""
        if reply.answer is not None:
            problem = check(reply.answer) or ""
            if not problem:
                return Answered(reply.answer, reply, usage)
        if left <= 0:
            if not reply.text.strip():
                problem = only_called(most_calls)
                break
            tools = ()
        if reply.cut:
            break  # it was asked for a shorter one already
        again = fill_prompt(
            "decklab.models", "prompts/again.txt", problem=problem, said=reply.text[:_QUOTED],
            schema=schema_words(form),
        )  # fmt: skip
        asked = f"{prompt}\n\n{again}"
    raise Unanswered(stage, problem, reply, usage)


def _read(reply: ModelReply[Answer], form: type[Answer]) -> ModelReply[Answer]:
    """The reply of a function that leaves the reading to others, read."""
    if reply.answer is not None or reply.problem is not None:
        return reply
    reading = read_answer(reply.text, form)
    return replace(reply, answer=reading.answer, problem=reading.problem, mended=reading.mended)
