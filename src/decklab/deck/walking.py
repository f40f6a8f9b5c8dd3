"""What the shapes of one slide, layout or master are read against."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from decklab.deck.fills import shape_properties
from decklab.deck.frames import Frame, Group, frame_on_slide, read_frame, read_group
from decklab.deck.model.base import Effective, Sources
from decklab.deck.model.outline import Shape
from decklab.deck.model.text import RunFont
from decklab.deck.part import DAMAGE, Source
from decklab.deck.placeholders import Placeholder
from decklab.deck.shapes import Scene, read_shapes, shape_elements
from decklab.deck.sheets import Sheet, Sheets
from decklab.deck.styles.characters import RunStyle
from decklab.deck.styles.fills import Fill
from decklab.deck.styles.shapes import StyledShape, read_styled_shape
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.ooxml.package import Package
from decklab.ooxml.units import EMU_PER_POINT
from decklab.ooxml.xml import Element, local_name, qn


def rounded(value: float) -> float:
    """A length or share to a hundredth, the precision of all geometry; never minus zero.

    >>> rounded(12.3456), rounded(-0.001)
    (12.35, 0.0)
    """
    return round(value, 2) + 0.0


@dataclass
class Desk:
    """What is shared while one deck is read: its sheets, and what was worked out before."""

    sheets: Sheets
    size_emu: tuple[int, int]
    slide_ids: Mapping[str, int] = field(default_factory=dict)
    """Slide id by part name."""
    fonts: dict[int, tuple[RunStyle, RunFont, Sources]] = field(default_factory=dict)
    """By identity: runs that state nothing share their style."""
    _hashes: dict[str, str | None] = field(default_factory=dict)

    @property
    def package(self) -> Package:
        """The deck's package."""
        return self.sheets.package

    @property
    def size_pt(self) -> tuple[float, float]:
        """Width and height of the slides in points."""
        return rounded(self.size_emu[0] / EMU_PER_POINT), rounded(self.size_emu[1] / EMU_PER_POINT)

    def theme_name(self, sheet: Sheet) -> str:
        """The name of the theme behind a sheet: its master's."""
        while sheet.parent is not None:
            sheet = sheet.parent
        return sheet.look.theme.name

    def sha256(self, part: str | None) -> str | None:
        """Hash of a part's bytes; None, and a note, where it is missing or damaged."""
        if part is None:
            return None
        if part not in self._hashes:
            self._hashes[part] = self._hash(part)
        return self._hashes[part]

    def _hash(self, part: str) -> str | None:
        try:
            return hashlib.sha256(self.package.read(part)).hexdigest()
        except DAMAGE as error:
            self.sheets.notes.add_error(error)
            return None


@dataclass(frozen=True)
class Canvas:
    """One sheet on the desk."""

    desk: Desk
    sheet: Sheet

    @property
    def source(self) -> Source:
        """The sheet's part, where its links start."""
        return self.sheet.source

    @property
    def scale(self) -> tuple[float, float]:
        """Pixels of the slide frame to an EMU, across and down."""
        width, height = self.desk.size_emu
        return FRAME_WIDTH / width, FRAME_HEIGHT / height

    def across(self, emu: float) -> float:
        """A horizontal length or place in px."""
        return rounded(emu * self.scale[0])

    def down(self, emu: float) -> float:
        """A vertical length or place in px."""
        return rounded(emu * self.scale[1])


_OWN_XFRMS = (qn("p:xfrm"), qn("p14:xfrm"))


@dataclass(frozen=True)
class Found:
    """One shape."""

    element: Element
    behind: tuple[Element, ...]
    """The element, then the placeholders it inherits from, nearest first."""
    outline: Shape
    styled: StyledShape
    frame: Frame | None
    """On the slide, in EMU; None where nothing gives a position."""

    @property
    def graphic(self) -> Element | None:
        """The ``a:graphicData`` of a graphic frame."""
        return self.element.find(f"{qn('a:graphic')}/{qn('a:graphicData')}")


@dataclass(frozen=True)
class _Around:
    """The groups around a shape."""

    groups: tuple[Group, ...] = ()
    """Innermost first."""
    ids: tuple[int, ...] = ()
    fill: Effective[Fill] | None = None


def shapes_of(canvas: Canvas) -> Iterator[Found]:
    """The shapes of a sheet in drawing order, each group before its members."""
    sheet = canvas.sheet
    tree = sheet.tree
    if tree is None:
        return

    def behind(one: Placeholder) -> Sequence[Element]:
        parent = sheet.parent
        handed = () if parent is None else parent.handed_down(one, sheet.kind)
        return [item.element for item in handed]

    scene = Scene(canvas.source, canvas.desk.size_emu, sheet.look.colors, behind)
    yield from _walk(tree, read_shapes(tree, scene), _Around(), canvas)


def named(element: Element) -> Element | None:
    """The ``cNvPr`` of a shape element, which names it; None where it has none."""
    holder = next((c for c in element if local_name(str(c.tag)).startswith("nv")), element)
    return next(holder.iter("{*}cNvPr"), None)


def _walk(
    tree: Element, outlines: Iterator[Shape], around: _Around, canvas: Canvas
) -> Iterator[Found]:
    """``outlines`` come in the order of this walk."""
    for element in shape_elements(tree):
        outline = next(outlines)
        styled = read_styled_shape(
            element, canvas.sheet, canvas.desk.sheets, around.ids, around.fill
        )
        behind = tuple(item.element for item in canvas.sheet.behind(element))
        yield Found(element, behind, outline, styled, _frame(behind, around.groups))
        if element.tag == qn("p:grpSp"):
            group = read_group(_xfrm(element))
            inside = _Around(
                around.groups if group is None else (group, *around.groups),
                (*around.ids, outline.id),
                styled.fill,
            )
            yield from _walk(element, outlines, inside, canvas)


def _frame(behind: Sequence[Element], groups: Sequence[Group]) -> Frame | None:
    return frame_on_slide((read_frame(_xfrm(item)) for item in behind), groups)


def _xfrm(element: Element) -> Element | None:
    properties = shape_properties(element)
    if properties is not None:
        return properties.find(qn("a:xfrm"))
    return next((child for child in element if child.tag in _OWN_XFRMS), None)
