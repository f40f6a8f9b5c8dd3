import shutil
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest
from pptx import Presentation
from tests.editor.scripted import GOOD, SATISFIED, cannot, plan, program, scripted
from tests.openai_server import Answer, prompt_of
from typer.testing import CliRunner

import decklab
from decklab.cli.edit import app
from decklab.core.options import Spending
from decklab.deck.deck import write_samples
from decklab.models import model_run as opening

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
    monkeypatch.setattr("decklab.rendering.renderer.Renderer.can_draw", False)
    return Path(shutil.copy(plain, tmp_path))


@pytest.mark.long
def test_a_model_edits_and_its_cost_is_told(
    deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "record"
    with scripted(plan=plan(), edit=GOOD, review=SATISFIED) as (_, server):
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        ended = CliRunner().invoke(
            app, [str(deck), ASKED, "--model", "any", "--prices", "1,10", "--record", str(record)]
        )
    assert ended.exit_code == 0, ended.output
    assert "“season” became “year”" in ended.stdout
    assert "Model: 30 tokens, 0.0001 US dollars." in ended.stdout
    slide = Presentation(str(deck.with_name("plain.edited.pptx"))).slides[1]
    assert slide.shapes.title is not None
    assert slide.shapes.title.text_frame.text == "The year at a glance"
    assert (record / "round-1" / "try-1.py").exists()


@pytest.mark.long
def test_the_same_edit_is_resumed_from_its_record_and_no_other(
    deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [str(deck), ASKED, "--model", "any", "--record", str(tmp_path / "record")]
    with scripted(plan=plan(), edit=GOOD, review=SATISFIED) as (_, server):
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        endings = [CliRunner().invoke(app, command) for _ in range(2)]
        asked = len(server.requests)
        other = CliRunner().invoke(app, [*command, "--rounds", "2"])
        assert len(server.requests) == asked == 3
    assert [one.exit_code for one in endings] == [0, 0]
    assert other.exit_code == 2
    assert "holds the record of another run" in other.stderr


def test_a_server_that_is_busy_is_told_while_it_is_waited_for(
    deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = Answer("slow\x1b down", 429, headers={"Retry-After": "0.1"})
    with scripted(plan=[busy, cannot("No.")]) as (_, server):
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        ended = CliRunner().invoke(app, [str(deck), "x", "--model", "any"])
    assert ended.exit_code == 4
    assert "decklab: busy (429: slow\\x1b down), try 2 of 5 in 0 s" in ended.stderr


@pytest.mark.long
def test_a_budget_that_is_spent_leaves_the_version_there_is(
    deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = decklab.EditModel("any", spending=Spending(tokens=15))
    with scripted(plan=plan(), edit=GOOD) as (_, server):
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        result = decklab.edit(deck, ASKED, model=model)
    assert len(server.requests) == 2
    assert result.output is not None and result.tokens == 20
    assert any("the budget of 15 tokens is spent: 20" in line for line in result.undone)


@pytest.mark.long
def test_what_was_put_back_is_told(deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both = program("set_text(prs, 2, 'Title 1', 'X')\nset_notes(prs, 4, 'oops')")
    with scripted(plan=plan(), edit=both, review=SATISFIED) as (_, server):
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        ended = CliRunner().invoke(app, [str(deck), ASKED, "--model", "any"])
    assert ended.exit_code == 0, ended.output
    assert "Put back, since nobody asked for it: Slide 4" in ended.stdout
    notes = Presentation(str(deck.with_name("plain.edited.pptx"))).slides[3]
    assert not notes.has_notes_slide or "oops" not in notes.notes_slide.notes_text_frame.text


@pytest.mark.long
def test_a_rejection_is_said_first_and_what_was_added_with_its_numbers(
    deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = program(
        "add_chart(prs, 2, (60, 130, 400, 300), 'column', categories=['North'],"
        " series={'2025': [3.5]})"
    )
    wish = {"satisfied": False, "problems": ["Slide 2: the request says 4.5."]}
    with scripted(
        plan=plan("a chart", ("added",)), edit=made, review=wish
    ) as (_, server):  # fmt: skip
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        ended = CliRunner().invoke(app, [str(deck), ASKED, "--model", "any", "--rounds", "1"])
    assert ended.exit_code == 3, ended.output
    first, second = ended.output.splitlines()[:2]
    assert first == "The review rejected this: Slide 2: the request says 4.5."
    assert second.startswith("Slide 2: ")
    assert ended.output.count("the request says 4.5.") == 1
    assert "2025: North 3.5" in ended.stdout


def test_the_calls_of_tools_are_limited_on_the_command_line(
    deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = Answer('{"first": 1, "last": 7}', tool="list_slides")
    with scripted(plan=look) as (_, server):
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        ended = CliRunner().invoke(app, [str(deck), ASKED, "--model", "any", "--tool-calls", "2"])
    assert ended.exit_code == 4
    assert "it called tools 2 times, the most that are allowed, and gave no answer" in ended.stderr
    assert len(server.requests) == 3


@pytest.mark.long
def test_temperature_and_tools_are_said_on_the_command_line(
    deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted(plan=plan(), edit=GOOD, review=SATISFIED) as (_, server):
        monkeypatch.setattr(
            "decklab.models.inspect.open_model", lambda name, **_: server.model(name)
        )
        ended = CliRunner().invoke(
            app,
            [str(deck), ASKED, "--model", "large", "--temperature", "0.3", "--no-tools",
             "--prices", "large=100,100"],
        )  # fmt: skip
    assert ended.exit_code == 0, ended.output
    assert {one["temperature"] for one in server.requests} == {0.3}
    offered = [tool["function"]["name"] for one in server.requests for tool in one.get("tools", ())]
    assert "find_text" not in offered
    assert "Model: 30 tokens, 0.0030 US dollars." in ended.stdout


@pytest.mark.long
def test_requests_in_a_row_know_those_before_them(
    deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    red = plan("the title is red", ("style",), (1,), remarks=["The logo is red, too."],
               operations=["format_text(slides=[1], where='title', color='#C00000')"])  # fmt: skip
    large = plan("the title is larger", ("style",), (1,),
                 operations=["format_text(slides=[1], where='title', size=44)"])  # fmt: skip
    with scripted(plan=[red, large]) as (_, server):
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        ended = CliRunner().invoke(
            app, [str(deck), "Title 1 red", "--model", "any", "--chat"], input="bigger\n\nundo\n"
        )
    assert ended.exit_code == 0, ended.output
    first, second = (prompt_of(request) for request in server.requests)
    assert "Earlier requests" not in first
    assert "1. “Title 1 red” (done): Slide 1: font color" in second
    assert "To you: The logo is red, too." in ended.stdout
    assert "Took back: bigger" in ended.stdout
    title = Presentation(str(deck.with_name("plain.edited.pptx"))).slides[0].shapes.title
    assert title is not None
    font = title.text_frame.paragraphs[0].runs[0].font
    assert (str(font.color.rgb), font.size) != ("C00000", 44 * 12700)
    assert str(font.color.rgb) == "C00000"


@pytest.mark.long
def test_a_budget_that_is_spent_before_there_is_a_version_is_exit_code_four(
    deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = ["--record", str(tmp_path / "record")]
    with scripted(plan=plan(), edit=GOOD, review=SATISFIED) as (_, server):
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        command = [str(deck), ASKED, "--model", "any", *record]
        early = CliRunner().invoke(app, [*command, "--budget-tokens", "5"])
        asked = len(server.requests)
        later = CliRunner().invoke(app, [*command, "--budget-tokens", "5"])
        more = len(server.requests)
        whole = CliRunner().invoke(app, command)
    assert [early.exit_code, later.exit_code, whole.exit_code] == [4, 3, 0]
    assert "the budget of 5 tokens is spent: 10" in early.stderr
    assert "No deck was written." in early.stdout
    assert "the budget of 5 tokens is spent: 10" in later.stderr
    assert (asked, more, len(server.requests)) == (1, 2, 3)


def test_a_budget_in_dollars_needs_prices(deck: Path) -> None:
    ended = CliRunner().invoke(app, [str(deck), "x", "--model", "any", "--budget-dollars", "1"])
    assert ended.exit_code == 2
    assert "--budget-dollars needs --prices" in ended.stderr


def test_a_model_that_cannot_is_exit_code_four(deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted(plan=cannot("There is no chart.")) as (_, server):
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        ended = CliRunner().invoke(app, [str(deck), "enlarge the chart", "--model", "any"])
    assert ended.exit_code == 4
    assert "There is no chart." in ended.stderr
    assert "No deck was written." in ended.stdout


def test_without_the_extra_one_line_says_what_to_install(
    deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "inspect_ai"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "decklab.models.inspect", raising=False)
    monkeypatch.setattr(sys, "meta_path", [_Missing(), *sys.meta_path])
    ended = CliRunner().invoke(app, [str(deck), "x", "--model", "openai/gpt-5"])
    assert ended.exit_code == 2
    said = "decklab: openai/gpt-5: asking models needs more packages: "
    assert ended.stderr.startswith(said) and ended.stderr.endswith("[evals]'\n")


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


def test_options_for_a_model_need_one(deck: Path, tmp_path: Path) -> None:
    for option, value in (("--record", tmp_path / "kept"), ("--budget-minutes", 1),
                          ("--temperature", 0.5)):  # fmt: skip
        ended = CliRunner().invoke(app, [str(deck), "delete slide 2", option, str(value)])
        assert ended.exit_code == 2
        assert option in ended.stderr and "needs --model" in ended.stderr
    assert not deck.with_name("plain.edited.pptx").exists()
    assert not (tmp_path / "kept").exists()
