"""What of earlier slides LibreOffice still has in mind when it draws a later one.

LibreOffice 7.4 lays out the text of all slides with one engine, which begins to shrink a text where
it ended with the one before. So text that shrinks to fit its shape may stand a pixel or two higher
or lower by what was laid out earlier. Three things were found to matter: whether text that does
not shrink came at any time before, whether the slide's own layout did, and which layout was drawn
just before. All are facts about the deck, not the slide. They do not explain all: of 310 slides
with such text, in the order of their decks and shuffled, one still looked different alone.
"""

from functools import cached_property

from decklab.ooxml.names import qn
from decklab.ooxml.package import Package
from decklab.ooxml.parsing import Element

__all__ = ["Precedents"]

_SHRINKS = b"normAutofit"
_FITS = (qn("a:noAutofit"), qn("a:spAutoFit"), qn("a:normAutofit"))


class Precedents:
    """What was drawn before each slide of a deck; ``slides`` are its parts in order.

    Slides go by their 1-based numbers.
    """

    def __init__(self, package: Package, slides: tuple[str, ...]) -> None:
        self._package = package
        self._slides = slides
        self._shrinking: dict[str, bool] = {}
        self.layouts = tuple(
            next(iter(package.related(slide, "slideLayout")), "") for slide in slides
        )
        """Name of the layout of each slide; empty where it has none."""

    def shrinks(self, number: int) -> bool:
        """Whether text on the slide may be shrunk to fit its shape."""
        return any(self._may_shrink(part) for part in self._sheets(number))

    @cached_property
    def first_plain(self) -> int:
        """The first slide with text that is never shrunk; one past the last if there is none."""
        numbers = range(1, len(self._slides) + 1)
        return next((number for number in numbers if self._plain(number)), len(numbers) + 1)

    def first_alike(self, number: int) -> int:
        """The first slide that has the same layout as this one."""
        return self.layouts.index(self.layouts[number - 1]) + 1

    def before(self, number: int) -> tuple[bool, bool, str]:
        """Whether plain text, and this slide's own layout, were drawn before the slide, and the
        layout of the slide just before it; empty for the first."""
        previous = self.layouts[number - 2] if number > 1 else ""
        return self.first_plain < number, self.first_alike(number) < number, previous

    def _plain(self, number: int) -> bool:
        slide, *above = self._sheets(number)
        inherits = any(self._may_shrink(part) for part in above)
        root = self._package.xml(slide)
        shapes = (shape for shape in root.iter(qn("p:sp")) if _is_plain(shape, inherits))
        return any(_has_text(item) for item in (*shapes, *root.iter(qn("a:tbl"))))

    def _sheets(self, number: int) -> tuple[str, ...]:
        """The parts a slide is drawn from: itself, its layout and its master."""
        layout = self.layouts[number - 1]
        above = (layout, *self._package.related(layout, "slideMaster")) if layout else ()
        return (self._slides[number - 1], *above)

    def _may_shrink(self, part: str) -> bool:
        if part not in self._shrinking:
            self._shrinking[part] = _SHRINKS in self._package.read(part)
        return self._shrinking[part]


def _has_text(element: Element) -> bool:
    return any((item.text or "").strip() for item in element.iter(qn("a:t")))


def _is_plain(shape: Element, inherits: bool) -> bool:
    """Whether a shape's text keeps its size; one that does not say follows its placeholder."""
    said = next(shape.iter(*_FITS), None)
    if said is not None:
        return said.tag != qn("a:normAutofit")
    return not inherits or next(shape.iter(qn("p:ph")), None) is None
