"""The starter set: tasks that can be used, documents as promised, decks in their order."""

import re
from collections import Counter
from pathlib import Path

import pytest
from pptx import Presentation

from decklab.core.errors import UnknownName
from decklab.core.results import NotScored
from decklab.documents.reading import read_documents
from decklab.evals.judges.scenario.proxies import SourceFacts, scenario_proxies
from decklab.evals.judges.scenario.shown_deck import read_stated_deck
from decklab.evals.judges.scenario.task import load_task, metrics_of
from decklab.evals.unippt.tasks import (
    QUALITIES,
    SETTINGS,
    figure_files,
    load_deck_tasks,
    starter_decks,
    starter_names,
    write_starter,
    write_starter_deck,
    write_starter_decks,
)

LOOKS = {"clean", "careless", "broken"}


@pytest.fixture(scope="module")
def tasks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unippt") / "tasks"
    return write_starter(folder)


@pytest.fixture(scope="module")
def sources(tasks):
    """The documents of each task, read once."""
    return {one.name: read_documents(one.sources) for one in load_deck_tasks(tasks)}


@pytest.mark.long
def test_there_are_two_tasks_of_each_setting(tasks):
    found = load_deck_tasks(tasks)
    assert Counter(one.setting for one in found) == dict.fromkeys(SETTINGS, 2)
    assert [one.setting for one in found] == sorted(
        (one.setting for one in found), key=SETTINGS.index
    )
    assert {one.name for one in found} == set(starter_names())


@pytest.mark.parametrize("name", starter_names())
def test_every_quote_and_figure_of_a_task_is_in_its_documents(tasks, sources, name):
    task = load_task(tasks / name / "task.json", sources[name])
    assert task.request and task.made_by == "the project, by hand"
    needed = {"long-doc": 2, "multimodal": 3, "multi-source": 3, "vague": 0}
    assert len(metrics_of(task)) == needed[task.setting]
    assert not sources[name].unread


def test_documents_are_of_many_kinds_and_one_is_long(sources):
    kinds = Counter(Path(one.name).suffix for kb in sources.values() for one in kb.documents)
    assert set(kinds) == {".md", ".html", ".docx", ".xlsx", ".pdf"}
    [water] = sources["water-report"].documents
    assert water.pages >= 15


@pytest.mark.long
def test_a_decks_pictures_are_figures_of_the_documents(sources):
    for name in starter_names():
        known = {file for file, _ in figure_files(sources[name])}
        for deck in starter_decks(name):
            assert set(re.findall(r"\]\(([^)]+)\)", deck.slides)) <= known, (name, deck.quality)
            assert deck.why.endswith(".") and deck.look in LOOKS


def test_half_of_the_poor_decks_look_good():
    looks = Counter(starter_decks(name)[QUALITIES.index("poor")].look for name in starter_names())
    assert looks == {"clean": 4, "careless": 4}


@pytest.mark.long
def test_decks_hold_less_of_their_sources_from_one_to_the_next(tasks, sources, tmp_path):
    name = "school-meals"
    write_starter_decks(tasks, tmp_path, [name])
    task = load_task(tasks / name / "task.json")
    means = []
    for quality in QUALITIES:
        deck = read_stated_deck(tmp_path / quality / f"{name}.pptx")
        found = scenario_proxies(task, SourceFacts(sources[name]), deck)
        scores = [one.score for one in found if not isinstance(one.score, NotScored)]
        means.append(sum(scores) / len(scores))
    assert means == sorted(means, reverse=True)
    assert means[0] - means[-1] > 5


def test_a_deck_is_the_same_on_every_run(tmp_path):
    bad = starter_decks("cycling")[-1]
    for name in ("one", "two"):
        write_starter_deck(bad, tmp_path / f"scratch-{name}", tmp_path / f"{name}.pptx")
    texts = [_texts(tmp_path / f"{name}.pptx") for name in ("one", "two")]
    assert texts[0] == texts[1] and any("Company cars" in text for text, *_ in texts[0])


def _texts(path):
    return [
        (shape.text_frame.text, shape.left, shape.top, shape.width, shape.height)
        for slide in Presentation(str(path)).slides
        for shape in slide.shapes
        if shape.has_text_frame
    ]


def test_a_task_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UnknownName, match="no task 'sailing'"):
        write_starter(tmp_path, ["sailing"])
