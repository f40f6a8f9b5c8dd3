"""Answers out of replies: read tolerantly, judged strictly.

Models put prose, thoughts or a fence around the JSON they were asked for, leave a comma too many,
or write ``4.0`` for 4. All of that is read, and said; whatever would have to be guessed is not: a
field that is missing, a number out of range, ``true`` for 1, JSON that is cut off, two answers that
differ.

Questions asked again until the answer can be used.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from decklab.core.errors import DecklabError
from decklab.core.options import TOOL_CALLS
from decklab.models.asking import (
    Answer,
    Ask,
    ModelReply,
    ModelTool,
    Usage,
    excerpt,
    fill_prompt,
    for_stage,
    only_called,
    schema_words,
)

_THOUGHTS = re.compile(r"<think>.*?</think>|^.*?</think>|<think>.*", re.DOTALL)
"""Closed; closed but not opened, as servers cut it; and opened but not closed."""
_FENCED = re.compile(r"```[a-zA-Z]*[ \t]*\n(.*?)```", re.DOTALL)
_WHOLE = re.compile(r"[+-]?\d{1,15}(\.0*)?")
_NUMBER = re.compile(r"[+-]?\d{1,15}(\.\d{1,15})?")
_OPENED = re.compile(r"[{\[]")
_LIKE_JSON = re.compile(r"\{\s*[\"}]|\[\s*[\"{\[\]]")
_MOST_PLACES = 500
"""Braces and brackets that are tried as the beginning of an answer. Ours."""


class NoAnswer(ValueError):
    """The model replied, but not in the form that was asked for."""


@dataclass(frozen=True)
class ReplyReading(Generic[Answer]):
    """An answer as it was read, or in ``problem`` why there is none.

    ``mended`` lists the tolerances of reading; ``is_json`` whether the reply held JSON at all.
    """

    answer: Answer | None = None
    problem: str | None = None
    mended: tuple[str, ...] = ()
    is_json: bool = False


@dataclass(frozen=True)
class _Found:
    """A JSON value in a reply."""

    value: Any
    mended: tuple[str, ...] = ()


def read_answer(text: str, form: type[Answer]) -> ReplyReading[Answer]:
    """The answer of the form ``form`` in a reply.

    A form may name other keys for its fields in ``OTHER_NAMES``, a class variable, from the key
    to the field.

    >>> from pydantic import BaseModel
    >>> class Score(BaseModel):
    ...     score: int
    >>> read_answer('<think>4?</think> Here: {"score": "4",}', Score).answer
    Score(score=4)
    >>> read_answer('{"score": "high"}', Score).problem
    'score: Input should be a valid integer'
    >>> read_answer('Sorry', Score).problem
    'the reply is no JSON: Sorry'
    """
    if not text.strip():
        return ReplyReading(problem="the reply is empty")
    try:
        values = _values(text)
    except NoAnswer as error:
        return ReplyReading(problem=str(error))
    readings = [_fitted(part, form) for part in values]
    fits = [reading for reading in readings if reading.answer is not None]
    if any(part.answer != fits[0].answer for part in fits):
        return ReplyReading(problem="the reply holds two answers", is_json=True)
    return fits[0] if fits else readings[0]


def json_answer(text: str) -> Any:
    """The JSON in a reply that has no form, the first value if there are several.

    Raises NoAnswer if there is none.

    >>> json_answer('Sure. {"score": 0.5} is what I would give.')
    {'score': 0.5}
    """
    return _values(text)[0].value


def parse_answer(text: str, answer: type[Answer]) -> tuple[Answer | None, str | None]:
    """``text`` read as JSON of the schema ``answer``, or None and the fault in one line.

    The strict reading of VLM-SlideEval: the fence of a block that is all of the reply is removed,
    nothing else is repaired.

    >>> from pydantic import BaseModel
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
        if (first := error.errors(include_url=False)[0])["type"] == "json_invalid":
            return None, f"the reply is no JSON: {first['ctx']['error']}"
        return None, _told(first)


def _unfenced(text: str) -> str:
    stripped = text.strip()
    if not (stripped.startswith("```") and stripped.endswith("```") and "\n" in stripped):
        return stripped
    return stripped.split("\n", 1)[1].removesuffix("```").strip()


def _values(text: str) -> list[_Found]:
    """The JSON values of a reply, its fences or its prose; raises NoAnswer if none."""
    spoken = _THOUGHTS.sub("", text).strip()
    thought = ("left out its thoughts",) if spoken != text.strip() else ()
    if (whole := _loaded(spoken)) is not None:
        return [_Found(whole.value, thought + whole.mended)]
    fenced = [value for block in _FENCED.findall(spoken) if (value := _loaded(block.strip()))]
    if fenced:
        rest = _FENCED.sub(" ", spoken)
        values = fenced + list(_in_prose(rest))
    else:
        values = list(_in_prose(spoken))
    if not values:
        raise NoAnswer(f"the reply is no JSON: {excerpt(spoken or text)}")
    around = "fence" if fenced and not rest.strip() else "words"
    mended = (*thought, f"left out the {around} around it")
    return [_Found(value.value, (*mended, *value.mended)) for value in values]


def _in_prose(text: str) -> Iterator[_Found]:
    """The objects and lists in a text; one that never ends raises NoAnswer."""
    at = 0
    for _ in range(_MOST_PLACES):
        if (opened := _OPENED.search(text, at)) is None:
            return
        start = opened.start()
        if (end := _closing(text, start)) is None:
            if _LIKE_JSON.match(text, start):
                raise NoAnswer("the reply is no JSON: it is cut off")
            at = start + 1
            continue
        if (value := _loaded(text[start:end])) is not None:
            yield value
        at = end if value is not None or _LIKE_JSON.match(text, start) else start + 1


def _closing(text: str, start: int) -> int | None:
    """The place after the bracket that closes the one at ``start``; None if none does."""
    depth, quoted, at = 0, False, start
    while at < len(text):
        char = text[at]
        if quoted:
            at += char == "\\"
            quoted = char != '"'
        elif char == '"':
            quoted = True
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if not depth:
                return at + 1
        at += 1
    return None


def _loaded(text: str) -> _Found | None:
    """A text as JSON, at need without line breaks in strings, comments, last commas."""
    if not text or text[0] not in "{[":
        return None
    try:
        return _Found(_json(text))
    except (ValueError, RecursionError):
        pass
    tidied = _tidied(text)
    mend = "left out a comma or a comment" if tidied != text else "took line breaks in a text"
    try:
        return _Found(_json(tidied, strict=False), (mend,))
    except (ValueError, RecursionError):
        return None


_STRING = r'("(?:[^"\\]|\\.)*")'
_COMMENT = re.compile(_STRING + r"|//[^\n]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMA = re.compile(_STRING + r"|,(?=\s*[}\]])", re.DOTALL)


def _tidied(text: str) -> str:
    """JSON without comments and without commas before closing brackets; strings are kept."""
    for dropped in (_COMMENT, _LAST_COMMA):
        text = dropped.sub(lambda match: match[1] or "", text)
    return text


def _json(text: str, *, strict: bool = True) -> Any:
    return json.loads(
        text, strict=strict, parse_constant=_refuse_constant, object_pairs_hook=_object
    )


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if any(fields[key] != value for key, value in pairs):
        raise ValueError("a key comes twice with two values")
    return fields


def _fitted(loaded: _Found, form: type[Answer]) -> ReplyReading[Answer]:
    """A value as the form: strictly, and once more with faults mended that need no guess."""
    value, changes = _renamed(loaded.value, names := getattr(form, "OTHER_NAMES", {}))
    hidden = [name for name in names if isinstance(value, dict) and name in value]
    if hidden:
        problem = f"{hidden[0]} and {names[hidden[0]]} mean one thing and differ"
        return ReplyReading(problem=problem, is_json=True)
    first, errors = _validated(value, form)
    for error in () if first else errors:
        if (mend := _mended(value, error)) is None:
            return ReplyReading(problem=_told(error), is_json=True)
        changes.append(mend)
    answer, left = (first, []) if first else _validated(value, form)
    if answer is None:
        return ReplyReading(problem=_told(left[0]), is_json=True)
    return ReplyReading(answer, mended=(*loaded.mended, *changes), is_json=True)


def _validated(value: Any, form: type[Answer]) -> tuple[Answer | None, list[ErrorDetails]]:
    try:
        return form.model_validate_json(json.dumps(value), strict=True), []
    except ValidationError as error:
        return None, error.errors(include_url=False)


def _renamed(value: Any, names: Mapping[str, str]) -> tuple[Any, list[str]]:
    """A copy of an object with the form's names for its keys, if they hide no other."""
    value = json.loads(json.dumps(value))
    changes = []
    for other, name in names.items() if isinstance(value, dict) else ():
        if other in value and value.get(name, value[other]) == value[other]:
            value[name] = value.pop(other)
            changes.append(f"took {other} for {name}")
    return value, changes


def _mended(value: Any, error: ErrorDetails) -> str | None:
    """Mend in ``value`` what an error points to; says how, or None if it cannot be."""
    *way, last = error["loc"] or ("",)
    try:
        for step in way:
            value = value[step]
        given = value[last]
    except (KeyError, IndexError, TypeError):
        return None
    if error["type"] == "extra_forbidden":
        del value[last]
        return f"left out the key {str(last)[:40]}"
    number = _number(given, whole=error["type"].startswith("int_"))
    if number is None or not error["type"].startswith(("int_", "float_")):
        return None
    value[last] = number
    return f"read {json.dumps(given)} as {number}"


def _number(given: Any, *, whole: bool) -> int | float | None:
    """A number that is written as text, or a whole one as a fraction; else None."""
    if whole and isinstance(given, float):
        return int(given) if given.is_integer() else None
    if not isinstance(given, str):
        return None
    if not (_WHOLE if whole else _NUMBER).fullmatch(given.strip()):
        return None
    return int(float(given)) if whole else float(given)


def _told(error: ErrorDetails) -> str:
    field = ".".join(str(step) for step in error["loc"])
    return f"{field}: {error['msg']}" if field else error["msg"]


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
        shown = " ".join(last.text.split())
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
        if reply.answer is not None and not (problem := check(reply.answer) or ""):
            return Answered(reply.answer, reply, usage)
        if left <= 0:
            if not reply.text.strip():
                problem = only_called(most_calls)
                break
            tools = ()
        if reply.cut:
            break  # it was asked for a shorter one already
        facts = {"problem": problem, "said": reply.text[:_QUOTED], "schema": schema_words(form)}
        asked = f"{prompt}\n\n{fill_prompt('decklab.models', 'prompts/again.txt', **facts)}"
    raise Unanswered(stage, problem, reply, usage)


def _read(reply: ModelReply[Answer], form: type[Answer]) -> ModelReply[Answer]:
    """The reply of a function that leaves the reading to others, read."""
    if reply.answer is not None or reply.problem is not None:
        return reply
    reading = read_answer(reply.text, form)
    return replace(reply, answer=reading.answer, problem=reading.problem, mended=reading.mended)
