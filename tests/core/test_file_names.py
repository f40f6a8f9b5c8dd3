import pickle
from pathlib import Path

from decklab.core.files import NameTaken, free_name, name_taken


def test_a_name_that_is_taken_gets_the_next_number(tmp_path: Path) -> None:
    names = []
    for _ in range(3):
        names.append(free_name(tmp_path / "a.b.pptx"))
        names[-1].touch()
    assert [path.name for path in names] == ["a.b.pptx", "a.b-2.pptx", "a.b-3.pptx"]


def test_the_error_offers_a_free_name_also_after_it_went_to_another_process(tmp_path: Path) -> None:
    (tmp_path / "deck.pptx").touch()
    (tmp_path / "deck-2.pptx").touch()
    error = name_taken(tmp_path / "deck.pptx")
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, NameTaken) and isinstance(again, FileExistsError)
    assert (
        again.advice("add --force")
        == error.advice("add --force")
        == (
            f"{tmp_path}/deck.pptx exists already. Choose another name, such as "
            f"{tmp_path}/deck-3.pptx, or add --force."
        )
    )
