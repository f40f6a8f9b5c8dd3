"""What has to hold after a live run, whatever the models said. Each check gives its faults."""

import json
import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from bench.live.runs import Ending, RunResult
from bench.live.witness import Exchange

_SCORE: Final = re.compile(r'"score"\s*:\s*"?(-?\d+(?:\.\d+)?)')
_ORDER: Final = re.compile(r'"order"\s*:\s*\[([\d\s,]*)\]')


def lines_of(record: Path) -> list[dict[str, Any]]:
    """The questions of a record; none where there is no record."""
    path = record / "questions.jsonl"
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of every deck in a folder."""
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.pptx")}


def untyped(result: RunResult) -> Iterator[str]:
    """Endings that are neither a result nor an error that decklab raises on purpose."""
    for one in result.endings:
        if one.how == "untyped":
            yield f"{result.name}, {one.what}: {one.detail}"
        elif one.how in ("not scored", "refused", "no reply") and not one.detail:
            yield f"{result.name}, {one.what}: {one.how}, and nobody says why"
    if not result.endings:
        yield f"{result.name}: ended in nothing"


def invented(result: RunResult, lines: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Scores that follow from no reply, as a reader of its own reads the replies."""
    replies = [line["reply"] for line in lines if line["failed"] is None]
    for one in result.endings:
        if one.reads and not any(_follows(one, reply) for reply in replies):
            yield f"{result.name}, {one.what}: the score {one.score} is in no reply"
        if one.how in ("done", "partly", "made") and not replies:
            yield f"{result.name}, {one.what}: {one.how}, and nobody replied"


def _follows(one: Ending, reply: str) -> bool:
    """Whether the score follows from the reply."""
    assert one.score is not None
    if one.reads == "score":
        return any(float(number) == one.score for number in _SCORE.findall(reply))
    if one.reads == "order":
        shown = [int(number) for number in re.findall(r"\d+", one.detail)]
        taus = [_tau(found, shown) for found in _ORDER.findall(reply)]
        return any(tau is not None and abs(tau - one.score) < 1e-9 for tau in taus)
    word = re.match(r"\W*(yes|no)", reply.lower())
    share = 0.5 if one.reads == "half yes" else 1.0
    return word is not None and one.score == 1 - share + share * (word[1] == "yes")


def _tau(listed: str, shown: Sequence[int]) -> float | None:
    """Kendall's tau of listed pictures, whose slides are ``shown``: by its definition, pair by
    pair. None where the list does not name each picture once."""
    numbers = [int(number) for number in re.findall(r"\d+", listed)]
    if sorted(numbers) != list(range(1, len(shown) + 1)):
        return None
    slides = [shown[number - 1] for number in numbers]
    pairs = list(combinations(slides, 2))
    return sum(1 if first < second else -1 for first, second in pairs) / len(pairs)


def miscounted(
    name: str, lines: Sequence[dict[str, Any]], seen: Sequence[Exchange]
) -> Iterator[str]:
    """Requests, tokens and seconds of the record against what passed the witness."""
    told = {key: sum(line[key] for line in lines) for key in
            ("requests", "input_tokens", "output_tokens", "seconds")}  # fmt: skip
    arrived = [one for one in seen if one.delivered]
    counted = {
        "requests": len(seen),
        "input_tokens": sum(one.input_tokens for one in arrived),
        "output_tokens": sum(one.output_tokens for one in arrived),
    }
    for key, value in counted.items():
        if told[key] != value:
            yield f"{name}: {told[key]} {key} in the record, {value} passed the witness"
    waited = sum(one.seconds for one in arrived)
    if told["seconds"] < waited - 0.1:
        yield f"{name}: {told['seconds']:.1f} s in the record, {waited:.1f} s at the witness"


def asked_again(
    name: str, before: Sequence[dict[str, Any]], after: Sequence[dict[str, Any]], requests: int
) -> Iterator[str]:
    """What a resumed run asked though its record had the reply."""
    answered = {line["key"] for line in before if line["failed"] is None}
    again = after[len(before) :]
    twice = sum(line["key"] in answered for line in again)
    if twice:
        yield f"{name}: {twice} questions were asked twice"
    told = sum(line["requests"] for line in again)
    if told != requests:
        yield f"{name}, resumed: {told} requests in the record, {requests} passed the witness"
