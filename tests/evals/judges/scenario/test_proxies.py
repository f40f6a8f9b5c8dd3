"""What programs see of decks: damaged copies, other documents, decks without anything."""

from pathlib import Path
from typing import Any

import pytest
from bench.judged.moving import Movement, movements, own_cases, proxy_scores, write_plain_deck
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Pt
from tests.evals.judges.scenario.scripts import REPORT, task, write_slides

from decklab.core.results import NotScored
from decklab.documents.reading import read_documents
from decklab.evals.judges.quiz.statements import DeckStatement
from decklab.evals.judges.scenario.drafting import draft_task
from decklab.evals.judges.scenario.matching import SourceStatements, said_in
from decklab.evals.judges.scenario.proxies import (
    SourceFacts,
    deduplication,
    faithfulness,
    integrity_score,
    scenario_proxies,
)
from decklab.evals.judges.scenario.shown_deck import StatedDeck, read_stated_deck
from decklab.evals.judges.scenario.task import SCENARIO_METRICS, ScenarioItem


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> list[Movement]:
    """Every damage of the project's own documents that needs no drawn slides."""
    folder = tmp_path_factory.mktemp("moved")
    return [one for case in own_cases(folder) for one in movements(case, folder, None)]


def test_every_metric_sees_its_own_damage(moved: list[Movement]) -> None:
    assert {one.damage.metric for one in moved} == {
        "key_coverage", "faithfulness", "visual_use", "figure_claim", "chart_fidelity",
        "source_coverage", "integration", "deduplication",
    }  # fmt: skip
    assert [one.damage.name for one in moved if not one.seen] == []


def test_the_other_metrics_stay_nearer(moved: list[Movement]) -> None:
    """One damage is of two metrics: a chart that is gone is not faithful."""
    farther = {one.damage.name for one in moved if not one.nearer}
    assert farther <= {"visuals removed"}


@pytest.fixture
def facts(tmp_path: Path) -> SourceFacts:
    (tmp_path / "report.md").write_text(REPORT)
    return SourceFacts(read_documents([tmp_path / "report.md"]))


def stated(folder: Path, *points: str) -> StatedDeck:
    return read_stated_deck(write_slides(folder / "deck.pptx", [("A title", points)]))


@pytest.mark.parametrize(
    ("point", "state"),
    [
        ("In 2025 container traffic grew by 12%", 1.0),
        ("Container traffic grew by 13% in 2025", 0.5),  # its year is there, its growth is not
        ("Container traffic grew by 13% in 2024", 0.5),  # said with wrong numbers: less exactly
        ("Traffic of ships fell by 13% in 2024", 0.0),
        ("The gardens were closed", 0.0),
    ],
)
def test_a_fact_is_said_with_its_words_and_numbers(tmp_path: Path, point: str, state: float):
    said = said_in("Container traffic grew by 12% in 2025.", stated(tmp_path, point))
    assert said.state == state


def test_a_fact_in_pieces_over_one_slide_is_said_in_part(tmp_path: Path) -> None:
    fact = "Container traffic grew by 12% while energy costs fell and staff numbers stayed level."
    pieces = ("Container traffic", "Grew 12%", "Energy costs fell", "Staff numbers", "Stayed level")
    spread = said_in(fact, stated(tmp_path, *pieces))
    assert (spread.state, spread.slide, spread.evidence) == (0.5, 1, "spread over slide 1")
    wrong = said_in(fact, stated(tmp_path, *pieces[:1], "Grew 13%", *pieces[2:]))
    assert wrong.state == 0.0
    assert said_in(fact, stated(tmp_path, *pieces[:2])).state == 0.0
    halves = [("A title", pieces[:2]), ("Another", pieces[2:])]
    two = read_stated_deck(write_slides(tmp_path / "two.pptx", halves))
    assert said_in(fact, two).state == 0.0


@pytest.mark.parametrize(
    ("claim", "supported", "told"),
    [
        ("The crane cost €4,200,000", True, ""),
        ("The crane cost 4.3 million euros", False, "it says 4300000 EUR, the source 4200000 EUR"),
        ("Q3 | Ships | 301", True, ""),
        ("Q3 | Ships | 310", False, "it says 310, the source 301"),
        ("A storm destroyed the lighthouse", False, "no source"),
    ],
)
def test_a_claim_is_supported_by_a_sentence_with_its_numbers(facts, claim, supported, told):
    found = facts.statements.support(DeckStatement(1, claim))
    assert found.supported is supported
    assert told in found.evidence


def test_names_with_a_number_stand_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "tool.md").write_text("# Tool\n\nThe lme4 package fits mixed models of any size.\n")
    sources = SourceStatements(read_documents([tmp_path / "tool.md"]))
    assert sources.support(DeckStatement(1, "lme4 fits mixed models")).supported
    other = sources.support(DeckStatement(1, "The lme19 package fits mixed models of any size"))
    assert not other.supported and "no source has lme19 there" in other.evidence
    deck = stated(tmp_path, "The lme19 package fits mixed models of any size")
    assert said_in("The lme4 package fits mixed models of any size.", deck).state == 0.5


def test_cells_of_one_row_together_support_a_claim(tmp_path: Path) -> None:
    rows = ("| Cost | 2023 | 2024 | 2025 |", "|---|---|---|---|", "| Energy | 6.4 | 6.1 | 4.8 |")
    (tmp_path / "costs.md").write_text("\n".join(("# Costs", "", *rows, "")))
    sources = SourceStatements(read_documents([tmp_path / "costs.md"]))
    claim = "Energy: {} in 2025, down from 6.4 in 2023"
    assert sources.support(DeckStatement(1, claim.format("4.8"))).supported
    assert not sources.support(DeckStatement(1, claim.format("4.1"))).supported


HOUSES = """# Houses

The town has 64 kilometres of iron pipe. It is old. Trams go past. A park was opened near a church.
Two wells were dug at Hagen in spring. Rain fell often. Boats were hired. Young people liked them.
The council talks of smart meters for all households.

| Well | Keeper |
|---|---|
| Hagen | Moor |
"""


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("64 kilometres of iron pipe, two wells at Hagen, smart meters for all households", True),
        ("64 kilometres of iron pipe, two wells at Hagen, solar roofs for all households", False),
        ("66 kilometres of iron pipe, two wells at Hagen, smart meters for all households", False),
        ("64 kilometres of iron pipe, Hagen, smart meters for all households", False),
        ("Hagen well keeper Moor served 12 years", False),  # a row without a number
    ],
)
def test_a_claim_that_lists_parts_is_supported_where_each_part_is(
    tmp_path: Path, claim: str, verdict: bool
) -> None:
    (tmp_path / "houses.md").write_text(HOUSES)
    sources = SourceStatements(read_documents([tmp_path / "houses.md"]))
    assert sources.support(DeckStatement(1, claim)).supported is verdict


def test_an_amount_of_each_is_a_claim_with_the_line_above_it_and_the_day_is_none(
    tmp_path: Path, facts: SourceFacts
) -> None:
    slides = [
        ("A talk", ("Meeting of the owners, 9 May 2026", "Meeting 12, 9 May 2026")),
        ("Next", ("Three gearboxes will fail before 2028", "600,000 euros each")),
    ]
    deck = read_stated_deck(write_slides(tmp_path / "deck.pptx", slides))
    assert "Three gearboxes will fail before 2028 600,000 euros each" in {
        claim.text for claim in deck.claims
    }
    judged = faithful(tmp_path, facts, deck)
    assert "Meeting of the owners, 9 May 2026" not in judged
    assert "Meeting 12, 9 May 2026" in judged
    assert "600,000 euros each" not in judged


def test_numbers_that_count_chapters_claim_nothing(tmp_path: Path) -> None:
    points = ("Harbour traffic", "1", "The new crane", "2", "48 ships came")
    claims = stated(tmp_path, *points).claims
    assert [one.text for one in claims] == ["48 ships came"]


def faithful(folder: Path, facts: SourceFacts, deck: StatedDeck) -> dict[str, float | None]:
    """The states of the deck's claims by their texts."""
    found = faithfulness(facts.statements, facts.visuals, deck)
    return {one.text: one.state for one in found}  # type: ignore[misc]


def test_a_change_is_two_numbers_and_a_cell_has_the_unit_of_its_column(tmp_path: Path) -> None:
    text = "# Water\n\nLeakage fell from 21 percent of the water in 2020 to 13 percent in 2025. "
    text += "The works spent 18.4 million euros on new pipes.\n"
    (tmp_path / "water.md").write_text(text)
    sources = SourceStatements(read_documents([tmp_path / "water.md"]))
    for claim, said in (
        ("Leakage fell from 21 to 13 percent", True),
        ("Leakage fell to 13 percent of the water", True),
        ("Leakage fell from 21 to 12 percent", False),
        ("New pipes | Million euros | 18.4", True),
        ("New pipes | Cost (million euros) | 18.4", True),
        ("New pipes | Million euros | 18.5", False),
        ("New pipes | Million litres | 18.4", False),
    ):
        assert sources.support(DeckStatement(1, claim)).supported is said, claim


def test_headings_claim_nothing_and_a_large_number_claims_once(
    tmp_path: Path, facts: SourceFacts
) -> None:
    slides = [
        ("The harbour: 2025 and after", ["4.2 million euros", "the crane cost", "12%",
                                         "more container traffic"]),
        ("What the year has brought us", ["Accidents fell from 14 to 9"]),
        ("Accidents fell from 14 to 8", ["In one year"]),
    ]  # fmt: skip
    deck = read_stated_deck(write_slides(tmp_path / "deck.pptx", slides))
    assert faithful(tmp_path, facts, deck) == {
        "4.2 million euros the crane cost": 1.0,
        "12% more container traffic": 1.0,
        "Accidents fell from 14 to 9": 1.0,
        "Accidents fell from 14 to 8": 0.0,
    }


def test_values_of_a_chart_that_draws_a_picture_anew_do_not_count(tmp_path: Path) -> None:
    Image.linear_gradient("L").save(tmp_path / "one.png")
    text = "# Water\n\nLeakage fell.\n\n![Figure 1: Leakage in percent of the water](one.png)\n"
    (tmp_path / "water.md").write_text(text)
    facts = SourceFacts(read_documents([tmp_path / "water.md"]))
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Water"
    data: Any = CategoryChartData()
    data.categories = ["2020", "2025"]
    data.add_series("Percent of the water", (21, 13))
    kind = XL_CHART_TYPE.COLUMN_CLUSTERED
    slide.shapes.add_chart(kind, 0, 0, 4000000, 3000000, data)
    deck.save(str(tmp_path / "deck.pptx"))
    found = faithful(tmp_path, facts, read_stated_deck(tmp_path / "deck.pptx"))
    assert set(found.values()) == {None} and len(found) == 2
    metric = SCENARIO_METRICS["faithfulness"].score(())
    assert metric == NotScored("the deck makes no claims")


def test_a_deck_that_states_nothing_makes_no_claims(tmp_path: Path, facts: SourceFacts) -> None:
    Presentation().save(str(tmp_path / "empty.pptx"))
    empty = read_stated_deck(tmp_path / "empty.pptx")
    coverage, faith = scenario_proxies(task(), facts, empty)
    assert coverage.score == 0.0
    assert faith.score == NotScored("the deck makes no claims")


def test_without_sources_nothing_is_supported(tmp_path: Path) -> None:
    nothing = SourceStatements(read_documents([]))
    assert not nothing.support(DeckStatement(1, "Traffic grew by 12%")).supported


def test_notes_hidden_slides_and_alternative_texts_are_not_said(tmp_path: Path) -> None:
    deck = Presentation()
    hidden = deck.slides.add_slide(deck.slide_layouts[1])
    hidden.placeholders[1].text = "Container traffic grew by 12% in 2025"
    hidden._element.set("show", "0")
    shown = deck.slides.add_slide(deck.slide_layouts[1])
    shown.notes_slide.notes_text_frame.text = "Container traffic grew by 12% in 2025"
    deck.save(str(tmp_path / "deck.pptx"))
    read = read_stated_deck(tmp_path / "deck.pptx")
    assert (read.slides, read.claims) == (1, ())


def test_a_defect_that_could_not_be_looked_for_is_no_score() -> None:
    assert integrity_score([]) == NotScored("the deck has no slides")
    gone = ScenarioItem("deck", "", NotScored("not drawn"))
    assert integrity_score([gone]) == NotScored("deck: not drawn")


def test_the_deck_of_another_document_covers_nothing(tmp_path: Path) -> None:
    case = next(iter(own_cases(tmp_path)))
    write_plain_deck([("Cats", ("Cats sleep for 16 hours a day", "A cat has 18 toes"))], case.deck)
    scores = proxy_scores(case, case.deck, None)
    assert scores == {"key_coverage": 0.0, "faithfulness": 0.0}


@pytest.mark.parametrize(
    ("slides", "state"),
    [
        ([("Cats", ["Cats sleep"])], None),
        ([("The crane cost 4.2 million euros", ["It was new"])], 1.0),
        ([("The crane", ["The crane cost 4.2 million euros and was new"])], 1.0),
        ([("One", ["The crane cost 4.2 million euros"]),
          ("Two", ["The crane cost 4.2 million euros, says the council"])], 0.5),
        ([(name, ["The crane cost 4.2 million euros"]) for name in ("One", "Two", "Three")], 0.0),
    ],
)  # fmt: skip
def test_a_theme_is_told_once_or_again(tmp_path: Path, slides: list[Any], state: float | None):
    members = [
        {"document": name, "quote": "The crane cost 4.2 million euros."} for name in ("a", "b")
    ]
    asked = task(overlaps=[{"id": "cost", "theme": "The cost", "members": members}])
    deck = read_stated_deck(write_slides(tmp_path / "deck.pptx", slides))
    (item,) = deduplication(asked, deck)
    assert item.state == state


def test_drafts_of_several_sources_find_what_they_share(tmp_path: Path) -> None:
    case = list(own_cases(tmp_path))[-1]
    drafted = draft_task("multi-source", case.facts.sources)
    assert {one.evidence.document for one in drafted.contributions} == {"harbour.md", "council.md"}
    themes = " ".join(one.theme for one in drafted.overlaps)
    assert "31 countries" in themes and "4.2 million" in themes


def test_claims_in_a_box_of_one_point_are_not_stated(tmp_path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Traffic doubled to 31 ships"
    deck.save(str(tmp_path / "honest.pptx"))
    box = slide.shapes.add_textbox(0, 0, 5_000_000, 900_000)
    box.text_frame.text = "The crane cost 4.2 million euros"
    box.text_frame.paragraphs[0].runs[0].font.size = Pt(1)
    deck.save(str(tmp_path / "stuffed.pptx"))
    honest, stuffed = (
        read_stated_deck(tmp_path / name) for name in ("honest.pptx", "stuffed.pptx")
    )
    assert [claim.text for claim in honest.claims] == ["Traffic doubled to 31 ships"]
    assert [claim.text for claim in stuffed.claims] == ["Traffic doubled to 31 ships"]


@pytest.mark.parametrize(
    ("note", "state"),
    [
        ("Computed: −36 % = (9 - 14) / 14 (report.md, “from 14 to 9”)", 1.0),
        ("Computed: −36 % = (9 - 14) / 9 (report.md, “from 14 to 9”)", 0.0),  # −56 %
        ("Computed: −36 % = (90 - 140) / 140 (report.md, “from 14 to 9”)", 0.0),  # no source has 90
        ("Computed: −36 % = (9 - 14) / 14 (other.md, “from 14 to 9”)", 0.0),
        ("", 0.0),
    ],
)
def test_a_computed_number_is_stated_if_its_formula_holds(
    note: str, state: float, facts: SourceFacts, tmp_path: Path
) -> None:
    path = write_slides(
        tmp_path / "deck.pptx", [("Harbour", ["Accidents fell from 14 to 9 in one year, −36 %"])]
    )
    prs = Presentation(str(path))
    for slide in prs.slides:
        slide.notes_slide.notes_text_frame.text = note
    prs.save(str(path))
    items = list(faithfulness(facts.statements, facts.visuals, read_stated_deck(path)))
    assert [item.state for item in items] == [state]
