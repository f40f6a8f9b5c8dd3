"""The outcomes of many damaged files as a Markdown table."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from bench.hardening.trying import Outcome


def table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The lines: one row for each kind of file and command, with counts and times."""
    yield "| kind | command | files | taken | in part | refused | faults | median s | slowest s |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for kind, command in sorted({(one.kind, one.command) for one in outcomes}):
        yield _row(
            kind, command, [one for one in outcomes if (one.kind, one.command) == (kind, command)]
        )


def _row(kind: str, command: str, outcomes: Sequence[Outcome]) -> str:
    counts = Counter(one.outcome for one in outcomes)
    seconds = sorted(one.seconds for one in outcomes)
    cells = [
        *(kind, f"`{command}`", len(outcomes)),
        *(counts[name] for name in ("taken", "part", "refused")),
        _faults(outcomes) or "0",
        f"{seconds[len(seconds) // 2]:.1f}",
        f"{seconds[-1]:.1f}",
    ]
    return f"| {' | '.join(map(str, cells))} |"


def _faults(outcomes: Iterable[Outcome]) -> str:
    counts = Counter(one.outcome for one in outcomes if one.fault)
    return ", ".join(f"{number} {name}" for name, number in counts.most_common())
