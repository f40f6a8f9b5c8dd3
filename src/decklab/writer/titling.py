"""Titles: of a deck from its documents, and sentences that can be the title of a slide."""

import re

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Document
from decklab.writer.chapters import clean_heading

TITLE_CHARACTERS = 84
"""Two lines of a title in most themes; the composer has the last word."""
_STATES = re.compile(
    r"(?:[^\s,]+ ){1,4}(?:is|are|was|were|has|have|had|can|could|will|would|must|may|does|do|now|"
    r"ist|sind|war|waren|hat|haben|hatte|kann|wird|werden|est|sont|a|ont|es|son|fell|grew|rose|"
    r"cost|[a-z]{3,}(?:ed|es|ts|ws|ns|ds|ls|rs))\b"
)
"""A sentence that can be a title: a verb soon after its beginning, as far as words show it."""
_NO_NAME = re.compile(
    r"\W*(?:abstract|summary|introduction|preface|contents|bibliography|references|zusammenfassung"
    r"|einleitung|literatur)\W*\Z",
    re.IGNORECASE,
)
"""Headings that are no title of a document."""
_LEAST_CLAIM, _LEAST_WORDS = 24, 5
_PARTS = re.compile(r",? (?:and|or|in|on|for|with|using|by|from|through|at|und|oder|mit|für) ")
_NO_TITLE = re.compile(
    r"(?:we|our|i|my|you|your|one|wir|ich|nous|before|after|when|if|for|with|by|to|in)\b"
    r"|there\b|.*\b(?:this|these|those|above|below|here|such|also)\b",
    re.IGNORECASE,
)
"""How sentences begin or what they hold that say little over a slide of their own."""


def is_claim(text: str) -> bool:
    """Whether a point is short, states something, and can be understood over a slide.

    >>> is_claim("The harbour earned 61 million euros"), is_claim("We thank all who helped us here")
    (True, False)
    """
    return (
        _LEAST_CLAIM <= len(text) <= TITLE_CHARACTERS
        and "," not in text
        and len(text.split()) >= _LEAST_WORDS
        and _NO_TITLE.match(text) is None
        and _STATES.match(text) is not None
    )


def title_lines(title: str, most: int = TITLE_CHARACTERS) -> tuple[str, str]:
    """A title and what of it becomes the subtitle: long ones are parted at a colon or dash.

    >>> title_lines("Decks: what they say and how they say it to whoever listens", 40)
    ('Decks', 'what they say and how they say it to whoever listens')
    """
    if len(title) <= most:
        return title, ""
    parts = re.split(r"\s*[:–—]\s+", title, maxsplit=1)
    if len(parts) == 2 and len(parts[0]) <= most:
        return parts[0], parts[1]
    return _cut_title(title, most), ""


def _cut_title(title: str, most: int) -> str:
    """The beginning of a title, up to a word that begins another part of it where it has one."""
    ends = [match.start() for match in _PARTS.finditer(title[: most + 1])]
    if ends and ends[-1] >= most // 3:
        return title[: ends[-1]]
    return title[:most].rpartition(" ")[0] + " …"


def title_head(title: str, most: int) -> str:
    """A title, or what stands before its colon or dash where it is longer than that.

    >>> title_head("Decks: what they say and how they say it", 20)
    'Decks'
    """
    return title if len(title) <= most else re.split(r"\s*[:–—]\s+", title, maxsplit=1)[0]


def deck_title(sources: KnowledgeBase) -> str:
    """The title of the first document, its first heading, or its name; without a last colon."""
    first = sources.documents[0]
    headings = [block.text for block in first.headings if block.level <= 1]
    heading = next((text for text in headings if not _NO_NAME.match(text)), "")
    title = "" if _NO_NAME.match(first.title) else first.title
    name = first.path.stem.replace("_", " ").replace("-", " ").strip()
    found = clean_heading(title or heading) or name
    found = found[:1].upper() + found[1:] if found == name else found
    return found.rstrip(" :–—-") or found


def deck_subtitle(sources: KnowledgeBase, title: str) -> str:
    """The names of the other documents, where there are several; else what follows the colon that
    ends the title of the only one, where a heading goes on with it."""
    first, *rest = sources.documents
    others = [clean_heading(doc.title) or doc.name for doc in rest]
    others = [name for name in others if name != title]
    return " · ".join(others[:3]) or title_rest(first)


def title_rest(document: Document) -> str:
    """The heading that goes on with the title of a document, which ends with a colon; or empty."""
    names = [block.text.strip() for block in document.headings[:2]]
    if len(names) == 2 and names[0].endswith(":"):
        return clean_heading(names[1])
    return ""
