"""The side inside the sandbox: find an editor, and have it edit one deck.

This runs in the process of the editor. The host trusts nothing that it reports; it only takes the
deck that the editor leaves.
"""

import importlib
import inspect
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from decklab.core.options import EditLimits
from decklab.evals.editors.protocol import EditSession
from decklab.models.asking import ModelReply, Usage
from decklab.models.reading import read_answer

Asking = Callable[..., str]
"""A service of the host."""


@dataclass
class _GuestSession(EditSession):
    """A session whose steps and questions go to the host, which counts them."""

    report_step: Asking = field(kw_only=True)
    ask_host: Asking = field(kw_only=True)

    def step(self, what: str) -> None:
        self.report_step(str(what))
        self.steps.append(str(what))

    def ask(self, prompt: str, **how: Any) -> ModelReply[Any]:
        answer = how.pop("answer", None)
        how.pop("stage", None)
        how["images"] = [bytes(image) for image in how.pop("images", ())]
        if answer is not None:
            how["schema"] = json.dumps(answer.model_json_schema())
            how["schema_name"] = answer.__name__
        reply = json.loads(self.ask_host(prompt, **how))
        self.messages += 2
        usage = Usage(*reply["usage"])
        if answer is None:
            return ModelReply(reply["text"], usage=usage, model=reply["model"])
        reading = read_answer(reply["text"], answer)
        return ModelReply(
            reply["text"], reading.answer, reading.problem, usage, reply["model"],
            mended=reading.mended, cut=reply["cut"],
        )  # fmt: skip


def check_import(editor: Mapping[str, Any]) -> None:
    """Import the editor; raises the error in its name or its module."""
    _found(editor)


def run_edit(
    editor: Mapping[str, Any],
    *,
    given: str,
    instruction: str,
    limits: Sequence[Any],
    report_step: Asking,
    ask_host: Asking,
) -> None:
    """Have the editor edit a copy of ``given`` in the working folder, where the copy stays."""
    function = _found(editor)
    deck = Path.cwd() / Path(given).name
    shutil.copyfile(given, deck)
    session = _GuestSession(
        EditLimits(*limits), report_step=report_step, ask_host=ask_host, started=time.monotonic()
    )
    if _takes_session(function):
        other = function(deck, instruction, session)
    else:
        session.step("edit")
        other = function(deck, instruction)
    if other is not None and Path(other).absolute() != deck:
        shutil.copyfile(other, deck)


def _found(editor: Mapping[str, Any]) -> Callable[..., Any]:
    os.environ.update(editor["environment"])
    sys.path[:0] = editor["folders"]
    if editor["file"] is None:
        module = importlib.import_module(editor["module"])
    else:
        spec = spec_from_file_location(editor["module"], editor["file"])
        assert spec is not None and spec.loader is not None, "a Python file has a loader"
        module = sys.modules[editor["module"]] = module_from_spec(spec)
        spec.loader.exec_module(module)
    function: Any = reduce(getattr, editor["name"].split("."), module)
    if not callable(function):
        raise TypeError(f"{editor['name']} is no function")
    return function  # type: ignore[no-any-return]


def _takes_session(function: Callable[..., Any]) -> bool:
    try:
        inspect.signature(function).bind("deck", "instruction", "session")
    except TypeError:
        return False
    return True


def encoded_reply(reply: ModelReply[Any]) -> str:
    """A reply as JSON text, for the other side."""
    usage = reply.usage
    numbers = [usage.input_tokens, usage.output_tokens, usage.seconds, usage.requests]
    facts = {"text": reply.text, "usage": numbers, "model": reply.model, "cut": reply.cut}
    return json.dumps(facts)
