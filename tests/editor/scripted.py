"""A model that says at each stage of an edit what a test has written down for it."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from inspect_ai.model import GenerateConfig
from tests.openai_server import Answer, OpenAIServer, prompt_of, serving

from decklab.models.asking import Ask
from decklab.models.inspect import asking

Said = Answer | str | Mapping[str, Any]

_STAGES = {
    "Decide how a request": "route",
    "Plan an edit": "plan",
    "Somebody else planned": "check",
    "Write the Python": "program",
    "Write the patches": "patch",
    "Give new words": "texts",
    "An edit was made": "review",
    "These changes were made though": "amend",
}


def stage_of(request: dict[str, Any]) -> str:
    """The stage of an edit that a request to the server belongs to."""
    text = prompt_of(request)
    return next(stage for mark, stage in _STAGES.items() if mark in text)


@contextmanager
def scripted(
    **said: Said | Sequence[Said] | Callable[[dict[str, Any]], Said],
) -> Iterator[tuple[Ask, OpenAIServer]]:
    """A model by its replies at each stage, in order, the last repeated; plain data as JSON.

    A function makes a reply from the request. A check of the plan that is not scripted finds that
    it fits, and nothing is added to the plan later. It gives up on a server that fails after one
    more try.
    """
    said.setdefault("check", FITS)
    said.setdefault("amend", NOT_NEEDED)
    asked: dict[str, int] = {}

    def answer(request: dict[str, Any]) -> Answer | str:
        stage = stage_of(request)
        replies = said[stage]
        if callable(replies):
            replies = replies(request)
        if isinstance(replies, Answer | str | Mapping):
            replies = [replies]
        reply = replies[min(asked.get(stage, 0), len(replies) - 1)]
        asked[stage] = asked.get(stage, 0) + 1
        return json.dumps(reply) if isinstance(reply, Mapping) else reply

    async def pause(_seconds: float) -> None:
        pass

    config = GenerateConfig(max_retries=1, timeout=30)
    with serving(answer) as server, asking(server.model(config=config), sleep=pause) as ask:
        yield ask, server


def route(
    path: str = "program", slides: Sequence[int] = (2,), task: str = "do it"
) -> dict[str, Any]:
    """A route of one step."""
    return {"steps": [{"path": path, "task": task, "slides": list(slides)}], "cannot": ""}


def plan(
    what: str = "the title changes",
    kinds: Sequence[str] = ("text",),
    slides: Sequence[int] = (2,),
    **more: Any,
) -> dict[str, Any]:
    """A plan of one change that is required."""
    change = {
        "what": what, "kinds": list(kinds), "slides": list(slides), "design": False,
        "shapes": [], "required": True, "count": 1, "new_texts": [], **more,
    }  # fmt: skip
    return {"content": [], "changes": [change], "parts": [], "cannot": ""}


def program(body: str) -> str:
    """A reply with a program of one ``edit``."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"Here it is.\n```python\ndef edit(prs):\n{lines}```\n"


def patches(*changed: Mapping[str, str]) -> Said:
    """A reply with patches of the second slide, fields left out are empty."""
    empty = dict.fromkeys(
        (
            "xpath",
            "xml",
            "position",
            "attribute",
            "value",
            "owner",
            "relationship",
            "relationship_id",
            "copy_of",
        ),
        "",
    )
    part = {"part": "ppt/slides/slide2.xml"}
    return {"patches": [{**empty, **part, **one} for one in changed]}


GOOD = program("set_text(prs, 2, 'Title 1', 'The year at a glance')")
FITS: Said = {"missing": [], "loose": [], "wrong_slides": [], "fits": True}
NOT_NEEDED: Said = {"changes": [], "reason": ""}
SATISFIED: Said = {"satisfied": True, "problems": []}
