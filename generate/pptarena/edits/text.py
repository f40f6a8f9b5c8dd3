"""Edits of texts: words, type, links and notes."""

from pptx.presentation import Presentation as Deck
from pptx.util import Pt

from generate.pptarena.edits.finding import Edit, rgb, shape_on, slide_of


def replace(slide: int, shape: str, old: str, new: str) -> Edit:
    """Put ``new`` in the place of ``old`` in the runs of a shape."""

    def edit(deck: Deck) -> None:
        found = 0
        for paragraph in shape_on(deck, slide, shape).text_frame.paragraphs:
            for run in paragraph.runs:
                found += old in run.text
                run.text = run.text.replace(old, new)
        if not found:
            raise LookupError(f"slide {slide}: {shape!r} does not say {old!r}")

    return edit


def text(slide: int, shape: str, words: str) -> Edit:
    """Give a shape new words in one paragraph for each line; runs keep their look."""

    def edit(deck: Deck) -> None:
        frame = shape_on(deck, slide, shape).text_frame
        for number, line in enumerate(words.split("\n")):
            if number < len(frame.paragraphs) and frame.paragraphs[number].runs:
                first, *others = frame.paragraphs[number].runs
                first.text = line
                for run in others:
                    run._r.getparent().remove(run._r)
            elif number < len(frame.paragraphs):
                frame.paragraphs[number].text = line
            else:
                frame.add_paragraph().text = line
        for extra in frame.paragraphs[len(words.split("\n")) :]:
            extra._p.getparent().remove(extra._p)

    return edit


def paragraph_text(slide: int, shape: str, number: int, words: str) -> Edit:
    """Give one paragraph, 1-based, new words."""

    def edit(deck: Deck) -> None:
        first, *others = shape_on(deck, slide, shape).text_frame.paragraphs[number - 1].runs
        first.text = words
        for run in others:
            run._r.getparent().remove(run._r)

    return edit


def add_paragraph(slide: int, shape: str, words: str) -> Edit:
    """Put a paragraph at the end of a shape's text."""

    def edit(deck: Deck) -> None:
        shape_on(deck, slide, shape).text_frame.add_paragraph().text = words

    return edit


def bold(slide: int, shape: str) -> Edit:
    """Set a text in bold."""

    def edit(deck: Deck) -> None:
        for paragraph in shape_on(deck, slide, shape).text_frame.paragraphs:
            for run in paragraph.runs:
                run.font.bold = True

    return edit


def font_size(slide: int, shape: str, points: float) -> Edit:
    """Set the size of a text."""

    def edit(deck: Deck) -> None:
        for paragraph in shape_on(deck, slide, shape).text_frame.paragraphs:
            for run in paragraph.runs:
                run.font.size = Pt(points)

    return edit


def color(slide: int, shape: str, value: str) -> Edit:
    """Set the colour of a text, ``RRGGBB``."""

    def edit(deck: Deck) -> None:
        for paragraph in shape_on(deck, slide, shape).text_frame.paragraphs:
            for run in paragraph.runs:
                run.font.color.rgb = rgb(value)

    return edit


def link(slide: int, shape: str, paragraph: int, address: str) -> Edit:
    """Make the runs of a paragraph, 1-based, lead to an address."""

    def edit(deck: Deck) -> None:
        for run in shape_on(deck, slide, shape).text_frame.paragraphs[paragraph - 1].runs:
            run.hyperlink.address = address

    return edit


def notes(slide: int, words: str) -> Edit:
    """Write speaker notes."""

    def edit(deck: Deck) -> None:
        frame = slide_of(deck, slide).notes_slide.notes_text_frame
        if frame is None:
            raise LookupError(f"the notes of slide {slide} have no text placeholder")
        frame.text = words

    return edit
