import os
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from decklab.core.errors import DeckError, DecklabError, RendererMissing
from decklab.rendering.opening import check_decks, find_decks


def touch(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def names(found: list[Path], root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in found]


def test_a_folder_gives_its_decks_sorted_and_leaves_other_files(tmp_path: Path) -> None:
    touch(tmp_path, "b.PPTX", "a.pdf", "notes.txt", "sub/c.odp", "~$b.pptx", ".git/d.pptx")
    assert names(find_decks([tmp_path]), tmp_path) == ["a.pdf", "b.PPTX", "sub/c.odp"]


def test_templates_shows_and_macro_kinds_are_decks_too(tmp_path: Path) -> None:
    kinds = ["odp", "otp", "pot", "potm", "potx", "pps", "ppsm", "ppsx", "ppt", "pptm", "pptx"]
    touch(tmp_path, *(f"a.{kind}" for kind in kinds))
    assert names(find_decks([tmp_path]), tmp_path) == [f"a.{kind}" for kind in kinds]


def test_a_folder_of_images_is_one_deck(tmp_path: Path) -> None:
    touch(tmp_path, "talk/1.png", "talk/2.PNG", "other/deck.pptx", "other/logo.png")
    assert names(find_decks([tmp_path]), tmp_path) == ["other/deck.pptx", "talk"]


def test_the_pictures_of_a_web_deck_are_no_deck(tmp_path: Path) -> None:
    touch(tmp_path, "index.html", "img/1.png")
    assert names(find_decks([tmp_path]), tmp_path) == ["index.html"]


def test_a_deck_named_twice_comes_once(tmp_path: Path) -> None:
    touch(tmp_path, "a.pptx")
    assert find_decks([tmp_path / "a.pptx", tmp_path]) == [tmp_path / "a.pptx"]


def test_a_pattern_gives_its_matches(tmp_path: Path) -> None:
    touch(tmp_path, "a1.pptx", "a2.pptx", "b.pptx")
    assert names(find_decks([tmp_path / "a*.pptx"]), tmp_path) == ["a1.pptx", "a2.pptx"]


def test_a_name_with_brackets_is_a_name_before_it_is_a_pattern(tmp_path: Path) -> None:
    touch(tmp_path, "talk [final].pptx")
    assert names(find_decks([tmp_path / "talk [final].pptx"]), tmp_path) == ["talk [final].pptx"]


@pytest.mark.parametrize("missing", ["gone.pptx", "gone*.pptx"])
def test_a_path_that_leads_nowhere_is_kept(tmp_path: Path, missing: str) -> None:
    assert find_decks([tmp_path / missing]) == [tmp_path / missing]


def test_nothing_gives_nothing(tmp_path: Path) -> None:
    assert find_decks([]) == []


def test_a_folder_without_decks_is_kept_so_that_it_fails_by_name(tmp_path: Path) -> None:
    touch(tmp_path, "empty/notes.txt", "full/a.pdf")
    assert names(find_decks([tmp_path / "empty"]), tmp_path) == ["empty"]
    assert names(find_decks([tmp_path / "*"]), tmp_path) == ["full/a.pdf"]


def test_pictures_beside_a_folder_with_a_web_deck_are_a_deck(tmp_path: Path) -> None:
    touch(tmp_path, "a/index.html", "a/img/1.png", "b/1.png")
    assert names(find_decks([tmp_path]), tmp_path) == ["a/index.html", "b"]


def test_reports_of_earlier_runs_are_no_decks(tmp_path: Path) -> None:
    touch(tmp_path, "a.pdf", "out/index.html", "out/decks/a.html", "out/decks/own.html")
    touch(tmp_path, "out/.decklab/x")
    (tmp_path / "out/.decklab/written").write_text('["index.html", "decks/a.html"]')
    assert names(find_decks([tmp_path]), tmp_path) == ["a.pdf", "out/decks/own.html"]


def test_a_name_too_long_for_the_system_is_kept(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 300 + ".pdf")
    assert find_decks([path]) == [path]


def test_a_folder_that_cannot_be_listed_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touch(tmp_path, "a.pdf", "closed/b.pdf")
    scandir = os.scandir

    def refusing(path: str) -> Any:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    assert names(find_decks([tmp_path]), tmp_path) == ["a.pdf", "closed"]


def test_one_deck_that_can_be_read_is_enough(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7")
    check_decks([tmp_path / "gone.pptx", tmp_path / "a.pdf"])


def test_no_deck_that_can_be_read_is_an_error_that_names_the_first(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("words")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DeckError, match=r"gone.pptx: .*nor can 2 more of the decks"):
        check_decks([tmp_path / name for name in ("gone.pptx", "notes.txt", "empty")])
    with pytest.raises(DeckError, match="no deck in this folder"):
        check_decks([tmp_path / "empty"])
    with pytest.raises(DecklabError, match="no decks"):
        check_decks([])


def test_without_libreoffice_decks_that_need_it_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Presentation().save(str(tmp_path / "a.pptx"))
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RendererMissing, match="libreoffice-impress"):
        check_decks([tmp_path / "a.pptx", tmp_path / "gone.pptx"])
    check_decks([tmp_path / "a.pptx", tmp_path / "a.pdf"])
