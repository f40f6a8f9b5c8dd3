"""Results in a terminal: a table that fits it, and findings folded there and whole elsewhere."""

import io
from collections.abc import Callable

import pytest
from rich.console import Console

from decklab.core.results import DeckResult, Finding, Measurement
from decklab.scoring.against import compare_runs
from decklab.scoring.reports.leaderboard_page import LeaderboardRow
from decklab.scoring.reports.terminal import print_comparison, print_findings, print_table

ResultMaker = Callable[..., DeckResult]


def printed(results: list[DeckResult], width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    print_table(map(LeaderboardRow.of, results), console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [80, 100, 160])
def test_the_table_fits_the_terminal_and_shows_every_number(
    scored: ResultMaker, width: int
) -> None:
    long = "talks/the quarterly review of everything that went well and what comes next.pptx"
    text = printed([scored(deck=long, slides=120, findings=120)], width)
    header, _, line = text.splitlines()[:3]
    assert max(map(len, text.splitlines())) <= width
    for shown in ("120", "25.75", "4.00", "6.50", "7.25", "8.00", "L2", "40 err"):
        assert shown in line
    assert line.startswith("the ")
    assert ".pptx" in line
    for column in ("deck", "slides", "total", "harmo", "engag", "usabi", "rhythm", "level"):
        assert column in header


def test_failed_decks_stand_beneath_with_their_reason(
    scored: ResultMaker, failed: DeckResult
) -> None:
    text = " ".join(printed([failed, scored()]).split())
    assert text.index("kickoff.pptx") < text.index("1 deck could not be scored")
    assert "ppt/slides/slide4.xml: the bytes of the part are damaged" in text


def test_what_was_not_scored_has_a_dash_and_its_reason(without_slides: DeckResult) -> None:
    text = printed([without_slides])
    assert "0.00" not in text
    assert "empty.pptx: the deck has no slides" in text


def test_no_decks_are_said_so() -> None:
    assert printed([]).strip() == "no decks"


def test_deck_text_cannot_style_or_steer_the_terminal() -> None:
    name = "[bold red]x[/]\x1b[2J.pptx"
    failure = DeckResult(deck=name, status="failed", error=f"{name}: bad\x07")
    text = printed([failure])
    assert "[bold red]x[/]␛[2J.pptx: bad␇" in text
    assert "\x1b" not in text


def test_decks_of_one_name_are_told_apart_by_their_folder(scored: ResultMaker) -> None:
    text = printed([scored(deck=name) for name in ("a/talk.pptx", "b/talk.pptx", "c/other.pptx")])
    lines = {line.split()[0] for line in text.splitlines()[2:]}
    assert lines == {"a/talk.pptx", "b/talk.pptx", "other.pptx"}


def test_notes_and_comparisons_name_such_decks_by_their_folder_too(scored: ResultMaker) -> None:
    decks = [
        scored(deck=f"{folder}/talk.pptx").model_copy(update={"unseen": f"{folder} is hidden."})
        for folder in "ab"
    ]
    notes = [line for line in printed(decks).splitlines() if line.endswith("is hidden.")]
    assert sorted(notes) == ["  a/talk.pptx: a is hidden.", "  b/talk.pptx: b is hidden."]
    changed = compared(
        {"a/talk.pptx": 50.0, "b/talk.pptx": 50.0},
        [quality("a/talk.pptx", 50.0), quality("b/talk.pptx", 70.0)],
    )
    assert any(line.startswith("better: b/talk.pptx: Quality 50") for line in changed)


def test_each_fix_stands_below_its_findings() -> None:
    def finding(words: str, fix: str) -> Finding:
        return Finding(rule="contrast.low", severity="error", slide=1, message=words, fix=fix)

    console = Console(file=io.StringIO(), width=80, force_terminal=False)
    found = [finding("one", "to 3:1"), finding("two", "to 4.5:1"), finding("three", "to 3:1")]
    print_findings("talk.pptx", 7, found, {}, console)
    assert isinstance(console.file, io.StringIO)
    shown = [line.strip() for line in console.file.getvalue().splitlines()[2:]]
    assert shown == [
        "slide 1: one", "slide 1: three", "fix: to 3:1", "slide 1: two", "fix: to 4.5:1"
    ]  # fmt: skip


def test_an_error_is_one_line_however_long() -> None:
    error = "talk.pptx: ppt/slides/slide1.xml: " + "something is wrong " * 10 + "here"
    failure = DeckResult(deck="talk.pptx", status="failed", error=error)
    assert f"  {error}" in printed([failure]).splitlines()
    assert printed([failure]).startswith("1 deck could not be scored")


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


def quality(deck: str, value: float, version: str = "1") -> DeckResult:
    row = Measurement.of("quality.score", value, direction="higher", version=version)
    return DeckResult(deck=deck, status="scored", measurements=(row,))


def compared(before: dict[str, float], after: list[DeckResult]) -> list[str]:
    earlier = {deck: {"quality.score": (value, "1")} for deck, value in before.items()}
    console = Console(file=io.StringIO(), width=200, force_terminal=False)
    print_comparison(compare_runs("then", earlier, after), console)
    assert isinstance(console.file, io.StringIO)
    return [line.strip() for line in console.file.getvalue().splitlines()]


def test_a_comparison_tells_each_change_and_the_decks_that_came_and_went():
    before = {"a.pptx": 50.0, "b.pptx": 50.0, "c.pptx": 50.0}
    after = [quality("a.pptx", 90.0), quality("b.pptx", 30.0), quality("d.pptx", 50.0)]
    assert compared(before, after) == [
        "against then: 2 decks in both",
        "better: mean of 2 decks: Quality 50.00 -> 60.00",
        "worse: b.pptx: Quality 50.00 -> 30.00",
        "better: a.pptx: Quality 50.00 -> 90.00",
        "new: d.pptx",
        "not in this run: c.pptx",
    ]


def test_a_comparison_of_one_deck_has_no_mean_and_of_equal_runs_says_so():
    assert compared({"a.pptx": 50.0}, [quality("talks/a.pptx", 90.0)]) == [
        "against then: 1 deck in both",
        "better: a.pptx: Quality 50.00 -> 90.00",
    ]
    assert compared({"a.pptx": 50.0}, [quality("a.pptx", 50.0)]) == [
        "against then: 1 deck in both",
        "no deck got better or worse beyond noise",
    ]


def test_many_decks_that_came_are_counted():
    three, four = ([quality(f"{n}.pptx", 50.0) for n in range(count)] for count in (3, 4))
    assert "new: 0.pptx, 1.pptx, 2.pptx" in compared({}, three)
    assert "new: 4 decks" in compared({}, four)


def test_what_was_measured_otherwise_is_named():
    (*_, last) = compared({"a.pptx": 50.0}, [quality("a.pptx", 90.0, version="2")])
    assert last == "not compared: quality.score, measured by version 1 then, 2 now"
