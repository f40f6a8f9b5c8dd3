"""Edits of slides as a whole and of what stands behind them: order, layouts, masters, themes."""

from typing import Any

from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.oxml import serialize_part_xml
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.presentation import Presentation as Deck
from pptx.util import Pt

from generate.pptarena.edits.finding import Edit, rgb, slide_of


def move_slide(slide: int, to: int) -> Edit:
    """Put a slide at another place, both 1-based."""

    def edit(deck: Deck) -> None:
        listed = deck.slides._sldIdLst
        entry = listed[slide - 1]
        listed.remove(entry)
        listed.insert(to - 1, entry)

    return edit


def delete_slide(slide: int) -> Edit:
    """Take a slide out, with its part."""

    def edit(deck: Deck) -> None:
        entry = deck.slides._sldIdLst[slide - 1]
        deck.part.drop_rel(entry.rId)
        entry.getparent().remove(entry)

    return edit


def hide(slide: int) -> Edit:
    """Pass a slide over in the show."""

    def edit(deck: Deck) -> None:
        slide_of(deck, slide).element.set("show", "0")

    return edit


def layout(slide: int, name: str) -> Edit:
    """Put a slide on another layout of its master."""

    def edit(deck: Deck) -> None:
        part = slide_of(deck, slide).part
        wanted = deck.slide_layouts.get_by_name(name)
        if wanted is None:
            raise LookupError(f"there is no layout {name!r}")
        for relationship in part.rels.values():
            if relationship.reltype == RT.SLIDE_LAYOUT:
                relationship._target = wanted.part

    return edit


def background(slide: int, value: str) -> Edit:
    """Give a slide a background of its own in one colour, ``RRGGBB``."""

    def edit(deck: Deck) -> None:
        paint = slide_of(deck, slide).background.fill
        paint.solid()
        paint.fore_color.rgb = rgb(value)

    return edit


def footer(slide: int, words: str) -> Edit:
    """Write into the footer of a slide."""

    def edit(deck: Deck) -> None:
        for shape in slide_of(deck, slide).placeholders:
            if shape.placeholder_format.type == PP_PLACEHOLDER.FOOTER:
                shape.text_frame.paragraphs[0].runs[0].text = words
                return
        raise LookupError(f"slide {slide} has no footer")

    return edit


def reading_order(slide: int, shape: str, place: int) -> Edit:
    """Let a shape be read, and drawn, as the one at a 1-based place."""

    def edit(deck: Deck) -> None:
        tree = slide_of(deck, slide).shapes._spTree
        shapes = [one.element for one in slide_of(deck, slide).shapes]
        names = [one.name for one in slide_of(deck, slide).shapes]
        element = shapes.pop(names.index(shape))
        tree.remove(element)
        shapes[place - 1].addprevious(element)

    return edit


def section_name(old: str, new: str) -> Edit:
    """Rename a section."""

    def edit(deck: Deck) -> None:
        for element in deck.part._element.iter():
            if str(element.tag).endswith("}section") and element.get("name") == old:
                element.set("name", new)
                return
        raise LookupError(f"there is no section {old!r}")

    return edit


def theme_color(slot: str, value: str) -> Edit:
    """Change a colour of the theme, such as ``accent1``, to ``RRGGBB``."""

    def edit(deck: Deck) -> None:
        part, root = _theme(deck)
        entry = root.find(f".//{qn('a:clrScheme')}/{qn(f'a:{slot}')}")
        for child in list(entry):
            entry.remove(child)
        entry.append(parse_xml(f'<a:srgbClr {_A} val="{value}"/>'))
        part._blob = serialize_part_xml(root)

    return edit


def theme_font(which: str, typeface: str) -> Edit:
    """Change the ``major`` or ``minor`` typeface of the theme."""

    def edit(deck: Deck) -> None:
        part, root = _theme(deck)
        latin = root.find(f".//{qn(f'a:{which}Font')}/{qn('a:latin')}")
        latin.set("typeface", typeface)
        part._blob = serialize_part_xml(root)

    return edit


_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'


def _theme(deck: Deck) -> tuple[Any, Any]:
    part = deck.slide_masters[0].part.part_related_by(RT.THEME)
    return part, parse_xml(part.blob)


def master_title(*, points: float | None = None, value: str | None = None) -> Edit:
    """Change size or colour, ``RRGGBB``, of all titles in the master."""

    def edit(deck: Deck) -> None:
        style = deck.slide_masters[0].element.find(f".//{qn('p:titleStyle')}")
        type_of_titles = style.find(f"{qn('a:lvl1pPr')}/{qn('a:defRPr')}")
        if points is not None:
            type_of_titles.set("sz", str(round(points * 100)))
        if value is not None:
            old = type_of_titles.find(qn("a:solidFill"))
            new = parse_xml(f'<a:solidFill {_A}><a:srgbClr val="{value}"/></a:solidFill>')
            if old is None:
                type_of_titles.insert(0, new)
            else:
                old.getparent().replace(old, new)

    return edit


def master_fill(shape: str, value: str) -> Edit:
    """Fill a shape of the master with a colour, ``RRGGBB``."""

    def edit(deck: Deck) -> None:
        for one in deck.slide_masters[0].shapes:
            if one.name == shape:
                one.fill.solid()
                one.fill.fore_color.rgb = rgb(value)
                return
        raise LookupError(f"the master has no shape {shape!r}")

    return edit


def layout_title_color(name: str, value: str, points: float) -> Edit:
    """Change colour, ``RRGGBB``, and size of the title of one layout only."""

    def edit(deck: Deck) -> None:
        wanted: Any = deck.slide_layouts.get_by_name(name)
        title = next(
            shape
            for shape in wanted.placeholders
            if shape.placeholder_format.type in (PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE)
        )
        for paragraph in title.text_frame.paragraphs:
            paragraph.font.color.rgb = rgb(value)
            paragraph.font.size = Pt(points)
        body = title.text_frame._txBody
        listed = body.find(qn("a:lstStyle"))
        for child in list(listed):
            listed.remove(child)
        listed.append(
            parse_xml(
                f'<a:lvl1pPr {_A}><a:defRPr sz="{round(points * 100)}"><a:solidFill>'
                f'<a:srgbClr val="{value}"/></a:solidFill></a:defRPr></a:lvl1pPr>'
            )
        )

    return edit


_P = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
_COMMENTS = "application/vnd.openxmlformats-officedocument.presentationml.comments+xml"
_AUTHORS = "application/vnd.openxmlformats-officedocument.presentationml.commentAuthors+xml"
_HEAD = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def comment(slide: int, words: str, *, number: int = 1) -> Edit:
    """Leave a review comment on a slide; ``number`` tells comments of one deck apart."""

    def edit(deck: Deck) -> None:
        package = deck.part.package
        if not any(rel.reltype == RT.COMMENT_AUTHORS for rel in deck.part.rels.values()):
            authors = (
                f'<p:cmAuthorLst {_P}><p:cmAuthor id="0" name="Reviewer" initials="R" '
                'lastIdx="9" clrIdx="0"/></p:cmAuthorLst>'
            )
            uri = PackURI("/ppt/commentAuthors.xml")
            part = Part(uri, _AUTHORS, package, _HEAD + authors.encode())
            deck.part.relate_to(part, RT.COMMENT_AUTHORS)
        listed = (
            f'<p:cmLst {_P}><p:cm authorId="0" dt="2026-01-05T09:00:00.000" idx="{number}">'
            f'<p:pos x="10" y="10"/><p:text>{words}</p:text></p:cm></p:cmLst>'
        )
        uri = PackURI(f"/ppt/comments/comment{number}.xml")
        target = slide_of(deck, slide).part
        target.relate_to(Part(uri, _COMMENTS, package, _HEAD + listed.encode()), RT.COMMENTS)

    return edit
