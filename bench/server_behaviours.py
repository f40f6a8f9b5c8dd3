"""How decklab asks servers that behave badly: ``python -m bench.server_behaviours``.

A server on the loopback behaves in each of the ways below; a judge's question is put to it three
times, asked again where the answer does not fit. Printed are the requests that the server counted,
the seconds, pauses that decklab would have made included, and how it ended.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from rich.console import Console
from rich.table import Table
from tests.openai_server import Answer, form_of, serving

from decklab.core.errors import ModelFailed
from decklab.models.asking import AskLimits
from decklab.models.inspect import asking
from decklab.models.reading import Unanswered, answered

GOOD = '{"score": 4, "reason": "neat"}'
QUESTIONS = 3


class Mark(BaseModel):
    """The form of the answer."""

    model_config = ConfigDict(extra="forbid")

    score: int = Field(ge=0, le=5)
    reason: str


def _llama(request: dict[str, Any]) -> Answer:
    """llama-cpp-python 0.3.36: no JSON schema, status 500; tools by name."""
    if form_of(request) == "json_schema":
        return Answer("literal_error: response_format.type: Input should be 'text'", 500)
    return Answer(GOOD, tool="give_answer" if form_of(request) == "tool" else "")


def _only_words(request: dict[str, Any]) -> Answer | str:
    return GOOD if form_of(request) == "text" else Answer("unknown argument", 422)


Script = Callable[[dict[str, Any]], Answer | str] | Sequence[Answer | str]

BEHAVIOURS: Mapping[str, Script] = {
    "answers as asked": [GOOD],
    "rejects JSON schemas with 500": _llama,
    "rejects every form but words (422)": _only_words,
    "prose around the JSON": [f"Sure! I would say {GOOD}. Anything else?"],
    "a fence, a comma too many": ['```json\n{"score": 4, "reason": "neat",}\n```'],
    "thoughts before the answer": [f"<think>maybe {GOOD}?</think>{GOOD}"],
    "one key too many, the score as text": ['{"score": "4", "reason": "neat", "mood": "good"}'],
    "one odd reply, then a good one": ["I cannot say.", GOOD],
    "never any JSON": ["I cannot say."],
    "two answers that differ": [f'{GOOD} or {{"score": 1, "reason": "poor"}}'],
    "a score out of range": ['{"score": 9, "reason": "great"}'],
    "replies cut by their length": [Answer('{"score": 4, "rea', cut=True)],
    "an empty reply, then a good one": ["", GOOD],
    "busy twice (429, Retry-After 5)": [
        *[Answer("slow down", 429, headers={"Retry-After": "5"})] * 2, GOOD,
    ],
    "busy for ever (429)": [Answer("slow down", 429)],
    "busy until tomorrow (429)": [Answer("quota", 429, headers={"Retry-After": "86400"})],
    "fails for ever (503)": [Answer("broken", 503)],
    "fails in every form (500)": [Answer("broken", 500)],
    "refuses the key (401)": [Answer("no such key", 401)],
    "refuses the picture (400)": [Answer("image too large", 400)],
    "question longer than its context": [Answer("context_length_exceeded: 512 tokens", 400)],
    "gives no sign (0.5 s allowed a request)": [Answer("late", delay=30)],
    "closes the connection": [Answer(drop=True)],
}  # fmt: skip


def measured(script: Script) -> tuple[int, float, str]:
    """Requests, seconds and endings of the questions put to a server that behaves so."""
    paused, endings = 0.0, list[str]()

    async def pause(seconds: float) -> None:
        nonlocal paused
        paused += seconds

    def clock() -> float:
        return time.monotonic() + paused

    limits, started = AskLimits(attempt_seconds=0.5), clock()
    with (
        serving(script) as server,
        asking(server.model(), limits=limits, sleep=pause, clock=clock) as ask,
    ):
        for _ in range(QUESTIONS):
            try:
                found = answered(ask, "How good?", Mark)
            except ModelFailed as error:
                endings.append(f"{error.kind}: {error.detail}")
            except Unanswered as error:
                endings.append(f"unanswered: {error.problem}")
            else:
                mended = "; ".join(found.reply.mended)
                endings.append(f"score {found.answer.score}" + (f" ({mended})" if mended else ""))
        seconds = clock() - started
    kinds = list(dict.fromkeys(endings))
    return len(server.requests), seconds, " / ".join(kinds)


def main(_arguments: Sequence[str]) -> int:
    """Print the table."""
    measured([GOOD])  # loads what the first question loads
    table = Table("behaviour", "requests", "seconds", "how it ended")
    for name, script in BEHAVIOURS.items():
        requests, seconds, ended = measured(script)
        table.add_row(name, str(requests), f"{seconds:.1f}", ended)
    Console(width=170).print(table)
    return 0


if __name__ == "__main__":
    main([])
