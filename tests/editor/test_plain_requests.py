"""Requests in people's own words on a small business deck: none is done wrong and called done.

The language is exact, so that many of them are asked back or refused.
"""

from pathlib import Path

import pytest
from pptx import Presentation
from tests.editor.ordinary_requests import ORDINARY
from tests.editor.plain_deck import Request, build_plain_deck, snapshot_of
from tests.editor.plain_requests import PLAIN

from decklab.editing.requests.reading import understand
from decklab.editing.requests.templates import facts_of
from decklab.editing.verify import OriginalDeck
from decklab.editor.edit import edit_with_commands


@pytest.fixture(scope="module")
def plain_deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The deck that the requests are about; not to be changed."""
    return build_plain_deck(tmp_path_factory.mktemp("plain") / "plain.pptx")


@pytest.mark.by_day(2)
@pytest.mark.parametrize("request_", [*PLAIN, *ORDINARY], ids=lambda one: one.words)
def test_a_plain_request_is_done_right_or_not_called_done(
    request_: Request, plain_deck: Path, tmp_path: Path
) -> None:
    result = edit_with_commands(
        plain_deck, request_.words, out=tmp_path / "edited.pptx", draw=False
    )
    if not request_.checks:
        assert result.outcome in ("asked", "refused")
    if result.outcome in ("asked", "refused"):
        assert not (tmp_path / "edited.pptx").exists()
        assert result.undone
        return
    assert wrong_in(request_, plain_deck, tmp_path / "edited.pptx") == []
    worse = [line for line in result.undone if "can no longer be read" in line]
    assert (result.outcome, list(result.undone)) == ("partly" if worse else "done", worse)


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


@pytest.mark.long
def test_many_plain_requests_have_a_known_form(plain_deck: Path) -> None:
    facts = facts_of(OriginalDeck(plain_deck).elements)
    can = [request for request in (*PLAIN, *ORDINARY) if request.checks]
    known = [one for one in can if not understand(one.words, facts).not_understood]
    assert len(known) >= 0.55 * len(can)
