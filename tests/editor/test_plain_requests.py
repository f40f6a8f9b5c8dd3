"""Plain requests on a small business deck, held against what python-pptx finds afterwards."""

from pathlib import Path

import pytest
from pptx import Presentation
from tests.editor.ordinary_requests import ORDINARY
from tests.editor.plain_deck import Request, build_plain_deck, snapshot_of
from tests.editor.plain_requests import PLAIN

from decklab.editor.command_editor import edit_with_commands

OPEN = frozenset(
    {
        "center the picture on slide 5 horizontally",  # it is so already
        "show the chart as a pie",  # it has two series
        "I don't need the Roadmap slide any more, delete it",
        "North in 2024 was 4.5, fix that in the chart",
    }
)
"""Requests that are refused; at most 15 of 100."""


@pytest.fixture(scope="module")
def plain_deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The deck that the requests are about; not to be changed."""
    return build_plain_deck(tmp_path_factory.mktemp("plain") / "plain.pptx")


@pytest.mark.parametrize("request_", [*PLAIN, *ORDINARY], ids=lambda one: one.words)
def test_a_plain_request_is_done_right_or_not_called_done(
    request_: Request, plain_deck: Path, tmp_path: Path
) -> None:
    result = edit_with_commands(
        plain_deck, request_.words, out=tmp_path / "edited.pptx", draw=False
    )
    if not request_.checks or request_.words in OPEN:
        assert result.outcome != "done"
        return
    assert (result.outcome, result.undone) == ("done", ())
    assert wrong_in(request_, plain_deck, tmp_path / "edited.pptx") == []


def wrong_in(request: Request, before: Path, after: Path) -> list[str]:
    """The checks that do not hold, and what else is not as it was."""
    deck = Presentation(str(after))
    failed = [
        f"check {place}" for place, check in enumerate(request.checks) if not check.holds(deck)
    ]
    old, new = snapshot_of(before), snapshot_of(after)
    may = set().union(*(check.touches for check in request.checks))
    left = {key for key in old if key[0] == "deck" or key[0] in new["deck", "order"]}
    gone = {key for key in old if key not in new} - left
    touched = {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
    return [*failed, *sorted(map(str, touched - may - gone))]


def test_most_plain_requests_are_done() -> None:
    for requests in (PLAIN, ORDINARY):
        known = {request.words for request in requests if request.checks}
        assert len(OPEN & known) <= 0.15 * len(known)
    assert {one.words for one in (*PLAIN, *ORDINARY) if one.checks} >= OPEN
