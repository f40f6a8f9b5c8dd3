"""Links that lead to no part, such as ``#_ftn1``, kept over an edit.

python-pptx drops them when it opens a deck; what refers to them would then lead nowhere, or to
what takes over their id. So they are marked as leading out of the deck before it opens one, and set
right in what it saved.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from pptx.opc.packuri import PackURI

from decklab.ooxml.package import Package
from decklab.ooxml.writing import write_package
from decklab.ooxml.xml import Element, qn, serialize_xml

_MARK = "decklab-leads-nowhere:"


def guarded(deck: Path, copy: Path) -> Path:
    """The deck itself where all its links lead to parts, else ``copy``, written with the others
    marked. Raises DeckError where the deck cannot be read."""
    with Package.open(deck) as package:
        there = {f"/{name}" for name in package.names}
        changed = dict(_changed(package, lambda base, link: _mark(base, link, there)))
        return write_package(package, copy, replace=changed) if changed else deck


def restored(deck: Path) -> None:
    """Set marked links of a saved deck right, in place; raises DeckError where that cannot be
    read."""
    with Package.open(deck) as package:
        changed = dict(_changed(package, _unmark))
        if changed:
            write_package(package, deck, replace=changed)


def _changed(
    package: Package, change: Callable[[str, Element], bool]
) -> Iterator[tuple[str, bytes]]:
    """The parts of relationships in which ``change`` changes any, given the folder they are seen
    from."""
    for name in package.names:
        folder, _, base = name.rpartition("/")
        if not base.endswith(".rels") or not f"/{folder}".endswith("/_rels"):
            continue
        root = package.xml(name)
        seen_from = f"/{folder}".removesuffix("/_rels") or "/"
        links = root.findall(qn("rel:Relationship"))
        if [link for link in links if change(seen_from, link)]:
            yield name, serialize_xml(root)


def _mark(base: str, link: Element, there: set[str]) -> bool:
    target = link.get("Target") or ""
    if link.get("TargetMode") == "External" or PackURI.from_rel_ref(base, target) in there:
        return False
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
