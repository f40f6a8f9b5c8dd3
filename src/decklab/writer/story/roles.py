"""What a statement does for its reader: it asks, decides, reports, names a cost or a deadline, or
is an aside.

Rules for English, German, French and Spanish; ours. A statement can do several things at once.
"""

import re
from typing import Final, Literal

from decklab.documents.bylines import is_byline
from decklab.documents.numbers import parse_numbers
from decklab.writer.story.kinds import SectionRole

StatementRole = Literal[
    "answer", "recommendation", "request", "decision", "light", "status", "result", "cost",
    "deadline", "risk", "rule", "reason", "caveat", "aside",
]  # fmt: skip
"""What a statement does; background does none of these. An answer is what a document says is its
own; a light is a status as a colour."""

FOUND: Final[frozenset[StatementRole]] = frozenset(
    {"answer", "result", "decision", "light", "status", "cost"}
)
"""What a statement does that says what came out."""
ASKED: Final[frozenset[StatementRole]] = frozenset({"recommendation", "request"})
TELLING: Final[frozenset[StatementRole]] = FOUND | {"recommendation", "risk", "deadline"}
"""What a statement does that can be the title of a page."""

_WORDS: Final[tuple[tuple[StatementRole, str], ...]] = (
    ("answer", r"\A(?:the )?(?:short (?:answer|version)|bottom line) is (?:that )?.*|"
               r"\A(?:the )?(?:short (?:answer|version)|in (?:short|brief)|bottom line|"
               r"result|finding|conclusion|answer|ergebnis|fazit|kurz(?: gesagt)?|en bref|"
               r"résultat|en resumen|resultado|conclusión)\s*[:：,–—].*"
               r"|\A(?:our|the) (?:main|central|key) (?:finding|result|cause) (?:is|was)"),
    ("recommendation", r"recommend\w*|propos(?:es?|ed|als?|ons|ent|ons)|conclude|(?:we|i) suggest|"
                       r"our (?:choice|preference)|empfehl\w*|empfiehlt|schlagen vor|schlägt vor|"
                       r"vorschlag|recommand\w*|recom(?:iend|end)\w*|propone\w*"),
    ("request", r"(?:we|i)(?:'d)? ask|(?:asks?|request(?:s|ed)?) (?:the|you|every)|"
                r"(?:is|are) asked to|please|approve|sign[- ]off|"
                r"decisions? (?:is|are|we) need(?:ed)?|decision (?:needed|is)|i need|we need|"
                r"i want a decision|(?:wir|ich) bitten?|beantragen|"
                r"demand(?:e|ons)(?!\ss(?:i\b|[’']))|décision (?:attendue|demandée)|"
                r"solicit\w*|pedimos"),
    ("decision", r"decided|agreed(?!(?:,[^,]*,)? with\b)|approved|resolved|rejected|carried|"
                 r"adopted|unanimous(?:ly)?|"
                 r"beschlossen|beschließt|vereinbart|genehmigt|abgelehnt|angenommen|décidé|"
                 r"adoptée?s?|approuvée?s?|rejetée?s?|se decidió|ac(?:o|ue)rd\w*|"
                 r"apr(?:o|ue)b\w*|rechaz\w*"),
    ("status", r"status is|on (?:track|schedule|time)|"
               r"(?:behind|ahead of) schedule|(?:weeks?|days?|months?) (?:late|behind|early)|"
               r"delay(?:ed|s)|delay of|schedule slip\w*|"
               r"are late|is late|slipped|postponed|go(?: |-)live|overspen[dt]|"
               r"underspen[dt]|over budget|under budget|expect to (?:finish|end|start)|"
               r"forecast(?:s|ed)?|im plan|verzögert|verspätet|verschoben|retard\w*|reporté|"
               r"retras\w*|aplazad\w*"),
    ("result", r"rose|risen|rises?|fell|fallen|falls?|grew|grows?|drops?|dropped|declined?|saved?|"
               r"earned|reached|matched|moved?|finished|only \d+ of|"
               r"increas\w+|decreas\w+|reduc\w+|improv\w+|outperform\w*|doubl\w+|halved|lost|won|"
               r"failed|broke|surplus|deficit|least|the most|less|fewer|lower|higher|more|"
               r"better|worse|best|worst|largest|smallest|cheape(?:r|st)|dear(?:er|est)|fastest|"
               r"longest|times as|"
               r"at or (?:above|below)|exceed\w*|"
               r"(?:above|below|over) the [\w ]{0,24}(?:limit|level|target|average|mean|value)|"
               r"half as|as (?:many|much|busy) as|"
             r"(?:hardly any|no|little) (?:effect|difference|evidence|benefit|gain|improvement)|"
               r"results? (?:show|indicate)|show(?:s|ed)? that|found that|we f(?:ound|ind)|"
               r"stieg\w*|sank\w*|fiel|ergab|erreicht\w*|gesunken|gestiegen|mehr|weniger|"
               r"höher|niedriger|am \w+sten|augment\w*|baiss\w*|diminu\w*|"
               r"supérieur|inférieur|aument\w*|disminu\w*|bajó|subió|mayor|menor|mejor|peor"),
    ("risk", r"risks?|danger\w*|warning|never|must not|do not|otherwise|lapses?|"
             r"could|might|if (?:not|no|there is no)|threat\w*|risik\w*|gefahr|sonst|niemals|"
             r"risque\w*|jamais|sinon|riesgo\w*|nunca"),
    ("rule", r"must|shall|never|always|nobody|no[- ]one|no \w+ (?:may|can|goes|is to)|may not|"
             r"may only|only (?:be|if|when|with|after|by|from)|cannot|do not|don['’]t|allowed|"
             r"(?:is|are) (?:not )?to be|(?:is|are) (?:required|responsible)|at least|"
             r"at most|no (?:more|later|fewer|less) than|mandatory|forbidden|prohibited|banned|"
             r"muss|müssen|darf|dürfen|niemals|immer|nur|mindestens|höchstens|verboten|"
             r"doi(?:t|vent)|jamais|toujours|interdit\w*|obligatoire\w*|au (?:moins|plus)|"
             r"deben?|nunca|siempre|prohibid\w*|obligatori\w*"),
    ("caveat", r"assum(?:es?|ing|ptions?)|exclud\w+|(?:not|do not|does not) includ\w+|rounded|"
               r"counted (?:once|only)|estimate[sd]?|totals? may|figures (?:are|do)|"
               r"(?:is|are) shown|"
               r"enthalten keine?|ohne (?:mehrwertsteuer|mwst)|gerundet|geschätzt|"
               r"hors (?:taxe|tva)|arrondi\w*|sin iva|redondead\w*"),
    ("reason", r"because|came from|comes from|cause(?:d|s)?|due to|reasons?|since|therefore|"
               r"in order to|weil|denn|wegen|grund|ursache|parce que|raison|porque|causa|"
               r"debido"),
)  # fmt: skip
_CJK: Final[dict[StatementRole, str]] = {
    "recommendation": "建议", "request": "请", "decision": "决定",
    "result": "增长|下降|提高|降低|增加|减少|超过", "risk": "风险", "reason": "因为",
}  # fmt: skip
_MONEY: Final = re.compile(r"[$€£]\s?\d|\d\s?[€£]")
_LIGHT: Final = re.compile(r"\b(?:AMBER|RED|GREEN)\b")
_PATTERNS: Final = tuple(
    (role, re.compile(rf"\b(?:{words})\b|{_CJK.get(role, '(?!)')}", re.IGNORECASE))
    for role, words in _WORDS
)
_OF_SECTION: Final[dict[SectionRole, StatementRole]] = {
    "recommendation": "recommendation", "ask": "request", "decisions": "decision", "risks": "risk",
}  # fmt: skip
_FORMAL: Final = re.compile(
    r"\b(?:(?:left|entered) the room|(?:opened|closed) the meeting|returned at|agenda was|"
    r"minutes (?:of|from) .* (?:approved|accepted|agreed)|(?:the )?last (?:meeting|minutes).*"
    r"(?:approved|accepted|agreed|correct)|agreed as correct|thanked|congratulated|meeting closed"
    r"|protokoll .*genehmigt|sitzung (?:schließt|endet)|procès-verbal .*(?:adopté|approuvé))\b",
    re.IGNORECASE,
)
"""What minutes have for the record."""
_PIECES: Final = re.compile(r"(?<=[^\W\d]{2}[.!?])\s+(?=[^\W\d_a-zß-ÿ])")
_ASIDE: Final = re.compile(
    r"(?:(?:next (?:report|issue)|distribution(?: list)?|copies to|cc|bcc|kopie an|copie à"
    r"|con copia|attachments?|encl(?:osures?)?)"
    r"\s*[:.]|(?:this|it) is not meant|we thank|thank you"
    r"|thanks (?:to (?:all|every\w*|those|you)|for)\b"
    r"|(?:prepared|written|compiled) (?:by|for)"
    r"|(?:page |this \w+ )?(?:was )?last (?:changed|updated?|edit\w*|reviewed)\b"
    r"|mise? à jour le|(?:zuletzt )?aktualisiert am|actualizad[oa] el"
    r"|(?-i:[A-Z][\w’-]+(?:, [A-Z][\w’-]+)*,? (?:and|&) [A-Z][\w’-]+),? (?:19|20)\d\d[a-z]?\W*\Z"
    r"|it (?:would be|is) (?:easy|tempting) to\b"
    r"|.*(?:©|\bcopyright\b|\bpreprint of an?\b|\ball rights reserved\b)"
    r"|this (?:page|note|memo|document|leaflet|guide|sheet) [a-z]+s\b|this is (?:the|a) memo\b"
    r"|you (?:will|may|might) (?:have|all have|already have) (?:seen|heard|read|noticed)\b"
    r"|as you (?:all |will |may )*know\b|wie sie (?:\w+ )?wissen|comme vous le savez"
    r"|como (?:ya )?saben?\b"
    r"|please read (?:the|this) (?:bit|part|note|memo|section)\b"
    r"|\d\w\w draft\b|version \d[\d.]*(?:\s·|\Z)|[^\W\d]+, den \d|[^\W\d]+ x ?\d{3,5}\Z"
    r"|(?-i:(?:[A-Z]\.\s?){1,3}[A-Z]\.?)\Z"
    r"|(?:please )?(?:ring|call|phone|e-?mail|text|write to) me\b|i['’]d rather|treat this as"
    r"|quick (?:vocabulary|note|reminder)|bear with me|let me know|feel free|don['’]t be us\b"
    r"|paper for the [^.]{0,60}(?:group|committee|board|council)|(?-i:P\.?S\.?)\s|sorry\b"
    r"|the (?:full|trial) report is|rückfragen|ansprechpartner|pour (?:toute question|plus)"
    r"|para más información|for (?:more|further|any) (?:information|details|questions)"
    r"|(?:questions?(?: go| to)?:?|(?:please )?contact)\s(?=.*(?:@|\d{3}|office|intranet)))",
    re.IGNORECASE,
)
"""How sentences begin that belong to no subject."""
_BRACKETED: Final = re.compile(r"\([^()]*\)\.?")
"""A sentence in brackets."""
EXCLAMATION: Final = re.compile(
    r"(?<=[.!?])\s+(?:hooray|hurrah?|phew|honestly|well done|fingers crossed)[.!]*\s*\Z",
    re.IGNORECASE,
)
"""A last word of a paragraph that says nothing of its subject."""
_SIGNED: Final = re.compile(r"(?:[^:.]{2,24}:\s)?(?:signed\b|gez\.|signé|fdo\.)", re.IGNORECASE)
_FOOTNOTE: Final = re.compile(
    r"(?:[¹²³⁴⁵⁶⁷⁸⁹†‡§]|\*{1,3}(?!\*)|\[\d{1,2}\]|\(\*\))\s*(?=[^\W\d_])|\d(?=[A-Z][a-z]+\s)"
    r"|\d{1,2}\s(?:An?|The|This|These|See|In|For|It)\s"
)
_LETTERHEAD: Final = re.compile(r"\s[·•|]\s")
_ENDED: Final = re.compile(r"[.!?:;…。！？：][\"'”’»)\]]*\s*\Z")
_FIELDS: Final = re.compile(
    r"\b(?:to|from|cc|date|ref|present|apologies|absent|minutes|chair|author|next report|report to"
    r"|status|version|wards affected|anwesend|entschuldigt|protokoll|sitzungsleitung|présents?"
    r"|excusés?|presentes|asistentes)(?:\s\([^()]*\))?\s?:",
    re.IGNORECASE,
)
_SALUTATION: Final = re.compile(
    r"(?:dear|sehr geehrte\w*|liebe\w*|madame|monsieur|hallo|hello|hi|estimad\w+)\b", re.IGNORECASE
)
_SALUTATION_WORDS: Final = 8
_STATUS_LINE: Final = re.compile(r"[\w ]{0,20}status\s*:", re.IGNORECASE)
_FIELD_WORDS: Final = 3
_LONGEST_HEAD: Final = 120
"""Characters of a line of a letter-head. Ours."""
_VALUED: Final = frozenset({"percent", "money", "count", "range"})
_MONTH: Final = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|janv|févr|avr|juin|juil"
    r"|août|déc|ene|abr|ago|dic)[a-zäéû]*\.?"
)
COUNTS: Final = re.compile(
    r"\b(?:once|twice|half|double|third|quarter|fifth|two|three|four|five|six|seven|eight|nine|ten"
    r"|halb\w*|doppelt\w*|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|drittel|viertel"
    r"|deux|trois|quatre|moitié|tiers|dos|tres|cuatro|mitad|tercio)\b",
    re.IGNORECASE,
)
"""Amounts in words."""
_DEADLINE: Final = re.compile(
    r"\b(?:by|until|before|from|no later than|due(?: on)?|for|or"
    r"|(?:starts?|begins?|expires?|ends?|opens?|closes?|arrives?|takes? effect)(?: on)?"
    r"|bis|ab|vor|zum|avant(?: le)?|au plus tard le|dès le|à partir du|antes del?|hasta el"
    r"|a partir del?)\s(?:(?:the end of|end of|ende|dem|\w+day|\w{3},?)\s)?"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|\.|er)?\s(?:de\s)?{_MONTH}\b|{_MONTH}\s\d|\d{{1,2}}/\d{{1,2}}\b"
    r"|(?:spring|summer|autumn|winter|early|late|mid)?[ -]?20\d\d\b)|\bdeadline\b|\bfrist\b"
    rf"|\bdécision attendue\b[^.]*\d{{1,2}}\s{_MONTH}"
    r"|\bmust be \w+ this (?:week|month|quarter|year)\b",
    re.IGNORECASE,
)


def roles_of(text: str, section: SectionRole = "other") -> frozenset[StatementRole]:
    """What a statement does, by its words and numbers and by the section that it is in.

    A result has a number or stands in a section of results; a cost has a sum of money.

    >>> sorted(roles_of("We ask the board to approve $22,000 by 16 October."))
    ['cost', 'deadline', 'request']
    >>> sorted(roles_of("The mean wait fell from 9.4 to 6.1 hours."))
    ['result']
    >>> roles_of("The harbour has three docks.")
    frozenset()
    """
    text = without_formal(text)
    if not text:
        return frozenset({"aside"})
    kinds = {number.kind for number in parse_numbers(text)}
    said: set[StatementRole] = {role for role, words in _PATTERNS if words.search(text)}
    counted = kinds & _VALUED or COUNTS.search(text)
    if not counted and section not in ("findings", "conclusion", "summary"):
        said.discard("result")
    said |= {"cost"} if "money" in kinds or _MONEY.search(text) else set()
    said |= {"deadline"} if _DEADLINE.search(text) else set()
    said |= {"light", "status"} if _LIGHT.search(text) else set()
    if section in _OF_SECTION:
        said.add(_OF_SECTION[section])
    return frozenset(said)


def without_formal(text: str) -> str:
    """A text without the sentences that minutes have for the record."""
    return " ".join(piece for piece in _PIECES.split(text) if not _FORMAL.search(piece))


def is_aside(text: str, *, item: bool = False) -> bool:
    """Whether a sentence belongs to no subject: a footnote, an address for questions, a signature.

    Of an ``item`` of a list only what no item says of a subject.

    >>> is_aside("[1] Gates count entries."), is_aside("Questions go to fleet@harrow.example.")
    (True, True)
    """
    signed = _SIGNED.match(text) or _FOOTNOTE.match(text) or _BRACKETED.fullmatch(text.strip())
    return signed is not None or (not item and _ASIDE.match(text) is not None)


def _is_row_of_names(line: str) -> bool:
    """Whether a line is a field with names: "Present: A. Mbeki, P. Quill"."""
    field, mark, rest = line.partition(":")
    words = re.findall(r"[^\W\d_]{3,}", rest)
    names = sum(word[0].isupper() for word in words)
    return bool(mark and words) and len(field.split()) <= _FIELD_WORDS and 2 * names > len(words)


def is_salutation(text: str) -> bool:
    """Whether a line is the salutation of a letter.

    >>> is_salutation("Dear Mr and Mrs Pell"), is_salutation("Dear prices")
    (True, True)
    """
    return len(text.split()) <= _SALUTATION_WORDS and _SALUTATION.match(text) is not None


_COMPANY: Final = re.compile(
    r"\A\S.{2,60}\b(?:GmbH|AG|KG|Ltd|Limited|LLC|Inc|plc|e\. ?V|SARL|S\.A)\.?\Z"
)
"""The name of a company alone in a line."""


def is_letterhead(text: str) -> bool:
    """Whether a text at the beginning of a document is lines of a letter-head, or who was there.

    >>> is_letterhead("City works · Ref. 52-118"), is_letterhead("From: A. Bo. Next report: May.")
    (True, True)
    >>> is_letterhead("Ships and cranes cost 12 million euros.")
    False
    """
    line = " ".join(text.split())
    if _STATUS_LINE.match(line):
        return False
    if len(_FIELDS.findall(line)) > 1 or _is_row_of_names(line):
        return True
    if _COMPANY.search(line):
        return True
    short = len(line) <= _LONGEST_HEAD
    return short and (
        line.isupper()
        or is_byline(line)
        or _LETTERHEAD.search(line) is not None
        or not _ENDED.search(line)
    )
