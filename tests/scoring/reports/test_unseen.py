"""How much of a deck cannot be seen is said wherever its scores are."""

import io
import json
from pathlib import Path

from rich.console import Console

from decklab.core.results import DeckResult
from decklab.pages.files import print_json
from decklab.scoring.reports.deck_page import write_deck_page
from decklab.scoring.reports.leaderboard_page import LeaderboardRow
from decklab.scoring.reports.sharing import markdown_report
from decklab.scoring.reports.terminal import print_table

UNSEEN = "214 words on 3 slides cannot be seen."


def test_every_form_says_how_much_does_not_count(tmp_path: Path) -> None:
    result = DeckResult(deck="talk.pptx", status="scored", slides=4, unseen=UNSEEN)
    whole = result.model_copy(update={"unseen": ""})
    stream = io.StringIO()
    print_json([result, whole], stream)
    told, nothing = json.loads(stream.getvalue())["decks"]
    assert told["unseen"] == UNSEEN and "unseen" not in nothing
    assert f"{UNSEEN} They do not count." in markdown_report(result)
    assert "cannot be seen" not in markdown_report(whole)
    console = Console(file=io.StringIO(), width=80)
    print_table([LeaderboardRow.of(result), LeaderboardRow.of(whole)], console)
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue().count(f"talk.pptx: {UNSEEN}") == 1
    for one, words in ((result, 1), (whole, 0)):
        write_deck_page(tmp_path / f"{words}.html", one, {})
        page = (tmp_path / f"{words}.html").read_text()
        assert page.count("214 words on 3 slides cannot be seen and do not count") == words
