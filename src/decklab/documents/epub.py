"""Books in EPUB (EPUB 3.3): an archive of XHTML pages, read in the order of the spine."""

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from decklab.core.errors import EncryptedDeck, LimitExceeded, NotAPackage
from decklab.documents.bylines import Byline, stated_byline
from decklab.documents.drafting import DocumentDraft
from decklab.documents.html.reader import read_html_part
from decklab.documents.model import Document
from decklab.documents.texts import MAX_TEXT_BYTES, decoded_text
from decklab.ooxml.archive import Archive
from decklab.ooxml.xml import Element, parse_xml

_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_PAGES: Final = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})


@dataclass(frozen=True)
class _Book:
    """Title, byline and pages that the package document of a book states."""

    title: str
    byline: Byline
    pages: tuple[str, ...]
    """Names of the pages in the archive, in reading order; lists of contents are left out."""


def read_epub(path: Path, name: str) -> Document:
    """A book: the text of its pages in reading order, with their pictures; title, authors and date
    as the book states.

    Pages that are missing or no XHTML are listed as unread. Raises DeckError if it is no book, or
    encrypted, or past the limits of an archive and of ``MAX_TEXT_BYTES`` of text.
    """
    with Archive.open(path) as archive:
        book = _book(archive, path)
        draft = DocumentDraft(path, name, "epub")
        left = MAX_TEXT_BYTES
        for page in book.pages:
            found = archive.find(page)
            if found is None:
                draft.refuse(f"the page {page} is not in the book")
                continue
            left -= archive.size(found)
            if left < 0:
                raise LimitExceeded(path, f"more than {MAX_TEXT_BYTES:,} bytes of text")
            text = decoded_text(path, archive.read(found))
            read_html_part(draft, text, pictures=_pictures_of(archive, found))
    return draft.finish(title=book.title, byline=book.byline)


def _book(archive: Archive, path: Path) -> _Book:
    if archive.find(_CONTAINER) is None:
        raise NotAPackage(path, f"no EPUB: it has no {_CONTAINER}")
    container = _xml(archive, _CONTAINER)
    root = next((node.get("full-path", "") for node in _all(container, "rootfile")), "")
    if archive.find(root) is None:
        raise NotAPackage(path, "no EPUB: its package document is missing")
    package = _xml(archive, root)
    items = {node.get("id", ""): node for node in _all(package, "item")}
    folder = posixpath.dirname(root)
    pages = []
    for reference in _all(package, "itemref"):
        item = items.get(reference.get("idref", ""))
        if item is None or item.get("media-type", "") not in _PAGES:
            continue
        if "nav" not in item.get("properties", "").split():
            pages.append(_joined(folder, item.get("href", "")))
    _refuse_encrypted(archive, path, frozenset(pages))
    titles, names, dates = (_texts(package, tag) for tag in ("title", "creator", "date"))
    byline = stated_byline(names, next(dates, ""))
    return _Book(next(titles, ""), byline, tuple(dict.fromkeys(pages)))


def _refuse_encrypted(archive: Archive, path: Path, pages: frozenset[str]) -> None:
    """Raise EncryptedDeck if pages are encrypted; fonts often are, and nobody reads those here."""
    if archive.find(_ENCRYPTION) is None:
        return
    for node in _all(_xml(archive, _ENCRYPTION), "CipherReference"):
        if unquote(node.get("URI", "")) in pages:
            raise EncryptedDeck(path, "its pages are encrypted (DRM)")


def _pictures_of(archive: Archive, page: str) -> Callable[[str], bytes | None]:
    """A function from the address of a picture on a page to its bytes; None if it is not there."""
    folder = posixpath.dirname(page)

    def read(source: str) -> bytes | None:
        found = archive.find(_joined(folder, source))
        return None if found is None else archive.read(found)

    return read


def _joined(folder: str, address: str) -> str:
    """The name in the archive of an address on a page in a folder of it."""
    try:
        return posixpath.normpath(posixpath.join(folder, unquote(urlsplit(address).path)))
    except ValueError:
        return ""


def _xml(archive: Archive, name: str) -> Element:
    limits = archive.limits
    if archive.size(name) > limits.xml_bytes:
        raise LimitExceeded(archive.label, f"more than {limits.xml_bytes:,} bytes of XML", name)
    return parse_xml(archive.read(name), path=archive.label, part=name, limits=limits)


def _all(root: Element, tag: str) -> Iterator[Element]:
    """Elements of a name in any namespace."""
    return root.iter(f"{{*}}{tag}")


def _texts(package: Element, tag: str) -> Iterator[str]:
    return (text for node in _all(package, tag) if (text := " ".join((node.text or "").split())))
