"""Topic and purpose of decks: by word lists, and by a model whose quotes are looked up."""

import json
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from tests.openai_server import Answer, prompt_of, serving

from decklab.core.errors import ModelUnavailable, SourceError
from decklab.core.options import Spending
from decklab.core.results import NotScored
from decklab.workbench.cluster.jobs import Job
from decklab.workbench.cluster.run import Machine, run_job
from decklab.workbench.cluster.sources import source_items
from decklab.workbench.corpus.annotations import (
    DeckContent,
    DeckLabel,
    annotate,
    annotation_rows,
    labels_by_words,
)

DECKS = {
    "ward": [
        ("Lecture 3: Diabetes", "Patients and symptoms. The treatment of the disease."),
        ("Review questions", "Which drugs help patients? Homework: read chapter 4."),
    ],
    "sales": [
        ("Quarterly results", "Revenue and sales rose in Q3; profit is above the forecast."),
        ("Status", "Customers and markets: actuals compared to targets."),
    ],
    "mute": [("", ""), ("", "")],
}


def saved(path: Path, slides: list[tuple[str, str]]) -> None:
    deck = Presentation()
    for title, text in slides:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, text
    deck.save(str(path))


def read_again(place: Path) -> Path:
    machine = Machine(processes=1)
    run_job(source_items([str(place / "decks")]), Job("extract"), place / "out", machine=machine)
    return place / "out"


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    (tmp_path / "decks").mkdir()
    for name, slides in DECKS.items():
        saved(tmp_path / "decks" / f"{name}.pptx", slides)
    return read_again(tmp_path)


def by_deck(dataset: Path, method: str) -> dict[str, dict[str, Any]]:
    rows = [row for row in annotation_rows(dataset) if row["method"] == method]
    assert len({row["deck"] for row in rows}) == len(rows)
    return {Path(row["deck"]).stem: row for row in rows}


def content(text: str, language: str | None = "en") -> DeckContent:
    return DeckContent("a", None, language, [""], [text], 0)


def test_words_tell_topic_and_purpose(dataset: Path) -> None:
    found = annotate(dataset)
    assert (found.done, found.before, found.failed) == (3, 0, ())
    rows = by_deck(dataset, "words")
    assert (rows["ward"]["topic"], rows["ward"]["purpose"]) == ("health", "teach")
    assert (rows["sales"]["topic"], rows["sales"]["purpose"]) == ("business", "report")
    assert rows["ward"]["topic_quote"].startswith("patients, ")
    assert rows["mute"]["topic"] is None
    assert rows["mute"]["topic_not_scored"].startswith("only 0 of its words")


def test_what_words_do_not_tell_has_its_cause() -> None:
    alike = labels_by_words(content("patients doctors drugs; courts laws elections")).topic
    assert alike == NotScored("its words tell health and government alike")
    german = labels_by_words(content("patients doctors drugs", "de")).topic
    assert isinstance(german, NotScored) and german.reason.startswith("its language is de")
    clear = labels_by_words(content("patients doctors drugs", None)).topic
    assert clear == DeckLabel("health", "patients, doctors, drugs")


@pytest.mark.long
def test_a_second_run_does_the_rest_and_a_changed_deck_again(dataset: Path) -> None:
    annotate(dataset)
    assert (annotate(dataset).done, annotate(dataset).before) == (0, 3)
    saved(dataset.parent / "decks" / "mute.pptx", DECKS["ward"])
    (dataset.parent / "decks" / "sales.pptx").unlink()
    read_again(dataset.parent)
    found = annotate(dataset)
    assert (found.done, found.before) == (1, 2)
    assert by_deck(dataset, "words")["mute"]["topic"] == "health"


def reply(topic_quote: str) -> str:
    return json.dumps({
        "topic": "health", "topic_quote": topic_quote,
        "purpose": "teach", "purpose_quote": "Review questions",
    })  # fmt: skip


def test_quotes_of_a_model_are_looked_up_and_failures_are_asked_again(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = True

    def says(request: dict[str, Any]) -> Answer | str:
        prompt = prompt_of(request)
        if "Quarterly" in prompt:
            return Answer("no such request", 400) if broken else reply("never said")
        return reply("the disease" if "does not stand" in prompt else "invented words")

    model = "openai-api/loopback/labels"
    with serving(says) as server:
        monkeypatch.setenv("LOOPBACK_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("LOOPBACK_API_KEY", "none")
        spending = Spending(record=tmp_path / "record")
        first = annotate(dataset, model=model, parallel=2, spending=spending)
        assert (first.done, [Path(deck).stem for deck, _ in first.failed]) == (2, ["sales"])
        asked, broken = len(server.requests), False
        second = annotate(dataset, model=model, parallel=2, spending=spending)
        assert (second.done, second.before, second.failed) == (1, 2, ())
        assert all("Quarterly" in prompt_of(one) for one in server.requests[asked:])
    rows = by_deck(dataset, model)
    assert (rows["ward"]["topic"], rows["ward"]["topic_quote"]) == ("health", "the disease")
    assert rows["mute"]["topic_not_scored"] == "it has no text"
    assert "does not stand in the deck" in rows["sales"]["purpose_not_scored"]


def test_a_spent_budget_ends_the_run_with_what_it_has(
    dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving([reply("the disease")]) as server:
        monkeypatch.setenv("LOOPBACK_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("LOOPBACK_API_KEY", "none")
        spending = Spending(tokens=1)
        found = annotate(dataset, model="openai-api/loopback/two", parallel=1, spending=spending)
    assert found.ended and found.done == 1  # the deck without text costs nothing
    assert "10 tokens" in found.spent


def test_nothing_is_begun_without_model_or_slides(dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable):
        annotate(dataset, model="nobody/knows")
    with pytest.raises(SourceError, match="is no data set"):
        annotate(tmp_path)
