import io

import pytest
from PIL import Image
from pptx import Presentation

from decklab.core.errors import (
    EncryptedDeck,
    LimitExceeded,
    MalformedPart,
    MissingPart,
    NotAPackage,
    TruncatedDeck,
    UnsupportedFormat,
)
from decklab.ooxml.package import check_archive, sniff
from decklab.ooxml.signatures import FileKind, Limits
from decklab.ooxml.xml import MAIN_CONTENT_TYPES

ODP = b"application/vnd.oasis.opendocument.presentation"


@pytest.fixture
def file(tmp_path):
    def write(data, name="deck"):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


def image(kind):
    out = io.BytesIO()
    Image.new("RGB", (4, 3)).save(out, kind)
    return out.getvalue()


def test_a_deck_of_python_pptx_is_known_without_its_extension(file):
    out = io.BytesIO()
    Presentation().save(out)
    assert sniff(file(out.getvalue())) is FileKind.PPTX


@pytest.mark.parametrize("content_type", MAIN_CONTENT_TYPES)
def test_templates_shows_and_macro_decks_are_the_same_kind(file, zipped, deck_parts, content_type):
    parts = deck_parts()
    main = b"application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
    types = parts["[Content_Types].xml"].replace(main, content_type.encode())
    path = file(zipped(parts | {"[Content_Types].xml": types}))
    assert sniff(path) is FileKind.PPTX


def test_other_office_documents_are_named(file, zipped, deck_parts):
    parts = deck_parts()
    types = parts["[Content_Types].xml"].replace(b"presentationml.presentation", b"wordml.document")
    with pytest.raises(UnsupportedFormat, match=r"no presentation \(its main part is .*document"):
        sniff(file(zipped(parts | {"[Content_Types].xml": types})))


def test_a_package_without_main_part_is_refused(file, zipped, deck_parts):
    parts = deck_parts()
    del parts["ppt/presentation.xml"]
    with pytest.raises(MissingPart, match="names no main part"):
        sniff(file(zipped(parts)))


@pytest.mark.parametrize("mimetype", [ODP, ODP + b"-template", ODP + b"\n"])
def test_open_document_presentations_are_known(file, zipped, mimetype):
    assert sniff(file(zipped({"mimetype": mimetype, "content.xml": b"<a/>"}))) is FileKind.ODP


def test_open_document_texts_are_refused(file, zipped):
    text = b"application/vnd.oasis.opendocument.text"
    with pytest.raises(UnsupportedFormat, match=r"no presentation but .*\.text"):
        sniff(file(zipped({"mimetype": text})))


@pytest.mark.parametrize("name", ["deck.fodp", "deck.odp", "deck.xml"])
def test_flat_open_documents_are_told_what_they_are(file, name):
    data = b'<?xml version="1.0"?>\n<office:document xmlns:office="urn:x" />'
    with pytest.raises(UnsupportedFormat, match=rf"{name}: a flat OpenDocument file"):
        sniff(file(data, name))


def test_encrypted_open_documents_are_called_so(file, zipped):
    manifest = b"<manifest><encryption-data/></manifest>"
    with pytest.raises(EncryptedDeck):
        sniff(file(zipped({"mimetype": ODP, "META-INF/manifest.xml": manifest})))


def test_a_zip_of_anything_else_is_no_package(file, zipped):
    with pytest.raises(NotAPackage, match="holds no Office document"):
        sniff(file(zipped({"readme.txt": b"hello"}), "deck.pptx"))


def test_old_presentations_are_known_and_their_passwords_seen(file, ole_file):
    assert sniff(file(ole_file("Current User", "PowerPoint Document"))) is FileKind.PPT
    with pytest.raises(EncryptedDeck):
        sniff(file(ole_file("PowerPoint Document", "EncryptedSummary")))
    with pytest.raises(EncryptedDeck):
        sniff(file(ole_file("EncryptedPackage"), "deck.pptx"))
    with pytest.raises(UnsupportedFormat):
        sniff(file(ole_file("WordDocument"), "deck.ppt"))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF"])
def test_images_are_known(file, kind):
    assert sniff(file(image(kind), "deck.pptx")) is FileKind.IMAGE


@pytest.mark.parametrize("data", [b"%PDF-1.7\n", b"\n" * 500 + b"%PDF-1.4"])
def test_pdf_is_known(file, data):
    assert sniff(file(data)) is FileKind.PDF


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"\xef\xbb\xbf \n<!DOCTYPE HTML><title>x</title>", "a"),
        (b"<html lang='en'>", "a"),
        (b"<!-- made by hand --><!doctype html>", "a.txt"),
        (b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>", "a"),
        (b"<section>one</section>", "a.html"),
    ],
)
def test_html_is_known(file, data, name):
    assert sniff(file(data, name)) is FileKind.HTML


@pytest.mark.parametrize(
    ("data", "name", "error"),
    [
        (b"hello", "deck.pptx", NotAPackage),
        (b"hello", "deck.ODP", NotAPackage),
        (b"hello", "deck.txt", UnsupportedFormat),
        (b"\0\1\2<html>", "deck.html", UnsupportedFormat),
        (b"PK\x03\x04 and no more", "deck.pptx", TruncatedDeck),
        (b"PK", "deck.pptx", NotAPackage),
    ],
)
def test_everything_else_gets_an_error_of_its_own(file, data, name, error):
    with pytest.raises(error):
        sniff(file(data, name))


def test_a_sound_archive_passes_the_check(file, zipped):
    assert check_archive(file(zipped({"mimetype": ODP, "content.xml": b"<a/>"}))) is None  # type: ignore[func-returns-value]


def test_the_check_unpacks_every_entry(file, zipped):
    data = zipped({"a": b"one", "b": b"two"}, method=0).replace(b"two", b"six")
    with pytest.raises(TruncatedDeck, match="deck: b: "):
        check_archive(file(data))


def test_the_check_sees_what_an_open_document_nests_and_declares(file, zipped):
    deep = b"<a>" * 300 + b"</a>" * 300
    with pytest.raises(LimitExceeded, match=r"content\.xml: elements nested deeper"):
        check_archive(file(zipped({"content.xml": deep})))
    with pytest.raises(MalformedPart, match=r"styles\.xml"):
        check_archive(file(zipped({"styles.xml": b"<!DOCTYPE a><a/>"})))


def test_the_check_keeps_to_the_limits(file, zipped):
    path = file(zipped({f"{i}": b"" for i in range(5)}))
    with pytest.raises(LimitExceeded):
        check_archive(path, Limits(parts=4))
