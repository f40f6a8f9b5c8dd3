"""Whether proxies put decks of four qualities in their order, and how that is counted."""

from pathlib import Path
from typing import Any

import pytest
from bench.judged.damages import drop_visuals
from bench.judged.ranked import RankedMetric, handmade_cases, mean_rho, ranked_decks
from pptx import Presentation
from tests.evals.judges.scenario.scripts import write_slides

from decklab.core.results import NotScored
from decklab.documents.reading import read_documents
from decklab.evals.judges.scenario.proxies import SourceFacts, scenario_proxies
from decklab.evals.judges.scenario.shown_deck import read_stated_deck

GONE = NotScored("no visuals")


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RankedMetric]:
    """A task of each setting that has sources."""
    found = {}
    folder = tmp_path_factory.mktemp("ranked")
    for case in handmade_cases(folder, ["wind-farm", "apples", "night-buses"]):
        facts = SourceFacts(read_documents(case.sources))
        decks = [scenario_proxies(case.task, facts, read_stated_deck(one)) for one in case.decks]
        for four in zip(*decks, strict=True):
            name = four[0].name
            found[name] = RankedMetric(case.name, name, tuple(one.score for one in four))
    return found


@pytest.mark.long
def test_every_proxy_of_a_setting_orders_the_four_qualities(
    ranked: dict[str, RankedMetric],
) -> None:
    assert set(ranked) == {
        "key_coverage", "faithfulness", "visual_use", "figure_claim", "chart_fidelity",
        "source_coverage", "integration", "deduplication",
    }  # fmt: skip
    rho = {name: one.rho for name, one in ranked.items() if not isinstance(one.rho, NotScored)}
    # The fair decks say few things and these word for word, so that faithfulness and alignment put
    # them above the thorough ones, which say more in their own words.
    near = {"faithfulness", "figure_claim"}
    assert {name: value for name, value in rho.items() if value < 0.85 and name not in near} == {}
    assert len(rho) == 8
    assert [one.against for name, one in ranked.items() if name not in near and one.against] == []
    for name in near:
        assert set(ranked[name].against) <= {(0, 1)}


def test_rho_and_wrong_pairs_by_hand() -> None:
    # Places 1 to 4 beside scores 5, 9, 2, 1: one pair of six the wrong way, sum of d² = 2.
    one = RankedMetric("a", "m", (5.0, 9.0, 2.0, 1.0))
    assert one.rho == pytest.approx(1 - 6 * 2 / (4 * 15))
    assert one.against == [(0, 1)]
    gap = RankedMetric("b", "m", (5.0, 4.0, GONE, 6.0))
    assert gap.against == [(0, 3), (1, 3)]
    # Places 1, 2, 4 beside ranks 2, 1, 3 from below: d² = 1 + 1 + 4 of 3 decks.
    assert gap.rho == pytest.approx(1 - 6 * 6 / (3 * 8))
    even = RankedMetric("c", "m", (5.0, 5.0, 5.0, 5.0))
    assert isinstance(even.rho, NotScored)
    expected: Any = pytest.approx((0.8 - 0.5) / 2)
    assert mean_rho([one, gap, even]) == {"m": (expected, 2, 3)}


def test_decks_are_spoilt_step_by_step(tmp_path: Path) -> None:
    points = ["Traffic grew by 12% in 2025", "The crane was paid from reserves"]
    best = write_slides(tmp_path / "best.pptx", [(f"Part {n}", points) for n in range(4)])
    four = ranked_decks(best, tmp_path / "strange.pptx")
    decks = [Presentation(str(one)) for one in four[:3]]
    assert [len(deck.slides) for deck in decks] == [4, 2, 2]
    spoilt = [one.text_frame.text for one in decks[2].slides[1].placeholders]
    assert spoilt == ["Part 2", "\nThe crane was paid from reserves"]
    assert four[3].name == "strange.pptx"
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    for _ in range(3):
        slide.shapes.add_table(2, 2, 0, 0, 100, 100)
    drop_visuals(deck)
    assert len(slide.shapes) == 1
