"""Presentations of every kind, opened by python-pptx: decks, templates and shows."""

from pptx.opc.package import PartFactory
from pptx.package import Package
from pptx.parts.presentation import PresentationPart
from pptx.presentation import Presentation

_MACRO_KINDS = ("template", "slideshow")
PartFactory.part_type_for.update(  # python-pptx knows the kinds without macros by itself
    {
        f"application/vnd.ms-powerpoint.{kind}.macroEnabled.main+xml": PresentationPart
        for kind in _MACRO_KINDS
    }
)


def presentation_in(path: str) -> Presentation:
    """The presentation of a file, which keeps its kind when it is saved.

    ``pptx.Presentation`` refuses templates and shows, though python-pptx reads and writes them.
    Raises ValueError where the main part is no presentation, and what python-pptx raises.
    """
    part = Package.open(path).main_document_part
    if not isinstance(part, PresentationPart):
        raise ValueError(f"its main part is no presentation but {part.content_type}")
    presentation: Presentation = part.presentation
    return presentation
