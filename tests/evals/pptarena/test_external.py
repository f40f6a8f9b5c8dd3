"""Folders of decks that other tools made: which deck is whose, and what counts against whom."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.evals.pptarena.one_editor import run_cases

from decklab.core.results import NotScored
from decklab.evals.pptarena.cases import Case, CaseSet, Decks
from decklab.evals.pptarena.session import external_editor, find_external
from decklab.models.asking import Usage

# Inspect leaves a memory stream or two to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

NAMES = ("Bold titles", "Bold titles, again", "Chart: oil", "Less")


@pytest.fixture
def cases(tmp_path: Path) -> CaseSet:
    made = [
        Case(name, "x", "y", tmp_path / "a", tmp_path / "b", (), (), number)
        for number, name in enumerate(NAMES, 1)
    ]
    return CaseSet(tuple(made), tmp_path / "cases.json", "content 1")


def folder(place: Path, *names: str) -> Path:
    for name in names:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(b"a deck")
    return place


@pytest.mark.parametrize(
    "files",
    [
        ("Bold titles.pptx", "Bold titles, again.pptx", "Chart: oil.pptx", "Less.pptx"),
        ("bold-titles.pptx", "bold_titles_again.PPTX", "chart-oil.pptx", "less.pptx"),
        ("bold titles/out.pptx", "bold-titles-again/a/b/x.pptx", "chart-oil/1.pptx", "less.pptx"),
        ("1.pptx", "002.pptx", "case_3.pptx", "4.pptx"),
        ("gpt5-bold-titles-modified.pptx", "gpt5-bold-titles-again-modified.pptx",
         "gpt5-chart-oil-modified.pptx", "gpt5-less-modified.pptx"),
        ("m/x_bold-titles.pptx", "bold-titles-again.pptx", "3.pptx", "less/it.pptx"),
    ],
    ids=["names", "slugs", "folders", "numbers", "parts of names", "mixed"],
)  # fmt: skip
def test_each_layout_is_understood(tmp_path: Path, cases: CaseSet, files: tuple[str, ...]) -> None:
    if files[1].startswith("bold-titles-again/a"):
        files = (files[0], "bold-titles-again/x.pptx", *files[2:])
    made = folder(tmp_path / "made", *files, ".hidden/less.pptx", "notes.txt", "~$less.pptx")
    found = find_external(made, cases, name="tool")
    wanted = dict(zip(NAMES, files, strict=True))
    assert {name: str(deck.relative_to(made)) for name, deck in found.decks.items()} == wanted
    assert (found.missing, found.unmatched, found.notes) == ((), (), ())
    assert found.sentences == ("tool: decks of 4 of 4 cases.",)


def test_what_does_not_fit_is_told(tmp_path: Path, cases: CaseSet) -> None:
    made = folder(
        tmp_path / "made", "Less.pptx", "bold-titles/a.pptx", "bold-titles/b.pptx", "who.pptx"
    )
    found = find_external(made, cases)
    assert found.sentences == (
        "made: decks of 1 of 4 cases.",
        "made: no deck of Bold titles, Bold titles, again, Chart: oil.",
        "made: of no case: bold-titles/a.pptx, bold-titles/b.pptx, who.pptx.",
        "made: 2 decks may be of Bold titles, so none is taken.",
    )
    some = replace(cases, cases=cases.cases[:1])
    assert find_external(made, some, known=cases).unmatched == found.unmatched
    assert find_external(made, some, known=cases).missing == ("Bold titles",)
    with pytest.raises(FileNotFoundError):
        find_external(tmp_path / "nowhere", cases)


@pytest.mark.parametrize("kind", ["csv", "json list", "json object", "json by name"])
def test_a_table_beside_the_decks_names_them_and_tells_costs(
    tmp_path: Path, cases: CaseSet, kind: str
) -> None:
    made = folder(tmp_path / "made", "out/a.pptx", "out/b.pptx", "Chart: oil.pptx")
    rows: list[dict[str, Any]] = [
        {"name": "Less", "modified_pptx_filepath": "/elsewhere/out/a.pptx",
         "generation_time_seconds": 12.5, "prompt_tokens": 900, "completion_tokens": 80,
         "cost": 0.01},
        {"name": "Bold titles", "modified_pptx_filepath": "out/b.pptx",
         "generation_time_seconds": "n/a"},
    ]  # fmt: skip
    if kind == "csv":
        (made / "predictions.csv").write_text(
            "Case,output,seconds,input_tokens,output_tokens,cost\n"
            "Less,/elsewhere/out/a.pptx,12.5,900,80,0.01\nBold titles,out/b.pptx,,,,\n"
        )
    elif kind == "json by name":
        told = {row["name"]: {k: v for k, v in row.items() if k != "name"} for row in rows}
        (made / "predictions.json").write_text(json.dumps(told))
    else:
        content = rows if kind == "json list" else {"model": "m", "results": rows}
        (made / "benchmark_results.json").write_text(json.dumps(content))
    found = find_external(made, cases)
    assert {name: deck.name for name, deck in found.decks.items()} == {
        "Less": "a.pptx", "Bold titles": "b.pptx", "Chart: oil": "Chart: oil.pptx",
    }  # fmt: skip
    less, bold = found.costs["Less"], found.costs["Bold titles"]
    assert (less.seconds, less.usage, less.dollars) == (12.5, Usage(900, 80), 0.01)
    assert (bold.seconds, bold.usage.untold, bold.dollars) == (None, 1, None)


def test_a_table_cannot_name_a_deck_outside_the_folder(tmp_path: Path, cases: CaseSet) -> None:
    folder(tmp_path, "truth.pptx")
    made = folder(tmp_path / "made", "x.pptx")
    (made / "predictions.csv").write_text(
        f"name,output\nLess,../truth.pptx\nChart: oil,{tmp_path / 'truth.pptx'}\n"
    )
    assert find_external(made, cases).decks == {}


@pytest.mark.parametrize("text", ["{", "[1, 2]", "7", '{"a": 1}', "[" * 100_000])
def test_a_broken_table_costs_only_itself(tmp_path: Path, cases: CaseSet, text: str) -> None:
    made = folder(tmp_path / "made", "less.pptx")
    (made / "predictions.json").write_text(text)
    found = find_external(made, cases)
    assert list(found.decks) == ["Less"]
    assert found.costs == {}


@pytest.mark.long
def test_decks_made_elsewhere_are_scored_and_missing_ones_are_not(
    starter: CaseSet, tmp_path: Path
) -> None:
    made = tmp_path / "made"
    made.mkdir()
    first, second = starter
    (made / f"{first.name}.pptx").write_bytes(first.ground_truth.read_bytes())
    with Decks(pictures=False) as decks:
        found = find_external(made, starter)
        one, two = run_cases(starter, external_editor(found), tmp_path / "out", decks=decks)
        assert (one.value("edit"), one.seconds, one.usage.untold) == (1, None, 1)
        value = two.value("edit")
        assert isinstance(value, NotScored)
        assert "made: has no deck of this case" in value.reason
        (made / f"{second.name}.pptx").symlink_to(second.ground_truth)
        found = find_external(made, starter)
        two = run_cases(starter, external_editor(found), tmp_path / "out", decks=decks)[1]
    assert (two.value("edit"), two.edited.ending) == (0, "failed")
    assert "it is a link" in two.edited.note
