"""Picture files as documents: one figure, and on request the text in it by RapidOCR."""

from pathlib import Path

from decklab.core.errors import LimitExceeded, TruncatedDeck, Unavailable
from decklab.core.extras import needs_extra
from decklab.documents.drafting import DocumentDraft
from decklab.documents.model import READ_BY_OCR, Document
from decklab.documents.pictures import UnreadablePicture, png_of
from decklab.rendering.pictures import can_read_pictures, picture_spans, read_image


def read_picture_document(path: Path, name: str, data: bytes, *, ocr: bool) -> Document:
    """A picture file; ``ocr`` reads the lines of text in it, top to bottom.

    Of an animation or several pages the first is read. Raises TruncatedDeck if it is damaged,
    LimitExceeded if it has too many pixels, Unavailable if ``ocr`` is asked for and RapidOCR
    is not installed.
    """
    if ocr and not can_read_pictures():
        raise Unavailable(needs_extra("reading text in pictures", "ocr"))
    try:
        png_of(data)
    except UnreadablePicture as error:
        raise (LimitExceeded if error.too_large else TruncatedDeck)(path, str(error)) from None
    draft = DocumentDraft(path, name, "image")
    draft.page = 1
    draft.add_figure(data)
    if ocr:
        draft.refuse(READ_BY_OCR)
        spans = picture_spans(read_image(path), recognize=True)
        for span in sorted(spans, key=lambda span: (span.box.top, span.box.left)):
            draft.add("paragraph", span.text)
    return draft.finish(title=path.stem, pages=1)
