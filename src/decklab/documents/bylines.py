"""Who wrote a document and when, from the lines under its title and from its file's own record."""

import datetime
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from decklab.documents.model import DocumentBlock
from decklab.documents.numbers import parse_numbers


@dataclass(frozen=True)
class Byline:
    """Author and date of a document; each is empty if nothing states it."""

    author: str = ""
    date: str = ""

    def or_else(self, other: "Byline") -> "Byline":
        """This one, with what it lacks from another."""
        return Byline(self.author or other.author, self.date or other.date)


_EMBEDDED: Final = re.compile(
    r"(?:\A|(?<=[.;,(–—] ))(?i:(?:prepared|written|compiled|submitted|reported) by"
    r"|(?:report )?by|verfasst von|von|rédigé par|par)\s"
    r"(?P<names>(?:(?:Dr|Prof|Mr|Ms|Mrs)\.?\s)?[A-ZÀ-Þ][\w'’-]+(?:\s[A-ZÀ-Þ]\.?[\w'’-]*){1,2}"
    r"(?:(?:,| and| und| et) [A-ZÀ-Þ][\w'’-]+(?:\s[A-ZÀ-Þ][\w'’-]+){1,2})*)"
)
"""Who wrote a text, inside a line that says more."""
_MONTH_NAMES: Final = (
    r"(?:jan|feb|f[ée]v|m[aä]r|a[pv]r|ma[iy]|jui?[nl]|aug|ago|ao[uû]t|sep|o[ck]t|nov|d[ée][cz]|dic"
    r"|ene|abr)[a-zäéû]*\.?"
)
WRITTEN_DATE: Final = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s(?:de\s)?)?{_MONTH_NAMES}\s(?:de\s)?"
    r"(?:\d{1,2}(?:st|nd|rd|th)?,\s)?20\d\d\b",
    re.IGNORECASE,
)
"""A date with the name of its month, of a day or of a month."""
_DATED: Final = re.compile(
    r"(?:\A(?:report|paper|minutes|bericht|rapport|prepared)\b[^.]{,90}?"
    r"|\b(?:stand|as of|updated|changed|mis à jour le|sitzung am)\s(?:le\s)?)"
    rf"(?P<date>{WRITTEN_DATE.pattern})",
    re.IGNORECASE,
)
"""A date inside a line that says more, behind what says that the text is of that date."""
_FIRST_BLOCKS: Final = 5
MOST_LINES: Final = 8
"""Ours: lines under a title that are looked at."""
_LONGEST = 160  # ours: characters of such a line
_LABELLED = re.compile(
    r"\s*(?:(?P<author>(?:written |prepared |submitted |published |compiled |report )?by|authors?|"
    r"from|rédigé par|berichterstatter(?:in)?|bearbeiter(?:in)?|"
    r"autor(?:en|in|es|a)?|verfasser(?:in)?|verfasst von|vorgelegt von|von|auteurs?|par|"
    r"(?:escrito |elaborado )?por|autore)"
    r"|(?P<date>(?:last )?(?:updated|modified|revised)|date(?: of issue)?|published(?: on)?|issued|"
    r"as of|datum|stand|fecha|data)|(?:(?:report |goes )?to|cc|subject|re|an|betreff|para|"
    r"asunto|objet|status(?=\s*[:：]\s*(?:for|draft|final|public|open|confidential|internal|approved)\b)|"
    r"version|department|project|client|location|attendees|present|reference|ref|file|"
    r"expediente|aktenzeichen|wards affected))"
    r"(?:\s*[:：]\s*|\s+(?=[A-ZÄÖÜÉ\d]))(?P<rest>\S.*)",
    re.IGNORECASE,
)
_BARE = frozenset(
    ["by", "written by", "prepared by", "compiled by", "submitted by", "von", "par", "por",
     "verfasst von", "as of", "updated", "last updated", "published", "published on", "version"]
)  # fmt: skip
"""Labels after which no colon is needed."""
_PIECES = re.compile(
    r"\s*[|·•]\s*|\s+[–—]\s+|[.;]?\s+(?=(?:von|datum|from|to|date|author|subject|betreff|re)\s?:)",
    re.IGNORECASE,
)
"""Between the pieces of a line, each of which says one thing."""
_NAME = re.compile(
    r"(?:(?:Dr|Prof|Mr|Ms|Mrs)\.?\s+)?[A-ZÀ-ÖØ-Þ][\w'’-]*\.?"
    r"(?:\s+(?:(?:van|von|de|der|den|la|le|da|di|bin|al)\s+)*[A-ZÀ-ÖØ-Þ][\w'’-]*\.?){1,3}"
)
_NO_NAME = re.compile(
    r"\b(?:report|region|group|plan|review|team|update|quarter\w*|north|south|east|west|annual|board|"
    r"committee|minutes|status|project|office|guide|manual|summary|results?|sales|strategy|draft|"
    r"meeting|news|monthly|weekly|table|figure|part|chapter|section|introduction|overview|data|the|"
    r"questions?|revenue|key|how|what|why|new|bericht|plan|version|edition|volume|confidential)\b",
    re.IGNORECASE,
)
"""Ours: words of titles and headings that look like names."""
_TOWN = re.compile(
    r"(?:new|san|los|las|hong|den|sankt|saint|st|bad|rio|cape|buenos|le|la|el|santa|port|fort)\b",
    re.IGNORECASE,
)
"""First words of towns, which stand before a date as names do."""
_MARKS = re.compile(
    r"(?<=[^\W\d_])(?:\d{1,2}(?:,\d{1,2})*[*†‡§¶]*|[*†‡§¶¹²³⁴⁵⁶⁷⁸⁹]+)(?=[\s,;]|\Z)|(?<=\s)[*†‡§¶]+(?=\s|\Z)"
)
"""Signs that lead from a name to its footnote."""
_BETWEEN_NAMES = re.compile(r"\s*[,;&]\s*(?:and\s+)?|\s+(?:and|und|et|y)\s+|\s{2,}")
_AFFILIATION = re.compile(
    r"@|universit[äàé]t?\b|(?<![A-Za-z])(?:university|institute?|college|school of|department|"
    r"laborator(?:y|ies)|labs?|inc\.?|ltd\.?|gmbh|corporation|corp\.|company|research|hospital|ministry|agency|centre|"
    r"center|hochschule|academy)\b",
    re.IGNORECASE,
)
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|will|can|must|of the|in the|rose|fell)\b")
_MONTH_YEAR = re.compile(
    r"(?:(?:early|mid|late|q[1-4]|[A-Za-zä-ü]{3,9}\.?)\s+(?:19|20)\d\d|(?:19|20)\d\d)",
    re.IGNORECASE,
)
_MONTHS = re.compile(
    r"jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|enero|avril|f[ée]v|q[1-4]|spring|"
    r"summer|autumn|fall|winter",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:what|how|why|when|where|who|was|wie|warum|wann|que|quand|comment|pourquoi|qué|cuándo)\b",
    re.IGNORECASE,
)
"""How headings begin that end with a date."""
CONTACT: Final = re.compile(
    r"\b(?:\+?\d[\s()/-]?){9,}|\b(?:tel|fax|phone|p\.?o\.? box|postfach)\b|\S@\S"
    r"|\b\d{4,6} (?-i:[A-ZÀ-Þ])[a-zß-ÿ]",
    re.IGNORECASE,
)
"""A part of an address: a telephone, an e-mail, a box, a town behind its code."""
_NOBODY = frozenset(
    ["", "python-docx", "user", "admin", "administrator", "microsoft office user", "unknown",
     "author", "owner", "anonymous", "anonymous authors", "root", "windows user", "none"]
)  # fmt: skip
"""Authors that programs write where nobody gave a name."""


def read_byline(blocks: Sequence[DocumentBlock], title: str = "") -> Byline:
    """Author and date from the lines under the title: labelled ones ("By", "Author:", "Date:"),
    lines that are a date, and names beside a date, an address or an organisation."""
    lines = _lines_under_title(blocks, title)
    found = Byline()
    for number, line in enumerate(lines):
        pieces = _PIECES.split(line)
        for piece in pieces:
            beside = [*(other for other in pieces if other != piece), *lines[number + 1 :][:3]]
            found = found.or_else(_of_piece(piece, beside))
    texts = [block.text for block in blocks[:_FIRST_BLOCKS] if block.kind == "paragraph"]
    named = next(filter(None, map(_EMBEDDED.search, texts)), None)
    dated = (_DATED.search(text) for text in texts)
    date = next(filter(None, dated), None)
    return found.or_else(Byline(named["names"] if named else "", date["date"] if date else ""))


def is_byline(text: str) -> bool:
    """Whether a short line says who wrote a text, where, when or to whom, and nothing else.

    >>> is_byline("Anna Smith, Elm University"), is_byline("Sales rose by 12 %")
    (True, False)
    """
    labelled = _is_labelled(_LABELLED.match(text))
    sentence = text.rstrip().endswith((".", "!", "?"))
    if len(text) > _LONGEST or (
        sentence and not (labelled and re.match(r"[^:：]{,20}[:：]", text))
    ):
        return False
    if labelled or "@" in text or _only_date(text):
        return True
    if _AFFILIATION.search(text):
        return not _VERB.search(text)
    parts = [part for part in _BETWEEN_NAMES.split(_MARKS.sub(",", text).strip(" ,")) if part]
    return all(map(_is_name, parts)) or _is_run_of_names(text)


def _is_labelled(label: re.Match[str] | None) -> bool:
    """Whether a line begins with a label and its colon, or one that needs none."""
    if label is None:
        return False
    words = label[0][: len(label[0]) - len(label["rest"])].strip().lower()
    return words.endswith((":", "：")) or words in _BARE


def _is_name(text: str) -> bool:
    return bool(_NAME.fullmatch(text)) and not _NO_NAME.search(text)


def _is_run_of_names(text: str) -> bool:
    """Whether a line is nothing but capitalised words, as names with lost spaces between them."""
    words = _MARKS.sub("", text).split()
    return (
        4 <= len(words) <= 40
        and not _NO_NAME.search(text)
        and not _AFFILIATION.search(text)
        and all(re.fullmatch(r"[A-ZÀ-ÖØ-Þ][\w'’-]*\.?", word) for word in words)
    )


def _lines_under_title(blocks: Sequence[DocumentBlock], title: str) -> list[str]:
    """The short lines right under the title, or at the start of a document without one."""
    start = 0
    for number, block in enumerate(blocks[:MOST_LINES]):
        if block.kind == "heading" and (not title or block.text == title):
            start = number + 1
            break
    under = takewhile(
        lambda block: block.kind in {"paragraph", "item"} or block.text == title,
        blocks[start : start + MOST_LINES],
    )
    lines = [line for block in under for line in block.text.split("\n")]
    return list(takewhile(lambda line: len(line) <= _LONGEST, lines))


def _of_piece(piece: str, beside: Sequence[str]) -> Byline:
    """The names and date in a piece of a line, by the pieces beside it and the lines below."""
    label = _LABELLED.match(piece)
    if label is not None and _is_labelled(label):
        if label["author"]:
            return _author_and_rest(label["rest"].strip(" ."))
        return Byline(date=_date_in(label["rest"])) if label["date"] else Byline()
    date = _date_in(piece)
    before = piece.partition(date)[0].strip(" ,") if date else ""
    if _only_date(piece) and not (_is_name(before) and not _TOWN.match(before)):
        return Byline(date=date)
    parts = _BETWEEN_NAMES.split(_MARKS.sub(",", piece).strip(" ,"))
    parts = [part for part in parts if part]
    if _is_run_of_names(piece) and any(map(_AFFILIATION.search, beside)):
        return Byline(" ".join(_MARKS.sub("", piece).split()))
    names = list(takewhile(lambda part: _is_name(part) and not _AFFILIATION.search(part), parts))
    rest = ", ".join(parts[len(names) :])
    if not names and len(parts) > 1 and _only_date(parts[-1]):
        return Byline(date=_date_in(parts[-1]))
    dated = _only_date(rest) if rest else any(map(_only_date, beside))
    if names and (dated or any(map(_AFFILIATION.search, [rest] if rest else beside))):
        return Byline(", ".join(names), _date_in(rest) if rest and dated else "")
    return Byline()


def _author_and_rest(text: str) -> Byline:
    """The names after "By", and the date that may follow them."""
    date = _date_in(text)
    names = re.sub(r"\s*[<(]\S+@\S+[>)]", "", text.partition(date)[0] if date else text)
    names = re.sub(r"[\s,;(|–—-]+(?:on|am|le|el)?[\s,;(]*\Z", "", names)
    if len(names) > 120 or not names[:1].isupper():
        return Byline(date=date)
    return Byline(known_author(_listed(names)), date)


def _listed(names: str) -> str:
    """Names separated by commas; other parts, such as a department, only if no part is a name."""
    parts = [part for part in _BETWEEN_NAMES.split(names.strip()) if part]
    return ", ".join([part for part in parts if _is_name(part)] or parts)


def _only_date(line: str) -> bool:
    """Whether a line is a date, with at most a place before it."""
    text = line.strip(" .()")
    date = _date_in(text)
    if not date:
        return False
    around = text.replace(date, "", 1).strip(" ,.")
    placed = not (re.search(r"\d", around) or _ASKS.match(around))
    return placed and len(around) <= 24 and len(around.split()) <= 3


def _date_in(text: str) -> str:
    for item in parse_numbers(text):
        if item.kind == "date" and item.unit != "time":
            return text[item.start : item.end].strip()
    if named := WRITTEN_DATE.search(text):
        return named[0]
    month = _MONTH_YEAR.fullmatch(text.strip(" .()"))
    return month[0] if month and _MONTHS.match(month[0]) else ""


def known_author(name: str) -> str:
    """A name that a file states; empty if it is one that programs write."""
    words = " ".join(name.split())
    return "" if words.lower().strip("() ") in _NOBODY else words


def recorded_date(stated: object) -> str:
    """A date of a file's own record as YYYY-MM-DD: a datetime, ISO 8601, or PDF's ``D:20240312``.

    Empty if it is none.

    >>> recorded_date("D:20240312101500Z"), recorded_date("2024-03-12T10:15"), recorded_date("soon")
    ('2024-03-12', '2024-03-12', '')
    """
    if isinstance(stated, datetime.datetime):
        return stated.date().isoformat()
    found = re.match(r"(?:D:)?(\d{4})-?(\d\d)-?(\d\d)", str(stated or ""))
    try:
        return (
            datetime.date(int(found[1]), int(found[2]), int(found[3])).isoformat() if found else ""
        )
    except ValueError:
        return ""


def stated_byline(authors: Iterable[str], date: object = "") -> Byline:
    """A byline of what a file's record states."""
    names = [name for name in map(known_author, authors) if name]
    stated = str(date or "").strip()
    return Byline(", ".join(dict.fromkeys(names)), recorded_date(date) or stated[:40])
