import re
from collections.abc import Callable
from math import dist
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.core.geometry import Box
from decklab.core.results import DeckResult
from decklab.pages.pictures import SlidePicture
from decklab.scoring.reports.leaderboard_page import (
    COVER_BUDGET,
    MATRIX_NARROW,
    MATRIX_WIDE,
    LeaderboardRow,
    matrix,
    write_index,
)
from decklab.scoring.reports.slide_charts import PlotArea

FRAMES = pytest.mark.parametrize("frame", [MATRIX_WIDE, MATRIX_NARROW])
DECKS = st.lists(st.tuples(st.floats(-30, 45), st.integers(0, 5)), min_size=2, max_size=60)


def rows(decks: list[tuple[float, int]]) -> list[LeaderboardRow]:
    return [
        LeaderboardRow(
            deck=f"a deck with a name {i}.pptx",
            status="scored",
            values={"aesthetics.total": total, "editability.level": float(level)},
        )
        for i, (total, level) in enumerate(decks)
    ]


@FRAMES
@given(decks=DECKS)
def test_a_dot_is_right_of_the_boundary_from_level_3_on_and_above_it_from_the_median_on(
    frame: PlotArea, decks: list[tuple[float, int]]
) -> None:
    shown = matrix(rows(decks), frame)
    assert shown is not None
    assert len(shown.dots) == len(decks)
    middle = median(total for total, _ in decks)
    assert shown.median == pytest.approx(middle)
    for dot in shown.dots:
        assert dot.row.level is not None
        assert dot.row.total is not None
        assert (dot.x > shown.boundary_x) == (dot.row.level >= 3)
        if abs(dot.row.total - middle) > 1e-6:
            assert (dot.y < shown.boundary_y) == (dot.row.total > middle)
        assert frame.left <= dot.x <= frame.right
        # Above and below lie the names of the quadrants, two lines each.
        assert frame.top + 40 < dot.y < frame.bottom - 40


@FRAMES
@given(decks=DECKS)
def test_labels_cover_no_dot_and_no_other_label(
    frame: PlotArea, decks: list[tuple[float, int]]
) -> None:
    shown = matrix(rows(decks), frame)
    assert shown is not None
    boxes: list[Box] = []
    for dot in shown.dots:
        if not dot.label:
            continue
        width = 6.5 * len(dot.label)
        left = dot.label_x - {"start": 0, "middle": width / 2, "end": width}[dot.anchor]
        boxes.append(Box(left, dot.label_y - 9, left + width, dot.label_y + 2))
    for i, box in enumerate(boxes):
        assert not any(box.intersection(other).area for other in boxes[:i])
        assert not any(box.left < dot.x < box.right and box.top < dot.y < box.bottom
                       for dot in shown.dots)  # fmt: skip


def test_few_decks_with_one_score_lie_side_by_side() -> None:
    shown = matrix(rows([(20.0, 2)] * 7), MATRIX_WIDE)
    assert shown is not None
    spots = [(dot.x, dot.y) for dot in shown.dots]
    apart = min(dist(a, b) for i, a in enumerate(spots) for b in spots[:i])
    assert apart >= 2 * shown.radius - 1e-9


@pytest.mark.long
def test_five_hundred_decks_are_all_drawn() -> None:
    shown = matrix(rows([(15 + i % 97 / 10, i % 6) for i in range(500)]), MATRIX_WIDE)
    assert shown is not None
    assert len(shown.dots) == 500
    assert 0 < shown.unlabelled < 500


def test_one_deck_or_decks_without_scores_make_no_matrix() -> None:
    unscored = LeaderboardRow(deck="x", status="scored", values={"aesthetics.total": 3.0})
    assert matrix(rows([(20.0, 2)]), MATRIX_WIDE) is None
    assert matrix([*rows([(20.0, 2)]), unscored], MATRIX_WIDE) is None


ResultMaker = Callable[..., DeckResult]


def written(path: Path, rows: list[LeaderboardRow]) -> str:
    write_index(path, iter(rows), generated_by="decklab 9.9")
    return path.read_text("utf-8")


def cover(size: int, seed: int = 0) -> SlidePicture:
    return SlidePicture(b"\xff\xd8\xff" + seed.to_bytes(4, "big") + bytes(size - 7), 320, 180)


def test_one_deck_has_a_leaderboard_and_no_matrix(tmp_path: Path, scored: ResultMaker) -> None:
    source = written(tmp_path / "i.html", [LeaderboardRow.of(scored(), page="decks/k.html")])
    assert 'href="./decks/k.html"' in source
    assert "matrix" not in source
    assert "25.75" in source


def test_two_decks_have_a_matrix_with_named_quadrants(tmp_path: Path, scored: ResultMaker) -> None:
    decks = [scored(deck="a.pptx"), scored(deck="b.pptx", level=4, parts=(1.0, 2.0, 3.0, 4.0))]
    source = written(tmp_path / "i.html", [LeaderboardRow.of(deck) for deck in decks])
    for name in ("North Star", "Skeleton", "Poster", "Snapshot"):
        assert name in source
    assert "17.88" in source  # The median of 25.75 and 10, to two decimals.
    assert "median" in source


def test_without_script_the_best_deck_is_first(tmp_path: Path, scored: ResultMaker) -> None:
    decks = [scored(deck=f"deck{i}.pptx", parts=(i, 1.0, 1.0, 1.0)) for i in (3.0, 9.0, 5.0)]
    source = written(tmp_path / "i.html", [LeaderboardRow.of(deck) for deck in decks])
    order = re.findall(r'data-value="(deck[\d.]+)\.pptx"', source)
    assert order == ["deck9.0", "deck5.0", "deck3.0"]


def test_failed_decks_are_listed_with_their_line(
    tmp_path: Path, failed: DeckResult, scored: ResultMaker
) -> None:
    both = [LeaderboardRow.of(failed), LeaderboardRow.of(scored())]
    source = written(tmp_path / "i.html", both)
    assert "ppt/slides/slide4.xml: the bytes of the part are damaged" in source
    assert "1 more deck could not be scored" in source


def test_nothing_scored_is_still_a_page(tmp_path: Path, failed: DeckResult) -> None:
    assert "No deck could be scored." in written(tmp_path / "a", [LeaderboardRow.of(failed)])
    assert "No deck could be scored." in written(tmp_path / "b", [])


def test_decks_of_one_name_are_told_apart_by_their_folder(
    tmp_path: Path, scored: ResultMaker
) -> None:
    rows = [LeaderboardRow.of(scored(deck=f"{year}/kickoff.pptx")) for year in (2024, 2025)]
    rows.append(LeaderboardRow.of(scored(deck="else/other.pptx")))
    source = written(tmp_path / "i.html", rows)
    assert re.findall(r'class="path"[^>]*>([^<]*)<', source) == ["2024", "2025"]


@pytest.mark.long
def test_covers_stay_within_their_budget_and_the_best_decks_keep_theirs(
    tmp_path: Path, scored: ResultMaker
) -> None:
    base = scored()
    rows = [
        LeaderboardRow.of(base.model_copy(update={"deck": f"d{i:03}.pptx"}), cover=cover(20_000, i))
        for i in range(500)
    ]
    best = LeaderboardRow.of(scored(deck="best.pptx", parts=(5.0, 9.0, 9.0, 9.0)),
                             cover=cover(20_000, 999))  # fmt: skip
    source = written(tmp_path / "i.html", [*rows, best])
    shown = source.count("data:image/jpeg")
    assert shown == COVER_BUDGET // 20_000
    assert best.cover is not None
    assert best.cover.uri in source
    assert len(source) < 6_000_000


def test_no_deck_text_becomes_markup(tmp_path: Path, hostile: DeckResult) -> None:
    spoiled = LeaderboardRow.of(hostile, page='decks/"><script>.html')
    broken = LeaderboardRow(deck=hostile.deck, status="failed", error=hostile.deck)
    other = LeaderboardRow.of(hostile.model_copy(update={"deck": "x/" + hostile.deck}))
    source = written(tmp_path / "i.html", [spoiled, broken, other])
    assert source.count("<script") == 1
    assert "<img src=x" not in source
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", source)
    assert "./decks/%22%3E%3Cscript%3E.html" in source


def test_a_page_address_has_no_scheme_or_host(tmp_path: Path, scored: ResultMaker) -> None:
    rows = [
        LeaderboardRow.of(scored(deck=f"{i}.pptx"), page=page)
        for i, page in enumerate(("javascript:alert(1)", "//elsewhere.example/x"))
    ]
    source = written(tmp_path / "i.html", rows)
    links = set(re.findall(r'href="([^"#]*)"', source)) - {"data:,"}
    assert links == {"./javascript%3Aalert%281%29", ".///elsewhere.example/x"}


@pytest.mark.parametrize(
    ("totals", "labels"),
    [
        ((0.0, 45.0), ["0", "10", "20", "30", "40", "50"]),
        ((12.0, 18.0), ["12", "13", "14", "15", "16", "17", "18"]),
        ((-3.0, 4.0), ["-4", "-2", "0", "2", "4"]),
        ((20.0, 20.5), ["20.0", "20.2", "20.4", "20.6"]),
        ((20.0, 20.0), ["20.0", "20.2"]),
    ],
)
def test_the_scale_of_totals_has_a_few_round_steps(
    totals: tuple[float, float], labels: list[str]
) -> None:
    shown = matrix(rows([(total, 2) for total in totals]), MATRIX_WIDE)
    assert shown is not None
    assert [tick.label.replace("\u2212", "-") for tick in shown.y_ticks] == labels
    places = [tick.at for tick in shown.y_ticks]
    assert places == sorted(places, reverse=True)


@FRAMES
def test_each_quadrant_has_its_name_in_its_corner(frame: PlotArea) -> None:
    shown = matrix(rows([(10.0, 1), (30.0, 5)]), frame)
    assert shown is not None
    corners = {
        quadrant.name: (quadrant.y < shown.boundary_y, quadrant.x > shown.boundary_x)
        for quadrant in shown.quadrants
    }
    # above: looks good; right: edits well
    assert corners == {
        "North Star": (True, True), "Poster": (True, False),
        "Snapshot": (False, False), "Skeleton": (False, True),
    }  # fmt: skip
