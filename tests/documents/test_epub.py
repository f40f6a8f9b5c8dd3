"""Books: pages in the order of the spine, their pictures, and archives that mean harm."""

from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from PIL import Image

from decklab.core.errors import DeckError, EncryptedDeck, LimitExceeded, NotAPackage
from decklab.documents.reading import read_document, read_documents

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf"
 xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>On Boats</dc:title>
<dc:creator>Anna Smith</dc:creator><dc:creator>Bob Jones</dc:creator><dc:date>2024-03-12</dc:date>
</metadata><manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="two" href="text/two.xhtml" media-type="application/xhtml+xml"/>
<item id="one" href="text/one%20a.xhtml" media-type="application/xhtml+xml"/>
<item id="gone" href="gone.xhtml" media-type="application/xhtml+xml"/>
</manifest><spine><itemref idref="nav"/><itemref idref="one"/><itemref idref="two"/>
<itemref idref="gone"/></spine></package>"""
ONE = (
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><h1>One</h1>'
    '<p>Boats float.</p><img src="../red.png" alt="A boat"/><img src="../gone.png"/></body></html>'
)
TWO = "<html><body><h1>Two</h1><p>Masts are <b>long</b>.</p></body></html>"


def png() -> bytes:
    content = BytesIO()
    Image.new("RGB", (40, 30), "red").save(content, "PNG")
    return content.getvalue()


def book(path: Path, **others: str | bytes) -> Path:
    parts: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": PACKAGE,
        "OEBPS/nav.xhtml": "<nav><ol><li>One</li></ol></nav>",
        "OEBPS/text/one a.xhtml": ONE,
        "OEBPS/text/two.xhtml": TWO,
        "OEBPS/red.png": png(),
    }
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, data in {**parts, **others}.items():
            if data:
                archive.writestr(name, data)
    return path


def test_pages_stand_in_the_order_of_the_spine(tmp_path):
    document = read_document(book(tmp_path / "a.epub"))
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("heading", "One"),
        ("paragraph", "Boats float."),
        ("figure", ""),
        ("caption", "A boat"),
        ("heading", "Two"),
        ("paragraph", "Masts are long."),
    ]
    assert (document.kind, document.title) == ("epub", "On Boats")
    assert (document.author, document.date) == ("Anna Smith, Bob Jones", "2024-03-12")
    assert Image.open(BytesIO(document.figures[0].draw())).size == (40, 30)
    assert [item.reason for item in document.unread] == [
        "the picture ../gone.png is not there",
        "the page OEBPS/gone.xhtml is not in the book",
    ]


ENCRYPTION = (
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
    'xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:CipherData>'
    '<enc:CipherReference URI="{}"/></enc:CipherData></enc:EncryptedData></encryption>'
)


def test_encrypted_pages_are_refused_and_encrypted_fonts_are_not(tmp_path):
    fonts = {"META-INF/encryption.xml": ENCRYPTION.format("OEBPS/font.otf")}
    assert len(read_document(book(tmp_path / "a.epub", **fonts)).headings) == 2
    pages = {"META-INF/encryption.xml": ENCRYPTION.format("OEBPS/text/two.xhtml")}
    with pytest.raises(EncryptedDeck, match=r"b\.epub: its pages are encrypted"):
        read_document(book(tmp_path / "b.epub", **pages))


@pytest.mark.parametrize(
    ("others", "error"),
    [
        ({"META-INF/container.xml": ""}, NotAPackage),
        ({"OEBPS/book.opf": ""}, NotAPackage),
        ({"OEBPS/book.opf": "<package><"}, DeckError),
        ({"OEBPS/book.opf": "<a>" * 300 + "</a>" * 300}, DeckError),
        ({"../out.xhtml": "x"}, DeckError),
        ({"OEBPS/text/two.xhtml": b" " * 40_000_000}, LimitExceeded),
    ],
)
def test_damaged_and_hostile_books_end_in_one_line(tmp_path, others, error):
    with pytest.raises(error) as caught:
        read_document(book(tmp_path / "a.epub", **others))
    assert "a.epub" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_archive_is_told(tmp_path):
    path = tmp_path / "a.epub"
    path.write_bytes(b"text")
    assert "no zip archive" in str(read_documents([path], skip_unreadable=True).unread[0])


def test_deep_pages_are_read(tmp_path):
    deep = "<div>" * 50_000 + "Deep."
    document = read_document(book(tmp_path / "a.epub", **{"OEBPS/text/two.xhtml": deep}))
    assert document.blocks[-1].text == "Deep."
