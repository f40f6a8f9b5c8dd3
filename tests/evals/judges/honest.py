"""Scripted judges that know what is known of a deck: they look at it, whatever they say of it."""

import base64
import io
import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PIL import Image
from tests.openai_server import Answer, images_of, prompt_of

from decklab.evals.judges.asking import FENCE_RULE, INVENTED, scrambled
from decklab.models.asking import ModelReply

Replies = Callable[[dict[str, Any]], Answer | str] | Sequence[Answer | str]


def known_answers(
    prompt: str, true: Callable[[str], bool] = lambda text: text not in INVENTED
) -> list[dict[str, Any]]:
    """Answers to the statements of a question, by default the right ones."""
    said = re.findall(r"^Statement (\d+): .*?“(.*)”$", prompt, re.MULTILINE)
    return [{"statement": int(number), "true": true(text)} for number, text in said]


def with_known(prompt: str, reply: str, *, always: bool = False) -> str:
    """A reply in JSON with the right answers where the question holds statements; ``always``
    where its form has them anyway."""
    if not always and "Also say in known" not in prompt:
        return reply
    try:
        found = json.loads(reply)
    except ValueError:
        return reply
    if not isinstance(found, dict) or not found or "known" in found:
        return reply
    return json.dumps({**found, "known": known_answers(prompt)})


def is_damaged_copy(images: Sequence[str]) -> bool:
    """Whether the second of two pictures is the first cut into pieces."""
    if len(images) != 2:
        return False
    one, other = (_pixels(image) for image in images)
    copy = scrambled(one)
    return copy is not None and np.array_equal(copy, other)


def _pixels(address: str) -> np.ndarray:
    data = base64.b64decode(address.partition(",")[2])
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def of_a_leaf(prompt: str, images: Sequence[str]) -> str:
    """The right answer to what a model is asked before it answers leaves; empty for others."""
    if prompt.lstrip().startswith(FENCE_RULE):
        return json.dumps({"known": known_answers(prompt)})
    if prompt.lstrip().startswith("Two pictures of one slide"):
        damaged = "second" if is_damaged_copy(images) else "first"
        return json.dumps({"damaged": damaged, "reason": "in pieces"})
    return ""


def knowing(text: Callable[[], str]) -> Callable[..., ModelReply[Any]]:
    """A model that says what ``text`` gives, and knows the deck when it is asked of that."""

    def ask(prompt: str, *, images: Sequence[bytes] = (), **_how: Any) -> ModelReply[Any]:
        shown = [f"data:,{base64.b64encode(image).decode()}" for image in images]
        return ModelReply(of_a_leaf(prompt, shown) or text())

    return ask


def honest(replies: Replies) -> Callable[[dict[str, Any]], Answer | str]:
    """A script of a server that gives these replies, the last for ever, with the right answers to
    what is known; a slide beside itself has 5, beside a damaged copy 0."""
    at = 0

    def script(request: dict[str, Any]) -> Answer | str:
        nonlocal at
        images, prompt = images_of(request), prompt_of(request)
        known = of_a_leaf(prompt, images)
        if known:
            return known
        if len(images) == 2 and images[0] == images[1]:
            return '{"score": 5, "reason": "the same"}'
        if is_damaged_copy(images):
            return '{"score": 0, "reason": "in pieces"}'
        if callable(replies):
            reply = replies(request)
        else:
            reply = replies[min(at, len(replies) - 1)]
            at += 1
        return reply if isinstance(reply, Answer) else with_known(prompt, reply)

    return script
