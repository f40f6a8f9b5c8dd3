import pickle
from pathlib import Path

import pytest

from decklab.core import errors
from decklab.core.errors import DeckError, DecklabError, EncryptedDeck, MalformedPart, RenderTimeout


def test_a_deck_error_names_file_part_and_cause_on_one_line() -> None:
    error = MalformedPart(Path("a.pptx"), "unexpected\n  end of data", "ppt/slides/slide1.xml")
    assert str(error) == "a.pptx: ppt/slides/slide1.xml: unexpected end of data"
    assert str(EncryptedDeck("a.pptx", "needs a password")) == "a.pptx: needs a password"


def test_a_path_cannot_break_the_line_or_drive_the_terminal() -> None:
    assert str(DeckError("a\nb\x1b[31m.pptx", "no", "p\rq")) == "a\\nb\\x1b[31m.pptx: p\\rq: no"
    assert str(DeckError("Größe 日本.pptx", "no")) == "Größe 日本.pptx: no"


@pytest.mark.parametrize(
    "error",
    [MalformedPart("a.pptx", "bad", "x.xml"), RenderTimeout("a.pptx", "late"), DecklabError("no")],
)
def test_errors_cross_process_borders_whole(error: DecklabError) -> None:
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert (str(back), back.__dict__) == (str(error), error.__dict__)


def test_every_error_is_drawn_in_the_tree() -> None:
    classes = {
        name
        for name, item in vars(errors).items()
        if isinstance(item, type) and issubclass(item, DecklabError)
    }
    assert errors.__doc__ is not None
    assert all(name in errors.__doc__ for name in classes)
