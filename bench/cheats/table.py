"""What cheats bought, as a table: before and after, one row a cheat."""

from collections.abc import Iterator, Mapping
from typing import Final

from bench.cheats.every import CHEATS

Gains = Mapping[str, Mapping[str, float | None]]
"""By cheat and metric."""
COLUMNS: Final = {
    "aesthetics": ("aesthetics", 1.0), "quality": ("quality", 1.0), "level": ("level", 1.0),
    "quiz": ("quiz %", 100.0), "key_coverage": ("coverage", 1.0),
    "faithfulness": ("faithfulness", 1.0), "prompt": ("words to a judge", 1.0),
}  # fmt: skip
HEADINGS: Final = {"known": "known before", "first": "ours", "second": "ours, kept aside"}


def markdown_table(before: Gains, after: Gains) -> Iterator[str]:
    """Lines of a Markdown table: of each metric what a cheat bought before and after."""
    yield f"| cheat | {' | '.join(label for label, _ in COLUMNS.values())} |"
    yield f"|---|{'---:|' * len(COLUMNS)}"
    half = ""
    for cheat in CHEATS:
        if cheat.name not in after:
            continue
        if cheat.half != half:
            half = cheat.half
            yield f"| *{HEADINGS[half]}* |{' |' * len(COLUMNS)}"
        cells = (
            _cell(before.get(cheat.name, {}), after[cheat.name], metric, by)
            for metric, (_, by) in COLUMNS.items()
        )
        yield f"| {cheat.name} | {' | '.join(cells)} |"


def _cell(
    before: Mapping[str, float | None], after: Mapping[str, float | None], metric: str, by: float
) -> str:
    if metric not in after:
        return ""
    return f"{_number(before.get(metric), by)} → {_number(after[metric], by)}"


def _number(value: float | None, by: float) -> str:
    if value is None:
        return "–"
    rounded = round(value * by, 1)
    return f"{rounded:+g}" if rounded else "0"
