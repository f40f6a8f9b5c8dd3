"""A deck that tells the truth in its own words scores as one that copies, and a false one does not.

The decks were written by hand; a person would say that each pair tells the same.
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import pytest
from tests.evals.judges.scenario.scripts import quote, write_slides

from decklab.documents.reading import read_documents
from decklab.evals.judges.scenario.proxies import SourceFacts, scenario_proxies
from decklab.evals.judges.scenario.shown_deck import read_stated_deck
from decklab.evals.judges.scenario.task import ScenarioTask

FERRY = (
    "The night ferry needs 90 minutes for the crossing.",
    "Half of its passengers travel without a car.",
    "In 2024 the company carried 240,000 passengers, twice as many as in 2019.",
    "Fares rose from 20 to 25 euros.",
    "The harbour is closed on Sundays.",
    "No passenger was hurt in 2024.",
)
FERRY_REWRITTEN = (
    "By night ferry the crossing takes 1.5 hours",
    "50% of the passengers travel without a car",
    "240,000 passengers were carried by the company in 2024: a doubling since 2019",
    "Fares are up by a quarter, from 20 to 25 euros",
    "On Sundays the harbour is not open",
    "In 2024 no passenger was hurt",
)
FERRY_FALSE = (
    "By night ferry the crossing takes 3 hours",
    "20% of the passengers travel without a car",
    "24,000 passengers were carried by the company in 2024",
    "Fares are down by a quarter, from 25 to 20 euros",
    "On Sundays the harbour is open",
    "In 2024 several passengers were hurt",
)
FOREST = (
    "The forest covers 250 ha of the valley.",
    "Beetles killed one in five spruces.",
    "Forty-two volunteers planted 3,000 oaks in spring.",
    "The foresters reject the new road.",
    "Timber brings more money than hunting.",
    "A litre of its spring water costs nothing.",
)
FOREST_REWRITTEN = (
    "2.5 km² of the valley are covered by forest",
    "20% of the spruces were killed by beetles",
    "In spring 3,000 oaks were planted by 42 volunteers",
    "The new road was turned down by the foresters",
    "Hunting brings less money than timber",
    "A litre of its spring water costs nothing",
)
FOREST_FALSE = (
    "25 km² of the valley are covered by forest",
    "50% of the spruces were killed by beetles",
    "In spring 3,000 oaks were planted by 24 volunteers",
    "The new road was accepted by the foresters",
    "Hunting brings more money than timber",
    "A litre of its spring water costs 3 euros",
)


def scores(folder: Path, source: Sequence[str], points: Sequence[str]) -> list[float]:
    """Coverage and faithfulness of a deck with these points for a source with these sentences."""
    (folder / "report.md").write_text("# Report\n\n" + " ".join(source) + "\n")
    halves = [("The first half", points[:3]), ("The second half", points[3:])]
    deck = write_slides(folder / f"{abs(hash(tuple(points)))}.pptx", halves)
    asked = ScenarioTask.model_validate(
        {
            "title": "Report", "setting": "long-doc", "sources": ["report.md"],
            "key_points": [
                {"id": f"p{n}", "statement": text, "evidence": quote("report.md", text)}
                for n, text in enumerate(source)
            ],
        }
    )  # fmt: skip
    facts = SourceFacts(read_documents([folder / "report.md"]))
    found = scenario_proxies(asked, facts, read_stated_deck(deck))
    return [float(one.score) for one in found]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("source", "rewritten", "false"),
    [(FERRY, FERRY_REWRITTEN, FERRY_FALSE), (FOREST, FOREST_REWRITTEN, FOREST_FALSE)],
    ids=["ferry", "forest"],
)
def test_own_words_cost_little_and_false_ones_much(tmp_path, source, rewritten, false):
    copied = scores(tmp_path, source, [one.rstrip(".") for one in source])
    own = scores(tmp_path, source, rewritten)
    wrong = scores(tmp_path, source, false)
    assert copied == [10.0, 10.0]
    assert fmean(own) >= fmean(copied) - 0.5
    assert wrong[1] <= 2.0
