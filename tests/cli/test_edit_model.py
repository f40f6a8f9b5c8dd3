import shutil
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest
from pptx import Presentation
from tests.agents.editor.scripted import GOOD, SATISFIED, plan, route, scripted
from typer.testing import CliRunner

from decklab.cli.edit import app
from decklab.deck.samples import write_samples
from decklab.models import asking as opening

ASKED = "Call slide 2 “The year at a glance”."


class _Missing(MetaPathFinder):
    """Finds as little of Inspect AI as there is where it is not installed."""

    def find_spec(self, fullname: str, *_: object) -> None:
        if fullname.split(".", maxsplit=1)[0] == "inspect_ai":
            raise ModuleNotFoundError(f"No module named {fullname!r}", name="inspect_ai")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_samples(tmp_path_factory.mktemp("samples"))[0]


@pytest.fixture
def deck(plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A deck on a machine without LibreOffice."""
    monkeypatch.setattr("decklab.agents.editor.edit._can_draw", lambda _renderer: False)
    return Path(shutil.copy(plain, tmp_path))


def test_a_model_edits_and_its_cost_is_told(
    deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "record"
    with scripted(route=route(), plan=plan(), program=GOOD, review=SATISFIED) as (_, server):
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        ended = CliRunner().invoke(
            app, [str(deck), ASKED, "--model", "any", "--prices", "1,10", "--record", str(record)]
        )
    assert ended.exit_code == 0, ended.output
    assert "“season” became “year”" in ended.stdout
    assert "Model: 40 tokens, 0.0001 US dollars." in ended.stdout
    slide = Presentation(str(deck.with_name("plain.edited.pptx"))).slides[1]
    assert slide.shapes.title is not None
    assert slide.shapes.title.text_frame.text == "The year at a glance"
    assert (record / "round-1" / "step-1.py").exists()


def test_a_model_that_cannot_is_exit_code_four(deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted(route={"steps": [], "cannot": "There is no chart."}) as (_, server):
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        ended = CliRunner().invoke(app, [str(deck), "enlarge the chart", "--model", "any"])
    assert ended.exit_code == 4
    assert "There is no chart." in ended.stderr
    assert "No deck was written." in ended.stdout


def test_retries_and_time_of_a_model_are_bounded(
    deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {}
    with scripted(route={"steps": [], "cannot": "No."}) as (_, server):

        def opened(_name: str, **options: object) -> object:
            told.update(options)
            return server.model()

        monkeypatch.setattr("decklab.models.inspect.open_model", opened)
        CliRunner().invoke(app, [str(deck), "x", "--model", "any"])
    config = told["config"]
    assert (config.max_retries, config.timeout) == (6, 600)  # type: ignore[attr-defined]


def test_without_the_extra_one_line_says_what_to_install(
    deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "inspect_ai"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "decklab.models.inspect", raising=False)
    monkeypatch.setattr(sys, "meta_path", [_Missing(), *sys.meta_path])
    ended = CliRunner().invoke(app, [str(deck), "x", "--model", "openai/gpt-5"])
    assert ended.exit_code == 2
    assert ended.stderr == "decklab: openai/gpt-5: asking models needs decklab[bench]\n"


@pytest.mark.parametrize("more", [["--paths", "magic"], ["--prices", "1;2"], ["--rounds", "0"]])
def test_what_makes_no_sense_is_said_at_once(deck: Path, more: list[str]) -> None:
    ended = CliRunner().invoke(app, [str(deck), "x", "--model", "any", *more])
    assert ended.exit_code == 2
    assert more[0] in ended.stderr


def test_a_command_without_a_model_needs_no_framework(
    deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "import_module", lambda name: pytest.fail(f"opened {name}"))
    ended = CliRunner().invoke(app, [str(deck), "hide slide 1"])
    assert ended.exit_code == 0, ended.output
