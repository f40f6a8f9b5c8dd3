"""Decks opened and saved by python-pptx without loss; its errors become one line.

python-pptx drops links that lead to no part, such as ``#_ftn1``, when it opens a deck; references
to them would then be broken, or lead to a new target with the same id. So these links are marked as
external before it opens a deck, and restored in the saved file; so are entries of the slide list
that lead to no slide (``dead_entries``).
"""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from io import BytesIO
from pathlib import Path

from lxml import etree
from pptx.exc import PythonPptxError
from pptx.opc.packuri import PackURI
from pptx.presentation import Presentation as Presentation  # noqa: PLC0414  # for this room

from decklab.core.errors import DeckError
from decklab.core.files import scratch_folder
from decklab.editing.dead_entries import with_dead_entries, without_dead_entries
from decklab.editing.open_parts import presentation_in
from decklab.ooxml.package import Package
from decklab.ooxml.parts import STRICT, resolve_target
from decklab.ooxml.sniffing import check_archive
from decklab.ooxml.writing import package_bytes, write_package
from decklab.ooxml.xml import Element, qn, serialize_xml

FIXED_DATE = datetime(2000, 1, 1)
"""The date of what is written, so that equal input gives equal bytes."""
_CORE = "docProps/core.xml"
_CREATED = re.compile(rb"(W3CDTF\">)[^<]*")

PPTX_ERRORS = (
    PythonPptxError, KeyError, IndexError, ValueError, TypeError, AttributeError,
    NotImplementedError, etree.LxmlError,
)  # fmt: skip
"""What python-pptx raises on decks whose structure it does not expect."""


def opened(path: str | Path) -> Presentation:
    """A deck opened for editing in memory, to be written by ``saved``; raises DeckError where that
    cannot be."""
    with scratch_folder("open") as room:
        # Reading checks limits and refuses some decks, which applies here too.
        source = guarded(Path(path), room / "deck.pptx")
        check_archive(path)  # python-pptx unpacks every part, even without a relationship to it
        _refuse_strict(source, path)
        try:
            return presentation_in(str(source))
        except PPTX_ERRORS as error:
            raise DeckError(path, f"it cannot be opened for editing: {_line(error)}") from error


def _refuse_strict(source: Path, path: str | Path) -> None:
    with Package.open(source) as package:
        if STRICT in package.read(package.main_part):
            detail = (
                "it is of the strict edition, which cannot be edited; save it as an ordinary .pptx"
            )
            raise DeckError(path, detail)


def saved(prs: Presentation, path: Path) -> Path:
    """The presentation in a file; raises DeckError where python-pptx cannot write it."""
    try:
        prs.save(str(path))
    except PPTX_ERRORS as error:
        raise DeckError(path, f"the edited deck cannot be saved: {_line(error)}") from error
    restored(path)
    return path


def save_undated(
    prs: Presentation, path: Path, settle: Callable[[str, bytes], bytes] | None = None
) -> Path:
    """Write a presentation so that equal ones give equal bytes, whole or not at all.

    python-pptx writes the present time as the date of parts; a replaced part gets a fixed date.
    ``settle`` gives the bytes of a part to be written, from its name and what python-pptx wrote.
    """
    file = BytesIO()
    prs.save(file)
    with Package.from_bytes(file.getvalue(), path.name) as package:
        parts = {name: package.read(name) for name in package.names}
        if settle is not None:
            parts = {name: settle(name, data) for name, data in parts.items()}
        return write_package(package, path, replace=parts)


def undated_workbook(name: str, data: bytes) -> bytes:
    """A part as it is; a workbook (``.xlsx``), as charts have them, with a fixed date."""
    if not name.endswith(".xlsx"):
        return data
    with Package.from_bytes(data, name) as workbook:
        core = workbook.read(_CORE)
        plain = _CREATED.sub(rb"\g<1>" + FIXED_DATE.isoformat().encode() + b"Z", core)
        return package_bytes(workbook, replace={_CORE: plain})


def _line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


_MARK = "decklab-leads-nowhere:"


def guarded(deck: Path, copy: Path) -> Path:
    """The deck itself if all its links lead to parts, and its slide list to slides; else ``copy``,
    with the other links marked and the other entries stored.

    Raises DeckError where the deck cannot be read.
    """
    with Package.open(deck) as package:
        changed = dict(_changed(package, lambda base, link: _mark(package, base, link)))
        changed |= without_dead_entries(package, changed)
        return write_package(package, copy, replace=changed) if changed else deck


def restored(deck: Path) -> None:
    """Write the links that ``guarded`` marked, and the entries that it stored, as they were, in
    place.

    Raises DeckError where the deck cannot be read.
    """
    with Package.open(deck) as package:
        changed = dict(_changed(package, _unmark))
        changed |= with_dead_entries(package, changed)
        if changed:
            write_package(package, deck, replace=changed)


def _changed(
    package: Package, change: Callable[[str, Element], bool]
) -> Iterator[tuple[str, bytes]]:
    """The parts of relationships that ``change`` changes, with their new bytes.

    ``change`` takes the folder that targets are relative to, and a relationship; it returns whether
    it changed the relationship.
    """
    for name in package.names:
        folder, _, base = name.rpartition("/")
        if not base.endswith(".rels") or not f"/{folder}".endswith("/_rels"):
            continue
        root = package.xml(name)
        base_folder = f"/{folder}".removesuffix("/_rels") or "/"
        links = root.findall(qn("rel:Relationship"))
        if [link for link in links if change(base_folder, link)]:
            yield name, serialize_xml(root)


def _mark(package: Package, base: str, link: Element) -> bool:
    target = link.get("Target") or ""
    if link.get("TargetMode") == "External":
        return False
    part = package.find(resolve_target(f"{base[1:]}/", target))
    if part is not None and f"/{part}" == PackURI.from_rel_ref(base, target):
        return False
    if part is not None and not (link.get("Type") or "").endswith("/hyperlink"):
        link.set("Target", f"/{part}")  # as python-pptx finds it
        return True
    link.set("Target", f"{_MARK}{target}")
    link.set("TargetMode", "External")
    return True


def _unmark(_base: str, link: Element) -> bool:
    target = link.get("Target") or ""
    if not target.startswith(_MARK):
        return False
    link.set("Target", target.removeprefix(_MARK))
    del link.attrib["TargetMode"]
    return True
