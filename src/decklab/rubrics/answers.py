"""What models are asked and what they answer, as plain callables."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from decklab.rubrics.errors import ModelFailed

__all__ = ["Ask", "json_answer", "scored_answer"]

Ask = Callable[[str, Sequence[bytes]], str]
"""Answers a prompt with pictures (PNG or JPEG bytes) in text. Where no answer can be had it raises
``ModelFailed``, ``TimeoutError`` or another ``OSError``; anything else counts as a defect."""

_FENCED = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)


def json_answer(text: str) -> Any:
    """The JSON that an answer holds: in a fenced block, or from its first brace or bracket on.

    Raises ModelFailed where there is none.

    >>> json_answer('Sure. {"score": 0.5} is what I would give.')
    {'score': 0.5}
    """
    candidates = [*_FENCED.findall(text), text]
    starts = [text[i:] for i in (text.find("{"), text.find("[")) if i >= 0]
    for candidate in [*candidates, *sorted(starts, key=len, reverse=True)]:
        try:
            return json.JSONDecoder().raw_decode(candidate.strip())[0]
        except (ValueError, RecursionError):
            continue
    raise ModelFailed(f"the model's answer holds no JSON: {_shown(text)}")


def scored_answer(text: str) -> tuple[float, str]:
    """Score (0 to 1) and reason of an answer in JSON; raises ModelFailed where one is missing.

    >>> scored_answer('{"reason": "as asked", "score": 1}')
    (1.0, 'as asked')
    """
    answer = json_answer(text)
    score = answer.get("score") if isinstance(answer, dict) else None
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        raise ModelFailed(f"the model gave no score between 0 and 1: {_shown(text)}")
    return float(score), str(answer.get("reason") or "")


def _shown(text: str) -> str:
    return " ".join(text.split())[:200]
