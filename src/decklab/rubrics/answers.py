"""Answers of models that hold JSON, with or without words around it."""

import json
import re
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

_FENCED = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)


class NoAnswer(ValueError):
    """A model replied, but not with what it was asked for."""


class ScoredAnswer(BaseModel):
    """What a model is asked for that scores a leaf: paper 001, appendix A.1.3."""

    model_config = ConfigDict(extra="forbid")

    reason: str
    score: float = Field(ge=0, le=1)


def json_answer(text: str) -> Any:
    """The JSON that an answer holds: in a fenced block, or from its first brace or bracket on.

    Raises NoAnswer where there is none.

    >>> json_answer('Sure. {"score": 0.5} is what I would give.')
    {'score': 0.5}
    """
    starts = [text[i:] for i in (text.find("{"), text.find("[")) if i >= 0]
    for candidate in [*_FENCED.findall(text), text, *sorted(starts, key=len, reverse=True)]:
        try:
            return json.JSONDecoder().raw_decode(candidate.strip())[0]
        except (ValueError, RecursionError):
            continue
    raise NoAnswer(f"the model's answer holds no JSON: {_shown(text)}")


def scored_answer(text: str) -> ScoredAnswer:
    """Score and reason of an answer in JSON; raises NoAnswer where the score is missing.

    >>> scored_answer('I say {"reason": "as asked", "score": 1}.').score
    1.0
    """
    answer = json_answer(text)
    score = answer.get("score") if isinstance(answer, dict) else None
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        raise NoAnswer(f"the model gave no score between 0 and 1: {_shown(text)}")
    return ScoredAnswer(reason=str(answer.get("reason") or ""), score=float(score))


def _shown(text: str) -> str:
    return " ".join(text.split())[:200]
