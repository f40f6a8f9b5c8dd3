import json

from tests.evals.judges.editing.conftest import Judged
from tests.openai_server import images_of, prompt_of, serving

from decklab.core.results import NotScored
from decklab.diffing.snapshots import DeckEdit
from decklab.evals.judges.editing.verdict import PicturePair, StyleTarget, draft_style_target
from decklab.evals.pptarena.cases import Decks
from decklab.models.inspect import asking

PNG = b"\x89PNG\r\n\x1a\n one"
DRAFT = {
    "content": ["Slide 6: six new crew leaders"],
    "layout": [],
    "typography": ["Slide 6, title: bold, 44 pt"],
    "constraints": ["Nothing else changes"],
}


def edit_of(judged: dict[str, Judged]) -> tuple[Judged, DeckEdit]:
    one = judged["Crew leaders"]
    with Decks(pictures=False) as decks:
        return one, DeckEdit.of(
            decks.snapshot(one.case.original), decks.snapshot(one.case.ground_truth)
        )


def test_a_draft_is_made_of_the_changes_and_marked_as_one(judged: dict[str, Judged]) -> None:
    one, edit = edit_of(judged)
    pair = PicturePair(6, PNG, PNG)
    with serving([json.dumps(DRAFT)]) as server, asking(server.model()) as ask:
        found = draft_style_target(ask, one.case.prompt, edit, pictures=[pair])
    [request] = server.requests
    assert "“four new crew leaders”" in prompt_of(request) or "“six" in prompt_of(request)
    assert "slide 6: before, then after" in prompt_of(request)
    assert len(images_of(request)) == 2
    assert isinstance(found, StyleTarget)
    assert found.text.splitlines() == [
        "DRAFT, to be checked by a person",
        "Content:", "- Slide 6: six new crew leaders",
        "Typography:", "- Slide 6, title: bold, 44 pt",
        "Constraints:", "- Nothing else changes",
    ]  # fmt: skip


def test_no_draft_without_changes_or_a_fitting_reply(judged: dict[str, Judged]) -> None:
    one, edit = edit_of(judged)
    with serving(["{}"]) as server, asking(server.model()) as ask:
        same = draft_style_target(ask, "", DeckEdit.of(edit.before, edit.before))
        amiss = draft_style_target(ask, one.case.prompt, edit)
    assert same == NotScored("original and truth are the same")
    assert isinstance(amiss, NotScored)
    assert "content: Field required" in amiss.reason
    assert len(server.requests) == 3
