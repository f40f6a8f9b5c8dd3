"""Speaker notes."""

from decklab.deck.placeholders import placeholder_of
from decklab.deck.roots import shape_tree
from decklab.deck.shapes import shape_elements
from decklab.deck.source import Source
from decklab.deck.text import paragraph_text
from decklab.ooxml.names import qn

__all__ = ["notes_of"]


def notes_of(slide: Source) -> str | None:
    """The text of a slide's notes page; None where there is no page, or none that holds text."""
    part = slide.related("notesSlide")
    root = None if part is None else slide.of(part).root()
    tree = None if root is None else shape_tree(root)
    for shape in () if tree is None else shape_elements(tree):
        one = placeholder_of(shape)
        body = shape.find(qn("p:txBody"))
        if one is not None and one.type == "body" and body is not None:
            return "\n".join(paragraph_text(item) for item in body.iterfind(qn("a:p")))
    return None
