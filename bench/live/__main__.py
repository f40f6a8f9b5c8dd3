"""Serve small open models on this machine and ask them all that decklab asks.

``make live``, or ``python -m bench.live --out build/live`` where ``scripts/live`` was run. Prints
how each run ended and writes ``live.md`` and ``live.json``: what each stage of each model came to,
counted from the records of the runs. Such models fail nearly always. What is checked is how: every
ending is typed, no score is invented, requests and tokens are those that passed between decklab and
the server, a resumed run asks nothing twice, and no input is changed. Exit code 1 where that is not
so.
"""

import argparse
import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.live.checks import asked_again, digests, invented, lines_of, miscounted, untyped
from bench.live.inputs import write_inputs
from bench.live.runs import PROVIDER, RUNS, Place, RunResult, at, run_live
from bench.live.serving import MODELS, LiveModel, served
from bench.live.table import Row, endings_markdown, markdown, rows_of
from bench.live.witness import Witness, witnessed


def main(arguments: Sequence[str]) -> int:
    """Do the runs; 1 where a check found something."""
    asked = _arguments(arguments)
    if asked.out.exists():
        shutil.rmtree(asked.out)
    inputs = asked.out / "decks"
    write_inputs(inputs)
    before = digests(inputs)
    rows, faults, results = list[Row](), list[str](), dict[str, list[RunResult]]()
    for model in MODELS:
        if model.name in asked.models:
            place = Place(f"{PROVIDER}/{model.name}", inputs, asked.out / model.name)
            place.folder.mkdir(parents=True)
            done = _ask_model(model, place, asked.runs, faults)
            rows += rows_of(model.name, _every_line(place, asked.runs))
            results[model.name] = done
            _write(asked.out, rows, results)
    if digests(inputs) != before:
        faults.append("an input deck was changed")
    print(markdown(rows))
    for fault in faults:
        print(f"FAULT: {fault}")
    print(f"{len(faults)} faults; {asked.out / 'live.md'}")
    return 1 if faults else 0


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("build/live"), help="written anew")
    names = [model.name for model in MODELS]
    parser.add_argument("--models", nargs="*", choices=names, default=names)
    parser.add_argument("--runs", nargs="*", choices=list(RUNS), default=list(RUNS))
    return parser.parse_args(words)


def _ask_model(
    model: LiveModel, place: Place, names: Sequence[str], faults: list[str]
) -> list[RunResult]:
    """All runs with one model, and all that did not run out of time once more."""
    done = []
    with (
        served(model, place.folder / "server.log") as url,
        witnessed(url, place.folder / "witness.jsonl", reply_tokens=model.reply_tokens) as witness,
    ):
        os.environ |= {"LIVE_BASE_URL": f"{witness.url}/v1", "LIVE_API_KEY": "none"}
        for name in names:
            result = _first(name, at(place, name), witness, faults)
            done.append(result)
            told = Counter(one.how for one in result.endings)
            words = ", ".join(f"{count} {how}" for how, count in told.items())
            print(f"{model.name}: {name}: {words} ({result.seconds:.0f} s)", flush=True)
        for result in done:
            if not any("the budget of" in one.detail for one in result.endings):
                faults += _once_more(result.name, at(place, result.name), witness)
    return done


def _first(name: str, place: Place, witness: Witness, faults: list[str]) -> RunResult:
    """A run, with what is wrong with it."""
    passed = len(witness.seen)
    result = run_live(name, RUNS[name], place)
    lines = lines_of(place.record)
    faults += untyped(result)
    faults += invented(result, lines)
    faults += miscounted(f"{place.model}: {name}", lines, witness.seen[passed:])
    return result


def _once_more(name: str, place: Place, witness: Witness) -> Iterator[str]:
    """What is wrong when a run is done again with its record."""
    before, passed = lines_of(place.record), len(witness.seen)
    run_live(name, RUNS[name], place)
    requests = len(witness.seen) - passed
    yield from asked_again(name, before, lines_of(place.record), requests)


def _every_line(place: Place, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The questions of all runs, each once: one that failed and was asked again by the resumed run
    counts as it was at first."""
    for name in names:
        keys = set[str]()
        for line in lines_of(at(place, name).record):
            if line["key"] not in keys:
                keys.add(line["key"])
                yield line


def _write(out: Path, rows: Sequence[Row], results: Mapping[str, Sequence[RunResult]]) -> None:
    endings = {
        model: {one.name: dict(Counter(end.how for end in one.endings)) for one in done}
        for model, done in results.items()
    }
    found = {
        "when": datetime.now(UTC).date().isoformat(),
        "rows": [row.as_json() for row in rows],
        "endings": endings,
    }
    details = [{"model": model, **asdict(one)} for model, done in results.items() for one in done]
    told = json.dumps(details, indent=1, ensure_ascii=False) + "\n"
    (out / "runs.json").write_text(told, encoding="utf-8")
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    (out / "live.json").write_text(text, encoding="utf-8")
    written = f"{markdown(rows)}\n{endings_markdown(endings)}"
    (out / "live.md").write_text(written, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
