"""Systems by their decks: topics are pooled, what cannot be drawn is told; the page of it."""

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.evals.judges.preference.conftest import asking_by, judgement
from tests.evals.judges.preference.test_arena import brighter
from typer.testing import CliRunner

from decklab import evals
from decklab.cli.judge import app
from decklab.evals.judges.preference.page import write_preference_page
from decklab.evals.judges.preference.prefer import find_topic_decks


def write_grey_deck(path: Path, shade: int) -> None:
    """A PDF of two grey pages, which needs no LibreOffice."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pages = [Image.fromarray(np.full((54, 96, 3), shade, np.uint8)) for _ in range(2)]
    pages[0].save(path, save_all=True, append_images=pages[1:])


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """Two systems, two topics of both; a topic of one alone, and a topic with a broken deck."""
    for topic, light, dark in (("5G", 240, 60), ("wind", 200, 100)):
        write_grey_deck(tmp_path / "bright" / f"{topic}.pdf", light)
        write_grey_deck(tmp_path / "dark" / f"{topic}.pdf", dark)
    write_grey_deck(tmp_path / "dark" / "alone.pdf", 30)
    write_grey_deck(tmp_path / "dark" / "broken.pdf", 30)
    (tmp_path / "bright" / "broken.pdf").write_bytes(b"nothing")
    return [tmp_path / "bright", tmp_path / "dark"]


def test_systems_meet_topic_by_topic(folders):
    ask = asking_by(brighter)
    found = evals.prefer_systems(folders, model=ask, task="A talk on {topic}")
    assert found.decks == ("bright", "dark")
    assert [(one.name, one.won, one.lost) for one in found.arena.strengths] == [
        ("bright", 2, 0), ("dark", 0, 2),
    ]  # fmt: skip
    assert [topic.task for topic in found.topics] == ["A talk on 5G", "A talk on wind"]
    assert sum("A talk on wind" in prompt for prompt, _ in ask.asked) == 2
    lost = " ".join(found.not_scored)
    assert "alone.pdf: no other system" in lost
    assert "broken.pdf" in lost
    rows = [row["deck"] for row in found.records() if row["metric"] == "preference.elo"]
    assert sorted(rows) == sorted(str(f / f"{t}.pdf") for f in folders for t in ("5G", "wind"))
    assert [one["topic"] for one in found.as_json()["arena"]["meetings"]] == ["5G", "wind"]


def test_scores_of_single_decks_are_means_over_topics(folders):
    def marks(prompt: str, _: list[bytes]) -> str:
        return f'{{"score": {2 if "5G" in prompt else 5}, "reason": "seen"}}'

    found = evals.prefer_systems(folders, model=asking_by(marks), ways=["ppteval"])
    assert [(one.name, one.scores["ppteval"]) for one in found.ratings] == [
        ("bright", 3.5), ("dark", 3.5),
    ]  # fmt: skip
    assert found.arena is None


def test_what_cannot_meet_is_refused(folders, tmp_path):
    with pytest.raises(ValueError, match="two folders at least"):
        find_topic_decks(folders[:1])
    write_grey_deck(tmp_path / "third" / "other.pdf", 10)
    with pytest.raises(ValueError, match="decks of one name"):
        find_topic_decks([folders[0], tmp_path / "third"])


@pytest.mark.long
def test_the_page_has_ranks_reasons_and_each_picture_once(folders, tmp_path, monkeypatch):
    def rule(prompt: str, images: list[bytes]) -> str:
        return brighter(prompt, images).replace("it looks so", "<b>light</b> &amp; calm")

    page = tmp_path / "page.html"
    found = evals.prefer_systems(folders, model=asking_by(rule))
    write_preference_page(page, found)
    text = page.read_text()
    assert "bright is preferred in both orders" in text
    assert text.count("&lt;b&gt;light&lt;/b&gt;") == 4
    assert text.count("data:image/jpeg") == 4
    assert text.count('<use href="#deck-') == 4
    assert re.search(r"2 won, 0 lost", text)
    assert "no other system has a deck of this name" in text


def test_the_page_of_a_judge_that_says_nothing(folders, tmp_path):
    found = evals.prefer_systems(folders, model=asking_by(lambda *_: "no idea"))
    write_preference_page(tmp_path / "page.html", found)
    text = (tmp_path / "page.html").read_text()
    assert "Not ranked: no meeting of bright was judged" in text
    assert "not judged" in text


@pytest.mark.long
def test_a_tie_names_no_winner(folders, tmp_path):
    found = evals.prefer_systems(folders, model=asking_by(lambda *_: judgement("A")))
    write_preference_page(tmp_path / "page.html", found)
    text = (tmp_path / "page.html").read_text()
    assert "bright and dark are rated alike" in text
    assert text.count("a tie, as the orders disagree") == 2
    assert "side better" not in text


@pytest.mark.long
def test_the_command_writes_the_page(folders, tmp_path, monkeypatch):
    def fixed(decks, **how):
        ask = asking_by(lambda *_: judgement("Tie"))
        return systems(decks, **{**how, "model": ask})

    systems = evals.prefer_systems
    monkeypatch.setattr(evals, "prefer_systems", fixed)
    words = [*map(str, folders), "--systems", "--prompt", "{topic}", "--model", "mockllm/model"]
    done = CliRunner().invoke(app, ["prefer", *words, "--html", str(tmp_path / "page.html")])
    assert done.exit_code == 3, done.output  # two decks could not be compared
    assert "bright and dark are rated alike" in (tmp_path / "page.html").read_text()


def test_folders_whose_decks_cannot_meet_end_with_2(tmp_path):
    write_grey_deck(tmp_path / "ours" / "5G.pdf", 200)
    write_grey_deck(tmp_path / "theirs" / "wind.pdf", 200)
    folders = [str(tmp_path / "ours"), str(tmp_path / "theirs")]
    said = CliRunner().invoke(
        app, ["prefer", *folders, "--systems", "--prompt", "x", "--model", "mockllm/m"]
    )
    assert said.exit_code == 2
    assert "decklab: no two of these folders have decks of one name" in said.output
