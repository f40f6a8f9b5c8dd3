"""``decklab bench pptarena-style``: drafts in a copy of the list, and nothing else changed."""

import gc
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.openai_server import Answer, prompt_of, serving
from typer.testing import CliRunner

from decklab.cli.bench import app
from decklab.evals.pptarena.cases import load_cases
from decklab.evals.pptarena.running import starter_cases

NAMES = ("Crew leaders", "Where to sign up", "Storage stands out")
DRAFT = {
    "content": ["Slide 6 names six crew leaders."], "layout": [], "typography": ["Bold, 44 pt."],
    "constraints": ["Nothing else changes."],
}  # fmt: skip


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    yield
    gc.collect()


@pytest.fixture
def listed(starter_folder: Path, tmp_path: Path) -> Path:
    """A list of three cases, the first two without a style target."""
    folder = Path(shutil.copytree(starter_folder, tmp_path / "set"))
    path = folder / "cases.json"
    entries = json.loads(path.read_text())
    entries[0]["style_target"] = ""
    del entries[1]["style_target"]
    entries[1]["note"] = "kept"
    path.write_text(json.dumps(entries))
    return path


@pytest.fixture(scope="module")
def starter_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return starter_cases(tmp_path_factory.mktemp("starter"), NAMES).path.parent


def style(*words: object) -> tuple[int, str]:
    found = CliRunner().invoke(app, ["pptarena-style", "--no-pictures", *map(str, words)])
    return found.exit_code, " ".join(f"{found.output} {found.exception or ''}".split())


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """Its requests; it drafts for the crew and refuses other cases."""

    def said(request: dict[str, Any]) -> Answer:
        crew = "six new crew leaders" in prompt_of(request)
        return Answer(json.dumps(DRAFT)) if crew else Answer("not today", status=403)

    with serving(said) as server:
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name: server.model())
        yield server.requests


def test_cases_without_a_style_target_get_a_draft(
    listed: Path, model: list[dict[str, Any]]
) -> None:
    before, out = json.loads(listed.read_text()), listed.with_name("drafts.json")
    code, told = style("--cases", listed, "--model", "some/model", "--out", out)
    assert code == 3, told
    assert "Where to sign up: some/model: refused (403: not today)" in told
    assert f"{out}: 1 style targets drafted. Models: 10 tokens in" in told
    after = json.loads(out.read_text())
    drafted = after[0].pop("style_target")
    assert drafted.startswith("DRAFT, to be checked by a person\nContent:\n- Slide 6 names six")
    assert "Layout" not in drafted
    before[0].pop("style_target")
    assert after == before  # entries, keys and order
    assert load_cases(out).cases[0].style_target == drafted
    asked = "\n".join(prompt_of(request) for request in model)
    assert "Storage" not in asked


def test_a_case_by_name_is_drafted_anew_and_a_resumed_run_asks_nothing(
    listed: Path, tmp_path: Path, model: list[dict[str, Any]]
) -> None:
    out = listed.with_name("drafts.json")
    words = ["--cases", listed, "--model", "some/model", "--out", out, "--case",
             "Crew leaders", "--record", tmp_path / "kept"]  # fmt: skip
    assert [style(*words, *more)[0] for more in ((), (), ("--force",))] == [0, 2, 0]
    assert len(model) == 1


def test_the_list_itself_and_places_without_decks_are_refused(
    listed: Path, tmp_path: Path, model: list[dict[str, Any]]
) -> None:
    for out, why in (
        (listed, "is the list itself"), (tmp_path / "x.json", "the decks are not found from there")
    ):  # fmt: skip
        before = listed.read_bytes()
        code, told = style("--cases", listed, "--model", "some/model", "--out", out)
        assert code == 2
        assert why in told
        assert listed.read_bytes() == before
    assert model == []
