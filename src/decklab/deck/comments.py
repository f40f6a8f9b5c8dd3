"""Comments of a slide, classic ([ECMA-376] 13.3.2) and modern ([MS-PPTX] 2.6), and its notes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.deck.model.slide import Comment, Reply
from decklab.deck.part import Source, shape_elements, shape_tree
from decklab.deck.sheets import DeckReading, Sheet, placeholder_of
from decklab.deck.styles.text import paragraph_text
from decklab.ooxml.xml import EMU_PER_INCH, Element, local_name, parse_int, qn

_MODERN = "{http://schemas.microsoft.com/office/powerpoint/2018/8/main}"
_CLASSIC_UNITS = 576
"""Master units of the binary format per inch; classic comments state their place in them."""


@dataclass(frozen=True)
class Author:
    """Who wrote a comment."""

    name: str
    initials: str


Authors = Mapping[str, Author]
"""By id; classic and modern ids never clash, since modern ids are GUIDs."""
_NOBODY = Author("", "")
_DEEPEST_THREAD = 100  # answers to answers; PowerPoint writes one level


def read_authors(reading: DeckReading) -> Authors:
    """The authors of a deck's comments."""
    authors: dict[str, Author] = {}
    main = reading.main
    for kind in ("commentAuthors", "authors"):
        part = main.related(kind)
        root = None if part is None else main.of(part).root()
        for item in () if root is None else root:
            author = Author(item.get("name") or "", item.get("initials") or "")
            authors[item.get("id") or ""] = author
    return authors


def comments_of(sheet: Sheet, authors: Authors) -> tuple[Comment, ...]:
    """The comments of a slide, threads in the order of the file."""
    comments: list[Comment] = []
    for link in sheet.source.links().values():
        if link.kind != "comments" or link.external or link.target not in sheet.reading.package:
            continue
        root = sheet.source.of(link.target).root()
        if root is not None and root.tag == qn("p:cmLst"):
            comments.extend(_classic(root, sheet, authors))
        elif root is not None:
            comments.extend(_modern(item, sheet, authors) for item in root.iterfind(f"{_MODERN}cm"))
    return tuple(comments)


def _classic(root: Element, sheet: Sheet, authors: Authors) -> Iterator[Comment]:
    """Replies are listed beside the comments they answer, and name them ([MS-PPTX] 2.4.1.7)."""
    items = root.findall(qn("p:cm"))
    threads = _threads(items)
    answers: dict[str, list[Reply]] = {}
    for item in items:
        id = _classic_id(item)
        if threads[id] != id:
            answers.setdefault(threads[id], []).append(_classic_reply(item, authors))
    for item in items:
        if threads[_classic_id(item)] != _classic_id(item):
            continue
        x, y = _classic_place(item.find(qn("p:pos")), sheet)
        reply = _classic_reply(item, authors)
        yield Comment(
            **dict(reply), kind="classic", x=x, y=y, replies=tuple(answers.get(reply.id, ()))
        )


def _threads(items: Sequence[Element]) -> dict[str, str]:
    """From each comment to the first comment of its thread: itself, where the comment that it
    answers is missing. Comments that answer each other in a ring each begin a thread."""
    parents = {
        _classic_id(item): None
        if (up := next(item.iter(qn("p15:parentCm")), None)) is None
        else _classic_id(up)
        for item in items
    }
    threads: dict[str, str] = {}
    for id, at in parents.items():
        way, above = [id], at
        while above in parents and above not in way and len(way) <= _DEEPEST_THREAD:
            way.append(above)
            above = parents[above]
        threads[id] = id if above in way or len(way) > _DEEPEST_THREAD else way[-1]
    return threads


def _classic_id(item: Element) -> str:
    return f"{item.get('authorId')}:{item.get('idx')}"


def _classic_reply(item: Element, authors: Authors) -> Reply:
    author = authors.get(item.get("authorId") or "", _NOBODY)
    return Reply(
        id=_classic_id(item),
        author=author.name,
        initials=author.initials,
        created=item.get("dt") or "",
        text=item.findtext(qn("p:text")) or "",
    )


def _classic_place(pos: Element | None, sheet: Sheet) -> tuple[float | None, float | None]:
    x = None if pos is None else parse_int(pos.get("x"))
    y = None if pos is None else parse_int(pos.get("y"))
    unit = EMU_PER_INCH / _CLASSIC_UNITS
    return (
        None if x is None else sheet.reading.across(x * unit),
        None if y is None else sheet.reading.down(y * unit),
    )


def _modern(item: Element, sheet: Sheet, authors: Authors) -> Comment:
    shape = _anchor(item)
    x, y = (None, None) if shape is not None else _modern_place(item, sheet)
    replies = item.iterfind(f"{_MODERN}replyLst/{_MODERN}reply")
    return Comment(
        **dict(_modern_reply(item, authors)),
        kind="modern",
        x=x,
        y=y,
        shape=shape,
        status=item.get("status") or "active",
        replies=tuple(_modern_reply(reply, authors) for reply in replies),
    )


def _modern_reply(item: Element, authors: Authors) -> Reply:
    author = authors.get(item.get("authorId") or "", _NOBODY)
    body = item.find(f"{_MODERN}txBody")
    paragraphs = () if body is None else body.iterfind(qn("a:p"))
    return Reply(
        id=item.get("id") or "",
        author=author.name,
        initials=author.initials,
        created=item.get("created") or "",
        text="\n".join(paragraph_text(paragraph) for paragraph in paragraphs),
    )


def _anchor(item: Element) -> int | None:
    """The shape that a modern comment is about: the last of its monikers that names one."""
    monikers = [
        id
        for mark in item.iter()
        if isinstance(mark.tag, str)
        and local_name(mark.tag) in ("spMk", "picMk", "graphicFrameMk", "cxnSpMk", "grpSpMk")
        and (id := parse_int(mark.get("id"))) is not None
    ]
    return monikers[-1] if monikers else None


def _modern_place(item: Element, sheet: Sheet) -> tuple[float | None, float | None]:
    pos = item.find(f"{_MODERN}pos")
    x = None if pos is None else parse_int(pos.get("x"))
    y = None if pos is None else parse_int(pos.get("y"))
    if x is None or y is None:
        return None, None
    across, down = sheet.reading.across(x), sheet.reading.down(y)
    return (
        (across, down) if 0 <= across <= FRAME_WIDTH and 0 <= down <= FRAME_HEIGHT else (None, None)
    )


def notes_of(slide: Source) -> str | None:
    """The text of a slide's notes page; None if there is no page, or none that holds text."""
    part = slide.related("notesSlide")
    root = None if part is None else slide.of(part).root()
    tree = None if root is None else shape_tree(root)
    for shape in () if tree is None else shape_elements(tree):
        key = placeholder_of(shape)
        body = shape.find(qn("p:txBody"))
        if key is not None and key.type == "body" and body is not None:
            return "\n".join(paragraph_text(item) for item in body.iterfind(qn("a:p")))
    return None
