"""Titles: of a deck from its documents, and sentences that can be the title of a slide."""

import re

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Document
from decklab.documents.sentences import text_width, word_count
from decklab.writer.story.material import clean_heading

TITLE_CHARACTERS = 84
"""Two lines of a title in most themes; the composer has the last word."""
_OPENING_BLOCKS = 8
"""In which a heading is the title of the document. Ours."""
_NO_NAME = re.compile(
    r"\W*(?:abstract|summary|introduction|preface|contents|bibliography|references|zusammenfassung"
    r"|einleitung|literatur)\W*\Z",
    re.IGNORECASE,
)
"""Headings that are no title of a document."""
_LEAST_CLAIM, _LEAST_WORDS, _LEAST_HEAD, _MOST_COMMAS = 20, 4, 7, 1
_PARTS = re.compile(r",? (?:and|or|in|on|for|with|using|by|from|through|at|und|oder|mit|für) ")
_NO_TITLE = re.compile(
    r"(?:we (?:will|also|now|thank|use|refer|note|see)|my|you|your|one|note|please|see|let|if|when"
    r"|before|after|while|because|since|although|however|for example|and|but|or|so|then|thus|also"
    r"|as|by|to|with|it|its|he|she|they|their|them|this|that|these|those|here|there|such|both"
    r"|each of|another|other|others|most of|some of|all of)\b"
    r"|.*\b(?:these|those|above|below|here|as follows|the following|respectively)\b"
    r"|.*\b(?:figure|table|section|chapter|equation|appendix) [\dIVX]",
    re.IGNORECASE,
)
"""How sentences begin or what they hold that say little over a slide of their own."""
_CLAUSE = re.compile(
    r"(?:;\s|,\s(?:which|where|whereas|although|though|while|so|because|since|but|"
    r"wobei|weil|obwohl|während|aber|ce qui|mais|pero|lo que)\b"
    r"|\s[–—]\s|:\s|\s\((?=\w)|\s(?:because|since|although|so that|in order to|weil)\s)",
    re.IGNORECASE,
)
_PHRASE = re.compile(
    r"\s(?:across|through|including|such as|via|under|during|within|according to|based on|"
    r"throughout|despite|durch|während|pendant|durante|mediante)\s",
    re.IGNORECASE,
)
_LIMITED = re.compile(
    r"\b(?:not|no|never|only|unless|without|if|except|cannot|nor|neither|than|nicht|kein\w*|nur|ohne|"
    r"wenn|ne|pas|sans|si|no|sin|solo|sólo|both|between|just|either|as|from|beides|zwischen|entre)\b|n't\b",
    re.IGNORECASE,
)
"""Words whose meaning a phrase at the end may decide, so that it has to stay."""
_ARABIC = re.compile(r"\d")


def claim_text(text: str, *, most: int = TITLE_CHARACTERS) -> str:
    """A statement as a title: itself where it is short, else without what follows its first
    clauses, but never without a number of its own; empty where it makes no title.

    >>> claim_text("The harbour earned 61 million euros, which is more than ever before in a year "
    ...            "of its long history")
    'The harbour earned 61 million euros'
    >>> claim_text("This is shown in Table 3"), claim_text("Ships and cranes")
    ('', '')
    """
    if _NO_TITLE.match(text) or text.endswith(("…", ":", "：", "?", "？")):
        return ""
    short = _shortened(text, most)
    if not _LEAST_CLAIM <= text_width(short) <= most or short.count(",") > _MOST_COMMAS:
        return ""
    if (
        short.count("(") != short.count(")")
        or short.count('"') % 2
        or short.count("“") != short.count("”")
    ):
        return ""
    return short if word_count(short) >= _LEAST_WORDS and _states(short) else ""


def _shortened(text: str, most: int) -> str:
    """A text without its last clauses, then without its last phrases, until it has at most
    ``most`` characters; as it is where a number would go, or a condition or negation could."""
    short = text
    for ends in (_CLAUSE, _PHRASE):
        while text_width(short) > most:
            cuts = [found.start() for found in ends.finditer(short)]
            if not cuts or _numbers(short[cuts[-1] :]):
                break
            head = short[: cuts[-1]]
            if ends is _PHRASE and (_LIMITED.search(short) or word_count(head) < _LEAST_HEAD):
                break
            if _VERB.fullmatch(head.split()[-1].strip(",;:")):
                break
            short = short[: cuts[-1]].rstrip(" ,;:")
    return short


def _numbers(text: str) -> bool:
    return _ARABIC.search(text) is not None


def _states(text: str) -> bool:
    """Whether a text has a verb, as far as words show it."""
    if sum(not character.isascii() for character in text) > len(text) / 2:
        return True
    return (found := _VERB.search(text)) is not None and found.end() < len(text)


_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|must|may|might|should|do|does|did|"
    r"fell|grew|rose|cost|costs|took|takes|made|makes|paid|went|came|left|gave|got|kept|said|saw|"
    r"sold|built|bought|lost|won|met|held|led|spent|sent|found|felt|cut|chose|drew|drove|needs?|"
    r"needed|shows?|showed|remains?|stays?|runs?|ran|works?|gets?|gives?|uses?|begins?|began|"
    r"starts?|ends?|keeps?|saves?|brings?|makes?|allows?|requires?|includes?|depends?|contains?|"
    r"provides?|improves?|reduces?|increases?|decreases?|leads?|opens?|closes?|means?|supports?|"
    r"\w{3,}ed|ist|sind|war|waren|hat|haben|hatte|hatten|kann|können|wird|werden|wurde|wurden|"
    r"soll|sollen|muss|müssen|stieg|sank|blieb|liegt|bleibt|kostet|est|sont|était|ont|peut|doit|"
    r"sera|es|son|fue|fueron|está|están|tiene|tienen|puede|debe|será|\w{3,}(?:ió|aron|ieron))\b",
    re.IGNORECASE,
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
    opening = first.blocks[:_OPENING_BLOCKS]
    headings = [block.text for block in opening if block.kind == "heading" and block.level <= 1]
    heading = next((text for text in headings if not _NO_NAME.match(text)), "")
    title = "" if _NO_NAME.match(first.title) else first.title
    name = first.path.stem.replace("_", " ").replace("-", " ").strip()
    title = "" if title == first.path.stem else title
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
