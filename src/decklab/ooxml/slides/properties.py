"""What the document's properties count, kept true.

Titles of slides are listed there too (``TitlesOfParts``); no program reads them and Office
writes them anew, so they stay.
"""

from decklab.errors import MalformedPart
from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.slides.listing import slide_entries
from decklab.ooxml.xml import Element

_NAMESPACE = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"


def recount(draft: Draft) -> None:
    """Bring the numbers of slides, hidden slides and notes up to date, where they are stated."""
    part = next(iter(draft.related("", "extended-properties")), None)
    if part is None:
        return
    entries = slide_entries(draft)
    counts = {
        "Slides": len(entries),
        "HiddenSlides": sum(_is_hidden(draft, entry.part) for entry in entries),
        "Notes": sum(bool(draft.related(entry.part, "notesSlide")) for entry in entries),
    }
    try:
        root = draft.edit(part)
    except MalformedPart:  # no slide depends on it, and Office writes it anew
        return
    for name, count in counts.items():
        item = root.find(f"{{{_NAMESPACE}}}{name}")
        if item is not None:
            item.text = str(count)


def _is_hidden(draft: Draft, part: str) -> bool:
    """Only slides whose text says so anywhere are worth parsing."""
    data = draft.read(part)
    if b'show="' not in data and b"show='" not in data:
        return False
    root: Element = draft.xml(part)
    return root.get("show") in ("0", "false")
