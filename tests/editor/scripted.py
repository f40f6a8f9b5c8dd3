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
    "Plan an edit": "plan",
    "Somebody else planned": "check",
    "Make this edit": "edit",
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


def step(path: str = "edit", slides: Sequence[int] = (2,), task: str = "do it") -> dict[str, Any]:
    """A step of a plan."""
    return {"path": path, "task": task, "slides": list(slides)}


def change(
    what: str = "the title changes",
    kinds: Sequence[str] = ("text",),
    slides: Sequence[int] = (2,),
    **more: Any,
) -> dict[str, Any]:
    """A planned change that is required."""
    return {
        "what": what, "kinds": list(kinds), "slides": list(slides), "design": False,
        "shapes": [], "required": True, "count": 1, "new_texts": [], **more,
    }  # fmt: skip


def plan(
    what: str = "the title changes",
    kinds: Sequence[str] = ("text",),
    slides: Sequence[int] = (2,),
    *,
    steps: Sequence[Mapping[str, Any]] | None = None,
    operations: Sequence[str] = (),
    remarks: Sequence[str] = (),
    **more: Any,
) -> dict[str, Any]:
    """A plan of one change that is required, made in one step, or by operations."""
    made = [step(slides=slides)] if steps is None and not operations else steps or []
    return {
        "operations": list(operations), "steps": list(made), "content": [],
        "changes": [change(what, kinds, slides, **more)], "remarks": list(remarks), "cannot": "",
    }  # fmt: skip


def cannot(why: str) -> dict[str, Any]:
    """A plan that says why there is none."""
    empty = dict.fromkeys(("operations", "steps", "content", "changes", "remarks"), ())
    return {**empty, "cannot": why}


def given(**more: Any) -> dict[str, Any]:
    """An answer to a question for an edit: the first copy, as it is, but for what is named."""
    return {
        "state": 0, "operations": [], "program": "", "patches": [], "remarks": [], "cannot": "",
        **more,
    }  # fmt: skip


def program(body: str, state: int = 0) -> dict[str, Any]:
    """An answer with a program of one ``edit``."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return given(state=state, program=f"def edit(prs):\n{lines}")


def trying(tool: str, onto: int = 0, **arguments: Any) -> Answer:
    """A call of a tool that tries an edit."""
    return Answer(json.dumps({**arguments, "onto": onto}), tool=f"try_{tool}")


def patches(*changed: Mapping[str, str], state: int = 0) -> dict[str, Any]:
    """An answer with patches of the second slide, fields left out are empty."""
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
    return given(state=state, patches=[{**empty, **part, **one} for one in changed])


WIDE = plan()
"""A plan that is not small, so that a model is asked whether it fits."""
WIDE["changes"].append(change("its date", ("properties",), (), design=True, required=False))
GOOD = program("set_text(prs, 2, 'Title 1', 'The year at a glance')")
FITS: Said = {"missing": [], "loose": [], "wrong_slides": [], "fits": True}
NOT_NEEDED: Said = {"changes": [], "reason": ""}
SATISFIED: Said = {"satisfied": True, "problems": []}
