"""What an edit added and what it left alone, told to the reviewer and to the owner."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from tests.editor.scripted import SATISFIED, Said, plan, program, scripted, step
from tests.editor.test_model_editor import (
    ASKED,
    WANTED,
    deck,  # noqa: F401 - fixture
    edited,
    prompts,
    samples,  # noqa: F401 - fixture
)
from tests.openai_server import prompt_of

from decklab.editor.model_editor import edit_with_model
from decklab.editor.result import EditOutput, EditResult
from decklab.editor.rounds import ModelEditOptions

LINE = re.compile(r"^(\S+)\t(\".*\")$", re.MULTILINE)
WORDS = ("text", "table", "chart", "diagram", "notes", "alt text", "layout", "master", "section")


def translating(skipped: str = "") -> Any:
    """A translator that turns every text around, so that no word stays; it leaves out the texts
    whose id has ``skipped`` in it."""

    def said(request: dict[str, Any]) -> Said:
        shown = prompt_of(request).split("\nThe texts:\n")[1]
        texts = {id: json.loads(text) for id, text in LINE.findall(shown)}
        edits = [
            {"id": id, "text": f"Über {text[::-1]}"}
            for id, text in texts.items()
            if "\ufffc" not in text and not (skipped and skipped in id)
        ]
        return {"edits": edits, "language": ""}

    return said


def translated(path: Path, said: Any, *kinds: str, **options: Any) -> tuple[EditResult, Any]:
    wide = plan("all slides are German", kinds or WORDS, (), steps=[step("texts", ())], design=True)
    output = EditOutput(path.with_name("german.pptx"), force=True)
    with scripted(
        plan=wide, texts=said, review=SATISFIED
    ) as (ask, server):  # fmt: skip
        result = edit_with_model(
            path, "Translate all slides into German", ask, out=output, draw=False,
            options=ModelEditOptions(rounds=1, **options),
        )  # fmt: skip
    return result, server


def notes(path: Path | None) -> list[str]:
    slides = Presentation(str(path)).slides
    return [
        one.notes_slide.notes_text_frame.text
        for one in slides
        if one.has_notes_slide and one.notes_slide.notes_text_frame is not None
    ]


@pytest.mark.long
def test_a_translation_in_which_no_word_stays_is_done_and_not_put_back(samples: Path) -> None:  # noqa: F811
    deck = samples / "rich.pptx"  # noqa: F811
    result, _ = translated(deck, translating())
    assert (result.outcome, result.undone, result.put_back) == ("done", (), ())
    before, after = (Presentation(str(path)).slides for path in (deck, result.output))
    assert [one.slide_id for one in after] == [one.slide_id for one in before]
    titles = [one.shapes.title.text_frame.text for one in after if one.shapes.title is not None]
    assert len(titles) == 14 and all("Über" in text for text in titles)
    assert all(text.startswith("Über") for text in notes(result.output))


@pytest.mark.long
def test_notes_that_a_translator_left_out_are_shown_to_the_reviewer_and_told(
    samples: Path,  # noqa: F811
) -> None:
    deck = samples / "rich.pptx"  # noqa: F811
    result, server = translated(deck, translating("/notes/"), "text", "layout", "master",
                                "section", "table", "chart", "diagram", "alt text")  # fmt: skip
    shown = prompts(server, "review")[0].split("did not change:")[1]
    for words in notes(deck):
        assert " ".join(words.split())[:60] in shown
    assert any(", notes, " in line for line in result.left_alone)
    assert "notes 14 (slides 1, 2" in result.left_alone_words
    assert result.as_json()["left_alone"] == list(result.left_alone)


@pytest.mark.long
def test_notes_that_were_planned_and_left_out_are_not_done(samples: Path) -> None:  # noqa: F811
    result, _ = translated(samples / "rich.pptx", translating("/notes/"), review=False)
    assert result.outcome == "partly"
    assert result.undone == ("Planned, but it did not happen: all slides are German: notes",)


def test_the_review_sees_the_numbers_of_a_new_chart_and_table(deck: Path) -> None:  # noqa: F811
    made = program(
        "add_chart(prs, 2, (60, 130, 400, 340), 'column', categories=['North', 'South'],"
        " series={'2025': [3.5, 41]}, title='Sales')\n"
        "add_table(prs, 2, (500, 130, 400, 200), [['Region', '2025'], ['North', '3.6']])\n"
        "add_text_box(prs, 2, (60, 480, 400, 40), 'Source: us')"
    )
    change = plan("a chart, a table and their source", ("added",), (2,), count=3)
    with scripted(plan=change, edit=made, review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    assert (result.outcome, result.undone) == ("done", ())
    shown = prompts(server, "review")[0]
    for words in ("North 3.5, South 41", "Sales", "Region | 2025 / North | 3.6", "Source: us"):
        assert words in shown.split("What was added holds:")[1]
        assert any(words in line for line in result.added)


@pytest.mark.long
def test_the_review_sees_what_a_new_slide_says(deck: Path) -> None:  # noqa: F811
    made = program(
        "number = add_slide(prs, 3, title='Next steps', body='Hire\\nTrain')\n"
        "set_notes(prs, number, 'Say when.')"
    )
    change = plan("a slide with next steps", ("slide", "text", "notes"), (3,))
    with scripted(plan=change, edit=made, review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    assert (result.outcome, result.undone) == ("done", ())
    told = prompts(server, "review")[0].split("What was added holds:")[1]
    assert "“Title 1”: Next steps" in told or ": Next steps" in told
    assert "Hire Train" in told
    assert "Slide 3, notes: Say when." in result.added


@pytest.mark.long
def test_a_long_list_of_what_was_put_back_is_told_in_ten_lines(deck: Path) -> None:  # noqa: F811
    many = "\n".join(f"set_notes(prs, {n}, 'x')\nhide_slide(prs, {n})" for n in (1, 3, 4, 5, 6, 7))
    both = program(f"set_text(prs, 2, 'Title 1', '{WANTED}')\n{many}")
    with scripted(plan=plan(), edit=both, review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    assert (result.outcome, len(result.put_back)) == ("done", 12)
    assert len(result.put_back_lines) == 10
    assert result.put_back_lines[-1] == "… and 3 more"
    shown = prompts(server, "review")[0].split("undone since nobody asked for it:\n")[1]
    assert len(shown.split("\n\n")[0].splitlines()) == 10
    assert ASKED in prompts(server, "review")[0]
