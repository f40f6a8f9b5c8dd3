"""Leaves at work in a sandbox: what they see, and that our failures never become scores."""

import io
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from tests.diffing import rubric_edits
from tests.evals.rubrics.conftest import leaf, returning, tree

from decklab.core.errors import ModelFailed, RenderFailed
from decklab.core.results import NotScored
from decklab.diffing.ppteval_diff import ppt_diff
from decklab.diffing.ppteval_records import PowerPointDiff
from decklab.evals.judges.asking import FENCE_RULE
from decklab.evals.rubrics.graded import LeafResult
from decklab.evals.rubrics.rubric import parse_rubric
from decklab.evals.rubrics.running import (
    LOGGED,
    NEEDS_MODEL,
    DeckPair,
    LeafRoom,
    ScoredAnswer,
    calls_allowed,
    run_leaves,
)
from decklab.models.asking import ModelReply
from decklab.models.reading import read_answer

Run = Callable[..., list[LeafResult]]


class Pictures:
    """Draws a slide as one colour, and counts."""

    def __init__(self) -> None:
        self.drawn: list[tuple[str, int]] = []
        self.failure: Exception | None = None

    def __call__(self, side: str, number: int) -> bytes:
        self.drawn.append((side, number))
        if self.failure is not None:
            raise self.failure
        data = io.BytesIO()
        Image.new("RGB", (16, 9), (number, 0, 0)).save(data, "PNG")
        return data.getvalue()


@pytest.fixture
def pictures() -> Pictures:
    return Pictures()


@pytest.fixture(scope="module")
def decks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("decks")
    deck = Presentation()
    for number in (1, 2):
        slide = deck.slides.add_slide(deck.slide_layouts[0])
        slide.shapes.title.text = f"Topic {number}"
    deck.save(str(folder / "before.pptx"))
    deck.slides[1].shapes.title.text = "Theme 2"
    deck.slides[1].notes_slide.notes_text_frame.text = "Say it slowly"
    deck.save(str(folder / "after.pptx"))
    return folder / "before.pptx", folder / "after.pptx"


@pytest.fixture
def run(decks: tuple[Path, Path], pictures: Pictures) -> Run:
    before, after = decks
    pair = DeckPair(
        before, after, ppt_diff(before, after),
        {"original": [(1, "256"), (2, "257")], "modified": [(1, "256"), (2, "257")]}, pictures,
    )  # fmt: skip

    def go(*leaves: dict[str, Any], **how: Any) -> list[LeafResult]:
        how.setdefault("isolation", "process")
        return list(run_leaves(tree(*leaves), pair, **how).values())

    return go


def code(*lines: str) -> dict[str, Any]:
    return leaf("\n".join(("def compute_score():", *(f"    {line}" for line in lines))))


def test_scores_and_reasons_come_back(run: Run) -> None:
    one, two, three = run(
        returning("'half', 0.5"), returning("'yes', True"),
        code("import numpy", "return 'n', numpy.float64(0.25)"),
    )  # fmt: skip
    assert (one.score, one.reason) == (0.5, "half")
    assert (two.score, three.score) == (1.0, 0.25)


def test_leaves_see_the_globals_of_the_appendix_and_the_files(run: Run) -> None:
    seen = code(
        "from pptx import Presentation",
        "was, now = ppt_diff.modified_slides[0]",
        "deck = Presentation(modified_ppt_path)",
        "old = Presentation(original_ppt_path)",
        "shots = [(s.slide_number, s.slide_id) for s in original_ppt_screenshots]",
        "assert type(ppt_diff).__name__ == 'PowerPointDiff'",
        "assert ppt_diff.added_slides == [] and isinstance(modified_ppt_screenshots, list)",
        "assert callable(llm_call) and callable(vlm_call)",
        "said = [was.title, now.notes, now.to_dict()['slide_number'], shots,",
        "        old.slides[1].shapes.title.text, deck.slides[1].shapes.title.text]",
        "return repr(said), 1.0",
    )
    (result,) = run(seen)
    assert result.reason == repr(
        ["Topic 2", "Say it slowly", 2, [(1, "256"), (2, "257")], "Topic 2", "Theme 2"]
    )


def test_leaves_test_effects_in_the_evaluators_words_and_see_what_is_behind_the_slides(
    tmp_path: Path, pictures: Pictures
) -> None:
    edits = {"fly in from left", "slide size", "master background"}
    before, after = tmp_path / "before.pptx", tmp_path / "after.pptx"
    deck = rubric_edits.before()
    deck.save(str(before))
    for name in sorted(edits):
        rubric_edits.EDITS[name](deck)
    deck.save(str(after))
    effect = code(
        "(one,) = ppt_diff.added_animations",
        "ok = one.effect_type == 'fly_in_from_left' and one.trigger == 'click'",
        "return one.element_text, float(ok and one.element_type == 'shape')",
    )
    behind = code(
        "from ppteval.verify.ppt.diff import PowerPointDiff",
        "((was, now),) = ppt_diff.modified_slide_size",
        "changed = [one.properties.get('background') for pair in ppt_diff.modified_templates",
        "           for one in pair if one.kind == 'master']",
        "told = ppt_diff.to_dict()['modified_slide_size']",
        "said = [now.width - was.width > 200, changed, told == [[was.to_dict(), now.to_dict()]]]",
        "return repr(said), float(isinstance(ppt_diff, PowerPointDiff))",
    )
    pair = DeckPair(
        before, after, ppt_diff(before, after), {"original": [], "modified": []}, pictures
    )
    one, other = run_leaves(tree(effect, behind), pair, isolation="process").values()
    assert (one.reason, one.score) == ("First pointSecond pointThird point", 1.0)
    assert (other.reason, other.score) == (repr([True, ["#FFFFFF", "#FF0000"], True]), 1.0)


def test_leaves_see_nothing_of_what_put_their_globals_there(run: Run) -> None:
    seen = code("import sys", "return '', float(not {'install', 'service'} & set(globals())"
                " and not any('Held' in type(one).__name__ for one in sys.meta_path))")  # fmt: skip
    assert [one.score for one in run(seen)] == [1.0]


def test_one_leaf_leaves_nothing_behind_for_the_next(run: Run) -> None:
    first = code("import pptx, builtins", "pptx.spoilt = builtins.spoilt = True",
                 "ppt_diff.modified_slides.clear()", "open('note', 'w').write('x')",
                 "return '', 1.0")  # fmt: skip
    second = code("import pptx, builtins, os",
                  "clean = not hasattr(pptx, 'spoilt') and not hasattr(builtins, 'spoilt')",
                  "return '', float(clean and len(ppt_diff.modified_slides) == 1"
                  " and not os.path.exists('note'))")  # fmt: skip
    assert [one.score for one in run(first, second)] == [1.0, 1.0]


@pytest.mark.by_day(4)
@pytest.mark.parametrize(
    ("lines", "cause"),
    [
        (("return 1 / 0, 1.0",), "its code raised ZeroDivisionError: division by zero (line 2)"),
        (("raise SystemExit(0)",), "its code raised SystemExit"),
        (("return 'only a reason'",), "returned 'only a reason', not a reason and a score"),
        (("return 1.0, 'swapped'",), "returned [1.0, 'swapped'], not a reason and a score"),
        (("return 'much', 1.5",), "returned the score 1.5, not one between 0 and 1"),
        (("return 'text', '1'",), "returned the score '1', not one between 0 and 1"),
        (("return 'nan', float('nan')",), ""),
        (("import os", "os._exit(3)"), ""),
    ],
)
def test_a_leaf_that_gives_no_score_is_not_scored_with_its_cause(
    run: Run, lines: tuple[str, ...], cause: str
) -> None:
    broken, after = run(code(*lines), returning("'fine', 1.0"))
    assert isinstance(broken.score, NotScored)
    assert broken.score.reason.startswith(cause) and broken.score.reason
    assert after.score == 1.0


def test_a_leaf_without_end_costs_its_limit_and_no_more(run: Run) -> None:
    started = time.perf_counter()
    endless, after = run(code("while True: pass"), returning("'fine', 1.0"), seconds=0.5)
    assert endless.score == NotScored("ran longer than 0.5 s and was ended")
    assert after.score == 1.0
    assert time.perf_counter() - started < 15  # most of it starting Python on a busy machine


@pytest.mark.parametrize("call", ["llm_call('?')", "vlm_call('?', [])"])
def test_a_model_that_was_not_named_is_no_score_even_where_the_leaf_catches_it(
    run: Run, call: str
) -> None:
    caught = code("try:", f"    return {call}, 1.0", "except BaseException:", "    pass",
                  "return 'failed', 0.0")  # fmt: skip
    (result,) = run(caught)
    assert result.score == NotScored(NEEDS_MODEL)


@pytest.mark.long
def test_pictures_are_drawn_when_a_leaf_asks_for_them_and_not_before(
    run: Run, pictures: Pictures
) -> None:
    looks = code("from PIL import Image", "path = modified_ppt_screenshots[1].image_path",
                 "assert path == modified_ppt_screenshots[1].image_path",
                 "return path, float(Image.open(path).getpixel((0, 0)) == (2, 0, 0))")  # fmt: skip
    counts = code("return '', float(len(modified_ppt_screenshots) == 2)")
    assert [one.score for one in run(counts)] == [1.0]
    assert pictures.drawn == []
    assert [one.score for one in run(looks)] == [1.0]
    assert pictures.drawn == [("modified", 2)]


def test_pictures_that_cannot_be_drawn_are_no_score_even_where_the_leaf_catches_it(
    run: Run, pictures: Pictures
) -> None:
    pictures.failure = RenderFailed("after.pptx", "LibreOffice died")
    caught = code("try:", "    original_ppt_screenshots[0].image_path", "except BaseException:",
                  "    pass", "return 'no picture', 0.0")  # fmt: skip
    (result,) = run(caught)
    assert result.score == NotScored(
        "needs pictures of the slides: after.pptx: LibreOffice died"
    )  # fmt: skip


def test_published_leaves_find_the_modules_they_import_from(run: Run) -> None:
    result, flagged = run(
        leaf(
            "from dotenv import load_dotenv\nload_dotenv()\n"
            "from ppteval.verify.ppt.verifier import vlm_call\n"
            "def compute_score():\n"
            "    from rubric.utils.llm_tools import llm_call as again\n"
            "    from ppteval.verify.ppt.diff import Slide\n"
            "    return 'found', float(again is llm_call and isinstance(vlm_call, type(again)))\n"
            "if __name__ == '__main__':\n    raise RuntimeError\n"
        ),
        code("from ppteval.verify.ppt.verifier import ScreenshotsUnavailableError",
             "raise ScreenshotsUnavailableError('slide 3 lacks')"),
    )  # fmt: skip
    assert result.score == 1.0
    assert flagged.score == NotScored("needs pictures of the slides: slide 3 lacks")


def test_the_model_gets_prompt_and_pictures_in_every_shape_a_leaf_may_give_them(run: Run) -> None:
    asked: list[tuple[str, list[bytes], float]] = []

    def ask(prompt: str, *, images: Sequence[bytes], temperature: float) -> ModelReply[Any]:
        asked.append((prompt, list(images), temperature))
        return ModelReply("YES")

    shapes = code(
        "import base64",
        "shot = modified_ppt_screenshots[0]",
        "data = open(shot.image_path, 'rb').read()",
        "text = base64.b64encode(data).decode()",
        "images = [shot, shot.image_path, data, text, 'data:image/png;base64,' + text]",
        "said = vlm_call(prompt='look', images=images, temperature=0.1, max_tokens=5)",
        "return said, float(llm_call('read', temperature=0) == said == 'YES')",
    )
    (result,) = run(shapes, ask=ask)
    assert (result.score, result.reason) == (1.0, "YES")
    (look, images, warm), (read, none, cold) = asked
    assert (look, read, none, warm, cold) == ("look", "read", [], 0.1, 0)
    assert len(set(images)) == 1 and len(images) == 5 and images[0].startswith(b"\x89PNG")


def test_a_model_that_does_not_answer_is_no_score(run: Run) -> None:
    def ask(prompt: str, **how: Any) -> ModelReply[Any]:
        raise ModelFailed("some/model", "overloaded")

    caught = code("try:", "    llm_call('?')", "except BaseException:", "    pass",
                  "return 'failed', 0.0")  # fmt: skip
    (result,) = run(caught, ask=ask)
    assert result.score == NotScored("the model gave no answer: some/model: overloaded")


def test_questions_without_end_are_cut_off(run: Run) -> None:
    asked: list[str] = []

    def ask(prompt: str, **how: Any) -> ModelReply[Any]:
        asked.append(prompt)
        return ModelReply("more")

    (result,) = run(code("while True: llm_call('more')"), ask=ask)
    assert len(asked) == 28 == len(result.asked) - 1  # 20, and 4 for each of 2 slides
    assert "more than" in result.asked[-1].failed
    assert isinstance(result.score, NotScored)
    assert "more than 28 times" in result.score.reason


def long_pair(decks: tuple[Path, Path], pictures: Pictures, slides: int = 60) -> DeckPair:
    listed = [(number, str(255 + number)) for number in range(1, slides + 1)]
    return DeckPair(*decks, PowerPointDiff(), {"original": listed, "modified": listed}, pictures)


def test_a_leaf_may_ask_about_every_slide_of_a_long_deck(
    decks: tuple[Path, Path], pictures: Pictures
) -> None:
    asks = code(
        "for was, now in zip(original_ppt_screenshots, modified_ppt_screenshots):",
        "    vlm_call('Did it change?', [was.image_path, now.image_path])",
        "    llm_call('And what does it say?')",
        "return 'asked', 1.0",
    )
    results = run_leaves(
        tree(asks, asks), long_pair(decks, pictures), ask=saying("no"), isolation="process"
    )
    assert [(one.score, len(one.asked)) for one in results.values()] == [(1.0, 120)] * 2


def test_the_number_of_questions_grows_with_the_decks_up_to_a_bound() -> None:
    assert [calls_allowed(slides) for slides in (0, 1, 21, 245, 10_000)] == [
        20, 24, 104, 1000, 1000,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("asks", "cause"),
    [
        ("while True: vlm_call('?', [b'png'] * 30)", "more than 56 pictures"),
        ("while True: llm_call('word ' * 300_000)", "more than 8,388,608 bytes of text"),
    ],
)
def test_what_a_leaf_sends_in_all_is_bounded(run: Run, asks: str, cause: str) -> None:
    (result,) = run(code(asks), ask=saying("yes"))
    assert isinstance(result.score, NotScored) and cause in result.score.reason


def test_how_long_a_leaf_waits_in_all_is_bounded(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("decklab.evals.rubrics.running.MODEL_SECONDS", 0.05)

    def slowly(prompt: str, **how: Any) -> ModelReply[Any]:
        time.sleep(0.03)
        return ModelReply("later")

    endless, other = run(code("while True: llm_call('?')"), code("return llm_call('?'), 1.0"),
                         ask=slowly)  # fmt: skip
    assert isinstance(endless.score, NotScored) and "longer than 0.05 s" in endless.score.reason
    assert 2 <= len(endless.asked) <= 4
    assert other.score == 1.0


@pytest.mark.long
def test_questions_that_are_too_large_are_not_put(run: Run) -> None:
    asked: list[str] = []

    def ask(prompt: str, **how: Any) -> ModelReply[Any]:
        asked.append(prompt)
        return ModelReply("yes")

    large = code("return vlm_call('?', [bytes(17 * 2**20)] * 2), 1.0")
    (result,) = run(large, ask=ask)
    assert asked == []
    assert isinstance(result.score, NotScored) and "33,554,432 bytes" in result.score.reason


def test_every_question_is_logged_with_its_answer(run: Run) -> None:
    asks = code("for shot in modified_ppt_screenshots:",
                "    said = vlm_call('Is it blue?' * 1000, [shot.image_path])",
                "return said, 0.5")  # fmt: skip
    one, two = run(asks, llm("How good?"), ask=saying('{"reason": "fine", "score": 1}'))
    assert [(call.images, call.answer) for call in one.asked] == [
        (1, '{"reason": "fine", "score": 1}')
    ] * 2
    assert all(len(call.prompt) == LOGGED and call.size > 11_000 for call in one.asked)
    assert [call.prompt for call in two.asked] == ["How good?"]
    (without,) = run(asks)
    assert [call.failed for call in without.asked] == [NEEDS_MODEL]


def llm(user: str, system: str = "You judge.") -> dict[str, Any]:
    scorer = {"type": "llm", "system_prompt": system, "user_prompt": user}
    return {"name": "judged", "scorer": scorer}


def saying(text: str) -> Callable[..., ModelReply[Any]]:
    return lambda prompt, **how: ModelReply(text)


def test_a_leaf_scored_by_a_model_fills_in_its_prompt(run: Run) -> None:
    asked: list[tuple[str, str | None]] = []

    def ask(
        prompt: str, *, images: Any, system: str | None, answer: type[ScoredAnswer]
    ) -> ModelReply[Any]:
        asked.append((prompt, system))
        return ModelReply("{}", answer(reason="as asked", score=0.75))

    (result,) = run(llm("Changed: {{ ppt_diff.modified_slides[0][1].title }}"), ask=ask)
    assert (result.score, result.reason) == (0.75, "as asked")
    [(prompt, system)] = asked
    assert system == "You judge." and prompt.startswith("Changed: \n[deck ")
    assert prompt.splitlines()[2] == "Theme 2" and prompt.endswith(FENCE_RULE)


def test_words_around_the_answer_of_a_model_do_no_harm(run: Run) -> None:
    (result,) = run(llm("?", ""), ask=saying('Well: {"reason": "good", "score": 1}.'))
    assert (result.score, result.reason) == (1.0, "good")


def test_a_leaf_scored_by_a_model_needs_one_that_answers(run: Run) -> None:
    (without,) = run(llm("?"))
    assert without.score == NotScored(NEEDS_MODEL)
    (silent,) = run(llm("?"), ask=saying("I cannot say."))
    assert isinstance(silent.score, NotScored) and "gave no answer" in silent.score.reason
    broken = run(llm("{% for %}"), llm("{{ none }}"), ask=saying('{"score": 1}'))
    causes = [one.score.reason for one in broken if isinstance(one.score, NotScored)]
    assert "no {% blocks %}" in causes[0] and "NameError" in causes[1]


def test_time_is_told_by_where_it_went(run: Run) -> None:
    clock: dict[str, float] = {}
    run(code("return modified_ppt_screenshots[0].image_path, 1.0"), clock=clock)
    assert set(clock) == {"pictures", "model", "sandbox"}
    assert 0 < clock["pictures"] < clock["sandbox"]


def test_behind_bubblewrap_nothing_of_the_host_is_there(run: Run, decks: tuple[Path, Path]) -> None:
    before = [deck.read_bytes() for deck in decks]
    nosy = code("import os", f"seen = os.path.exists({str(decks[0])!r}) or os.environ.get('HOME')",
                "try:", "    open(modified_ppt_path, 'ab').write(b'x')", "    spoilt = True",
                "except OSError:", "    spoilt = False",
                "path = modified_ppt_screenshots[0].image_path",
                "return str(seen) + path, float(not spoilt and os.path.exists(path)"
                f" and not os.path.exists({str(decks[0])!r}))")  # fmt: skip
    (result,) = run(nosy, isolation="bubblewrap")
    assert result.score == 1.0
    assert [deck.read_bytes() for deck in decks] == before


def test_a_tree_of_one_leaf_runs(decks: tuple[Path, Path], pictures: Pictures) -> None:
    rubric = parse_rubric({"root": returning("'alone', 1.0")})
    pair = DeckPair(*decks, PowerPointDiff(), {"original": [], "modified": []}, pictures)
    assert run_leaves(rubric, pair, isolation="process")["root"].score == 1.0


def test_trees_in_one_room_do_not_see_each_other(tmp_path: Path) -> None:
    seen = """
def compute_score():
    import builtins
    before = getattr(builtins, "left_behind", "nothing")
    builtins.left_behind = "something"
    return f"{before}, {open(modified_ppt_path).read()}", 1.0
"""
    with LeafRoom("process") as room:
        for name in ("first", "second"):
            path = tmp_path / name
            path.write_text(name)
            pair = DeckPair(path, path, PowerPointDiff(), {"original": [], "modified": []}, no_png)
            found = run_leaves(tree(leaf(seen), leaf(seen)), pair, room=room)
            assert [one.reason for one in found.values()] == [f"nothing, {name}"] * 2


def no_png(side: str, number: int) -> bytes:
    raise AssertionError("nobody asks for pictures")


@pytest.mark.parametrize(
    "text",
    [
        '{"score": 0.5, "reason": "half"}',
        'Well.\n```json\n{"score": 0.5, "reason": "half"}\n```\nDone.',
        '```\n{"score": 0.5, "reason": "half"}\n```',
        'I think {"score": 0.5, "reason": "half"} is fair.',
    ],
)
def test_json_is_found_wherever_it_stands(text: str) -> None:
    assert read_answer(text, ScoredAnswer).answer == ScoredAnswer(reason="half", score=0.5)


@pytest.mark.parametrize(
    "text", ["", "no", '{"reason": "x"}', '{"score": 2}', '{"score": true}', '{"score": "1"}', "[]"]
)
def test_an_answer_without_a_score_is_a_failure_of_the_model(text: str) -> None:
    assert read_answer(text, ScoredAnswer).problem
    assert read_answer(text, ScoredAnswer).answer is None
