"""Templates and shows, with and without macros, edited as decks are."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from decklab.core.errors import DeckError
from decklab.editing.opening import opened
from decklab.editor.edit import edit_with_commands
from decklab.editor.steps import run_program

DECK = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
TYPES = "[Content_Types].xml"
KINDS = {  # ISO/IEC 29500-1, 13.3.6, and [MS-OFFMACRO]
    ".potx": "application/vnd.openxmlformats-officedocument.presentationml.template.main+xml",
    ".ppsx": "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml",
    ".pptm": "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml",
    ".potm": "application/vnd.ms-powerpoint.template.macroEnabled.main+xml",
    ".ppsm": "application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml",
}


def of_kind(deck: Path, content_type: str, path: Path) -> Path:
    with ZipFile(deck) as old, ZipFile(path, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == TYPES:
                assert DECK.encode() in data
                data = data.replace(DECK.encode(), content_type.encode())
            new.writestr(name, data)
    return path


def types(path: Path) -> str:
    with ZipFile(path) as held:
        return held.read(TYPES).decode()


@pytest.mark.by_day(2)
@pytest.mark.parametrize("suffix", KINDS)
def test_every_kind_is_edited_and_stays_what_it_is(
    suffix: str, deck_file: Path, tmp_path: Path
) -> None:
    deck = of_kind(deck_file, KINDS[suffix], tmp_path / f"talk{suffix}")
    done = edit_with_commands(deck, "delete slide 2", draw=False)
    assert (done.outcome, done.output) == ("done", tmp_path / f"talk.edited{suffix}")
    assert KINDS[suffix] in types(tmp_path / f"talk.edited{suffix}")
    assert len(opened(tmp_path / f"talk.edited{suffix}").slides) == 5


def test_a_program_edits_a_template(deck_file: Path, tmp_path: Path) -> None:
    deck = of_kind(deck_file, KINDS[".potm"], tmp_path / "talk.potm")
    run_program("def edit(prs):\n    delete_slide(prs, 1)\n", deck, tmp_path / "out.potm")
    assert KINDS[".potm"] in types(tmp_path / "out.potm")
    assert len(opened(tmp_path / "out.potm").slides) == 5


def test_what_is_no_presentation_is_refused_in_one_line(deck_file: Path, tmp_path: Path) -> None:
    deck = of_kind(deck_file, "application/xml", tmp_path / "talk.pptx")
    with pytest.raises(DeckError, match=r"talk\.pptx: .*application/xml") as caught:
        opened(deck)
    assert "\n" not in str(caught.value)
