"""The talk with a model about one edit: asked again where an answer will not do, all of it kept."""

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import BaseModel

from decklab.agents.editor.prompts import prompt
from decklab.agents.editor.record import Record
from decklab.errors import DecklabError, ModelFailed
from decklab.models.asking import Ask, Reply, Usage

TRIES = 3
"""How often one question is put, in all, until its answer has the form asked for. Ours."""
_SHOWN = 200

Form = TypeVar("Form", bound=BaseModel)


class Unanswered(DecklabError):
    """The model replied, and never in a form that could be used; ``said`` is its last reply."""

    def __init__(self, stage: str, problem: str, said: str) -> None:
        self.said = said
        shown = " ".join(said.split())
        shown = shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
        super().__init__(f"no usable answer ({stage}): {problem}; the model said: {shown or '…'}")


class Conversation:
    """Questions to a model, each put on record with its reply.

    ``usage`` sums up what all of them took. Errors of the model (ModelError) pass through.
    """

    def __init__(
        self, ask: Ask, record: Record, *, router: Ask | None = None,
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
        form: type[Form],
        *,
        images: Sequence[bytes] = (),
        check: Callable[[Form], str | None] = lambda _: None,
    ) -> Form:
        """The reply as ``form``, and such that ``check`` finds no problem.

        What will not do is said back, up to ``TRIES`` questions in all; then Unanswered is raised.
        """
        asked, problem, said = text, "", ""
        for _ in range(TRIES):
            reply = self._put(stage, asked, images, form)
            problem, said = reply.problem or "", reply.text
            if reply.answer is not None:
                problem = check(reply.answer) or ""
                if not problem:
                    return reply.answer
            asked = f"{text}\n\n{prompt('again', problem=problem, said=said[:4000])}"
        raise Unanswered(stage, problem, said)

    def text(self, stage: str, text: str, *, images: Sequence[bytes] = ()) -> str:
        """The reply as the model wrote it."""
        return self._put(stage, text, images, None).text

    def _put(
        self, stage: str, text: str, images: Sequence[bytes], form: type[Form] | None
    ) -> Reply[Form]:
        ask = self._router if stage == "route" else self._ask
        system = prompt("system")
        place = self.record.question(stage, text, images, system)
        started = time.monotonic()
        try:
            reply: Reply[Form] = ask(
                text, images=images, answer=form, system=system, temperature=self._temperature
            )
        except ModelFailed as error:
            told = _clear(error)
            self.record.keep(f"{place}.failed.txt", f"{told}\n")
            raise told from error
        took = reply.usage
        if not took.seconds:
            took = Usage(took.input_tokens, took.output_tokens, time.monotonic() - started)
        self.record.reply(place, reply, took)
        self.usage += took
        self.model = reply.model or self.model
        return reply


def _clear(error: ModelFailed) -> ModelFailed:
    """The error with what the server said the last time, where the client only says it gave up."""
    attempt = getattr(error.__cause__, "last_attempt", None)
    cause = attempt.exception() if attempt is not None else None
    if attempt is None or cause is None:
        return error
    tries = f"gave up after {attempt.attempt_number} tries"
    return ModelFailed(error.model, f"{tries}: {type(cause).__name__}: {cause}")
