"""Edits of shapes: paint, place, order, pictures, alt text and what a click does."""

from typing import Any

from pptx.enum.shapes import MSO_SHAPE
from pptx.oxml.ns import qn
from pptx.presentation import Presentation as Deck
from pptx.util import Pt

from generate.pptarena.edits.finding import Edit, rgb, shape_on, slide_of


def fill(slide: int, shape: str, value: str) -> Edit:
    """Fill with one colour, ``RRGGBB``."""

    def edit(deck: Deck) -> None:
        target = shape_on(deck, slide, shape)
        target.fill.solid()
        target.fill.fore_color.rgb = rgb(value)

    return edit


def outline(slide: int, shape: str, value: str, points: float) -> Edit:
    """Draw the outline in a colour, ``RRGGBB``, and a width."""

    def edit(deck: Deck) -> None:
        line = shape_on(deck, slide, shape).line
        line.color.rgb = rgb(value)
        line.width = Pt(points)

    return edit


def geometry(slide: int, shape: str, kind: MSO_SHAPE) -> Edit:
    """Make it another of the preset shapes."""

    def edit(deck: Deck) -> None:
        preset = shape_on(deck, slide, shape).element.spPr.find(qn("a:prstGeom"))
        preset.set("prst", kind.xml_value)
        for child in list(preset):
            preset.remove(child)

    return edit


def place(slide: int, shape: str, left: float, top: float) -> Edit:
    """Put the top left corner at a place, in points."""

    def edit(deck: Deck) -> None:
        target = shape_on(deck, slide, shape)
        width, height = target.width, target.height
        target.left, target.top = Pt(left), Pt(top)
        target.width, target.height = width, height

    return edit


def move(slide: int, shape: str, right: float, down: float) -> Edit:
    """Move by points."""

    def edit(deck: Deck) -> None:
        target = shape_on(deck, slide, shape)
        box = target.left + Pt(right), target.top + Pt(down), target.width, target.height
        target.left, target.top, target.width, target.height = box

    return edit


def resize(slide: int, shape: str, width: float, height: float) -> Edit:
    """Give it a size in points; the top left corner stays."""

    def edit(deck: Deck) -> None:
        target = shape_on(deck, slide, shape)
        left, top = target.left, target.top
        target.width, target.height = Pt(width), Pt(height)
        target.left, target.top = left, top

    return edit


def to_front(slide: int, shape: str) -> Edit:
    """Draw it last."""

    def edit(deck: Deck) -> None:
        element = shape_on(deck, slide, shape).element
        tree = element.getparent()
        tree.remove(element)
        tree.append(element)

    return edit


def group(slide: int, shapes: tuple[str, ...], name: str) -> Edit:
    """Make one group of several shapes."""

    def edit(deck: Deck) -> None:
        members = [shape_on(deck, slide, one) for one in shapes]
        slide_of(deck, slide).shapes.add_group_shape(members).name = name

    return edit


def remove(slide: int, shape: str) -> Edit:
    """Take it off the slide."""

    def edit(deck: Deck) -> None:
        element = shape_on(deck, slide, shape).element
        element.getparent().remove(element)

    return edit


def crop(slide: int, shape: str, **shares: float) -> Edit:
    """Cut shares of a picture off at ``left``, ``right``, ``top`` or ``bottom``."""

    def edit(deck: Deck) -> None:
        target = shape_on(deck, slide, shape)
        for side, share in shares.items():
            setattr(target, f"crop_{side}", share)

    return edit


def show_picture_of(slide: int, shape: str, other_slide: int, other: str) -> Edit:
    """Show the image of another picture in the place of its own, uncropped."""

    def edit(deck: Deck) -> None:
        source = shape_on(deck, other_slide, other)
        image = source.part.related_part(_blip(source).get(qn("r:embed")))
        target = shape_on(deck, slide, shape)
        _blip(target).set(qn("r:embed"), target.part.relate_to(image, _IMAGE))
        target.crop_left = target.crop_right = target.crop_top = target.crop_bottom = 0

    return edit


_IMAGE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"


def _blip(picture: Any) -> Any:
    return next(picture.element.iter(qn("a:blip")))


def alt_text(slide: int, shape: str, words: str) -> Edit:
    """Describe it for those who cannot see it."""

    def edit(deck: Deck) -> None:
        shape_on(deck, slide, shape).element.xpath(".//p:cNvPr")[0].set("descr", words)

    return edit


def jump_to(slide: int, shape: str, target: int) -> Edit:
    """Make a click lead to another slide."""

    def edit(deck: Deck) -> None:
        shape_on(deck, slide, shape).click_action.target_slide = slide_of(deck, target)

    return edit
