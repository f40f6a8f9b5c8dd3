"""Results for other programs as JSON, written deck by deck, whole or not at all."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

from decklab.files import whole_file
from decklab.reports.wording import storable
from decklab.results import DeckResult, Finding, Measurement


def write_json(path: str | Path, results: Iterable[DeckResult]) -> None:
    """Write ``{"decks": [...]}`` to ``path`` in strict JSON, one deck a line.

    A deck has ``deck``, ``status``, ``error``, ``slides``, ``measurements`` and ``findings``; a
    measurement ``metric``, ``slide``, ``value``, ``unit``, ``status``, ``reason``, ``direction``
    and ``version``. Evidence is left to Parquet, where it can be read in part. Only one deck at a
    time is held in memory.
    """
    with whole_file(path) as unfinished, unfinished.open("w", encoding="utf-8") as stream:
        print_json(results, stream)


def print_json(results: Iterable[DeckResult], stream: TextIO) -> None:
    """Write to ``stream`` what ``write_json`` writes to a file."""
    stream.write('{"decks": [')
    separator = "\n"
    for result in results:
        stream.write(separator + strict_json(_deck_record(result)))
        separator = ",\n"
    stream.write("\n]}\n")


def strict_json(value: object) -> str:
    """One line of JSON that any reader takes: no NaN, no half of a surrogate pair."""
    return storable(json.dumps(value, ensure_ascii=False, allow_nan=False))


def _deck_record(result: DeckResult) -> dict[str, Any]:
    return {
        "deck": result.deck,
        "status": result.status,
        "error": result.error,
        "slides": result.slides,
        "measurements": [_measurement_record(row) for row in result.measurements],
        "findings": [_finding_record(finding) for finding in result.findings],
    }


def _measurement_record(row: Measurement) -> dict[str, Any]:
    return {
        "metric": row.metric,
        "slide": row.slide,
        "value": row.value,
        "unit": row.unit,
        "status": row.status,
        "reason": row.reason,
        "direction": row.direction,
        "version": row.version,
    }


def _finding_record(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
        "slide": finding.slide,
        "slides": list(finding.slides),
        "shape": finding.shape,
        "box": None if finding.box is None else list(finding.box),
        "measured": finding.measured,
        "threshold": finding.threshold,
        "fix": finding.fix,
    }
