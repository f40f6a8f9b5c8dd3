import pickle
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from decklab.core.errors import (
    DecklabError,
    EncryptedDeck,
    LimitExceeded,
    MalformedPart,
    MissingPart,
    NotAPackage,
    TruncatedDeck,
    UnsupportedFormat,
)
from decklab.ooxml.package import Package
from decklab.ooxml.signatures import Limits

SECONDS = 2  # far more than any of these packages may take, however damaged


@pytest.fixture(scope="module")
def deck_bytes(zipped, deck_parts):
    return zipped(deck_parts())


def test_a_package_says_what_it_holds(deck_bytes, deck_parts, tmp_path):
    path = tmp_path / "deck.pptx"
    path.write_bytes(deck_bytes)
    with Package.open(path) as package:
        assert package.path == path
        assert package.names == tuple(deck_parts())
        assert package.main_part == "ppt/presentation.xml"
        assert package.content_type("/ppt/MEDIA/image1.PNG") == "image/png"
        assert (package.content_type("ppt/slides/slide1.xml") or "").endswith(".slide+xml")
        assert package.content_type("ppt/unknown.bin") is None
        assert package.read("/PPT/media/Image1.png") == deck_parts()["ppt/media/image1.png"]
        assert package.read_start("ppt/media/image1.png", 4) == b"\x89PNG"
        assert "ppt/slides/slide1.xml" in package
        assert "ppt/slides/slide2.xml" not in package
        assert 7 not in package
    with pytest.raises(ValueError, match="closed file"):
        package.read("ppt/media/image1.png")


def test_relationships_lead_to_part_names(deck_bytes):
    package = Package.from_bytes(deck_bytes, "deck.pptx")
    links = package.relationships("ppt/slides/slide1.xml")
    assert links["rId1"].target == "ppt/slideLayouts/slideLayout1.xml"
    assert links["rId1"].kind == "slideLayout"
    assert not links["rId1"].external
    assert package.relationships("ppt/media/image1.png") == {}
    assert package.related("ppt/presentation.xml", "slide") == ("ppt/slides/slide1.xml",)
    assert package.related("ppt/presentation.xml", "theme") == ()


def test_targets_take_the_packages_spelling(zipped, deck_parts):
    parts = deck_parts()
    parts["ppt/Slides/Slide1.XML"] = parts.pop("ppt/slides/slide1.xml")
    package = Package.from_bytes(zipped(parts), "deck.pptx")
    assert package.related("ppt/presentation.xml", "slide") == ("ppt/Slides/Slide1.XML",)


def test_outside_targets_are_kept_and_never_opened(zipped, deck_parts):
    parts = deck_parts()
    rels = "ppt/slides/_rels/slide1.xml.rels"
    parts[rels] = parts[rels].replace(
        b'Target="../media/image1.png"', b'Target="file:///etc/passwd" TargetMode="External"'
    )
    link = Package.from_bytes(zipped(parts), "d").relationships("ppt/slides/slide1.xml")["rId2"]
    assert (link.target, link.external) == ("file:///etc/passwd", True)


def test_targets_outside_the_package_are_simply_not_there(zipped, deck_parts):
    parts = deck_parts()
    rels = "ppt/slides/_rels/slide1.xml.rels"
    parts[rels] = parts[rels].replace(b"../media/image1.png", b"../../../../../etc/passwd")
    package = Package.from_bytes(zipped(parts), "deck.pptx")
    target = package.relationships("ppt/slides/slide1.xml")["rId2"].target
    assert target not in package
    with pytest.raises(MissingPart, match="etc/passwd"):
        package.read(target)


def test_a_zip_without_content_types_is_no_package(zipped):
    with pytest.raises(NotAPackage, match="no Office document"):
        Package.from_bytes(zipped({"a.txt": b"x"}), "deck.pptx")


def test_an_open_document_is_told_what_it_is(zipped):
    data = zipped({"mimetype": b"application/vnd.oasis.opendocument.presentation"})
    with pytest.raises(UnsupportedFormat, match=r"^deck\.odp: an OpenDocument file"):
        Package.from_bytes(data, "deck.odp")


def test_unreadable_content_types_are_named(zipped, deck_parts):
    parts = deck_parts() | {"[Content_Types].xml": b"<Types"}
    with pytest.raises(MalformedPart, match=r"deck\.pptx: \[Content_Types\]\.xml: "):
        Package.from_bytes(zipped(parts), "deck.pptx")


def test_a_package_without_main_part_says_so_when_asked(zipped, deck_parts):
    parts = deck_parts()
    del parts["_rels/.rels"]
    with pytest.raises(MissingPart, match="names no main part"):
        _ = Package.from_bytes(zipped(parts), "deck.pptx").main_part


def test_encrypted_and_old_files_are_told_apart(ole_file, tmp_path):
    path = tmp_path / "deck.pptx"
    path.write_bytes(ole_file("EncryptionInfo", "EncryptedPackage"))
    with pytest.raises(EncryptedDeck):
        Package.open(path)
    path.write_bytes(ole_file("PowerPoint Document"))
    with pytest.raises(UnsupportedFormat):
        Package.open(path)
    with pytest.raises(UnsupportedFormat, match=r"\.xls"):
        Package.from_bytes(ole_file("Workbook"), "deck.pptx: ppt/embeddings/a.xls")


def test_limits_hold_inside_parts(zipped, deck_parts):
    parts = deck_parts() | {"ppt/slides/slide1.xml": b"<a>" * 20 + b"</a>" * 20}
    package = Package.from_bytes(zipped(parts), "deck.pptx", Limits(xml_depth=15))
    with pytest.raises(LimitExceeded, match=r"slide1\.xml: elements nested deeper"):
        package.xml("ppt/slides/slide1.xml")


def test_errors_cross_process_borders(deck_bytes):
    with pytest.raises(TruncatedDeck) as caught:
        Package.from_bytes(deck_bytes[:-30], "deck.pptx")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), str(copy)) == (TruncatedDeck, str(caught.value))


def read_all(data):
    """Open and read everything; only an error of ours may stop it, and soon."""
    start = time.perf_counter()
    outcome = "read"
    try:
        with Package.from_bytes(data, "deck.pptx") as package:
            _ = package.main_part
            for name in package.names:
                package.relationships(name)
                package.read_start(name, 100)
                if name.endswith((".xml", ".rels")):
                    package.xml(name)
                else:
                    package.read(name)
    except DecklabError as error:
        assert "\n" not in str(error)
        assert str(error).startswith("deck.pptx: ")
        outcome = type(error).__name__
    assert time.perf_counter() - start < SECONDS
    return outcome


def test_the_undamaged_deck_is_read(deck_bytes):
    assert read_all(deck_bytes) == "read"


def test_every_truncation_is_an_error_of_ours(deck_bytes):
    outcomes = {read_all(deck_bytes[:end]) for end in range(len(deck_bytes))}
    assert outcomes == {"NotAPackage", "TruncatedDeck"}


@examples(400)
@given(data=st.data())
def test_flipped_bytes_give_a_package_or_an_error_of_ours(deck_bytes, data):
    damaged = bytearray(deck_bytes)
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    read_all(bytes(damaged))


@examples(300)
@given(data=st.data())
def test_flipped_bytes_of_the_directory_give_a_package_or_an_error_of_ours(deck_bytes, data):
    damaged = bytearray(deck_bytes)
    start = deck_bytes.index(b"PK\x01\x02")
    for _ in range(data.draw(st.integers(1, 6))):
        damaged[data.draw(st.integers(start, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    read_all(bytes(damaged))


@examples(200)
@given(junk=st.binary(max_size=300), at=st.integers(0, 6000), cut=st.integers(0, 300))
def test_inserted_junk_gives_a_package_or_an_error_of_ours(deck_bytes, junk, at, cut):
    read_all(deck_bytes[:at] + junk + deck_bytes[at + cut :])


@examples(200)
@given(data=st.binary(max_size=400))
def test_bytes_of_any_kind_are_an_error_of_ours(data):
    assert read_all(b"PK\x05\x06" + data) != "read"


@pytest.mark.by_day(1)
@pytest.mark.shared
@pytest.mark.parametrize("folder", ["real", "features"])
def test_every_real_deck_opens_under_the_default_limits(shared, folder):
    paths = sorted((shared / "decks" / folder).glob("*.pptx"))
    assert paths
    for path in paths:
        with Package.open(path) as package:
            for name in package.names:
                content = package.read(name)
                assert len(content) == package.archive.size(name)
                if name.endswith((".xml", ".rels")):
                    package.xml(name)


@pytest.mark.shared
def test_hostile_decks_open_or_say_why_not(shared):
    outcomes = {}
    for path in sorted((shared / "decks" / "hostile").glob("*.pptx")):
        outcomes[path.name.rpartition("_")[2]] = read_all_from(path)
    assert outcomes == {
        "stress022.pptx": "read",
        "Revelado.pptx": "TruncatedDeck",
        "bug54570.pptx": "read",
        "clusterfuzz-testcase-minimized-POIFuzzer-5205835528404992.pptx": "TruncatedDeck",
        "clusterfuzz-testcase-minimized-POIXSLFFuzzer-5471515212382208.pptx": "TruncatedDeck",
        "missing-blip-fill.pptx": "read",
    }


def read_all_from(path):
    return read_all(path.read_bytes())
