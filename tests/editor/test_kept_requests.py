"""Sixty requests on other decks, in people's own words: none is done wrong and called done."""

import json
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from tests.editor.kept_checks import changed_slides, holds

from decklab.deck.deck import write_samples
from decklab.editor.edit import edit_with_commands

KEPT = [
    json.loads(line)
    for line in (Path(__file__).parent / "kept_requests.jsonl").read_text().splitlines()
]
ORDERED = ("order", "order_without", "count")


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """decklab's sample decks by name."""
    return {path.stem: path for path in write_samples(tmp_path_factory.mktemp("samples"))}


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    "kept",
    [
        pytest.param(one, marks=pytest.mark.shared if "/" in one["deck"] else (), id=one["say"])
        for one in KEPT
    ],
)
def test_a_kept_request_is_done_right_or_not_called_done(
    kept: dict[str, Any], samples: dict[str, Path], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if "/" in kept["deck"]:
        deck = request.getfixturevalue("shared") / "decks" / f"{kept['deck']}.pptx"
    else:
        deck = samples[kept["deck"]]
    result = edit_with_commands(deck, kept["say"], out=tmp_path / "edited.pptx", draw=False)
    if kept["expect"] != "done":
        assert result.outcome in ("asked", "refused")
    if result.outcome in ("asked", "refused"):
        assert result.undone
        return
    assert (result.outcome, result.undone) == ("done", ())
    before, after = (Presentation(str(path)) for path in (deck, tmp_path / "edited.pptx"))
    assert [check for check in kept["check"] if not holds(check, before, after)] == []
    assert changed_slides(before, after) <= _meant(kept["check"], before)


def _meant(checks: list[list[Any]], deck: Any) -> set[int]:
    """Ids of the slides that checks name; of all where one names none."""
    ids = [slide.slide_id for slide in deck.slides]
    found: set[int] = set()
    for name, *values in checks:
        if name in ORDERED or name == "theme_slot":
            continue
        options = values[-1].get("slides") if isinstance(values[-1], dict) else None
        named = options or next((one for one in values if isinstance(one, list)), None)
        named = named or [one for one in values[:1] if isinstance(one, int)]
        if name == "title" and len(checks) > 1:
            continue  # of a slide that is new
        found |= {ids[number - 1] for number in named} if named else set(ids)
    return found
