"""Findings as lines: folded on a terminal, whole for files and other programs."""

import io

from rich.console import Console

from decklab.reports.lint_lines import print_findings
from decklab.results import Finding

LONG = (
    "the text runs past the lower edge of its shape by more than a line is high; " * 2 + "mend it"
)


def lines(*, terminal):
    stream = io.StringIO()
    console = Console(file=stream, width=60, force_terminal=terminal, color_system=None)
    finding = Finding(
        rule="integrity.text-overflow",
        severity="warning",
        slide=3,
        message=LONG,
        fix="use fewer words " * 6,
    )
    print_findings("a/very/long/path/" * 4 + "talk.pptx", 7, [finding], {}, console)
    return stream.getvalue().splitlines()


def test_each_finding_is_one_line_for_other_programs():
    told = lines(terminal=False)
    assert len(told) == 4
    assert told[0].endswith("talk.pptx: 7 slides, 1 warning")
    assert told[2] == f"  slide 3: {LONG}"


def test_lines_are_folded_and_stay_indented_on_a_terminal():
    told = lines(terminal=True)
    assert len(told) > 6 and max(map(len, told)) <= 60
    assert told[-1].startswith("    ")
