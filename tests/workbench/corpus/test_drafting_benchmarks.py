"""Drafts for each benchmark: by program, by a model that is scripted, and by one that is odd."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig
from pptx import Presentation
from tests.editor.scripted import FITS, SATISFIED, plan, program, stage_of
from tests.evals.judges.quiz.scripts import ANCHORS, EXAM, REPORT, Script
from tests.openai_server import Answer, OpenAIServer, prompt_of, serving
from typer.testing import CliRunner

from decklab.cli.corpus import app
from decklab.core.errors import ModelUnavailable, SourceError
from decklab.core.files import package_data
from decklab.core.options import Spending
from decklab.evals.judge_tasks import quizbank
from decklab.evals.judges.quiz.quiz import take_quiz
from decklab.evals.ppteval.tasks import load_editing_tasks
from decklab.evals.unippt.tasks import load_deck_tasks
from decklab.rendering.renderer import Renderer
from decklab.workbench.corpus.document_drafts import quiz_banks
from decklab.workbench.corpus.draft_run import DraftFailed, DraftKind, DraftRun, DraftSource
from decklab.workbench.corpus.drafting import check_cases, draft_cases

KINDS: tuple[DraftKind, ...] = ("pptarena", "ppteval", "unippt", "quizbank")
MODEL = "openai-api/loopback/drafts"


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    made = Presentation()
    for title in ("One", "Two", "Three", "Four"):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, f"What {title} says."
    made.save(str(tmp_path / "talk.pptx"))
    return tmp_path / "talk.pptx"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.md"
    path.write_text(REPORT)
    return path


def said_by(path: Path) -> str:
    slides = Presentation(str(path)).slides
    return " ".join(s.text_frame.text for one in slides for s in one.shapes if s.has_text_frame)


@pytest.mark.long
def test_rubrics_of_plain_requests_tell_doing_from_not_doing(deck: Path, tmp_path: Path) -> None:
    out = tmp_path / "tasks"
    found = draft_cases([str(deck)], out, benchmark="ppteval", tasks=9)
    assert (found.cases, found.left_out) == (6, ())
    assert {task.goal for task in load_editing_tasks(out)} >= {"hide slide 3", "delete slide 4"}
    sound = check_cases(out)
    assert (sound.benchmark, sound.faults, len(sound.drafts)) == ("ppteval", (), 6)
    gone = out / "attempts" / "talk-delete-slide-4"
    assert len(Presentation(str(gone / "perfect.pptx")).slides) == 3
    # Half the work and work that nobody asked for are neither nothing nor all.
    wrong = Presentation(str(gone / "perfect.pptx"))
    wrong.slides[0].shapes.title.text = "Changed too"
    wrong.save(str(gone / "perfect.pptx"))
    swapped = out / "attempts" / "talk-swap-slides-2-and-4" / "perfect.pptx"
    swapped.write_bytes(deck.read_bytes())
    faults = sorted(check_cases(out).faults)
    assert len(faults) == 2
    assert faults[0].startswith("talk-delete-slide-4: the truth scores 0.7")
    assert faults[1] == "talk-swap-slides-2-and-4: the truth scores 0.00, not 1"


def test_a_task_that_is_there_twice_is_named(deck: Path, tmp_path: Path) -> None:
    out = tmp_path / "tasks"
    path = draft_cases([str(deck)], out, tasks=1).path
    entries = json.loads(path.read_text())
    entries.append({**entries[0], "name": "again", "prompt": entries[0]["prompt"].upper()})
    path.write_text(json.dumps(entries))
    assert check_cases(out).faults == (f"again: {entries[0]['name']} asks the same",)


@pytest.mark.long
@pytest.mark.office
def test_a_document_gives_a_task_that_its_benchmark_loads(report: Path, tmp_path: Path) -> None:
    out = tmp_path / "tasks"
    found = draft_cases([str(report)], out, benchmark="unippt", tasks=1)
    (task,) = load_deck_tasks(out)
    quotes = [quote.quote for _, quote in task.task.quotes]
    assert found.cases == 1 and quotes and all(quote in REPORT for quote in quotes)
    assert all(quote in said_by(out / "decks" / "truth" / f"{task.name}.pptx") for quote in quotes)
    assert check_cases(out).faults == ()
    data = json.loads((out / task.name / "task.json").read_text())
    data["key_points"][0]["evidence"]["quote"] = "Nobody said this of the harbour."
    (out / task.name / "task.json").write_text(json.dumps(data))
    (fault,) = check_cases(out).faults
    assert "report.md does not say: Nobody said this" in fault


@pytest.mark.long
def test_a_bank_is_answered_by_its_quotes_alone(tmp_path: Path) -> None:
    out = tmp_path / "tasks"
    apples = package_data("decklab.evals.unippt", "data/sources/apples/apples.docx")
    (tmp_path / "report.docx").write_bytes(apples)
    draft_cases([str(tmp_path / "report.docx")], out, benchmark="quizbank")
    assert check_cases(out).faults == ()
    assert {one.id for one in quizbank(str(out)).dataset} == {
        "report/truth.pptx", "report/empty.pptx",
    }  # fmt: skip
    decks = [out / "report" / f"{name}.pptx" for name in ("truth", "empty")]
    exams = take_quiz(out / "report" / "bank.json", decks)
    assert [exam.accuracy.correct for exam in exams] == [10, 0]
    empty = out / "report" / "empty.pptx"
    (out / "report" / "truth.pptx").write_bytes(empty.read_bytes())
    (fault,) = check_cases(out).faults
    assert fault.startswith("report: a deck of the quotes answers 0 questions of 10")


@contextmanager
def drafting_model(
    says: Any, monkeypatch: pytest.MonkeyPatch, **config: Any
) -> Iterator[OpenAIServer]:
    with serving(says) as server:
        options = GenerateConfig(max_retries=1, timeout=20, **config)
        monkeypatch.setattr(
            "decklab.models.inspect.open_model", lambda _name, **_: server.model(config=options)
        )
        yield server


TITLE = """
def compute_score():
    from pptx import Presentation
    title = Presentation(modified_ppt_path).slides[1].shapes.title.text
    return title, float(title == "The second")
"""
CALM = "def compute_score():\n    return 'calm', float(len(ppt_diff.modified_slides) < 2)"
TARGET = {"content": ["Slide 2: The second"], "layout": [], "typography": [], "constraints": []}


def rubric(code: str) -> str:
    children = [
        {"name": name, "is_critical": critical,
         "scorer": {"type": "function", "function_code": text}}
        for name, critical, text in (("title", True, code), ("calm", False, CALM))
    ]  # fmt: skip
    return json.dumps({"root": {"name": "task", "children": children}})


def editing_script(code: str = TITLE) -> Any:
    """A model that proposes, edits and writes rubrics."""
    edits = {
        "plan": plan(), "check": FITS, "review": SATISFIED,
        "edit": program("set_text(prs, 2, 'Title 1', 'The second')"),
    }  # fmt: skip

    def says(request: dict[str, Any]) -> str:
        prompt = prompt_of(request)
        if "Propose" in prompt:
            return "[easy] [SLIDE:2] Call slide 2 “The second”."
        if "marking scheme" in prompt:
            return rubric(code)
        if "finished deck" in prompt:
            return json.dumps(TARGET)
        reply = edits[stage_of(request)]
        return reply if isinstance(reply, str) else json.dumps(reply)

    return says


@pytest.mark.long
def test_a_model_proposes_and_its_edit_is_the_truth(
    deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("decklab.rendering.renderer.Renderer.can_draw", False)
    for benchmark in ("pptarena", "ppteval"):
        out = tmp_path / benchmark
        with drafting_model(editing_script(), monkeypatch):
            found = draft_cases([str(deck)], out, benchmark=benchmark, tasks=1, model=MODEL)
        assert (found.cases, found.left_out) == (1, ())
        assert "tokens" in found.spent
        assert check_cases(out).faults == ()
    (entry,) = json.loads((tmp_path / "pptarena" / "cases.json").read_text())
    assert entry["made_by"] == MODEL and "Slide 2: The second" in entry["style_target"]
    truth = Presentation(str(tmp_path / "pptarena" / entry["ground_truth"]))
    assert truth.slides[1].shapes.title.text == "The second"


@pytest.mark.long
def test_a_rubric_that_its_truth_does_not_fulfil_is_left_out(
    deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("decklab.rendering.renderer.Renderer.can_draw", False)
    other = TITLE.replace("The second", "Another title")
    with (
        drafting_model(editing_script(other), monkeypatch),
        pytest.raises(SourceError, match=r"the truth scores 0\.00, not 1"),
    ):
        draft_cases([str(deck)], tmp_path / "out", benchmark="ppteval", tasks=1, model=MODEL)
    assert not any(path.is_file() for path in (tmp_path / "out").rglob("*"))


@pytest.mark.long
@pytest.mark.office
def test_a_model_annotates_and_what_it_invents_is_told(
    report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quote = "The crane cost 4.2 million euros in total."
    points = [
        {"statement": text, "quote": text, "weight": 1, "signals": []}
        for text in (quote, "The harbour has 99 cranes and more.")
    ]
    out = tmp_path / "tasks"
    with drafting_model([json.dumps({"points": points})], monkeypatch):
        found = draft_cases([str(report)], out, benchmark="unippt", tasks=1, model=MODEL)
    (line,) = found.left_out
    assert "99 cranes" in line and "not in the document" in line
    (task,) = load_deck_tasks(out)
    assert [one.statement for one in task.task.key_points] == [quote]
    assert task.task.made_by == f"{MODEL}, a draft"
    assert len(check_cases(out).drafts) == 1


def quiz_run(folder: Path, questions: Any) -> DraftRun:
    script = Script(anchors=[ANCHORS], verify=[ANCHORS], questions=[{"questions": questions}])
    return DraftRun(folder, 1, 0, Renderer(), False, ask=script, model="script")


def test_a_model_writes_a_bank_that_can_be_answered(report: Path, tmp_path: Path) -> None:
    asked = []
    for number, one in enumerate(EXAM["questions"]):
        right = one["options"]["AB".index(one["answer"])]
        text = ANCHORS["anchors"][number]["statement"].replace(right, "____")
        asked.append({**one, "question": text})
    out = tmp_path / "out"
    (entry,) = quiz_banks(DraftSource("report.md", (report,)), quiz_run(out, asked))
    assert entry == {"name": "report"}
    found = check_cases(out)
    assert (found.faults, found.drafts) == ((), ("report",))


def test_a_bank_that_nobody_can_answer_is_left_out(report: Path, tmp_path: Path) -> None:
    # "How much is figure a?" shares no word with its source.
    run = quiz_run(tmp_path / "out", EXAM["questions"])
    with pytest.raises(DraftFailed, match=r"answers \d questions of 10, not 5 at least"):
        list(quiz_banks(DraftSource("report.md", (report,)), run))
    assert not (tmp_path / "out").exists()


ODD = {
    "words": "I would rather talk about the weather.",
    "nothing": "",
    "another form": json.dumps({"answer": [1, 2, 3]}),
    "cut short": Answer('{"points": [{"statement": "The crane', cut=True),
    "503": Answer("overloaded", 503, headers={"Retry-After": "0.05"}),
}


@pytest.mark.by_day(6)
@pytest.mark.parametrize(("benchmark", "odd"), list(product(KINDS, ODD)))
def test_an_odd_model_leaves_nothing_and_its_cause(
    benchmark: DraftKind, odd: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    kind = "deck" if benchmark in {"pptarena", "ppteval"} else "report"
    source: Path = request.getfixturevalue(kind)
    out = tmp_path / "out"
    with drafting_model([ODD[odd]], monkeypatch), pytest.raises(SourceError) as raised:
        draft_cases([str(source)], out, benchmark=benchmark, tasks=1, model=MODEL)
    assert source.name in str(raised.value)
    assert ("503" in str(raised.value)) == (odd == "503")
    assert not any(path.is_file() for path in out.rglob("*"))


def test_a_spent_budget_ends_the_run(
    deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("decklab.rendering.renderer.Renderer.can_draw", False)
    with drafting_model(editing_script(), monkeypatch), pytest.raises(SourceError, match="spent"):
        draft_cases([str(deck)], tmp_path / "out", model=MODEL, spending=Spending(tokens=1))


def test_what_cannot_be_begun_is_refused(deck: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable):
        draft_cases([str(deck)], tmp_path / "a", model="nobody/knows")
    with pytest.raises(ValueError, match="about one deck"):
        draft_cases([str(deck)], tmp_path / "a", together=True)
    with pytest.raises(SourceError, match="no task could be drafted"):
        draft_cases([str(tmp_path / "missing.pdf")], tmp_path / "a", benchmark="unippt")
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--for", "nothing"], "nothing"),
        (["--for", "ppteval", "--together"], "--together"),
        (["--budget-tokens", "5"], "needs --model"),
    ],
)
def test_the_command_refuses_what_does_not_fit(
    given: list[str], said: str, deck: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = CliRunner().invoke(app, ["draft", str(deck), "--out", str(out), *given])
    assert done.exit_code == 2
    assert said in done.output
    assert not out.exists()


def test_the_commands_draft_and_check(deck: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    drafted = CliRunner().invoke(app, ["draft", str(deck), "--tasks", "1", "--out", str(out)])
    assert (drafted.exit_code, drafted.output) == (0, f"1 drafts: {out / 'cases.json'}\n")
    checked = CliRunner().invoke(app, ["check", str(out)])
    assert checked.exit_code == 0
    assert "pptarena: 1 tasks, 0 faults, 1 still drafts" in checked.output
    (entry,) = json.loads((out / "cases.json").read_text())
    (out / entry["ground_truth"]).write_bytes(deck.read_bytes())
    faulty = CliRunner().invoke(app, ["check", str(out)])
    assert faulty.exit_code == 1
    assert "original and truth are the same" in faulty.output
