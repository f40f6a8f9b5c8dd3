"""Speaker notes and alternative texts."""

from pptx.presentation import Presentation

from decklab.editing.errors import EditError
from decklab.editing.finding import find_shape, properties, slide_at
from decklab.editing.writing import add_body_text, set_body_text


def get_notes(prs: Presentation, slide: int) -> str:
    """The speaker notes of a slide; empty where it has none.

    Example: get_notes(prs, 2)
    """
    held = slide_at(prs, slide)
    frame = held.notes_slide.notes_text_frame if held.has_notes_slide else None
    return "" if frame is None else str(frame.text)


def set_notes(prs: Presentation, slide: int, text: str) -> None:
    """Give a slide these speaker notes in place of those it has.

    Example: set_notes(prs, 2, "Start with the story.\\nThen the numbers.")
    """
    held = slide_at(prs, slide)
    if not text and not held.has_notes_slide:
        return
    frame = held.notes_slide.notes_text_frame
    if frame is None:
        raise EditError(f"the notes page of slide {slide} has no place for text")
    set_body_text(frame._txBody, text)


def add_notes(prs: Presentation, slide: int, text: str) -> None:
    """Add a paragraph to the end of a slide's speaker notes.

    Example: add_notes(prs, 2, "Questions until here?")
    """
    if not get_notes(prs, slide):
        set_notes(prs, slide, text)
        return
    frame = slide_at(prs, slide).notes_slide.notes_text_frame
    if frame is not None:
        add_body_text(frame._txBody, text)


def set_alt_text(prs: Presentation, slide: int, shape: str | int, text: str) -> None:
    """Give a shape, picture, chart or table an alternative text; an empty one takes it away.

    Example: set_alt_text(prs, 5, "Picture 3", "Sales by region, north leading")
    """
    held = properties(find_shape(prs, slide, shape))
    if text:
        held.set("descr", text)
    else:
        held.attrib.pop("descr", None)
