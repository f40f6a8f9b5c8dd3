"""Comments of a copied slide: numbered, threaded and anchored anew."""

from collections.abc import Iterable, Mapping

from decklab.ooxml.slides.authors import MODERN, find_authors
from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.slides.identity import fresh_guid
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, local_name, qn

CLASSIC_COMMENTS = "application/vnd.openxmlformats-officedocument.presentationml.comments+xml"
MODERN_COMMENTS = "application/vnd.ms-powerpoint.comments+xml"


def renew_comments(
    draft: Draft,
    parts: Iterable[str],
    *,
    slide_id: int,
    creation_id: int | None,
    authors: Mapping[str, Mapping[str, str]] | None = None,
) -> None:
    """Make copied comments the copied slide's own.

    ``authors`` maps author ids where they changed, by the content type of the comments.
    """
    changed = authors or {}
    for part in parts:
        kind = draft.content_type(part)
        if kind == CLASSIC_COMMENTS:
            _renumber(draft, draft.edit(part), changed.get(kind, {}))
        elif kind == MODERN_COMMENTS:
            root = draft.edit(part)
            _rename(root, part, changed.get(kind, {}))
            _anchor(root, slide_id, creation_id)


def _renumber(draft: Draft, root: Element, authors: Mapping[str, str]) -> None:
    """Classic comments are numbered by author ([ECMA-376] 19.4.1); replies name their parent."""
    numbers: dict[tuple[str | None, str | None], tuple[str, str]] = {}
    for comment in root.iter(qn("p:cm")):
        old = comment.get("authorId"), comment.get("idx")
        author = authors.get(old[0] or "", old[0] or "")
        numbers[old] = author, _next_number(draft, author, old[1])
        comment.set("authorId", author)
        comment.set("idx", numbers[old][1])
    for parent in root.iter(qn("p15:parentCm")):
        found = numbers.get((parent.get("authorId"), parent.get("idx")))
        if found is not None:
            parent.set("authorId", found[0])
            parent.set("idx", found[1])


def _next_number(draft: Draft, author: str, old: str | None) -> str:
    part = find_authors(draft, modern=False)
    for item in draft.edit(part) if part is not None else ():
        if item.get("id") == author:
            number = str((parse_int(item.get("lastIdx")) or 0) + 1)
            item.set("lastIdx", number)
            return number
    return old or "1"


def _rename(root: Element, part: str, authors: Mapping[str, str]) -> None:
    for item in root.iter(f"{{{MODERN}}}cm", f"{{{MODERN}}}reply"):
        author = item.get("authorId") or ""
        if author in authors:
            item.set("authorId", authors[author])
        item.set("id", fresh_guid(item.get("id") or "", part))


def _anchor(root: Element, slide_id: int, creation_id: int | None) -> None:
    for mark in root.iter():
        if not isinstance(mark.tag, str) or local_name(mark.tag) != "sldMk":
            continue
        mark.set("sldId", str(slide_id))
        if creation_id is not None:
            mark.set("cId", str(creation_id))
