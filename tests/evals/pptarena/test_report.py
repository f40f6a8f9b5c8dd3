import json
import re
from pathlib import Path

import numpy as np
import pytest
from tests.evals.pptarena.one_editor import run_cases

from decklab.core.errors import ModelFailed
from decklab.core.results import NotScored
from decklab.evals.editors.protocol import EditSession, trusted
from decklab.evals.judges.editing.verdict import EditVerdict
from decklab.evals.pptarena.cases import CaseSet, Decks, Image
from decklab.evals.pptarena.reference_scores import Companions
from decklab.evals.pptarena.report import ArenaEditor, case_pictures, results_json, write_pages
from decklab.evals.pptarena.running import BASELINES
from decklab.evals.pptarena.session import run_session
from decklab.models.asking import ModelReply, Usage
from decklab.pages.files import strict_json

# Inspect leaves a memory stream or two to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

PAPER = np.full((90, 160, 3), 255, np.uint8)


class Painted(Decks):
    """Decks of two slides; a square on the first where the deck is not the original."""

    def pictures(self, path: Path, *, again: bool = False) -> tuple[Image, ...] | NotScored:
        first = PAPER.copy()
        if "original" not in str(path):
            first[30:60, 40:80] = (200, 20, 20) if "ground_truth" in str(path) else (20, 20, 200)
        return first, PAPER


@pytest.mark.long
def test_a_case_shows_the_slides_that_changed_and_where_they_are_not_the_truths(
    starter: CaseSet, tmp_path: Path
) -> None:
    with Painted() as decks:
        [crew, _] = run_cases(starter, BASELINES["commands"], tmp_path, decks=decks)
        told = case_pictures(crew, decks)
    [slide] = told.slides
    assert slide.number == 1
    assert slide.likeness is not None
    assert slide.likeness < 1
    [region] = slide.regions  # in the frame of 960 x 540
    assert (region.left, region.top, region.right, region.bottom) == (240, 180, 480, 360)
    assert isinstance(crew.companions, Companions)
    assert crew.companions.missing_words == crew.companions.unasked_words == ()
    assert any("six" in line for line in crew.companions.matched_words)


@pytest.mark.long
def test_pages_link_to_each_other_and_tell_scores_and_reasons(
    starter: CaseSet, tmp_path: Path
) -> None:
    def judge(*_: object) -> tuple[EditVerdict, EditVerdict]:
        none = NotScored("the judge's reply does not fit: <b>")
        return EditVerdict(2.0, "Only <half> of it.", model="one"), EditVerdict(none, none.reason)

    with Painted() as decks:
        run = run_session(
            starter, {"noop": BASELINES["noop"], "truth": BASELINES["truth"]}, tmp_path / "made",
            decks=decks, judges=[judge], attempts=starter.path.parent,
        )  # fmt: skip
        index = write_pages(run, tmp_path / "out", decks).read_text()
    assert "./cases/truth/where-to-sign-up.html" in index
    assert starter.version in index
    assert "<b>VQ of noop, truth</b> <bdi>the judge&#39;s reply does not fit: &lt;b&gt;" in index
    assert "<b>IF, VQ of attempt: collateral, attempt: partial, attempt: wrong-slide" in index
    assert "<b>Board</b>" in index
    board = {row.name: row.cells for row in run.board.rows}
    assert board["noop"]["scored"].mean == 0.0  # neither case has both marks
    assert board["noop"]["rank"].mean == 0.0
    assert not re.search(r"""(src|href)=["']?https?:""", index)
    assert "4 of 6" in index  # by recall, which sees no collateral damage
    page = (tmp_path / "out" / "cases" / "noop" / "crew-leaders.html").read_text()
    assert "../../index.html" in page
    assert "IF (one)" in page
    assert "Only &lt;half&gt; of it." in page
    assert "does not fit: &lt;b&gt;" in page
    assert page.count("<image ") == 3
    assert starter.cases[0].style_target.split(";")[0] in page


def test_the_page_of_a_case_that_was_not_compared_claims_nothing(
    starter: CaseSet, tmp_path: Path
) -> None:
    def fails(deck: Path, instruction: str, session: EditSession) -> None:
        session.spend(ModelReply("", usage=Usage(1000, 200, 1.0, 1)))
        raise ModelFailed("some/model", "no reply came")

    with Decks(pictures=False) as decks:
        run = run_session(
            starter, {"one": lambda case: trusted(fails)}, tmp_path / "made", decks=decks,
            check=False,
        )  # fmt: skip
        write_pages(run, tmp_path / "out", decks)
    page = (tmp_path / "out" / "cases" / "one" / "crew-leaders.html").read_text()
    assert "Not compared: <bdi>some/model: no reply came</bdi>" in page
    assert "all that was asked is there" not in page
    assert "nothing else was changed" not in page
    assert " s, 1,200 tokens: <bdi>" in page


def test_results_are_json_with_reasons_in_place_of_missing_values(
    starter: CaseSet, tmp_path: Path
) -> None:
    with Decks(pictures=False) as decks:
        found = run_cases(starter, BASELINES["noop"], tmp_path, decks=decks)
    told = json.loads(strict_json(results_json([ArenaEditor("noop", found)])))["noop"]
    values = told["cases"][0]["values"]
    assert values["IF"] == {"value": None, "reason": "no judge was asked"}
    assert values["precision"] == {"value": None, "reason": "nothing was changed"}
    assert values["recall"] == {"value": 0.0}
    total = told["summary"][-1]
    assert (total["name"], total["preservation"]["mean"]) == ("All cases", 1.0)
    assert total["preservation"]["scored"] == 2
    assert len(told["cases"][0]["missing"]) == 3


@pytest.mark.long
@pytest.mark.office
def test_real_slides_are_drawn_once_and_truths_look_like_themselves(
    starter: CaseSet, tmp_path: Path
) -> None:
    with Decks() as decks:
        [crew] = run_cases(starter.cases[:1], BASELINES["commands"], tmp_path, decks=decks)
        pictures = decks.pictures(crew.prediction)
        assert decks.pictures(crew.prediction) is pictures
        told = case_pictures(crew, decks)
    assert crew.value("visual") == pytest.approx(1, abs=1e-6)
    assert [slide.number for slide in told.slides] == [6]
    assert told.slides[0].regions == ()
