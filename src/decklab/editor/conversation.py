"""The conversation with a model about one edit: its prompts and its questions.

A question is asked again if its answer cannot be used. A folder keeps the artefacts; it is written
to while the edit goes on::

    edit.json                  the request, the switches, the outcome, tokens, cost, seconds
    round-1/                   step-1.py, step-1.patches.json or step-1.texts.json, printed.txt,
                               deck.pptx, findings.txt, slide-003.before.png, slide-003.after.png

Questions and replies are in the record of ``decklab.models.record``, if there is one.
"""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from string import Template
from threading import Lock
from typing import Any, TypeVar

from decklab.core.errors import ModelFailed
from decklab.core.files import write_whole
from decklab.core.options import TOOL_CALLS
from decklab.models.asking import Answer, Ask, ModelReply, ModelTool, Usage, for_stage, takes
from decklab.models.asking_loop import PicturesUnseen
from decklab.models.reading import Unanswered, answered

Made = TypeVar("Made")

_NOT_SHOWN = "(The pictures could not be shown.)"


class EditRecord:
    """The folder of an edit, written to step by step, so that a failed edit leaves its files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def round(self, number: int) -> Path:
        """The folder of one round, made if it is missing."""
        place = self.folder / f"round-{number}"
        place.mkdir(exist_ok=True)
        return place

    def write(self, name: str, content: str | bytes) -> None:
        """Write text or bytes to the file ``name`` of the folder."""
        data = content.encode(errors="replace") if isinstance(content, str) else content
        write_whole(self.folder / name, data)

    def write_json(self, name: str, value: Any) -> None:
        """Write plain data as JSON."""
        self.write(name, json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def prompt(name: str, **values: str) -> str:
    """The prompt of the file ``prompts/name.txt`` with values in place of its ``$names``.

    Values are put in as they are, ``$`` included.

    Raises KeyError if a name has no value.
    """
    return _template(name).substitute(values).strip()


def with_less(ask: Callable[[int], Made], most: int) -> Made:
    """Call ``ask`` with ``most`` characters of material; with half of it, then a quarter, if the
    model says that a question is too long for it.

    Raises what ``ask`` raises.
    """
    for part in (1, 2):
        try:
            return ask(most // part)
        except ModelFailed as error:
            if error.kind != "too_long":
                raise
    return ask(most // 4)


def _system() -> str:
    return prompt("system")


@cache
def _template(name: str) -> Template:
    folder = resources.files("decklab.editor").joinpath("prompts")
    return Template(folder.joinpath(f"{name}.txt").read_text(encoding="utf-8"))


class Conversation:
    """Questions to a model, from several threads at once if need be.

    ``usage`` is the sum over all questions, ``routed`` what of it the router took. A model that
    sees no pictures is asked without them; ``unseen`` says why. Other errors of the model
    (ModelError) pass through.
    """

    def __init__(
        self, ask: Ask, record: EditRecord, *, router: Ask | None = None,
        temperature: float | None = None, tool_calls: int = TOOL_CALLS,
    ) -> None:  # fmt: skip
        self._ask = ask
        self._router = router or ask
        self._temperature = temperature
        self._tool_calls = tool_calls
        self._lock = Lock()
        self.record = record
        self.usage = self.routed = Usage()
        self.model = ""
        self.unseen = ""

    def answer(
        self,
        stage: str,
        text: str,
        form: type[Answer],
        *,
        images: Sequence[bytes] = (),
        tools: Sequence[ModelTool] = (),
        check: Callable[[Answer], str | None] = lambda _: None,
    ) -> Answer:
        """The reply as ``form``, in which ``check`` finds no problem; see ``answered``."""
        return answered(
            self._put, text, form, check=check, images=images, stage=stage, tools=tools,
            most_calls=self._tool_calls,
        ).answer  # fmt: skip

    def text(
        self,
        stage: str,
        text: str,
        *,
        images: Sequence[bytes] = (),
        tools: Sequence[ModelTool] = (),
    ) -> str:
        """The reply as the model wrote it; raises Unanswered for an empty one."""
        reply = self._put(
            text, images=images, tools=tools, stage=stage, most_calls=self._tool_calls
        )
        if not reply.text.strip():
            raise Unanswered(stage, reply.problem or "the reply is empty", reply, reply.usage)
        return reply.text

    def _put(
        self, prompt: str, *, stage: str = "", tools: Sequence[ModelTool] = (),
        most_calls: int = TOOL_CALLS, **how: Any,
    ) -> ModelReply[Any]:  # fmt: skip
        ask = self._router if stage == "route" else self._ask
        if tools and takes(ask, "tools"):
            how["tools"] = tools
            if takes(ask, "most_calls"):
                how["most_calls"] = most_calls
        ask = for_stage(ask, stage)
        how = {"system": _system(), "temperature": self._temperature, **how}
        started = time.monotonic()
        try:
            reply: ModelReply[Any] = ask(prompt, **how)
        except PicturesUnseen as error:
            self.unseen = error.detail
            reply = ask(f"{prompt}\n\n{_NOT_SHOWN}", **{**how, "images": ()})
        took = reply.usage
        if not took.seconds:
            took = replace(took, seconds=time.monotonic() - started)
        with self._lock:
            self.usage += took
            if stage == "route":
                self.routed += took
            self.model = reply.model or self.model
        return reply
