"""``decklab rubric`` and ``decklab grade`` as people and programs call them."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from tests.evals.judges.honest import honest, of_a_leaf
from tests.openai_server import Answer, images_of, prompt_of, serving
from typer.testing import CliRunner, Result

from decklab.cli import app
from decklab.core.errors import BudgetSpent, DecklabError
from decklab.evals.rubrics.rubric import load_rubric
from decklab.models.asking_loop import QUESTION, sight_number


def decklab(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "decklab", *map(str, arguments)],
        check=False, capture_output=True, text=True, timeout=120,
    )  # fmt: skip


def leaf(value: str, critical: bool = False, **more: Any) -> dict[str, Any]:
    code = f"def compute_score():\n    return {value}\n"
    scorer = {"type": "function", "function_code": code}
    return {"name": "leaf", "is_critical": critical, "scorer": scorer, **more}


def written(path: Path, *leaves: dict[str, Any], **more: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    root = {"name": "all", "children": list(leaves), **more}
    path.write_text(json.dumps({"root": root, "metadata": {"task": "Do it\nand notes"}}))
    return path


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    talk = Presentation()
    talk.slides.add_slide(talk.slide_layouts[0]).shapes.title.text = "Topic"
    path = tmp_path / "talk.pptx"
    talk.save(str(path))
    return path


def test_a_folder_that_is_right_is_told_in_just_four_numbers(tmp_path: Path) -> None:
    written(tmp_path / "a.json", leaf("'', 1.0", score=1.0), leaf("'', 1.0", score=0), score=0.5)
    written(tmp_path / "b.json", leaf("'', 1.0"))
    done = decklab("rubric", "check", tmp_path, "--recorded", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {"trees": 2, "leaves": 3, "recorded": 1, "mismatches": 0}


def test_recorded_scores_that_do_not_add_up_are_named(tmp_path: Path) -> None:
    written(tmp_path / "a.json", leaf("'', 1.0", score=1.0), score=0.5)
    assert decklab("rubric", "check", tmp_path).returncode == 0
    done = decklab("rubric", "check", tmp_path, "--recorded", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["mismatches"] == 1
    assert "a.json: root: recorded 0.5, its leaves give 1.0" in done.stderr


def test_a_tree_that_does_not_load_is_named_with_its_node(tmp_path: Path) -> None:
    written(tmp_path / "good.json", leaf("'', 1.0"))
    written(tmp_path / "bad.json", leaf("'', 1.0", score=7))
    done = decklab("rubric", "check", tmp_path, "--recorded", "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith("bad.json: root.children[0]: 'score' is 7, not between 0 and 1\n")


@pytest.mark.long
def test_the_graded_tree_is_printed_with_its_reasons(tmp_path: Path, deck: Path) -> None:
    rubric = written(
        tmp_path / "r.json", leaf("'found it', 1.0", True), leaf("vlm_call('', []), 1")
    )
    done = decklab("grade", deck, deck, "--rubric", rubric)
    assert done.returncode == 0, done.stderr
    assert "1.00  leaf [critical]" in done.stdout and "found it" in done.stdout
    assert "not scored: needs a model: none was named" in done.stdout
    assert done.stdout.endswith("Score: open, from 0.7 to 1\n")


@pytest.mark.long
def test_a_leaf_without_end_costs_its_limit_and_no_more(tmp_path: Path, deck: Path) -> None:
    endless = leaf("''")
    endless["scorer"]["function_code"] = "def compute_score():\n    while True: pass\n"
    rubric = written(tmp_path / "r.json", endless, leaf("'fine', 1.0", True))
    started = time.perf_counter()
    done = decklab("grade", deck, deck, "--rubric", rubric, "--json", "--seconds", "1")
    assert time.perf_counter() - started < 30  # a second for the leaf, the rest to start and read
    told = json.loads(done.stdout)
    assert told["root"]["children"][0]["not_scored"] == "ran longer than 1 s and was ended"
    assert (told["score"], told["low"], told["high"]) == (None, pytest.approx(0.7), 1.0)
    assert set(told["seconds"]) >= {"diff", "pictures", "sandbox", "total"}


@pytest.mark.long
def test_text_of_a_leaf_does_not_reach_the_terminal_as_commands(tmp_path: Path, deck: Path) -> None:
    rubric = written(tmp_path / "r.json", leaf(r"'a\x1b[31mb\rc', 1.0"))
    done = decklab("grade", deck, deck, "--rubric", rubric)
    assert "\x1b" not in done.stdout and "\r" not in done.stdout


@pytest.mark.long
def test_what_cannot_be_read_is_one_line(tmp_path: Path, deck: Path) -> None:
    rubric = written(tmp_path / "r.json", leaf("'', 1.0"))
    for arguments in ((deck, tmp_path / "none.pptx", rubric), (deck, deck, tmp_path / "none.json")):
        done = decklab("grade", arguments[0], arguments[1], "--rubric", arguments[2])
        assert done.returncode == 2 and done.stdout == ""
        assert done.stderr.count("\n") == 1 and "none." in done.stderr


MODEL = "openai-api/loopback/rubric-judge"


def asking(monkeypatch: pytest.MonkeyPatch, url: str, *words: object) -> Result:
    """A command that asks the model behind ``url``."""
    monkeypatch.setenv("LOOPBACK_BASE_URL", f"{url}/v1")
    monkeypatch.setenv("LOOPBACK_API_KEY", "none")
    return CliRunner().invoke(app, [*map(str, words), "--model", MODEL])


@pytest.mark.office
def test_a_model_answers_leaves_of_every_kind_and_what_it_was_asked_is_kept(
    tmp_path: Path, deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = leaf("vlm_call('Blue?', [original_ppt_screenshots[0].image_path]), 1.0", True)
    read = leaf("llm_call('Readable?', temperature=0.1), 0.5", True)
    judge = {"name": "judged", "is_critical": True,
             "scorer": {"type": "llm", "system_prompt": "You judge.",
                        "user_prompt": "Title: {{ len(original_ppt_screenshots) }}"}}  # fmt: skip
    rubric = written(tmp_path / "r.json", look, read, judge)

    def answer(request: dict[str, Any]) -> str:
        if QUESTION in prompt_of(request):
            return sight_number(MODEL)
        said = '{"reason": "one slide", "score": 0.75}'
        return said if "Title: 1" in prompt_of(request) else "YES"

    with serving(honest(answer)) as server:
        words = ("grade", deck, deck, "--rubric", rubric, "--json", "--html", tmp_path / "p.html")
        done = asking(monkeypatch, server.url, *words)
    assert done.exit_code == 0, done.exception
    told = json.loads(done.stdout)
    assert [child["reason"] for child in told["root"]["children"]] == ["YES", "YES", "one slide"]
    assert told["score"] == pytest.approx((1 + 0.5 + 0.75) / 3)
    shown = [(prompt_of(request), images_of(request)) for request in server.requests]
    of_leaves = [images for prompt, images in shown if not of_a_leaf(prompt, images)]
    assert [len(images) for images in of_leaves] == [1, 1, 0, 0]
    [[first], *_] = [child["asked"] for child in told["root"]["children"]]
    assert (first["prompt"], first["images"], first["answer"]) == ("Blue?", 1, "YES")
    assert told["seconds"]["model"] > 0
    assert "1 question to a model" in (tmp_path / "p.html").read_text()


@pytest.mark.long
def test_a_draft_is_mended_and_written_and_can_be_graded_with(
    tmp_path: Path, deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = ("from pptx import Presentation\n"
             "def compute_score():\n"
             "    title = Presentation(modified_ppt_path).slides[0].shapes.title.text\n"
             "    return title, float(title == 'Theme')\n")  # fmt: skip
    free, kept = leaf("'there', 1.0", True), {**leaf("'calm', 1.0"), "name": "Nothing else"}
    right = {**leaf("", True), "name": "Title is new"}
    right["scorer"]["function_code"] = check
    drafts = [{"root": {"name": "all", "children": [one, kept]}} for one in (free, right)]
    out = tmp_path / "made.json"
    words = ("rubric", "draft", deck, "--task", "Call it Theme", "--out", out,
             "--critical", "Title is new", "--non-critical", "Nothing else")  # fmt: skip
    with serving([json.dumps(draft) for draft in drafts]) as server:
        done = asking(monkeypatch, server.url, *words)
    assert done.exit_code == 0, done.exception
    assert done.stdout == f"{out}: 2 leaves; an unedited deck scores 0.\n"
    again = prompt_of(server.requests[1])
    assert "must score 0" in again and "no critical criterion named 'Title is new'" in again
    assert load_rubric(out).metadata == {"task": "Call it Theme", "drafted_by": MODEL}
    graded = decklab("grade", deck, deck, "--rubric", out)
    assert graded.stdout.endswith("Score: 0\n")


def test_a_draft_that_stays_wrong_is_not_written(
    tmp_path: Path, deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "made.json"
    words = ("rubric", "draft", deck, "--task", "Do it", "--out", out, "--repairs", 1)
    with serving(["I would rather not."]) as server:
        done = asking(monkeypatch, server.url, *words)
    assert isinstance(done.exception, DecklabError) and "after 1 repairs" in str(done.exception)
    assert len(server.requests) == 2 and not out.exists()


def test_tasks_are_proposed_with_difficulty_and_slide(
    deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "[hard] [SLIDE:1] Turn the title\x1b[31m into a link\n[easy] [SLIDE:1] Make it bold"
    with serving([Answer("[easy] [SLIDE:9] No"), said, said]) as server:
        done = asking(monkeypatch, server.url, "rubric", "propose", deck, "--count", 2)
    assert done.stdout.splitlines()[1] == "easy    slide 1    Make it bold"
    assert "\x1b" not in done.stdout
    assert "the deck has slides 1 to 1" in prompt_of(server.requests[1])


@pytest.mark.long
@pytest.mark.shared
def test_leaves_beyond_the_budget_are_open_and_asked_when_the_run_goes_on(
    tmp_path: Path, deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaves = [leaf(f"llm_call('Readable {n}?'), 1.0", True) for n in range(3)]
    rubric = written(tmp_path / "r.json", *leaves)
    words = ("grade", deck, deck, "--rubric", rubric, "--record", tmp_path / "kept", "--json")
    with serving(honest(["YES"])) as server:
        done = asking(monkeypatch, server.url, *words, "--budget-tokens", 15)
        assert done.exit_code == 0, done.exception
        first, second, third = json.loads(done.stdout)["root"]["children"]
        assert (first["reason"], second["reason"]) == ("YES", "YES")
        assert "the budget of 15 tokens is spent: 20" in json.dumps(third)
        assert third["score"] is None
        assert len(server.requests) == 2
        done = asking(monkeypatch, server.url, *words)
        assert [one["reason"] for one in json.loads(done.stdout)["root"]["children"]] == ["YES"] * 3
        assert len(server.requests) == 3


def test_a_draft_beyond_the_budget_is_one_line_and_nothing_is_written(
    tmp_path: Path, deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "made.json"
    words = ("rubric", "draft", deck, "--task", "Do it", "--out", out, "--prices", "1e5,1e5",
             "--budget-dollars", 0.5)  # fmt: skip
    with serving(["I would rather not."]) as server:
        done = asking(monkeypatch, server.url, *words)
    assert isinstance(done.exception, BudgetSpent)
    assert str(done.exception) == f"{MODEL}: the budget of 0.5 dollars is spent: 1.0000"
    assert len(server.requests) == 1 and not out.exists()


def test_proposals_are_kept(tmp_path: Path, deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("rubric", "propose", deck, "--count", 1, "--record", tmp_path / "kept")
    with serving(["[easy] [SLIDE:1] Make it bold"]) as server:
        told = [asking(monkeypatch, server.url, *words).stdout for _ in range(2)]
    assert told[0] == told[1] == "easy    slide 1    Make it bold\n"
    assert len(server.requests) == 1


def test_the_published_rubrics_are_in_order(shared: Path) -> None:
    done = decklab("rubric", "check", shared / "ppteval", "--recorded", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout) == {"trees": 60, "leaves": 224, "recorded": 24, "mismatches": 0}
