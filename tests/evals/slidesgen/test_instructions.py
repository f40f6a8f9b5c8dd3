import json
from pathlib import Path
from typing import Any

import pytest
from tests.evals.slidesgen.sets import write_set

from decklab.documents.reading import read_documents
from decklab.evals.judges.quiz.quiz import cloze_bank
from decklab.evals.slidesgen.instructions import (
    PURPOSES,
    InstructionError,
    SourceSize,
    load_instructions,
    richness_levels,
    richness_scores,
    source_size,
    write_starter_set,
)


def test_a_set_is_read_from_its_file_or_folder_with_paths_that_lead_somewhere(
    tmp_path: Path,
) -> None:
    path = write_set(tmp_path)
    found = load_instructions(path)
    assert found == load_instructions(tmp_path)
    harbour, poems = found.instructions
    assert harbour.documents == (tmp_path / "harbour.md",)
    assert (poems.documents, poems.slides, poems.name) == ((), 12, "poems")
    assert found.only(["poems"]).topics == ["poems"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"documents": ["gone.md"]}, r"harbour: there is no file .*gone\.md"),
        ({"bank": "gone.json"}, r"there is no file .*gone\.json"),
        ({"topic": "Poems"}, "two instructions have the topic poems"),
        ({"topic": "../up"}, "no name of a file"),
        ({"purpose": ""}, r"instructions\.0\.purpose"),
        ({"colour": "red"}, r"instructions\.0\.colour"),
        ({"slides": 2}, r"instructions\.0\.slides"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    changes: dict[str, Any], said: str, tmp_path: Path
) -> None:
    path = write_set(tmp_path, **changes)
    with pytest.raises(InstructionError, match=said) as told:
        load_instructions(path)
    assert str(path) in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"instructions": []}', '{"instructions": 3}'])
def test_what_is_no_set_is_told(text: str, tmp_path: Path) -> None:
    path = tmp_path / "instructions.json"
    path.write_text(text)
    with pytest.raises(InstructionError, match=r"instructions\.json"):
        load_instructions(path)


def test_a_set_that_is_not_there_and_a_topic_that_is_not_in_it(tmp_path: Path) -> None:
    with pytest.raises(InstructionError, match="cannot be read"):
        load_instructions(tmp_path)
    with pytest.raises(InstructionError, match="no instruction has the topic novels"):
        load_instructions(write_set(tmp_path)).only(["harbour", "novels"])


def test_richness_is_eq_9_worked_by_hand() -> None:
    # T' = 0, 0.25, 1 and I' = 0.5, 1, 0, so S = 0.15, 0.475 and 0.7.
    sizes = {"a": SourceSize(1000, 4), "b": SourceSize(2000, 8), "c": SourceSize(5000, 0)}
    assert richness_scores(sizes) == pytest.approx({"a": 0.15, "b": 0.475, "c": 0.7})


@pytest.mark.parametrize(
    ("topics", "counts"),
    [(3, (1, 1, 1)), (4, (2, 1, 1)), (189, (63, 63, 63)), (2, (0, 0, 0)), (0, (0, 0, 0))],
)
def test_thirds_are_even(topics: int, counts: tuple[int, ...]) -> None:
    levels = list(richness_levels({f"{n:03}": n / 200 for n in range(topics)}).values())
    assert tuple(levels.count(name) for name in ("low", "medium", "high")) == counts


def test_equal_sources_have_no_more_and_no_less() -> None:
    sizes = dict.fromkeys("abc", SourceSize(10, 0))
    assert set(richness_scores(sizes).values()) == {0.0}


@pytest.mark.long
def test_the_starter_set_has_all_purposes_and_gives_questions(tmp_path: Path) -> None:
    found = load_instructions(write_starter_set(tmp_path))
    assert {one.purpose for one in found.instructions} == set(PURPOSES)
    sizes = {}
    for one in found.instructions:
        sources = read_documents(one.documents)
        sizes[one.topic] = source_size(sources)
        assert len(cloze_bank(sources).questions) == 10
    assert set(richness_levels(richness_scores(sizes)).values()) == {"low", "medium", "high"}


def test_the_size_of_sources_is_that_of_their_text(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Head\n\nFour words are here.\n")
    assert source_size(read_documents([tmp_path / "a.md"])) == SourceSize(4 + 20, 0)
    assert json.loads((write_set(tmp_path)).read_text())["title"] == "Two topics"
