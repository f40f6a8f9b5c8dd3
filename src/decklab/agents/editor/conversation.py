"""The conversation with a model about one edit: its prompts, its questions, and their record.

A question is asked again where its answer cannot be used. The record is a folder that is written
to while the edit goes on::

    edit.json                  the request, the switches, the outcome, tokens, cost, seconds
    01-route.prompt.txt        each question in order, with the pictures that went with it
    01-route.picture-1.png
    01-route.reply.txt
    01-route.json              model, tokens, seconds, what did not fit the form
    round-1/                   step-1.py or step-1.patches.json, printed.txt, deck.pptx,
                               findings.txt, slide-003.before.png, slide-003.after.png
"""

import json
import time
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

from decklab.errors import DecklabError, ModelFailed
from decklab.files import write_whole
from decklab.models.asking import Answer, Ask, ModelReply, Usage

TRIES = 3
"""How often one question is asked until its answer has the form asked for. Ours."""
_SHOWN = 200


class EditRecord:
    """The folder of an edit, written to step by step, so that a failed edit leaves its files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._asked = 0

    def question(self, stage: str, text: str, images: Sequence[bytes], system: str) -> str:
        """Write a question; gives the start of the names of its files."""
        self._asked += 1
        name = f"{self._asked:02}-{stage}"
        self.write(f"{name}.prompt.txt", f"{system}\n\n{text}")
        for number, image in enumerate(images, 1):
            suffix = "png" if image.startswith(b"\x89PNG") else "jpg"
            self.write(f"{name}.picture-{number}.{suffix}", image)
        return name

    def reply(self, name: str, reply: ModelReply[Any], usage: Usage) -> None:
        """Write the reply to the question ``name``."""
        self.write(f"{name}.reply.txt", reply.text)
        facts = {
            "model": reply.model,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "seconds": round(usage.seconds, 3),
            "problem": reply.problem,
        }
        self.write_json(f"{name}.json", facts)

    def round(self, number: int) -> Path:
        """The folder of one round, made where it is missing."""
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

    Raises KeyError where a name has no value.
    """
    return _template(name).substitute(values).strip()


@cache
def _template(name: str) -> Template:
    folder = resources.files("decklab.agents.editor").joinpath("prompts")
    return Template(folder.joinpath(f"{name}.txt").read_text(encoding="utf-8"))


class Unanswered(DecklabError):
    """No reply of the model could be used; ``reply`` is the last one."""

    def __init__(self, stage: str, problem: str, reply: str) -> None:
        self.reply = reply
        shown = " ".join(reply.split())
        shown = shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
        super().__init__(f"no usable answer ({stage}): {problem}; the model said: {shown or '…'}")


class Conversation:
    """Questions to a model, each written to the record with its reply.

    ``usage`` is the sum over all questions. Errors of the model (ModelError) pass through.
    """

    def __init__(
        self, ask: Ask, record: EditRecord, *, router: Ask | None = None,
        temperature: float | None = None,
    ) -> None:  # fmt: skip
        self._ask = ask
        self._router = router or ask
        self._temperature = temperature
        self.record = record
        self.usage = Usage()
        self.model = ""

    def answer(
        self,
        stage: str,
        text: str,
        form: type[Answer],
        *,
        images: Sequence[bytes] = (),
        check: Callable[[Answer], str | None] = lambda _: None,
    ) -> Answer:
        """The reply as ``form``, in which ``check`` finds no problem.

        Where there is a problem the model is told and asked again, ``TRIES`` times in all; then
        Unanswered is raised.
        """
        asked, problem, last_reply = text, "", ""
        for _ in range(TRIES):
            reply = self._put(stage, asked, images, form)
            problem, last_reply = reply.problem or "", reply.text
            if reply.answer is not None:
                problem = check(reply.answer) or ""
                if not problem:
                    return reply.answer
            asked = f"{text}\n\n{prompt('again', problem=problem, said=last_reply[:4000])}"
        raise Unanswered(stage, problem, last_reply)

    def text(self, stage: str, text: str, *, images: Sequence[bytes] = ()) -> str:
        """The reply as the model wrote it."""
        return self._put(stage, text, images, None).text

    def _put(
        self, stage: str, text: str, images: Sequence[bytes], form: type[Answer] | None
    ) -> ModelReply[Answer]:
        ask = self._router if stage == "route" else self._ask
        system = prompt("system")
        place = self.record.question(stage, text, images, system)
        started = time.monotonic()
        try:
            reply: ModelReply[Answer] = ask(
                text, images=images, answer=form, system=system, temperature=self._temperature
            )
        except ModelFailed as error:
            clear = _clear(error)
            self.record.write(f"{place}.failed.txt", f"{clear}\n")
            raise clear from error
        took = reply.usage
        if not took.seconds:
            took = Usage(took.input_tokens, took.output_tokens, time.monotonic() - started)
        self.record.reply(place, reply, took)
        self.usage += took
        self.model = reply.model or self.model
        return reply


def _clear(error: ModelFailed) -> ModelFailed:
    """The error with the server's last words, where the client says only that it gave up."""
    attempt = getattr(error.__cause__, "last_attempt", None)
    cause = attempt.exception() if attempt is not None else None
    if attempt is None or cause is None:
        return error
    tries = f"gave up after {attempt.attempt_number} tries"
    return ModelFailed(error.model, f"{tries}: {type(cause).__name__}: {cause}")
