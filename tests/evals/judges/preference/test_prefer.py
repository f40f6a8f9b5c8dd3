"""``decklab prefer``: from decks of pictures to scores that ``decklab agree`` reads."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tests.evals.judges.preference.conftest import asking_by, judgement
from tests.evals.judges.preference.test_arena import brighter
from tests.evals.judges.preference.test_rating import MARKS
from tests.openai_server import prompt_of, serving
from typer.testing import CliRunner

from decklab import evals
from decklab.cli.judge import app
from decklab.core.errors import DeckError
from decklab.core.options import Spending
from decklab.evals.judges.preference.page import write_preference_scores
from decklab.models.asking import Budget, RunCosts
from decklab.models.asking_loop import QUESTION, sight_number
from decklab.models.inspect import asking


@pytest.fixture
def decks(tmp_path: Path) -> list[Path]:
    """Folders of pictures, which need no program to be drawn: topic 5G, products one and two."""
    found = []
    for name, shade in (("one", 240), ("two", 60)):
        folder = tmp_path / "5G" / name
        folder.mkdir(parents=True)
        Image.fromarray(np.full((54, 96, 3), shade, np.uint8)).save(folder / "1.png")
        found.append(folder)
    return found


def test_scores_go_to_agree_by_their_paths(decks, tmp_path):
    found = evals.prefer(decks, model=asking_by(brighter), task="5G", ways=["arena"])
    write_preference_scores(tmp_path / "scores.csv", found)
    with (tmp_path / "scores.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert {row["metric"] for row in rows} == {"preference.bradley_terry", "preference.elo"}
    ranks = tmp_path / "ranks.csv"
    ranks.write_text("topic,annotator,product,rank\n5G,ann,one,1\n5G,ann,two,2\n")
    agreed = evals.agree(tmp_path / "scores.csv", ranks)
    assert [row.pairwise for row in agreed.metrics] == [1.0, 1.0]


def test_json_has_scores_meetings_and_flicker(decks):
    def rule(prompt, images):
        return judgement("A") if "Deck B" in prompt else json.dumps(MARKS)

    ask = asking_by(rule)
    found = evals.prefer(decks, model=ask, task="5G", ways=["arena", "rating"], repeats=2)
    plain = json.loads(json.dumps(found.as_json()))
    assert plain["arena"]["flicker"] == 1.0
    assert plain["arena"]["repeat_flicker"] == 0.0
    assert len(plain["arena"]["meetings"]) == 2
    assert len(plain["samples"][str(decks[0])]["rating"]) == 2
    assert len(ask.asked) == 8
    assert found.not_scored == ()


def test_the_command_asks_nothing_twice(decks, tmp_path, monkeypatch):
    model = "openai-api/loopback/prefer-test"

    def script(request):
        if QUESTION in prompt_of(request):
            return sight_number(model)
        return judgement("A")

    with serving(script) as server:
        monkeypatch.setenv("LOOPBACK_API_KEY", "none")
        monkeypatch.setenv("LOOPBACK_BASE_URL", f"{server.url}/v1")
        words = [*map(str, decks), "--prompt", "5G", "--model", model, "--how", "arena", "--json"]
        words += ["--record", str(tmp_path / "record")]
        before = CliRunner().invoke(app, ["prefer", *words])
        asked = len(server.requests)
        again = CliRunner().invoke(app, ["prefer", *words])
    assert before.exit_code == again.exit_code == 0, before.output
    assert asked == 3  # whether it sees, and the pair in both orders
    assert len(server.requests) == asked
    found = json.loads(before.stdout)
    assert found["arena"]["flicker"] == 1.0
    assert json.loads(again.stdout)["arena"] == found["arena"]


def test_without_a_model_it_refuses_and_says_what_works_without(decks):
    done = CliRunner().invoke(app, ["prefer", *map(str, decks), "--prompt", "5G"])
    assert done.exit_code == 2
    assert "decklab score" in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("more", "cause"),
    [(["--how", "taste"], "is none of arena"), (["--how", "arena"], "two decks at least")],
)
def test_usage_errors(decks, more, cause):
    words = [str(decks[0]), "--prompt", "5G", "--model", "mockllm/model", *more]
    done = CliRunner().invoke(app, ["prefer", *words])
    assert done.exit_code == 2
    assert cause in done.output


def test_what_does_not_go_together_is_refused_before_anything_is_asked(decks):
    ask = asking_by(brighter)
    wrong: list[dict[str, Any]] = [{"ways": ["taste"]}, {"ways": []}, {"repeats": 0}]
    for how in wrong:
        with pytest.raises(ValueError, match=r"way|once"):
            evals.prefer(decks, model=ask, task="5G", **how)
    with pytest.raises(ValueError, match="named twice"):
        evals.prefer([decks[0]] * 2, model=ask, task="5G")
    with pytest.raises(DeckError):
        evals.prefer([decks[0], decks[0].parent / "none.pptx"], model=ask, task="5G")
    assert ask.asked == []


def test_a_spent_budget_leaves_meetings_unscored(decks):
    with serving([judgement("A")]) as server:
        costs = RunCosts(Budget(tokens=1))
        with asking(server.model(), account=costs) as ask:
            found = evals.prefer(decks, model=ask, task="5G", spending=Spending(tokens=1))
    assert found.not_scored
    assert "budget" in found.not_scored[0]
