"""The record of a run: every question, its reply and what both cost; a resumed run reads it.

The folder holds::

    run.json           what was run: command, inputs by their SHA-256, options that change answers
    questions.jsonl    one line a question, in the order of their replies
    pictures/          the pictures that went along, by their SHA-256, each once
    secret.txt         what marks around deck text are made from, so that a replay asks the same

A run that is started anew with the same folder gets the replies that are there and asks for the
rest. So nothing is asked twice after a crash, a kill or a budget that was spent.
"""

import errno
import json
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any

from pydantic import BaseModel

from decklab.core.errors import ModelFailed
from decklab.core.files import write_whole
from decklab.core.options import TOOL_CALLS
from decklab.models.asking import (
    Ask,
    ModelReply,
    ModelTool,
    PriceList,
    Prices,
    Usage,
    for_stage,
    price_of,
)
from decklab.models.reading import read_answer

_RUN, _QUESTIONS, _PICTURES = "run.json", "questions.jsonl", "pictures"
_SECRET = "secret.txt"
_RESULTS = ("edit.json", "results.json")
"""Results that runs leave in their folders besides."""
_SPENT = ("input_tokens", "output_tokens", "seconds", "requests", "untold")


class QuestionRecord:
    """The record in one folder; threads may share it. See ``open_record``."""

    def __init__(self, folder: Path, prices: Prices | PriceList | None = None) -> None:
        self.folder, self.prices = folder, prices
        self._lock = threading.Lock()
        self._asked: Counter[str] = Counter()
        """How often each question was put in this run: judges repeat theirs."""
        lines = _lines(folder / _QUESTIONS)
        self.resumed = bool(lines)
        """Whether the run was begun before, and asked something."""
        self._kept = {line["key"]: line for line in lines if line["failed"] is None}
        self._number = max((line["number"] for line in lines), default=0)

    @cached_property
    def secret(self) -> str:
        """The secret of the run, made when it is first needed."""
        path = self.folder / _SECRET
        if not path.exists():
            write_whole(path, token_hex().encode())
        return path.read_text(encoding="ascii").strip()

    def key_of(self, question: Mapping[str, Any]) -> str:
        """The key of a question that is put now; the same one put again has another."""
        text = json.dumps(question, sort_keys=True, ensure_ascii=False)
        with self._lock:
            self._asked[text] += 1
            return sha256(f"{self._asked[text]} {text}".encode(errors="replace")).hexdigest()

    def find(self, key: str) -> Mapping[str, Any] | None:
        """The line of a question that was answered; None if it was not."""
        return self._kept.get(key)

    def add(self, line: Mapping[str, Any], images: Sequence[bytes]) -> None:
        """Write one line, with the cost of its tokens, and the pictures that are new."""
        usage = Usage(line["input_tokens"], line["output_tokens"])
        prices = price_of(self.prices, line["model"])
        cost = None if prices is None or line["untold"] else prices.cost(usage)
        with self._lock:
            self._number += 1
            for image in images:
                path = self.folder / _PICTURES / f"{sha256(image).hexdigest()}{_suffix(image)}"
                if not path.exists():
                    path.parent.mkdir(exist_ok=True)
                    write_whole(path, image)
            text = json.dumps({"number": self._number, **line, "cost": cost}, ensure_ascii=False)
            with (self.folder / _QUESTIONS).open("ab") as file:
                file.write(f"{text}\n".encode(errors="replace"))


def open_record(
    folder: str | Path, run: Mapping[str, Any], *, prices: Prices | PriceList | None = None
) -> QuestionRecord:
    """The record of ``run`` in a folder that is new, empty, or holds the record of this very run.

    ``run`` is plain JSON and says what was run; paths have no place in it. Raises FileExistsError
    if the folder holds another run, or results without a record.
    """
    path, kept = Path(folder), Path(folder) / _RUN
    run_text = json.dumps(run, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    if kept.exists():
        if kept.read_text(encoding="utf-8") != run_text:
            raise FileExistsError(errno.EEXIST, "holds the record of another run", str(folder))
    elif any((path / name).exists() for name in (*_RESULTS, _QUESTIONS)):
        detail = "has what an earlier run wrote; name another folder"
        raise FileExistsError(errno.EEXIST, detail, str(folder))
    else:
        path.mkdir(parents=True, exist_ok=True)
        write_whole(kept, run_text.encode())
    return QuestionRecord(path, prices)


def file_digest(path: str | Path) -> str:
    """The SHA-256 of a file, by which a record knows an input."""
    return sha256(Path(path).read_bytes()).hexdigest()


def recorded(ask: Ask, record: QuestionRecord, model: str) -> Ask:
    """``ask`` with its questions and replies in ``record``; those already there are not asked.

    ``model`` is the name of the model. A reply out of the record costs nothing: its usage is empty,
    what it cost before is in ``kept``. Failures are written and asked again by the next run.
    """

    def asked(
        prompt: str,
        *,
        images: Sequence[bytes] = (),
        answer: type[BaseModel] | None = None,
        system: str | None = None,
        temperature: float | None = None,
        tools: Sequence[ModelTool] = (),
        most_calls: int = TOOL_CALLS,
        stage: str = "",
    ) -> ModelReply[Any]:
        question = {
            "model": model, "system": system, "prompt": prompt,
            "pictures": [sha256(image).hexdigest() for image in images],
            "schema": answer and answer.model_json_schema(), "temperature": temperature,
            "tools": [tool.name for tool in tools],
        }  # fmt: skip
        key = record.key_of(question)
        kept = record.find(key)
        if kept is not None:
            return _replayed(kept, answer)
        line = {**question, "key": key, "stage": stage, "schema": answer and answer.__name__}
        more: dict[str, Any] = {"tools": tools, "most_calls": most_calls} if tools else {}
        try:
            reply: ModelReply[Any] = for_stage(ask, stage)(
                prompt, images=images, answer=answer, system=system, temperature=temperature, **more
            )
        except ModelFailed as error:
            spent = Usage(seconds=error.seconds, requests=error.requests)
            record.add({**line, **_told(ModelReply("", usage=spent), error)}, images)
            raise
        record.add({**line, **_told(reply)}, images)
        return reply

    return asked


def with_kept_usage(ask: Ask) -> Ask:
    """``ask`` whose replies out of a record have in ``usage`` what they cost when they were asked,
    for runs that tell what their results cost."""

    def asked(prompt: str, **how: Any) -> ModelReply[Any]:
        reply: ModelReply[Any] = ask(prompt, **how)
        return replace(reply, usage=reply.usage + reply.kept)

    return asked


def _told(reply: ModelReply[Any], error: ModelFailed | None = None) -> dict[str, Any]:
    return {
        "served_by": reply.model, "form": reply.form, "reply": reply.text,
        "problem": reply.problem, "mended": list(reply.mended), "cut": reply.cut,
        "calls": reply.calls,
        **usage_told(reply.usage),
        "failed": error and str(error), "failure": error and error.kind,
    }  # fmt: skip


def usage_told(usage: Usage) -> dict[str, Any]:
    """A usage as a line of a record has it."""
    values = {name: getattr(usage, name) for name in _SPENT}
    return {**values, "seconds": round(usage.seconds, 3)}


def usage_from(line: Mapping[str, Any]) -> Usage:
    """The usage in a line of a record."""
    return Usage(*(line.get(name, 0) for name in _SPENT))


def _replayed(line: Mapping[str, Any], answer: type[BaseModel] | None) -> ModelReply[Any]:
    spent = usage_from(line)
    reply: ModelReply[Any] = ModelReply(
        line["reply"], None, line["problem"], Usage(), line["served_by"], line["form"],
        tuple(line["mended"]), line["cut"], spent, line.get("calls", 0),
    )  # fmt: skip
    if answer is None or reply.problem is not None:
        return reply
    reading = read_answer(reply.text, answer)
    return replace(reply, answer=reading.answer, problem=reading.problem, mended=reading.mended)


def _lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a record. One that was torn by a kill is taken out of the file, so that its
    question is asked again."""
    if not path.exists():
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        write_whole(path, whole)
    return [json.loads(line) for line in whole.splitlines()]


def _suffix(image: bytes) -> str:
    return ".png" if image.startswith(b"\x89PNG") else ".jpg"
