"""Picture files as documents: one figure, and on request the text in it by RapidOCR."""

from pathlib import Path

from decklab.documents.drafting import DocumentDraft, picture_size
from decklab.documents.model import Document
from decklab.errors import TruncatedDeck, Unavailable
from decklab.rendering.pictures import can_read_pictures, picture_spans, read_image


def read_picture_document(path: Path, name: str, data: bytes, *, ocr: bool) -> Document:
    """A picture file; ``ocr`` reads the lines of text in it, top to bottom.

    Raises TruncatedDeck where it is damaged, Unavailable where ``ocr`` is asked for and RapidOCR
    is not installed.
    """
    if ocr and not can_read_pictures():
        raise Unavailable("reading text in pictures needs rapidocr-onnxruntime (Python below 3.13)")
    if picture_size(data) is None:
        raise TruncatedDeck(path, "the picture is damaged or of a kind that Pillow does not read")
    draft = DocumentDraft(path, name, "image")
    draft.page = 1
    draft.add_figure(data)
    if ocr:
        spans = picture_spans(read_image(path), recognize=True)
        for span in sorted(spans, key=lambda span: (span.box.top, span.box.left)):
            draft.add("paragraph", span.text)
    return draft.finish(title=path.stem, pages=1)
