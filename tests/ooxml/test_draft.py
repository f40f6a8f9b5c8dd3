import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from pptx import Presentation

from decklab.core.errors import MissingPart
from decklab.editing.slide_operations import clone_slide
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package, package_bytes
from decklab.ooxml.slide_list import slide_entries

Looker = Callable[[Path], Any]
MAIN = "ppt/presentation.xml"


def packed(path: Path) -> dict[str, tuple[int, bytes]]:
    """Checksum and packed bytes of every entry."""
    found = {}
    with zipfile.ZipFile(path) as archive, path.open("rb") as file:
        for info in archive.infolist():
            file.seek(info.header_offset + 26)
            name, extra = (int.from_bytes(file.read(2), "little") for _ in range(2))
            file.seek(name + extra, 1)
            found[info.filename] = info.CRC, file.read(info.compress_size)
    return found


def test_parts_that_nobody_touched_are_saved_byte_for_byte(rich: Path, tmp_path: Path) -> None:
    with Package.open(rich) as package:
        draft = Draft(package)
        clone_slide(draft, 4)
        saved = draft.save(tmp_path / "out.pptx")
    before, after = packed(rich), packed(saved)
    changed = {name for name in before if after.get(name) != before[name]}
    assert changed == {
        "[Content_Types].xml",
        "docProps/app.xml",
        "ppt/_rels/presentation.xml.rels",
        MAIN,
    }


def test_the_same_edit_gives_the_same_bytes(rich: Path) -> None:
    made = []
    for _ in range(2):
        with Package.open(rich) as package:
            draft = Draft(package)
            clone_slide(draft, 9)
            made.append(draft.to_bytes())
    assert made[0] == made[1]


def test_a_draft_can_be_saved_over_its_own_file(rich: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.pptx"
    own.write_bytes(rich.read_bytes())
    with Package.open(own) as package:
        draft = Draft(package)
        clone_slide(draft, 1)
        draft.save(own)
    assert len(Presentation(str(own)).slides) == 15


def test_a_failed_save_leaves_no_file(rich: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"a file, not a folder")
    with Package.open(rich) as package, pytest.raises(OSError, match="taken"):
        Draft(package).save(tmp_path / "taken" / "out.pptx")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_an_edit_shows_at_once_and_a_copy_does_not_count(rich: Path) -> None:
    with Package.open(rich) as package:
        draft = Draft(package)
        draft.xml(MAIN).set("firstSlideNum", "7")
        assert draft.xml(MAIN).get("firstSlideNum") is None
        draft.edit(MAIN).set("firstSlideNum", "7")
        assert draft.xml(MAIN).get("firstSlideNum") == "7"
        assert b'firstSlideNum="7"' in draft.read(MAIN)
        assert package.xml(MAIN).get("firstSlideNum") is None


def test_a_block_that_fails_changes_nothing(rich: Path) -> None:
    with Package.open(rich) as package:
        draft = Draft(package)
        draft.edit(MAIN).set("firstSlideNum", "7")
        before = draft.to_bytes()
        with pytest.raises(RuntimeError), draft.whole():
            draft.edit(MAIN).set("firstSlideNum", "8")
            draft.add("ppt/new.xml", "application/xml", b"<a/>")
            draft.remove("ppt/slides/slide2.xml")
            raise RuntimeError
        assert draft.to_bytes() == before


@pytest.mark.parametrize(
    ("like", "name"),
    [
        ("ppt/slides/slide2.xml", "ppt/slides/slide15.xml"),
        ("ppt/media/image1.jpg", "ppt/media/image2.jpg"),
        ("ppt/SLIDES/Slide2.xml", "ppt/SLIDES/Slide15.xml"),
        ("odd/picture.png", "odd/picture1.png"),
        ("noextension", "noextension1"),
    ],
)
def test_new_names_count_on_from_the_highest(rich: Path, like: str, name: str) -> None:
    with Package.open(rich) as package:
        assert Draft(package).unused_name(like) == name


def test_a_removed_name_is_never_used_again(rich: Path) -> None:
    with Package.open(rich) as package:
        draft = Draft(package)
        draft.remove("ppt/slides/slide14.xml")
        assert draft.unused_name("ppt/slides/slide1.xml") == "ppt/slides/slide15.xml"
        with pytest.raises(ValueError, match="already"):
            draft.add("ppt/Slides/slide14.xml", "application/xml", b"<a/>")
        with pytest.raises(MissingPart, match="slide14"):
            draft.read("ppt/slides/slide14.xml")


def test_relationships_that_a_lost_part_left_behind_go_to_no_other(rich: Path) -> None:
    with Package.open(rich) as package:
        left = "ppt/slides/_rels/slide15.xml.rels"
        data = package_bytes(package, add={left: ("application/xml", b"<none/>")})
    with Package.from_bytes(data, "deck.pptx") as package:
        draft = Draft(package)
        assert draft.unused_name("ppt/slides/slide1.xml") == "ppt/slides/slide16.xml"


def test_content_types_are_declared_as_office_does(
    rich: Path, tmp_path: Path, look: Looker
) -> None:
    with Package.open(rich) as package:
        draft = Draft(package)
        draft.add("ppt/media/image7.gif", "image/gif", b"GIF89a")
        draft.add("ppt/media/image8.gif", "image/gif", b"GIF89a")
        draft.add("ppt/media/image9.png", "image/png", b"\x89PNG")
        draft.add("ppt/other.xml", "application/x-other+xml", b"<a/>")
        draft.link(MAIN, "x:other", "ppt/other.xml")
        saved = draft.save(tmp_path / "out.pptx")
    seen = look(saved)
    defaults = {
        item.attrib["Extension"]: item.attrib["ContentType"]
        for item in seen.root("[Content_Types].xml")
        if "Extension" in item.attrib
    }
    assert defaults["gif"] == "image/gif"
    assert seen.types()["ppt/other.xml"] == "application/x-other+xml"
    assert not [name for name in seen.types() if name.startswith("ppt/media/image")]
    assert not [name for name in seen.types() if name.endswith(".rels")]
    assert "ppt/other.xml" in seen.related(MAIN, "x:other")


def _strict(data: bytes) -> bytes:
    for room in (b"presentationml", b"drawingml"):
        loose = b"http://schemas.openxmlformats.org/" + room + b"/2006/"
        data = data.replace(loose, b"http://purl.oclc.org/ooxml/" + room + b"/")
    return data.replace(
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        b"http://purl.oclc.org/ooxml/officeDocument/relationships",
    )


def test_a_deck_of_the_strict_edition_is_saved_in_the_transitional_one(
    rich: Path, tmp_path: Path, look: Looker
) -> None:
    parts = {
        name: _strict(data) if name.endswith((".xml", ".rels")) else data
        for name, data in look(rich).parts.items()
    }
    parts[MAIN] = parts[MAIN].replace(b"<p:presentation ", b'<p:presentation conformance="strict" ')
    strict = tmp_path / "strict.pptx"
    with zipfile.ZipFile(strict, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    with Package.open(strict) as package:
        draft = Draft(package)
        assert len(slide_entries(draft)) == 14
        clone_slide(draft, 4)
        saved = draft.save(tmp_path / "loose.pptx")
    assert len(Presentation(str(saved)).slides) == 15
    seen = look(saved)
    assert not [name for name, data in seen.parts.items() if b"purl.oclc.org/ooxml" in data]
    assert ElementTree.fromstring(seen.parts[MAIN]).get("conformance") is None
