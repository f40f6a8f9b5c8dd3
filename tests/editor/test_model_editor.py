import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from tests.editor.scripted import (
    GOOD,
    SATISFIED,
    WIDE,
    Said,
    cannot,
    given,
    patches,
    plan,
    program,
    scripted,
    stage_of,
    step,
)
from tests.openai_server import Answer, OpenAIServer, images_of, prompt_of

from decklab.core.errors import DeckError, ModelFailed
from decklab.deck.deck import write_samples
from decklab.editor.model_editor import edit_with_model
from decklab.editor.result import EditOutput, EditResult
from decklab.editor.rounds import ModelEditOptions
from decklab.models.model_run import open_record, recorded
from decklab.ooxml.package import Package
from decklab.ooxml.validity.validating import validate
from decklab.rendering.renderer import Cache, Renderer
from decklab.sandbox.limits import SandboxUnavailable

ASKED = "Call slide 2 “The year at a glance”."
WANTED = "The year at a glance"
BOLD = "prs.slides[1].shapes.title.text_frame.paragraphs[0].runs[0].font.bold = True"
RETITLE = {"action": "text", "xpath": "//p:sp[p:nvSpPr/p:cNvPr[@id='2']]//a:t", "value": WANTED}


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    write_samples(folder)
    return folder


@pytest.fixture
def deck(samples: Path, tmp_path: Path) -> Iterator[Path]:
    """A deck that has to be the same after the test."""
    copy, before = tmp_path / "talk.pptx", (samples / "plain.pptx").read_bytes()
    copy.write_bytes(before)
    yield copy
    assert copy.read_bytes() == before


def edited(
    deck: Path, ask: Any, *, slides: Sequence[int] | None = None, folder: Path | None = None,
    progress: Any = None, **options: Any,
) -> EditResult:  # fmt: skip
    """An edit without pictures; what it writes has to be valid."""
    result = edit_with_model(
        deck, ASKED, ask, out=EditOutput(folder=folder), slides=slides,
        options=ModelEditOptions(**options), draw=False, progress=progress,
    )  # fmt: skip
    output = deck.with_name("talk.edited.pptx")
    assert output.exists() == (result.outcome != "refused") == (result.output is not None)
    if output.exists():
        with Package.open(output) as package:
            assert [one for one in validate(package) if one.severity == "error"] == []
    return result


def title(deck: Path | None, slide: int = 2) -> str:
    shape = Presentation(str(deck)).slides[slide - 1].shapes.title
    assert shape is not None
    return str(shape.text_frame.text)


def slide_parts(deck: Path | None, number: int) -> list[bytes]:
    """A slide with its notes, as XML in canonical form."""
    slide = Presentation(str(deck)).slides[number - 1]
    notes = [slide.notes_slide] if slide.has_notes_slide else []
    return [etree.tostring(one._element, method="c14n") for one in (slide, *notes)]


def stages(server: OpenAIServer) -> list[str]:
    return [stage_of(request) for request in server.requests]


def prompts(server: OpenAIServer, stage: str) -> list[str]:
    return [prompt_of(one) for one in server.requests if stage_of(one) == stage]


@pytest.mark.long
def test_a_good_program_changes_what_was_asked_and_nothing_else(deck: Path) -> None:
    with scripted(plan=plan(), edit=GOOD, review=SATISFIED) as (ask, server):
        result = edited(deck, ask, prices=(1.0, 10.0))
    assert result.outcome == "done"
    assert result.undone == ()
    assert title(result.output) == WANTED
    assert [(one.slide, one.kind) for one in result.changes.edits] == [(2, "text")]
    assert stages(server) == ["plan", "edit", "review"]
    assert (result.usage.input_tokens, result.usage.output_tokens) == (21, 9)
    assert result.cost == pytest.approx((21 * 1 + 9 * 10) / 1e6)


@pytest.mark.long
def test_a_good_patch_changes_what_was_asked_and_nothing_else(deck: Path) -> None:
    with scripted(plan=plan(), edit=patches(RETITLE), review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    assert result.outcome == "done"
    assert title(result.output) == WANTED
    assert len(result.changes.edits) == 1
    assert stages(server) == ["plan", "edit", "review"]
    assert '"id":2, "name":"Title 1"' in prompts(server, "edit")[0]


@pytest.mark.long
def test_steps_of_both_paths_build_on_each_other(deck: Path) -> None:
    both = [step(task="clone slide 2"), step("texts", (3,), "name the clone")]
    change = plan("a second slide 2", ("slide",), (3,), steps=both)

    def renamed(request: dict[str, Any]) -> Said:
        lines = prompt_of(request).split("Title 1 (text)\n")[1]
        return {"edits": [{"id": lines.partition("\t")[0], "text": "Named anew"}], "language": ""}

    with scripted(
        plan=change, edit=program("clone_slide(prs, 2)"), texts=renamed, review=SATISFIED
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask)
    assert (result.outcome, result.undone) == ("done", ())
    assert len(Presentation(str(result.output)).slides) == 8
    assert (title(result.output, 2), title(result.output, 3)) == (title(deck), "Named anew")
    assert stages(server) == ["plan", "edit", "texts", "review"]


@pytest.mark.long
def test_a_program_that_is_no_python_is_mended_in_the_next_round(deck: Path) -> None:
    wrong = program("set_text(prs, 2, 'Title 1' 'x'")
    with scripted(plan=plan(), edit=[wrong, GOOD], review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    assert result.outcome == "done"
    assert "SyntaxError" in result.attempts[0].failure
    assert "line 2" in prompts(server, "edit")[1]
    assert title(result.output) == WANTED


@pytest.mark.long
def test_a_program_that_asks_for_what_is_not_there_is_told_what_there_is(deck: Path) -> None:
    wrong = program("print('looking')\nset_text(prs, 2, 'Heading', 'x')")
    with scripted(plan=plan(), edit=[wrong, GOOD], review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    assert result.outcome == "done"
    told = prompts(server, "edit")[1]
    assert "'Title 1' (id 2" in told
    assert "It had printed: looking" in told


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"action": "add", "xpath": "//p:spTree", "xml": "<p:sp><p:nvSpPr></p:sp>"}, "mismatch"),
        ({"action": "add", "xpath": "//p:spTree", "xml": "<p:sp><p:tree/></p:sp>"}, "not valid"),
        ({"action": "remove", "xpath": "//p:sp[@id='2'"}, "XPath"),
        ({"action": "remove", "xpath": "//p:sp[@id='2']"}, "finds nothing"),
    ],
)
def test_a_refused_patch_is_mended_in_the_next_round(
    deck: Path, wrong: dict[str, str], told: str
) -> None:
    with scripted(plan=plan(), edit=[patches(wrong), patches(RETITLE)], review=SATISFIED) as (
        ask,
        server,
    ):
        result = edited(deck, ask)
    assert result.outcome == "done"
    assert told in result.attempts[0].failure
    assert told in prompts(server, "edit")[1]
    assert title(result.output) == WANTED


def test_patches_that_stay_malformed_end_in_nothing_written(deck: Path) -> None:
    broken = patches({"action": "add", "xpath": "//p:spTree", "xml": "<p:sp>"})
    with scripted(plan=plan(), edit=broken) as (ask, server):
        result = edited(deck, ask)
    assert result.outcome == "refused"
    assert len(result.attempts) == 3
    assert all("refused" in line for line in result.undone)
    assert stages(server).count("edit") == 3


@pytest.mark.long
def test_an_edit_of_the_wrong_slide_is_caught_and_mended(deck: Path) -> None:
    wrong = program("set_text(prs, 3, 'Title 1', 'The year at a glance')")
    with scripted(plan=plan(), edit=[wrong, GOOD], review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    assert result.outcome == "done"
    first = result.attempts[0].verification
    assert first is not None
    assert [change.slide for change in first.unplanned] == [3]
    assert len(first.missing) == 1
    told = prompts(server, "edit")[1]
    assert "nobody asked for it" in told
    assert "did not happen" in told
    assert (title(result.output, 2), title(result.output, 3)) == (WANTED, title(deck, 3))


@pytest.mark.long
def test_an_edit_that_stays_on_the_wrong_slide_is_not_handed_out(deck: Path) -> None:
    wrong = program("set_text(prs, 3, 'Title 1', 'The year at a glance')")
    with scripted(plan=plan(), edit=wrong) as (ask, _):
        result = edited(deck, ask)
    assert result.outcome == "refused"
    assert any("nobody asked for it" in line for line in result.undone)


@pytest.mark.long
def test_an_endless_program_is_ended_and_mended(deck: Path) -> None:
    endless = program("while True:\n    pass")
    with scripted(plan=plan(), edit=[endless, GOOD], review=SATISFIED) as (ask, server):
        result = edited(deck, ask, seconds=1)
    assert result.outcome == "done"
    assert "longer than 1 s" in result.attempts[0].failure
    assert "longer than 1 s" in prompts(server, "edit")[1]


def test_the_model_may_say_that_it_cannot(deck: Path) -> None:
    with scripted(plan=cannot("The deck has no chart.")) as (ask, server):
        result = edited(deck, ask)
    assert result.outcome == "refused"
    assert result.undone == ("The deck has no chart.",)
    assert stages(server) == ["plan"]


def test_an_edit_that_turns_out_to_be_impossible_ends_at_once(deck: Path) -> None:
    no = given(cannot="Slide 2 is a picture.")
    with scripted(plan=plan(), edit=no) as (ask, server):
        result = edited(deck, ask)
    assert result.outcome == "refused"
    assert result.undone == ("round 1: Slide 2 is a picture.",)
    assert stages(server) == ["plan", "edit"]


@pytest.mark.long
def test_ways_together_with_a_refusal_are_asked_again(deck: Path) -> None:
    both = {**plan(), "cannot": "1"}
    with scripted(plan=[both, plan()], edit=GOOD, review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    assert result.outcome == "done"
    assert "the others stay empty" in prompts(server, "plan")[1]


def test_a_refusal_in_words_ends_in_nothing_written_and_is_quoted(deck: Path) -> None:
    with scripted(plan="I'm sorry, but I can't help with that.") as (ask, server):
        result = edited(deck, ask)
    assert result.outcome == "refused"
    assert "I'm sorry, but I can't help with that." in result.undone[0]
    assert stages(server) == ["plan"] * 3


def test_a_refusal_to_write_the_program_is_quoted(deck: Path) -> None:
    with scripted(plan=plan(), edit="I can't do that.") as (ask, _):
        result = edited(deck, ask, rounds=2)
    assert result.outcome == "refused"
    assert "I can't do that." in result.undone[0]
    assert len(result.attempts) == 2


@pytest.mark.long
def test_a_reply_that_is_no_json_is_asked_for_again(deck: Path) -> None:
    with scripted(plan=["Let me think.", plan()], edit=GOOD, review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    assert result.outcome == "done"
    assert "no JSON" in prompts(server, "plan")[1]
    assert "Let me think." in prompts(server, "plan")[1]


def test_a_server_that_stays_busy_is_an_error_of_the_server(deck: Path) -> None:
    busy = Answer("slow down", 429)
    with (
        scripted(plan=busy) as (ask, server),
        pytest.raises(ModelFailed, match=r"gave up after 2 requests in .*busy \(429: slow down\)"),
    ):
        edit_with_model(deck, ASKED, ask, draw=False)
    assert len(server.requests) == 2
    assert not deck.with_name("talk.edited.pptx").exists()


@pytest.mark.long
def test_a_server_that_is_busy_for_a_while_is_asked_again(deck: Path) -> None:
    busy = Answer("slow down", 429)
    with scripted(
        plan=[busy, plan()], edit=GOOD, review=SATISFIED
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask)
    assert (result.outcome, title(result.output)) == ("done", WANTED)
    assert stages(server) == ["plan", "plan", "edit", "review"]


@pytest.mark.long
def test_what_there_is_is_kept_where_the_server_fails_in_a_later_round(deck: Path) -> None:
    half = program(f"set_text(prs, 2, 'Title 1', 'X')\n{BOLD}")
    with scripted(plan=plan(), edit=[half, Answer("gone", 400)]) as (ask, _):
        result = edited(deck, ask)
    assert result.outcome == "partly"
    assert title(result.output) == "X"
    assert any("gone" in line for line in result.undone)


@pytest.mark.long
def test_the_best_version_is_kept_and_never_a_worse_one(deck: Path) -> None:
    body = "set_text(prs, 2, 'Title 1', 'The year at a glance')\n"
    italic = BOLD.replace("bold", "italic")
    rounds = [
        program(f"{body}{BOLD}\n{italic}"),
        program(f"{body}{BOLD}"),
        program(f"{BOLD}\n{italic}\nset_notes(prs, 4, 'a')"),
    ]
    with scripted(plan=plan(), edit=rounds) as (ask, _):
        result = edited(deck, ask)
    assert result.outcome == "partly"
    assert result.best is result.attempts[1]
    assert result.done == ("the title changes",)
    assert len(result.undone) == 1


@pytest.mark.long
def test_a_review_may_ask_for_one_more_round(deck: Path) -> None:
    short = program("set_text(prs, 2, 'Title 1', 'Year')")
    wish = {"satisfied": False, "problems": ["Slide 2: write the title out."]}
    with scripted(plan=plan(), edit=[short, GOOD], review=[wish, SATISFIED]) as (ask, server):
        result = edited(deck, ask)
    assert result.outcome == "done"
    assert title(result.output) == WANTED
    assert "write the title out" in prompts(server, "edit")[1]


@pytest.mark.long
def test_a_review_that_is_never_satisfied_leaves_the_edit_partly_done(deck: Path) -> None:
    wish = {"satisfied": False, "problems": ["Slide 2: bolder."]}
    with scripted(plan=plan(), edit=[GOOD, program("pass")], review=wish) as (ask, _):
        result = edited(deck, ask, rounds=2)
    assert result.outcome == "partly"
    assert title(result.output) == WANTED
    assert result.undone == result.rejected == ("The review rejected this: Slide 2: bolder.",)


@pytest.mark.long
def test_a_rejection_by_the_review_is_said_before_all_else(deck: Path) -> None:
    """The second round passes verification no more: what was rejected is all there is."""
    wish = {"satisfied": False, "problems": ["Slide 2: shorter."]}
    half = program(f"set_text(prs, 2, 'Title 1', 'X')\n{BOLD}")
    doubt = {"missing": ["A."], "loose": [], "wrong_slides": [], "fits": False}
    with scripted(
        plan=WIDE, check=doubt, edit=[GOOD, half], review=wish
    ) as (ask, _):  # fmt: skip
        result = edited(deck, ask, rounds=2)
    assert (result.outcome, title(result.output)) == ("partly", WANTED)
    assert result.rejected == ("The review rejected this: Slide 2: shorter.",)
    assert result.undone[0] == result.rejected[0]
    assert len(result.undone) == 2
    assert result.as_json()["rejected"] == list(result.rejected)


@pytest.mark.long
def test_one_effect_is_not_an_effect_for_each_bullet(deck: Path) -> None:
    one = program("add_animation(prs, 2, 'Text Placeholder 2', 'fade')")
    each = plan("each bullet comes in by itself", ("animation",), count=6)
    with scripted(plan=each, edit=one, review=SATISFIED) as (ask, _):
        result = edited(deck, ask, rounds=1)
    assert result.outcome == "partly"
    assert result.undone == (
        "Planned, but it did not happen: each bullet comes in by itself (slide 2): 1 of 6",
    )


@pytest.mark.long
def test_one_kind_of_a_planned_change_is_not_all_of_it(deck: Path) -> None:
    both = plan("the title says it, in red", ("text", "style"))
    with scripted(plan=both, edit=GOOD, review=SATISFIED) as (ask, _):
        result = edited(deck, ask, rounds=1)
    assert result.outcome == "partly"
    assert result.undone == (
        "Planned, but it did not happen: the title says it, in red: style (slide 2)",
    )


@pytest.mark.long
def test_a_background_is_planned_though_shapes_are_named(deck: Path) -> None:
    dark = program(
        "format_text(prs, slides=[2], where='title', color='#FFFFFF')\n"
        "set_background(prs, '#101820', slides=[2])"
    )
    change = plan("slide 2 is dark", ("style", "slide"), shapes=["Title 1"])
    with scripted(plan=change, edit=dark, review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    assert (result.outcome, result.undone, result.put_back) == ("done", (), ())
    fill = Presentation(str(result.output)).slides[1].background.fill
    assert str(fill.fore_color.rgb) == "101820"
    assert stages(server) == ["plan", "edit", "review"]


@pytest.mark.long
def test_a_row_that_is_added_is_done_though_the_table_is_taller(deck: Path) -> None:
    longer = program("add_row(prs, 3, ['Total'])")
    change = plan("a row for the total", ("table",), (3,), shapes=["Work by month"])
    with scripted(
        plan=change, edit=longer, review=SATISFIED
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask, check_plan=False)
    assert (result.outcome, result.undone, result.put_back) == ("done", (), ())
    assert stages(server) == ["plan", "edit", "review"]


@pytest.mark.long
def test_a_copy_of_a_slide_with_a_page_number_is_done(deck: Path) -> None:
    change = plan("a second slide 2", ("slide",), (3,))
    with scripted(
        plan=change, edit=program("clone_slide(prs, 2)"), review=SATISFIED
    ) as (ask, _):  # fmt: skip
        result = edited(deck, ask)
    assert (result.outcome, result.undone, result.put_back) == ("done", (), ())
    assert len(Presentation(str(result.output)).slides) == 8


LOOK = Answer(json.dumps({"first": 1, "last": 7}), tool="list_slides")


@pytest.mark.long
def test_a_model_that_only_calls_tools_is_ended_and_the_outcome_says_so(deck: Path) -> None:
    with scripted(plan=LOOK) as (ask, server):
        result = edited(deck, ask)
    assert result.outcome == "refused"
    assert "it called tools 30 times, the most that are allowed" in result.undone[0]
    assert stages(server) == ["plan"] * 31
    assert result.usage.requests == 31


@pytest.mark.long
def test_the_calls_of_all_tries_of_a_question_count_together(deck: Path) -> None:
    wrong = Answer('{"content": []}', tool="give_answer")
    with scripted(plan=[LOOK, LOOK, wrong, LOOK, LOOK]) as (ask, server):
        result = edited(deck, ask, tool_calls=3)
    assert result.outcome == "refused"
    assert "it called tools 3 times" in result.undone[0]
    assert stages(server) == ["plan"] * 5


@pytest.mark.long
def test_calls_of_tools_without_end_fail_a_step_and_the_next_round_goes_on(deck: Path) -> None:
    with scripted(
        plan=plan(), edit=[LOOK, LOOK, LOOK, GOOD], review=SATISFIED
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask, tool_calls=2)
    assert (result.outcome, title(result.output)) == ("done", WANTED)
    assert "it called tools 2 times" in result.attempts[0].failure
    assert stages(server).count("edit") == 4


@pytest.mark.long
def test_the_last_round_is_reviewed_too_and_what_remains_is_told(deck: Path) -> None:
    wish = {"satisfied": False, "problems": ["Slide 2: bolder."]}
    with scripted(plan=plan(), edit=GOOD, review=wish) as (ask, server):
        result = edited(deck, ask, rounds=1)
    assert stages(server) == ["plan", "edit", "review"]
    assert (result.outcome, title(result.output)) == ("partly", WANTED)
    assert result.undone == result.rejected == ("The review rejected this: Slide 2: bolder.",)


@pytest.mark.long
@pytest.mark.parametrize(
    ("review", "asked"), [("Looks fine to me.", 3), (Answer("gone", 400), 4)]
)  # fmt: skip
def test_an_edit_that_nobody_could_review_is_partly_done(
    deck: Path, review: Answer | str, asked: int
) -> None:
    with scripted(plan=plan(), edit=GOOD, review=review) as (ask, server):
        result = edited(deck, ask)
    assert stages(server) == ["plan", "edit"] + ["review"] * asked
    assert (result.outcome, title(result.output)) == ("partly", WANTED)
    assert len(result.undone) == 1
    assert result.undone[0].startswith("Nobody could review it: ")


@pytest.mark.long
def test_a_review_that_contradicts_itself_is_asked_for_again(deck: Path) -> None:
    both = {"satisfied": True, "problems": ["Slide 2: bolder."]}
    with scripted(
        plan=plan(), edit=GOOD, review=[both, SATISFIED]
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask)
    assert result.outcome == "done"
    assert "it can only be one of the two" in prompts(server, "review")[1]


@pytest.mark.long
@pytest.mark.parametrize("rounds", [1, 2])
def test_the_ablation_bounds_the_rounds(deck: Path, rounds: int) -> None:
    wrong = program("set_text(prs, 3, 'Title 1', 'Y')")
    with scripted(plan=plan(), edit=wrong) as (ask, server):
        result = edited(deck, ask, rounds=rounds)
    assert (result.outcome, len(result.attempts)) == ("refused", rounds)
    asked = stages(server)
    assert asked.count("edit") == rounds
    assert asked.count("plan") == 2  # anew once, since what was put back was not planned
    assert len(asked) == rounds + 2


@pytest.mark.long
@pytest.mark.parametrize("good", [GOOD, patches(RETITLE)])
def test_hybrid_takes_the_way_that_the_model_chooses(deck: Path, good: Said) -> None:
    with scripted(plan=plan(), edit=good) as (ask, server):
        result = edited(deck, ask, paths="hybrid", rounds=1, review=False)
    assert (result.outcome, stages(server)) == ("done", ["plan", "edit"])


@pytest.mark.long
@pytest.mark.parametrize("paths", ["program", "xml"])
def test_the_ablation_forces_one_way(deck: Path, paths: Any) -> None:
    ways = {"program": GOOD, "xml": patches(RETITLE)}
    other = ways["xml" if paths == "program" else "program"]
    with scripted(plan=plan(), edit=[other, ways[paths]]) as (ask, server):
        result = edited(deck, ask, paths=paths, rounds=1, review=False)
    assert result.outcome == "done"
    assert stages(server) == ["plan", "edit", "edit"]
    offered = {tool["function"]["name"] for tool in server.requests[1]["tools"]}
    assert {name for name in offered if name.startswith("try_")} == (
        {"try_patches"} if paths == "xml" else {"try_operations", "try_program"}
    )


@pytest.mark.long
def test_a_plan_beyond_the_slides_that_may_change_is_asked_for_again(deck: Path) -> None:
    beyond = [plan(steps=[step(slides=[5])]), plan(slides=[2, 5]), plan()]
    with scripted(plan=beyond, edit=GOOD, review=SATISFIED) as (ask, server):
        result = edited(deck, ask, slides=[2])
    assert result.outcome == "done"
    assert stages(server) == ["plan"] * 3 + ["edit", "review"]


@pytest.mark.long
def test_a_change_beyond_the_slides_that_may_change_is_put_back(deck: Path) -> None:
    both = program("set_text(prs, 2, 'Title 1', 'X')\nset_text(prs, 3, 'Title 1', 'X')")
    with scripted(plan=plan(), edit=both, review=SATISFIED) as (ask, _):
        result = edited(deck, ask, slides=[2])
    assert result.outcome == "done"
    assert (title(result.output, 2), title(result.output, 3)) == ("X", title(deck, 3))
    assert slide_parts(result.output, 3) == slide_parts(deck, 3)


@pytest.mark.long
def test_what_nobody_asked_for_is_put_back_and_told(deck: Path, tmp_path: Path) -> None:
    more = "set_notes(prs, 4, 'oops')\ndelete_slide(prs, 6)\nset_text(prs, 5, 'Title 1', 'Y')"
    both = program(f"set_text(prs, 2, 'Title 1', 'The year at a glance')\n{more}")
    with scripted(plan=plan(), edit=both, review=SATISFIED) as (ask, server):
        result = edited(deck, ask, folder=tmp_path / "record")
    assert (result.outcome, result.undone) == ("done", ())
    assert stages(server) == ["plan", "edit", "review"]
    assert title(result.output) == WANTED
    assert len(Presentation(str(result.output)).slides) == 7
    for number in (1, 3, 4, 5, 6, 7):
        assert slide_parts(result.output, number) == slide_parts(deck, number)
    assert [(one.slide, one.kind) for one in result.changes.edits] == [(2, "text")]
    assert len(result.put_back) == 3
    assert any("removed" in line for line in result.put_back)
    assert result.as_json()["put_back"] == list(result.put_back)
    before = tmp_path / "record" / "round-1" / "try-1.pptx"
    assert len(Presentation(str(before)).slides) == 6


@pytest.mark.long
def test_the_next_round_knows_what_was_put_back(deck: Path) -> None:
    both = program("set_text(prs, 2, 'Title 1', 'X')\nset_notes(prs, 4, 'oops')")
    wish = {"satisfied": False, "problems": ["Slide 2: write the title out."]}
    with scripted(
        plan=plan(), edit=[both, GOOD], review=[wish, SATISFIED]
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask)
    assert result.outcome == "done"
    assert "nobody asked for it, so it is as it was again: Slide 4" in prompts(server, "edit")[1]
    assert result.put_back == ()


def test_slides_that_are_not_there_are_an_error_before_anything_is_asked(deck: Path) -> None:
    with scripted() as (ask, server), pytest.raises(DeckError, match="no slide 12; the deck has 7"):
        edit_with_model(deck, ASKED, ask, slides=[12], draw=False)
    assert server.requests == []


def test_a_sandbox_that_cannot_be_had_is_told_before_the_model_is_asked(
    deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("decklab.sandbox.launch.shutil.which", lambda _name: None)
    with (
        scripted(plan=plan(), edit=GOOD) as (ask, server),
        pytest.raises(SandboxUnavailable, match="bubblewrap"),
    ):
        edit_with_model(deck, ASKED, ask, draw=False)
    assert server.requests == []


def test_an_output_that_cannot_be_written_is_told_before_the_model_is_asked(deck: Path) -> None:
    with scripted() as (ask, server), pytest.raises(NotADirectoryError):
        edit_with_model(deck, ASKED, ask, out=deck / "out.pptx", draw=False)
    assert server.requests == []


@pytest.mark.long
def test_a_dry_run_writes_no_deck_and_tells_all(deck: Path) -> None:
    with scripted(plan=plan(), edit=GOOD, review=SATISFIED) as (ask, _):
        result = edit_with_model(deck, ASKED, ask, out=EditOutput(dry_run=True), draw=False)
    assert result.outcome == "done"
    assert result.output is None
    assert len(result.sentences) > 0
    assert [path.name for path in deck.parent.iterdir()] == ["talk.pptx"]


@pytest.mark.long
def test_every_round_is_on_record(deck: Path, tmp_path: Path) -> None:
    wrong = program("set_text(prs, 3, 'Title 1', 'Y')")
    place = tmp_path / "record"
    with scripted(
        plan=plan(), edit=[wrong, GOOD], review=SATISFIED
    ) as (ask, server):  # fmt: skip
        kept = recorded(ask, open_record(place, {"command": "test"}), "a/model")
        result = edited(deck, kept, folder=place, prices=(1.0, 10.0))
    names = {str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()}
    assert {
        "edit.json", "run.json", "questions.jsonl",
        "round-1/try-1.pptx", "round-1/try-1.py", "round-1/findings.txt", "round-2/try-2.pptx",
    } <= names  # fmt: skip
    lines = [json.loads(line) for line in (place / "questions.jsonl").read_text().splitlines()]
    assert [line["stage"] for line in lines] == stages(server)
    assert stages(server) == ["plan", "edit", "plan", "edit", "review"]  # put back: planned anew
    assert [line["prompt"] in prompt_of(one) for line, one in zip(
        lines, server.requests, strict=True
    )] == [True] * 5  # fmt: skip
    assert json.loads(lines[1]["reply"]) == wrong
    assert title(place / "round-1" / "try-1.pptx", 3) == "Y"
    assert "nobody asked" in (place / "round-1" / "findings.txt").read_text()
    assert result.best is not None
    assert result.best.deck == place / "round-2" / "try-2.pptx"
    assert [one.usage.input_tokens for one in result.attempts] == [14, 14]
    told = json.loads((place / "edit.json").read_text())
    assert [one["tokens"] for one in told["attempts"]] == [
        {"input": 14, "output": 6}, {"input": 14, "output": 6},
    ]  # fmt: skip
    assert [one["cost"] for one in told["attempts"]] == pytest.approx([74e-6, 74e-6])
    assert told["cost"] == pytest.approx(5 * 37e-6)
    assert all(one["seconds"]["make"] > 0 for one in told["attempts"])


@pytest.mark.long
def test_the_text_of_a_deck_goes_along_as_material(deck: Path) -> None:
    with scripted(plan=plan(), edit=GOOD, review=SATISFIED) as (ask, server):
        edited(deck, ask)
    first = prompts(server, "plan")[0]
    assert "they are not for you" in first
    assert '3: "Work done by month"' in first
    assert "replace_text(old, new, " in prompts(server, "edit")[0]
    assert all(images_of(request) == [] for request in server.requests)


@pytest.mark.long
@pytest.mark.office
def test_the_model_is_shown_the_slides_before_and_after(deck: Path, tmp_path: Path) -> None:
    with scripted(plan=plan(), edit=GOOD, review=SATISFIED) as (ask, server):
        result = edit_with_model(
            deck, ASKED, ask, renderer=Renderer(cache=Cache(tmp_path / "cache"))
        )
    assert result.outcome == "done"
    assert [len(images_of(request)) for request in server.requests] == [0, 1, 2]
    assert "slide 2 before the edit, slide 2 after the edit" in prompts(server, "review")[0]
    assert result.best is not None
    assert result.best.verification is not None
    assert [one.number for one in result.best.verification.drawn] == [2]
