"""Titles: of a deck from its documents, and sentences that can be the title of a slide."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, takewhile

from decklab.documents.bylines import CONTACT, is_byline
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.languages import language_of
from decklab.documents.model import Document, DocumentBlock, DocumentTable
from decklab.documents.sentences import text_width, word_count
from decklab.documents.shortening import ends_open
from decklab.documents.table_columns import table_columns, table_header
from decklab.writer.story.kinds import kind_of
from decklab.writer.story.material import clean_heading, first_heading_is_title, german_heading
from decklab.writer.story.roles import is_letterhead, is_salutation

TITLE_CHARACTERS = 84
"""Two lines of a title in most themes; the composer has the last word."""
CLAIM_CHARACTERS = 100
"""Of a sentence as a title, which needs two lines in all themes of decklab. Ours."""
_OPENING_BLOCKS = 12
"""In which a heading is the title of the document. Ours."""
_LONG_WORD = re.compile(r"[^\W\d_]{4,}(?:['’]\w+)?")
"""Words that begin with a capital letter in a name that stands in capitals. Ours."""
_LEAST_FIELDS = 2
"""Fields beside the subject, such as sender and date, that make a text a memo. Ours."""
_NO_NAME = re.compile(
    r"\W*(?:abstract|(?:executive )?summary|tl;?\s?dr|in (?:short|brief)|key points"
    r"|introduction|preface|contents|bibliography|references|zusammenfassung"
    r"|einleitung|literatur)\W*\Z",
    re.IGNORECASE,
)
"""Headings that are no title of a document."""
_NOTICE = re.compile(
    r"\b(?:(?:can|may) be (?:found|downloaded|obtained|read|accessed)|(?:is|are) available"
    r" (?:at|from|in|on)|copyright|all rights reserved|last (?:updated|changed|modified)"
    r"|page \d+ of|printed on|confidential|(?:this|the) (?:document|page|file) (?:is|was|has))\b"
    r"|\A(?:welcome|navigation|menu|home|readme|index|untitled\w*|(?:microsoft )?word -.*"
    r"|(?:table of )?contents|version [\d.]+|sheet ?\d*|tabelle ?\d+|[\w -]+\.[a-z]{2,4})\W*\Z",
    re.IGNORECASE,
)
"""Lines that stand where the title of a document does, and say nothing of its subject."""
_BEHIND_NAME = re.compile(
    r"\s*(?:[(\[][\"“'‘]?(?:readme|draft|final|manual|documentation)[\"”'’]?[)\]]|\breadme\b"
    r"|(?:\bv(?:ersion)? ?)?\b\d+(?:\.\d+){1,3}\b(?! ?[%€£$])(?= documentation|\Z)|(?<=\w)\s[»|]"
    r"|(?<=\w) documentation)[\s»|]*\Z",
    re.IGNORECASE,
)
"""Words behind the name of a work: that this is its documentation, and of which version."""
_LEAST_CLAIM, _LEAST_WORDS, _MOST_COMMAS = 20, 4, 1
_PARTS = re.compile(r",? (?:and|or|in|on|for|with|using|by|from|through|at|und|oder|mit|für) ")
_NO_TITLE = re.compile(
    r"(?:we (?:will|also|now|thank|used?|refer|note|see|invited|visited|asked|compared|tried|tested"
    r"|read|looked|measured|calculated|counted|followed|describe|present|study|examine|report)"
    r"|i (?!recommend|propose|suggest|ask)\w+|my|you|your|one|what|note|please|see|let|if|when"
    r"|before|after|while|because|since|although|however|for (?:example|now|point)|now|and|but|or"
    r"|so|then|thus|also|as|by|to|with|it|its|he|she|they|their|them|this|that|these|those|here"
    r"|there|such|both|each|another|other|others|all|(?:most|some|keine|none|many) (?:of|der)"
    r"|er|sie|es|dies\w*|beides|dem|davon|ihn\w*|\w+:|[a-z][.)])\s|[%/#–—-]|(?:\S+\s){1,4}(?:it|them)\b",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"\b(?:in the table|these|those|them|this|there|therefore|above|below|here|as follows"
    r"|the following"
    r"|the (?:same|proposal|former|latter)|respectively|daher|deshalb)\b"
    r"|\b(?:figure|table|section|chapter|equation|appendix|item|point) (?-i:[\dA-Z])"
    r"|, that\b|\bthat (?:happen\w*|means|meant)\b|[\[\]{}<>*_]",
    re.IGNORECASE,
)
"""How sentences begin or what they hold that say little over a slide of their own."""
_SENTENCE = re.compile(r"\.\s+(?=[^\W\d_a-zß-ÿ])")
_COLON = re.compile(r":\s")
_CLAUSE = re.compile(
    r"(?:;\s|,\s(?:and|but)\s(?=(?:i|you|he|she|it|we|they|the)\s)|,\s(?:which|where|whereas|although|though|while|so|because|since|but|"
    r"wobei|weil|obwohl|während|denn|aber|ce qui|mais|pero|lo que)\b"
    r"|\s[–—]\s|\s\((?=\w)|\s(?:because|since|although|so that|in order to)\s)",
    re.IGNORECASE,
)
"""Where a sentence may end early; what a colon announces is never cut."""


def claim_text(text: str, *, most: int = CLAIM_CHARACTERS, sentence: bool = False) -> str:
    """A statement as a title: itself where it is short, else without what follows its first
    clauses, but never without a number of its own; empty where it makes no title.

    ``sentence`` says that the text is a whole one, so that it has a verb also if none is known.

    >>> claim_text("The harbour earned 61 million euros, which is more than ever before in a year "
    ...            "of its long history as a place of trade")
    'The harbour earned 61 million euros'
    >>> claim_text("This is shown in Table 3"), claim_text("Ships and cranes")
    ('', '')
    """
    text = _ANSWERS.sub("", text, count=1)
    short = text = f"{text[:1].upper()}{text[1:]}" if text[1:2].islower() else text
    while text_width(short) > most:
        cuts = [found.start() for found in _CLAUSE.finditer(short)]
        ends = [found.start() for found in _SENTENCE.finditer(short)]
        if ends and ends[0] >= _LEAST_CLAIM:
            short = short[: ends[0]]
            continue
        if not cuts or any(map(str.isdecimal, short[cuts[-1] :])):
            return ""
        short = short[: cuts[-1]].rstrip(" ,;:")
    if (
        any(short.count(left) != short.count(right) for left, right in ("()", "«»"))
        or sum(map(short.count, '"“”„')) % 2
        or text_width(short) < _LEAST_CLAIM
        or word_count(short) < _LEAST_WORDS
        or short.count(", ") > _MOST_COMMAS
        or _LEANS.search(short)
        or not is_plain(short)
        or short.endswith(("?", "？"))
    ):
        return ""
    return short if (sentence and short == text) or states(short) else ""


_ANSWERS = re.compile(
    r"(?:(?:the )?(?:short (?:answer|version)|bottom line)|in (?:short|brief)|kurz gesagt|fazit"
    r"|en bref)"
    r"\s*[:,.–—]\s*",
    re.IGNORECASE,
)
"""How a sentence begins that says it is the answer."""


def lead_title(text: str) -> str:
    """The first sentence of a paragraph as the title of a page without heading: itself if it is
    short, else up to its colon or its first clause; empty if that is long too.

    >>> lead_title("Walk round the bus once: tyres, lights, mirrors, nothing dripping from the "
    ...            "engine, from the lift or from the heater below the last seat at the back")
    'Walk round the bus once'
    """
    ends = [found.start() for cut in (_SENTENCE, _COLON, _CLAUSE) if (found := cut.search(text))]
    heads = (text, *(text[:end] for end in ends))
    if _NOTICE.search(text):
        return ""
    fit = (head for head in heads if _LEAST_CLAIM <= text_width(head) <= CLAIM_CHARACTERS)
    return next((head for head in fit if not (ends_open(head) or head.endswith("?"))), "")


def is_plain(text: str) -> bool:
    """Whether a statement begins and ends like one that is understood alone.

    >>> is_plain("Costs fell by 12%"), is_plain("This is less than before")
    (True, False)
    """
    return _NO_TITLE.match(text) is None and not ends_open(text)


def states(text: str) -> bool:
    """Whether a text has a verb that is not its last word, as far as words show it.

    >>> states("Costs fell by 12%"), states("K. Osei and Dr. Lund propose")
    (True, False)
    """
    if sum(not character.isascii() for character in text) > len(text) / 2:
        return True
    return any(found.end() < len(text) for found in _VERB.finditer(text))


_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|must|may|might|should|do|does|did|"
    r"fell|grew|rose|cost|costs|took|takes|made|makes|paid|went|came|left|gave|got|kept|said|saw|"
    r"sold|built|bought|lost|won|met|held|led|spent|sent|found|felt|cut|chose|drew|drove|needs?|"
    r"shows?|remains?|stays?|runs?|ran|works?|gives?|uses?|begins?|began|starts?|ends?|keeps?|"
    r"saves?|brings?|allows?|requires?|includes?|depends?|contains?|provides?|improves?|reduces?|"
    r"increases?|decreases?|leads?|opens?|closes?|means?|supports?|recommends?|proposes?|asks?|"
    r"suggests?|advises?|covers?|fails?|pays?|lies?|holds?|buy|take|employ|expect|preserves?|"
    r"\w{3,}ed|ist|sind|war|waren|hat|haben|hatte|hatten|kann|können|wird|werden|wurde|wurden|"
    r"soll|sollen|muss|müssen|stieg|sank|blieb|liegt|lag|bleibt|kostet|beträgt|schlagen|zeigt|"
    r"befürchtet|verlangt|erlaub(?:t|en)|gilt|spart|braucht|est|sont|était|ont|peut|doit|sera|es|"
    r"son|fue|fueron|está|están|tiene|tienen|puede|debe|será|\w{3,}(?:ió|aron|ieron))\b",
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


_KIND_ALONE = re.compile(
    r"(?:internal )?(?:memo(?:randum)?|note|letter)|note de service|aktennotiz|vermerk|"
    r"(?:inter)?n?e? ?mitteilung|nota interna|memor[áa]ndum",
    re.IGNORECASE,
)
"""A title that names the kind of document only."""


_NO_SUBJECT = re.compile(
    r"(?:(?:annual|final|interim|draft|event|project|management|business|strategic|operational|"
    r"emergency|safety|staff|quarterly|monthly|incident|progress|and|of|the|year|review|report|plan|"
    r"handbook|manual|policy|strategy|programme|update|status|guide)(?:\s|\Z))+",
    re.IGNORECASE,
)
"""A title of words that any document of its kind may have."""


def is_name_of(heading: str, name: str) -> bool:
    """Whether a heading is the title of the deck, or names the kind of document only."""
    return heading.casefold() == name.casefold() or _KIND_ALONE.fullmatch(heading) is not None


_SUBJECT = re.compile(
    r"(?:re|subject|betreff|betr\.|objet|asunto|oggetto|onderwerp)\s*[:：]\s*(\S.{3,160})\Z",
    re.IGNORECASE,
)

_SUBJECT_INSIDE = re.compile(
    r"\s(?:RE|SUBJECT|BETREFF|OBJET|ASUNTO)\s?:\s*(\S.{3,160}?)(?=\s[A-Z]{2,9}:|\n|\Z)"
)
"""The subject among other fields of one line."""


def deck_title(sources: KnowledgeBase) -> str:
    """The subject of the first document as its title, a heading or one of its first lines has it;
    its file's name if none does."""
    first = sources.documents[0]
    opening = [block for block in first.blocks[:_OPENING_BLOCKS] if not _NOTICE.search(block.text)]
    headings = [block.text for block in opening if block.kind == "heading" and block.level <= 1]
    of_kind = any(_OF_KIND.search(text) for text in headings[:1] if not text[:1].isdecimal())
    names_it = first_heading_is_title(first) or of_kind
    headings = headings if names_it or first.kind == "xlsx" else []
    heading = next((text for text in headings if not _NO_NAME.match(text)), "")
    title = "" if _NO_NAME.match(first.title) or _NOTICE.search(first.title) else first.title
    letter = heading.isupper() and any(_ADDRESS.search(block.text) for block in opening[1:3])
    if letter and (below := _named_line(opening[1:])):
        title, heading = below, ""
    elif not headings and clean_heading(title) == clean_heading(_first_heading(first)):
        numbered = title[:1].isdecimal()
        title = _opening_line(opening) or (numbered and _named_line(opening)) or title
    if first.kind == "xlsx" and len(headings) > 1:  # they name its sheets
        heading = ""
    name = first.path.stem.replace("_", " ").replace("-", " ").strip()
    title = "" if title == first.path.stem else title
    if first.kind == "csv" and not (title or heading):
        lines = (block.text for block in takewhile(lambda one: one.kind != "table", opening))
        named = next((line for line in lines if _is_title_line(line)), "")
        return (
            named
            or (_measured_title(first.tables[0]) if first.tables else "")
            or f"{name[:1].upper()}{name[1:]}"
        )
    before = takewhile(lambda one: one.kind != "heading", opening[_headed(opening) :])
    minutes = kind_of(first) == "minutes"
    dated = (one for one in opening if one.kind == "heading" and any(map(str.isdigit, one.text)))
    meetings = (one.text for one in (*before, *(dated if minutes else ()))
             if _MINUTES.match(one.text) or (minutes and _MEETING.match(one.text)))  # fmt: skip
    lines = (_BEHIND_DAY.sub(r"\1", _BEHIND_YEAR.sub("", text)) for text in meetings)
    title = next(filter(_is_title_line, lines), title)
    heading = "" if title != first.title else heading
    subject = _opening_line(opening) if not (heading or first.kind == "xlsx") else ""
    found = _letter_subject(first) or subject or clean_heading(title or heading)
    found = found or _named_line(opening) or name
    is_memo = sum(is_byline(block.text) for block in opening) > _LEAST_FIELDS
    is_memo = is_memo or kind_of(first) == "memo"
    if is_memo or _KIND_ALONE.fullmatch(found):
        lines = (line for block in opening for line in block.text.splitlines())
        subjects = map(_SUBJECT.match, lines)
        inside = (_SUBJECT_INSIDE.search(block.text) for block in opening)
        found = next((match[1].strip() for match in (*subjects, *inside) if match), found)
    found = _ANSWERED.sub("", found, count=1)
    while (bare := _BEHIND_NAME.sub("", found)) and bare != found:
        found = bare
    found = found[:1].upper() + found[1:] if found[1:2].islower() else found
    if _NO_SUBJECT.fullmatch(found) and (owner := _organisation(first, found)):
        found = f"{owner}: {found}"
    found = found.rstrip(" :–—-") or found
    if any(block.text.isupper() and block.text.casefold() == found.casefold() for block in opening):
        german = language_of(" ".join(block.text for block in first.blocks)) == "de"
        found = (
            german_heading(found, first)
            if german
            else _LONG_WORD.sub(lambda word: word[0].capitalize(), found)
        )
    return title_head(found, 0) if ends_open(found) else found


_ANSWERED = re.compile(
    r"\A(?:(?:re|fwd?|aw|wg|tr|memo(?:randum)?|subject|title)\s?:\s*)+", re.IGNORECASE
)
"""How the subject of an e-mail begins that answers or passes on another one, or is a memo."""
_LEAST_MEASURED, _BELOW_TITLE, _SECTION_LEVEL = 2, 4, 2
_FIELD = re.compile(r"(?:to|from|date|an|von|datum|de|à|pour|objet)\s?:", re.IGNORECASE)
_MINUTES = re.compile(
    r"(?:minutes|procès-verbal|compte[- ]rendu|protokoll|niederschrift|acta)\b", re.IGNORECASE
)
"""How lines begin that name minutes."""
_MEETING = re.compile(
    r"(?:[\w'’]+ ){,3}(?:meeting|sitzung|réunion|assemblée|reunión)\b", re.IGNORECASE
)
"""How the line begins that says who met and when."""
_MOST_NAMES = 8


_OF_KIND = re.compile(
    r"\b(?:report|plan|strategy|policy|review|evaluation|assessment|audit|inquiry|manual|guide"
    r"|handbook|status|update|briefing)\b|bericht\b|\brapport\b|\binforme\b",
    re.IGNORECASE,
)
"""Words of headings that name a document, and of lines that say what it is."""


def _headed(opening: Sequence[DocumentBlock]) -> int:
    """1 if a document begins with a heading, which may be the name of who meets; else 0."""
    return int(bool(opening) and opening[0].kind == "heading")


def _first_heading(document: Document) -> str:
    return next((block.text for block in document.headings), "")


def _letter_subject(document: Document) -> str:
    """The line below the salutation of a letter, or the heading below the fields of a memo, which
    is its subject; or empty. Below a title such a heading is that of the first section."""
    opening = document.blocks[:_OPENING_BLOCKS]
    for at, (above, block) in enumerate(pairwise(opening), start=1):
        if is_salutation(block.text):
            return ""
        named = any(
            other.kind == "heading" and not _KIND_ALONE.fullmatch(other.text)
            for other in opening[:at]
        )
        alike = sum(other.level == block.level for other in document.headings)
        if is_salutation(above.text) or (
            _is_field(above.text, block) and not (named and alike > 1)
        ):
            fit = block.kind in ("heading", "paragraph") and _is_title_line(block.text)
            return block.text if fit else ""
    return ""


def _is_field(text: str, below: DocumentBlock) -> bool:
    """Whether a text is a field of a letter-head, such as a date, and a heading stands below."""
    return (below.kind == "heading" or below.text.isupper()) and _FIELD.match(text) is not None


def _opening_line(opening: Sequence[DocumentBlock]) -> str:
    """The first line of a document without a heading above all others, if it may name it."""
    text = opening[0].text if opening and opening[0].kind == "paragraph" else ""
    text = _REMARK_BEHIND.sub("", text)
    of_kind = _OF_KIND.search(text) is not None
    named = word_count(text) >= _LEAST_WORDS or (of_kind and word_count(text) > 1)
    named = named and _is_title_line(text.replace(": ", " ")) and not CONTACT.search(text)
    return text if named and (of_kind or not is_letterhead(f"{text}.")) else ""


def _named_line(opening: Sequence[DocumentBlock]) -> str:
    """The line that says what kind of document it is, of whatever; before one that has its number
    or its authors, the longest one that says what it is about."""
    texts = [
        block.text for block in opening
        if "_" not in block.text and _is_title_line(block.text, most=_NAME_CHARACTERS)
        and not _ADDRESS.search(block.text)
    ]  # fmt: skip
    named = [text for text in texts if _OF_KIND.search(text) and word_count(text) > 1]
    plain = [text for text in named if not _RECORD.search(text)]
    about = [text for text in texts if word_count(text) > _LEAST_WORDS and not _RECORD.search(text)]
    return plain[0] if plain else max(about, key=len, default="") if named else ""


_RECORD = re.compile(
    r"\b(?i:report|issue|version|rev(?:ision)?|no|nr|bericht)\.? ?\d|\b[A-Z]\. ?[A-Z][a-zé]+"
    r"|\b(?:\d{1,2} [A-Z][a-zé]+|[A-Z][a-zé]+ \d{1,2})\b"
)
"""Numbers, authors and dates of documents."""
_NAME_CHARACTERS = 140
"""Characters of a line that may name a document. Ours."""
_REMARK_BEHIND = re.compile(r"(?<=\S{2})\s+\([^()]{24,}\)\s*\Z")
_BEHIND_YEAR = re.compile(r"(?<=\b[12]\d{3})[,\s].*\Z")
_BEHIND_DAY = re.compile(r"(\b\d{1,2}(?:st|nd|rd|th)? [A-Z][a-zé]+),.*\Z")
"""A remark in brackets behind a title, and where and at what hour a meeting was."""


def _is_title_line(text: str, *, most: int = CLAIM_CHARACTERS) -> bool:
    """Whether a line may name a document: it is short, no sentence, and names no source."""
    ended = text.rstrip().endswith((".", ":", "!")) and not text.endswith((" a.m.", " p.m."))
    return not ended and len(text) <= most and not re.match(r"\w+:\s", text)


def columns_title(table: DocumentTable) -> str:
    """The subject of a table by its columns: its measure, else the names of all; or empty if
    these are long, or the first column has no name."""
    cells = [_begun(" ".join(cell.split())) for cell in table_header(table)] or [""]
    if not any(map(str.isalpha, cells[0])):
        return ""
    if title := _measured_title(table):
        return title
    head, *names = cells
    listed = ", ".join(filter(None, names))
    title = f"{head}: {listed}" if head else listed
    return title if len(title) <= TITLE_CHARACTERS else ""


def _measured_title(table: DocumentTable) -> str:
    """The heading of the rows of a table, and those of its measures or counts, most columns first;
    empty if there is little of the one or nothing of the other."""
    read = table_columns(table)
    columns = read.columns if read else ()
    measured = [item.name for item in columns if item.is_numeric and not item.is_total]
    grouped = [item.name for item in columns if item.kind in ("time", "category", "text")]
    if len(measured) < _LEAST_MEASURED or not grouped:
        return ""
    stems = Counter(name.split()[0] for name in measured)
    told = (stem if count > 1 else _named(measured, stem) for stem, count in stems.most_common(3))
    return f"{_begun(grouped[0])}: {', '.join(told)}"[:CLAIM_CHARACTERS]


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def _named(names: Sequence[str], stem: str) -> str:
    """The name that begins with a word."""
    return next(name for name in names if name.split()[0] == stem)


def deck_subtitle(sources: KnowledgeBase, title: str) -> str:
    """The names of the other documents; else what follows the colon that ends the title of the only
    one, where a heading goes on with it."""
    first, *rest = sources.documents
    others = [clean_heading(doc.title) or doc.name for doc in rest]
    others = [name for name in others if name != title]
    told = " · ".join(others[:3]) or title_rest(first)
    return told or _line_below(first, title) or _organisation(first, title)


def _line_below(document: Document, title: str) -> str:
    """The short line around the title of a document that says what kind of document it is, of what
    years or of whom; or empty."""
    opening = document.blocks[: _BELOW_TITLE + 1]
    titled = (clean_heading(block.text) for block in opening[:-1])
    begins = [text.startswith(title) or title.endswith(f": {text}") for text in titled]
    at = begins.index(True) if any(begins) else None
    named = at is not None and bool(_OF_KIND.search(title) or _MINUTES.search(title))
    near = [] if at is None else [*opening[at + 1 : at + 2], *opening[:at]]
    if at is None:  # the title is that of the file: a small heading stands above the first section
        levels = (block.level for block in document.headings)
        highest = max(_SECTION_LEVEL, min(levels, default=0))
        near = [
            one
            for one in opening
            if one.kind == "heading" and one.level > highest and not _NO_NAME.match(one.text)
        ]
    return next((
        _whole_line(block, document) for block in near if block.kind in ("heading", "paragraph")
        and _is_title_line(block.text) and not (is_byline(block.text) or block.text.isupper())
        and len(block.text) <= TITLE_CHARACTERS and ":" not in block.text
        and not (_NOTICE.search(block.text) or _ADDRESS.search(block.text))
        and (_OF_KIND.search(block.text) or (named and block.kind == "paragraph")
             or at is None or block not in opening[at:])
    ), "")  # fmt: skip


def _whole_line(block: DocumentBlock, document: Document) -> str:
    """The text of a block, with that of the next one if it ends in the middle."""
    at = document.blocks.index(block) + 1
    goes_on = _ENDS_INSIDE.search(block.text) and at < len(document.blocks)
    return f"{block.text} {document.blocks[at].text}" if goes_on else block.text


_ENDS_INSIDE = re.compile(
    r"\s(?:to|and|of|for|in|at|the|until|bis|und|von|für|[–-])\Z", re.IGNORECASE
)


def _organisation(document: Document, title: str) -> str:
    """The words in capitals above the title of a document, which say whose it is; or empty."""
    found = _CAPITALS.match(document.blocks[0].text.strip()) if document.blocks else None
    text = found[0] if found else ""
    named = 1 < word_count(text) <= _MOST_NAMES
    if not named or text.casefold() == title.casefold() or _KIND_ALONE.fullmatch(text):
        return ""
    return _SMALL_WORDS.sub(
        lambda word: word[0].lower(), _LONG_WORD.sub(lambda word: word[0].capitalize(), text)
    )


_ADDRESS = re.compile(
    r"\b(?:unit \d|(?:street|road|lane|avenue|drive|square|park|way|allee|platz|gasse)\b,?.*\d"
    r"|\d+\w?,? (?:\w+ ){1,3}(?:street|road|lane|avenue|drive|way)\b"
    r"|tel(?:efon|ephone)?\b|phone\b|fax\b)|stra(?:ß|ss)e \d|\bstr\. ?\d|allee \d|@|www\."
    r"|\b\d{5} [A-ZÀ-Þ]",
    re.IGNORECASE,
)
"""Parts of a line with an address."""
_CAPITALS = re.compile(r"[A-ZÀ-Þ&/’'–,-]{2,}(?:\s[A-ZÀ-Þ&/’'–,-]+(?![\w.](?!\Z)))+")
_SMALL_WORDS = re.compile(r"(?<= )(?:OF|AND|THE|FOR|DER|DES|UND|LES|DE|DEL|DU|LA|LE|ET|Y)\b")


def title_rest(document: Document) -> str:
    """The heading that goes on with the title of a document, which ends with a colon; or empty."""
    names = [block.text.strip() for block in document.headings[:2]]
    if len(names) == 2 and names[0].endswith(":"):
        return clean_heading(names[1])
    return ""
