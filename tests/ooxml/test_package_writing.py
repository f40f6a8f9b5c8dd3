import errno
import io
import os
import zipfile

import pytest
from pptx import Presentation

from decklab.core.errors import MissingPart
from decklab.ooxml.package import Package, package_bytes, write_package

SLIDE = "ppt/slides/slide1.xml"


@pytest.fixture
def package(zipped, deck_parts):
    with Package.from_bytes(zipped(deck_parts()), "deck.pptx") as opened:
        yield opened


def entries(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {info.filename: archive.read(info) for info in archive.infolist()}


def test_a_copy_holds_the_same_parts_in_the_same_order(package, deck_parts):
    assert list(entries(package_bytes(package)).items()) == list(deck_parts().items())


def test_a_part_is_replaced_and_the_others_stay(package, deck_parts):
    written = entries(package_bytes(package, replace={"/PPT/slides/Slide1.xml": b"<new/>"}))
    assert written == deck_parts() | {SLIDE: b"<new/>"}


def test_added_parts_get_a_content_type_and_removed_ones_lose_it(package):
    data = package_bytes(
        package, add={"ppt/slides/slide2.xml": ("a/slide", b"<a/>")}, remove=[SLIDE]
    )
    copy = Package.from_bytes(data, "copy.pptx")
    assert copy.names[0] == "[Content_Types].xml"
    assert copy.names[-1] == "ppt/slides/slide2.xml"
    assert copy.content_type("ppt/slides/slide2.xml") == "a/slide"
    assert SLIDE not in copy
    assert b"slide1.xml" not in copy.read("[Content_Types].xml")


def test_content_types_come_first(zipped, deck_parts):
    parts = dict(reversed(deck_parts().items()))
    with Package.from_bytes(zipped(parts), "deck.pptx") as package:
        written = entries(package_bytes(package))
    assert next(iter(written)) == "[Content_Types].xml"
    assert list(written)[1:] == [name for name in parts if name != "[Content_Types].xml"]


def test_equal_input_gives_equal_files(package):
    first = package_bytes(package, replace={SLIDE: b"<a/>"}, add={"x.bin": ("a/b", b"1")})
    assert first == package_bytes(package, replace={SLIDE: b"<a/>"}, add={"x.bin": ("a/b", b"1")})
    dates = {info.date_time for info in zipfile.ZipFile(io.BytesIO(first)).infolist()}
    assert (1980, 1, 1, 0, 0, 0) in dates


def test_untouched_entries_keep_packing_date_and_folders(zipped, deck_parts):
    stored = zipfile.ZipInfo("ppt/media/video.mp4", (2020, 2, 29, 12, 30, 58))
    stored.compress_type = zipfile.ZIP_STORED
    data = zipped([*deck_parts().items(), (stored, b"film" * 99), ("ppt/empty/", b"")])
    with Package.from_bytes(data, "deck.pptx") as package:
        copy = package_bytes(package, replace={SLIDE: b"<a/>"})
    before, after = (zipfile.ZipFile(io.BytesIO(item)) for item in (data, copy))
    assert before.namelist() == after.namelist()
    for info in before.infolist():
        if info.filename != SLIDE:
            twin = after.getinfo(info.filename)
            assert (info.date_time, info.compress_type, info.compress_size, info.CRC) == (
                twin.date_time, twin.compress_type, twin.compress_size, twin.CRC
            )  # fmt: skip


def test_names_outside_ascii_survive(zipped, deck_parts):
    with Package.from_bytes(zipped(deck_parts() | {"ppt/média/ü.bin": b"x"}), "d") as package:
        assert entries(package_bytes(package))["ppt/média/ü.bin"] == b"x"


def test_parts_that_are_not_there_cannot_be_changed_nor_others_added_twice(package):
    with pytest.raises(MissingPart, match="no such part to change"):
        package_bytes(package, replace={"ppt/none.xml": b""})
    with pytest.raises(MissingPart, match="no such part to change"):
        package_bytes(package, remove=["ppt/none.xml"])
    with pytest.raises(ValueError, match="already"):
        package_bytes(package, add={SLIDE: ("a/b", b"")})


def test_a_file_appears_whole_and_may_replace_its_source(tmp_path, zipped, deck_parts):
    path = tmp_path / "deck.pptx"
    path.write_bytes(zipped(deck_parts()))
    with Package.open(path) as package:
        assert write_package(package, path, replace={SLIDE: b"<a/>"}) == path
    assert entries(path.read_bytes())[SLIDE] == b"<a/>"
    assert [item.name for item in tmp_path.iterdir()] == ["deck.pptx"]


def test_a_failed_write_leaves_nothing_and_the_old_file_as_it_was(tmp_path, package, monkeypatch):
    path = tmp_path / "deck.pptx"
    path.write_bytes(b"old")

    def fail(*_args, **_kwargs):
        raise OSError(errno.ENOSPC, "disk full")

    monkeypatch.setattr(os, "replace", fail)
    monkeypatch.setattr("pathlib.Path.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_package(package, path)
    assert path.read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir()] == ["deck.pptx"]


def test_python_pptx_opens_what_was_written():
    out = io.BytesIO()
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[0]).shapes.title.text = "Before"
    deck.save(out)
    with Package.from_bytes(out.getvalue(), "deck.pptx") as package:
        changed = package.read(SLIDE).replace(b"Before", b"After")
        copy = package_bytes(package, replace={SLIDE: changed})
    assert Presentation(io.BytesIO(copy)).slides[0].shapes.title.text == "After"


def test_a_part_whose_extension_says_its_type_needs_no_entry(package):
    stated = package.content_type("any/picture.png")
    assert stated is not None
    data = package_bytes(package, add={"ppt/media/extra.png": (stated, b"bytes")})
    copy = Package.from_bytes(data, "copy.pptx")
    assert copy.content_type("ppt/media/extra.png") == stated
    assert b"extra.png" not in copy.read("[Content_Types].xml")
