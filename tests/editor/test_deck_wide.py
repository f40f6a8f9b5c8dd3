"""Requests about all words of a deck of 52 slides, through a scripted model."""

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from io import BytesIO
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import pytest
from lxml import etree
from pptx import Presentation
from tests.editor.decks52 import (
    PRODUCT,
    SLIDES,
    shown_words,
    split_words,
    without_words,
    write_deck52,
)
from tests.editor.scripted import Said, change, plan, scripted, stage_of, step
from tests.openai_server import Answer, OpenAIServer, prompt_of

from decklab.core.errors import ModelFailed
from decklab.editor.model_editor import edit_with_model
from decklab.editor.outline import OUTLINE_CHARACTERS
from decklab.editor.planning import WORDS_CHARACTERS
from decklab.editor.result import EditResult
from decklab.editor.rounds import ModelEditOptions
from decklab.editor.steps import StepFailed
from decklab.editor.text_steps import (
    BATCH_CHARACTERS,
    TextStep,
    ask_for_texts,
    batches_by_size,
    in_parallel,
    set_step_texts,
    text_batches,
)

KINDS = ("table", "chart", "diagram", "notes", "alt text", "layout", "master", "section")
"""Kinds of changes in which not every request has something to do."""
LINE = re.compile(r"^(\S+)\t(\".*\")$", re.MULTILINE)


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_deck52(tmp_path_factory.mktemp("fiftytwo"))


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shorter deck of the same kinds, for what the number of slides does not matter to."""
    return write_deck52(tmp_path_factory.mktemp("short"), slides=20)


def texts_of(request: dict[str, Any]) -> dict[str, str]:
    """The texts of a batch by id, as the model was shown them."""
    shown = prompt_of(request).split("\nThe texts:\n")[1]
    return {id: json.loads(text) for id, text in LINE.findall(shown)}


def in_brackets(text: str) -> str:
    return f"⟦{text}⟧"


def renamed(text: str) -> str:
    return text.replace(PRODUCT, "River").replace(PRODUCT.lower(), "river")


def worded(change: Callable[[str], str]) -> Callable[[dict[str, Any]], Said]:
    """A model that changes each text as a function says, and gives back those that differ."""

    def said(request: dict[str, Any]) -> Said:
        found = {id: change(text) for id, text in texts_of(request).items()}
        old = texts_of(request)
        edits = [{"id": id, "text": text} for id, text in found.items() if text != old[id]]
        return {"edits": edits, "language": ""}

    return said


def edited(deck: Path, out: Path, said: Any, **options: Any) -> tuple[EditResult, OpenAIServer]:
    wide = plan("all words change", ("text",), (), steps=[step("texts", ())], design=True)
    wide["changes"].append(change("so do others", KINDS, (), design=True, required=False))
    with scripted(plan=wide, texts=said) as (ask, server):
        result = edit_with_model(
            deck, "Do it everywhere", ask, out=out, draw=False,
            options=ModelEditOptions(**{"review": False, "rounds": 1, **options}),
        )  # fmt: skip
    return result, server


def batches_of(server: OpenAIServer) -> list[dict[str, str]]:
    return [texts_of(one) for one in server.requests if stage_of(one) == "texts"]


@pytest.mark.long
def test_a_translation_reaches_every_word_and_changes_nothing_else(
    deck: Path, tmp_path: Path
) -> None:
    out = tmp_path / "translated.pptx"
    result, server = edited(deck, out, worded(in_brackets))
    assert result.outcome == "done", result.undone

    sent = batches_of(server)
    assert len(sent) > 3
    ids = [id for batch in sent for id in batch]
    assert len(ids) == len(set(ids))
    told = Counter(text for batch in sent for text in batch.values())
    there = shown_words(deck)
    names = Counter(text for found in there.charts.values() for text in found)
    assert not (there.paragraphs + there.descriptions + names) - told

    after = shown_words(out)
    assert after.paragraphs == bracketed(there.paragraphs)
    assert after.descriptions == bracketed(there.descriptions)
    charts = {part: {in_brackets(one) for one in found} for part, found in there.charts.items()}
    assert after.charts == charts
    assert without_words(out) == without_words(deck)


def bracketed(found: Counter[str]) -> Counter[str]:
    return Counter({in_brackets(text): times for text, times in found.items()})


@pytest.mark.long
def test_a_new_name_of_the_product_comes_everywhere_and_nothing_else_does(
    deck: Path, tmp_path: Path
) -> None:
    out = tmp_path / "renamed.pptx"
    result, _ = edited(deck, out, worded(renamed))
    assert result.outcome == "done", result.undone
    there, after = shown_words(deck), shown_words(out)
    assert PRODUCT in there.all
    assert not re.search(PRODUCT, after.all, re.IGNORECASE)
    want = Counter[str]()
    for text, times in there.paragraphs.items():
        want[renamed(text)] += times
    assert after.paragraphs == want
    assert after.charts == {part: set(map(renamed, one)) for part, one in there.charts.items()}
    blank, blank_before = without_words(out), without_words(deck)
    assert list(blank) == list(blank_before)
    split = {f"ppt/slides/slide{n}.xml" for n in range(1, SLIDES + 1) if split_words(n)}
    split.add("ppt/slideMasters/slideMaster1.xml")
    assert {name for name in blank if blank[name] != blank_before[name]} == split
    for name in split:  # the second run of the name has no words left
        runs = blank_before[name].count(b"<a:r>") - blank[name].count(b"<a:r>")
        assert runs == 1, name
    assert PRODUCT in "".join(words_of_workbooks(deck))
    assert words_of_workbooks(out) == [renamed(text) for text in words_of_workbooks(deck)]


def words_of_workbooks(deck: Path) -> list[str]:
    """The words that the cells of the workbooks in a deck show, in their order."""
    found = list[str]()
    with ZipFile(deck) as held:
        for name in sorted(held.namelist()):
            if name.endswith(".xlsx"):
                with ZipFile(BytesIO(held.read(name))) as book:
                    sheet = etree.fromstring(book.read("xl/worksheets/sheet1.xml"))
                    shared = etree.fromstring(book.read("xl/sharedStrings.xml"))
                strings = ["".join(map(str, item.itertext())) for item in shared]
                for cell in sheet.iter("{*}c"):
                    words = "".join(map(str, cell.itertext()))
                    kind = cell.get("t")
                    found += [strings[int(words)] if kind == "s" else words] * (kind is not None)
    return found


@pytest.mark.long
def test_every_question_keeps_to_its_budget(deck: Path, tmp_path: Path) -> None:
    _, server = edited(deck, tmp_path / "out.pptx", worded(renamed))
    lengths = {stage: max(len(prompt_of(one)) for one in server.requests if stage_of(one) == stage)
               for stage in ("plan", "check", "texts")}  # fmt: skip
    words = 12_000  # system prompt, the prompt's own words, functions, request
    assert lengths["plan"] <= WORDS_CHARACTERS + OUTLINE_CHARACTERS + words
    assert lengths["check"] <= OUTLINE_CHARACTERS + 6_000
    assert lengths["texts"] <= BATCH_CHARACTERS + 6_000
    planned = prompt_of(server.requests[0])
    for number in range(1, SLIDES + 1):
        assert re.search(rf"^Slide {number}\b", planned, re.MULTILINE)


@pytest.mark.long
def test_batches_are_asked_about_at_once_with_the_same_result(short: Path, tmp_path: Path) -> None:
    answer, number, both = worded(renamed), count(), threading.Barrier(2, timeout=60)

    def waiting(request: dict[str, Any]) -> Said:
        if next(number) < 2:
            both.wait()  # until the second question is there as well
        return answer(request)

    edited(short, tmp_path / "together.pptx", waiting, parallel=2)
    assert next(number) >= 2
    edited(short, tmp_path / "alone.pptx", answer, parallel=1)
    assert shown_words(tmp_path / "together.pptx") == shown_words(tmp_path / "alone.pptx")


@pytest.mark.long
def test_a_batch_that_fails_is_named_and_only_it_is_asked_again(
    short: Path, tmp_path: Path
) -> None:
    answer, refusals = worded(renamed), list[str]()

    def said(request: dict[str, Any]) -> Said:
        text = prompt_of(request)
        if "step 18" in text.split("\nThe texts:\n")[1] and len(refusals) < 3:
            refusals.append(text)
            return "I would rather not."
        return answer(request)

    out = tmp_path / "out.pptx"
    result, server = edited(short, out, said, rounds=2)
    assert result.outcome == "done"
    assert PRODUCT not in shown_words(out).all
    assert re.search(r"slides [\d, ]*\b18\b", result.attempts[0].failure)
    asked = [tuple(batch) for batch in batches_of(server)]
    again = [batch for batch, times in Counter(asked).items() if times > 1]
    assert len(again) == 1
    assert len(asked) == len(set(asked)) + 3


@pytest.mark.long
@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"id": "s1/2/p0", "text": "a"}, "there is no text 's1/2/p0'"),
        ("twice", "is given twice"),
        ("field", "stand for fields"),
    ],
)
def test_an_answer_that_does_not_fit_its_batch_is_asked_again(
    short: Path, tmp_path: Path, wrong: Any, told: str
) -> None:
    answer, wronged = worded(renamed), list[str]()

    def said(request: dict[str, Any]) -> Said:
        good: Any = answer(request)
        if wronged or not good["edits"]:
            return good
        wronged.append(told)
        first = good["edits"][0]
        bad = {"twice": first, "field": {**first, "text": "￼￼"}}.get(wrong) if isinstance(
            wrong, str) else wrong  # fmt: skip
        edits = good["edits"][1:] if wrong == "field" else good["edits"]
        return {"edits": [*edits, bad], "language": ""}

    out = tmp_path / "out.pptx"
    result, server = edited(short, out, said, parallel=1)
    assert result.outcome == "done"
    assert any(told in prompt_of(one) for one in server.requests)
    assert PRODUCT not in shown_words(out).all


@pytest.mark.long
def test_a_batch_that_is_too_long_is_asked_about_in_halves(short: Path, tmp_path: Path) -> None:
    answer = worded(renamed)

    def said(request: dict[str, Any]) -> Said:
        if len(texts_of(request)) > 40:
            return Answer("maximum context length is 4096 tokens", 400)
        return answer(request)

    out = tmp_path / "out.pptx"
    result, _ = edited(short, out, said)
    assert result.outcome == "done"
    assert PRODUCT not in shown_words(out).all


@pytest.mark.long
def test_only_the_slides_named_are_worded_anew(short: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.pptx"
    wide = plan("words change", ("text", *KINDS), (17, 18), steps=[step("texts", (17, 18))])
    with scripted(
        plan=wide, texts=worded(in_brackets)
    ) as (ask, server):  # fmt: skip
        options = ModelEditOptions(review=False, rounds=1, paths="program")
        result = edit_with_model(short, "Slides 17-18", ask, out=out, draw=False, options=options)
    assert result.outcome == "done"
    shown = "\n".join(prompt_of(one).split("\nThe texts:\n")[1] for one in server.requests
                      if stage_of(one) == "texts")  # fmt: skip
    assert re.findall(r"^Slide (\d+)$", shown, re.MULTILINE) == ["17", "18"]


@pytest.mark.parametrize(
    ("sizes", "most", "groups"),
    [([], 5, []), ([9], 5, [(9,)]), ([2, 3, 1], 5, [(2, 3), (1,)]), ([5, 5], 5, [(5,), (5,)])],
)
def test_batches_keep_order_and_size(
    sizes: list[int], most: int, groups: list[tuple[int, ...]]
) -> None:
    assert batches_by_size(sizes, int, most) == groups


def test_an_error_of_one_is_raised_and_ends_the_others() -> None:
    begun = list[int]()

    def make(number: int) -> int:
        begun.append(number)
        if number == 1:
            raise ValueError("no")
        time.sleep(0.05)
        return number

    with pytest.raises(ValueError, match="no"):
        in_parallel(make, range(1, 50), parallel=2)
    assert len(begun) < 49
    assert in_parallel(lambda one: one * 2, [1, 2, 3], parallel=2) == [2, 4, 6]


def test_a_slide_that_is_not_there_fails_the_step_and_says_so(short: Path, tmp_path: Path) -> None:
    context: Any = SimpleNamespace(step=SimpleNamespace(slides=(99,)), deck=short)
    with pytest.raises(StepFailed, match="there is no slide 99; the deck has 20"):
        ask_for_texts(None, context)  # type: ignore[arg-type]


def test_a_deck_without_words_needs_no_question(tmp_path: Path) -> None:
    prs = Presentation()
    prs.slides.add_slide(prs.slide_layouts[6])
    prs.save(str(tmp_path / "empty.pptx"))
    context: Any = SimpleNamespace(step=SimpleNamespace(slides=()), deck=tmp_path / "empty.pptx")
    made = ask_for_texts(None, context)  # type: ignore[arg-type]
    assert (made, text_batches([])) == (TextStep(), [])
    assert set_step_texts(made, tmp_path / "empty.pptx", tmp_path / "out.pptx") == 0
    assert len(Presentation(str(tmp_path / "out.pptx")).slides) == 1


def test_a_batch_that_is_withheld_fails_and_a_model_that_is_gone_ends_the_step(
    tmp_path: Path,
) -> None:
    prs = Presentation()
    prs.slides.add_slide(prs.slide_layouts[5]).shapes.title.text = "Harbour"
    prs.save(str(tmp_path / "one.pptx"))
    nothing = SimpleNamespace(changes=(), content=())
    whole = SimpleNamespace(slides=(), task="all words")
    context: Any = SimpleNamespace(
        step=whole, instruction="Do it", plan=nothing, deck=tmp_path / "one.pptx"
    )

    def asked(kind: Any) -> TextStep:
        def refuse(*_: object, **__: object) -> None:
            raise ModelFailed("a/model", "the reason", kind=kind)

        conversation: Any = SimpleNamespace(answer=refuse)
        return ask_for_texts(conversation, context)

    for kind in ("withheld", "too_long"):
        [line] = asked(kind).failed
        assert line.startswith("slide 1: ") and "the reason" in line
    for kind in ("failed", "busy", "refused"):
        with pytest.raises(ModelFailed, match="the reason"):
            asked(kind)


def test_what_belongs_to_a_task_is_known_in_its_threads() -> None:
    task: ContextVar[str] = ContextVar("task")
    task.set("mine")
    assert in_parallel(lambda _: task.get("none"), [1, 2, 3], parallel=2) == ["mine"] * 3
