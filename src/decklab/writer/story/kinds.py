"""Kinds of documents, and what counts most in each: recognised by headings, first lines and form.

The rules are ours. ``docs/write.md`` lists them; ``--kind`` overrides them.
"""

import re
from collections.abc import Sequence
from typing import Final, Literal

from decklab.core.options import DocumentKindName
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Document

SectionRole = Literal[
    "summary", "ask", "decisions", "actions", "findings", "recommendation", "conclusion", "risks",
    "options", "data", "method", "background", "aside", "appendix", "other",
]  # fmt: skip
"""What a section of a document is for, as its heading tells."""

# The first pattern that matches a heading gives its role. English, German, French, Spanish.
_ROLES: Final[tuple[tuple[SectionRole, str], ...]] = (
    ("appendix", r"appendi|annex|anhang|annexe|anexo|supplement"),
    ("aside", r"(?:name|synopsis|environment(?: variables)?|diagnostics|history|notes|contact|"
              r"exit (?:status|values?|codes?)|return values?|(?:known |reporting )?bugs|feedback|"
              r"further information|getting (?:help|in touch)|mailing lists?|contributing|"
              r"miscell\w+|"
              r"about this \w+|(?:typographic )?conventions|notation|abbreviations|glossary|"
              r"words used|distribution|(?:obtaining|downloading)\b.*)\W*\Z"),
    ("summary", r"headlines?|abstract|"
                r"(?:executive |management )?summary|overview|overall|in short|in brief|"
                r"tl;?dr|key (?:points|messages)|highlights|at a glance|zusammenfassung|"
                r"das wichtigste|(?:\w+ )?(?:in kürze|auf einen blick)|"
                r"kurzfassung|kurz(?: gesagt)?$|überblick|where (?:we|things) stand|"
                r"(?:the )?(?:short (?:answer|version)|bottom line)|en (?:bref|resumen)|"
                r"résumé|synthèse|resumen|摘要|概要|概述"),
    ("ask", r"(?:what )?(?:the |we |i )?.{0,40}\b(?:is|are) asked to\b|"
            r"what (?:we|i)(?:['’]d)? (?:(?:would|should) )?(?:like to )?(?:ask|need|want)|"
            r"decisions? (?:needed|required|sought|requested|asked)|for decision|"
            r"entscheidungsbedarf|décision (?:demandée|attendue)|decisión solicitada"),
    ("decisions", r"(?:what|was) (?:changes|will change|is changing|sich ändert)|ce qui change|"
                  r"qué cambia|decisions?|resolutions?|resolved|beschl(?:uss|üsse)|"
                  r"entscheidung|décisions?|"
                  r"decisiones|acuerdos|决定|决议"),
    ("actions", r"actions?|action items|next steps|to[- ]?dos?|follow[- ]?ups?|tasks|outlook|plan|"
                r"roadmap|nächste schritte|weiteres vorgehen|aufgaben|maßnahmen|ausblick|"
                r"prochaines étapes|próximos pasos|acciones|下一步|后续"),
    ("ask", r"(?:what we |our )?(?:ask|asks|request|need)s?\b|antrag|bitte|demande|solicitud|请求"),
    ("recommendation", r"(?:staff |officers[’']? |final |what (?:we|i) )?recommend|proposal|"
                       r"empfehlung|(?:unsere? )?vorschl[aä]g|was wir vorschlagen|recommandation|"
                       r"(?:ce que )?(?:je |nous |notre )?propos|recomendaci|"
                       r"(?:lo que )?(?:se )?propon|(?:nuestra )?propuesta|建议"),
    ("conclusion", r"conclusions?|conclud|fazit|schluss|conclusiones|结论|lessons"),
    ("risks", r"risks?|safety|warnings?|sicherheit(?!s)|sécurité|seguridad|issues|"
              r"blockers?|problems|concerns|"
              r"risik|probleme|risques|riesgos|风险|问题"),
    ("findings", r"results?|findings|outcomes?|what (?:we found|changed|happened)|change\W*\Z|"
                 r"achieve|progress|what (?:it|this|that|they) means?|was das bedeutet|"
                 r"ce que cela signifie|done|ergebnis|befund|"
                 r"erreicht|résultats|resultados|evaluation|结果"),
    ("options", r"options?|alternatives?|comparison|optionen|vergleich|comparaison|opciones|选项"),
    ("data", r"data|figures|numbers|statistics|zahlen|daten|données|datos|数据"),
    ("method", r"methods?|methodology|approach|setup|procedure|materials|how (?:we|it)|"
               r"implementation|methode|vorgehen|aufbau|méthode|método|方法"),
    ("background", r"background|introduction|related work|history|context|motivation|scope|"
                   r"purpose|about|preface|attend|present|agenda|apologies|opening|quorum|"
                   r"next meeting|any other business|a\.?o\.?b\.?\W*\Z|matters arising|"
                   r"verschiedenes|sonstiges|divers|questions diverses|ruegos y preguntas|"
                   r"lectura del acta|"
                   r"genehmigung|approbation|minutes (?:and|of)|hintergrund|einleitung|"
                   r"anlass|teilnehm|anwesend|contexte|introducci|antecedentes|asistentes|背景|引言"),
)  # fmt: skip
_NUMBERING = r"^(?:[\dIVXA-Z]{1,4}(?:\.\d+)*[.):]?\s+)?(?:the |our |some |main |key )*"
_PATTERNS: Final = tuple(
    (role, re.compile(rf"{_NUMBERING}(?:{words})", re.IGNORECASE)) for role, words in _ROLES
)

_USUAL: Final[dict[SectionRole, float]] = {
    "summary": 1.5, "ask": 1.5, "decisions": 1.5, "actions": 1.3, "findings": 1.4,
    "recommendation": 1.5, "conclusion": 1.4, "risks": 1.2, "options": 1.4, "data": 1.1,
    "method": 0.8, "background": 0.7, "aside": 0.3, "appendix": 0.25, "other": 1.0,
}  # fmt: skip
"""How much a section counts by its role: what was found, decided and asked for before how it was
done. Ours."""
_BY_KIND: Final[dict[DocumentKindName, dict[SectionRole, float]]] = {
    "manual": {"risks": 1.6, "background": 1.0, "method": 1.0, "findings": 1.0, "summary": 1.2},
    "how-to": {"risks": 1.6, "method": 2.0, "background": 0.9},
    "minutes": {"decisions": 2.5, "actions": 1.8, "background": 0.4},
    "comparison": {"recommendation": 2.0, "options": 1.5},
    "data": {"data": 1.5},
}
_FIRST: Final[dict[DocumentKindName, tuple[SectionRole, ...]]] = {
    "minutes": ("decisions", "actions"),
    "memo": ("ask", "recommendation", "decisions"),
    "comparison": ("recommendation",),
    "status": ("summary",),
}
"""Sections that come first in decks of a kind, whatever their place in the document."""

_QUESTION = re.compile(r"[?？]\s*$|^(?:Q|F|P)[.:]\s")
HEADER_LINE = re.compile(
    r"^(?:to|from|cc|subject|re|date|an|von|betreff|datum|à|de|objet|para|asunto)\s*:",
    re.IGNORECASE,
)
"""A field of a memo."""
_MEMO_FIELDS = re.compile(r"\b(TO|FROM|CC|DATE|RE|SUBJECT|AN|VON|DATUM|BETREFF|DE|OBJET)\s?:")
OF_MEETING = re.compile(
    r"\W*(present|attending|in attendance|apologies|absent|minutes(?: by| taken by)?"
    r"|anwesend|entschuldigt|protokoll(?:führung)?|présents?|excusés?|asistentes|ausentes)\s*:",
    re.IGNORECASE,
)
"""Fields of minutes, of which one alone may stand elsewhere."""
_TITLES: Final[tuple[tuple[DocumentKindName, str], ...]] = (
    ("minutes", r"\A(?!.*\b(?:\d+|few|(?:\w+-)?(?:one|two|three|four|five|six|seven|eight|nine|ten"
                r"|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)) minutes\b)"
                r".*\bminutes\b|protokoll|niederschrift|"
                r"compte[- ]rendu|procès-verbal|\bacta\b|会议纪要"),
    ("memo", r"\bmemo(?:randum)?\b|aktennotiz|note de service|memorando|备忘录"),
    ("faq", r"\bfaqs?\b|frequently asked|questions? (?:people|we are|you) (?:ask|often ask)|"
            r"questions (?:and|&) answers|\bq ?& ?a\b|häufig|questions fréquentes|"
            r"preguntas frecuentes|常见问题"),
    ("how-to", r"^how to\b|\bstep[- ]by[- ]step\b|\bso (?:richten|stellen|installieren)\b|"
               r"anleitung|^comment\b|^cómo\b|如何"),
    ("status", r"\bstatus\b|\bprogress report\b|weekly|sprint|statusbericht|wochenbericht|"
               r"\bstate of play\b|zwischenstand|point d['’]étape|avancement|estado|周报|进展"),
    ("comparison", r"\bvs\.?\b|\bversus\b|comparison|\bcompar(?:ing|ed)\b|which .* to (?:buy|use|"
                   r"choose)|vergleich|comparaison|\bcomparée?s\b|\bcomparatif\b|comparación|比较|对比"),
    ("report", r"\b(?:report|plan|strategy|policy|review|evaluation|assessment|audit)\b|bericht\b|"
               r"\bplan\b|konzept\b|\brapport\b|\binforme\b|报告"),
    ("manual", r"\bmanual\b|\bguide\b|handbook|handbuch|documentation|reference|manuel|guía|手册"),
)  # fmt: skip
_LEAST_QUESTIONS, _QUESTION_SHARE = 3, 0.4
_LEAST_HEADERS = 3
_LEAST_STEPS, _STEP_SHARE = 4, 0.3
_MANUAL_CODE, _MANUAL_SECTIONS = 0.15, 25
_STEP = re.compile(r"^\(?\d{1,2}[.)]\s|^step \d", re.IGNORECASE)
_FIRST_BLOCKS, _TITLE_LINES, _TITLE_CHARACTERS = 10, 3, 100


def section_role(heading: str) -> SectionRole:
    """What a section is for, by its heading.

    >>> section_role("3.2 Results of the survey"), section_role("Next steps"), section_role("Ships")
    ('findings', 'actions', 'other')
    """
    names = [heading.strip(), *re.split(r"\s(?:and|und|et|y|&)\s|[,:–—/]\s", heading.strip())[1:]]
    found = (
        next((role for role, pattern in _PATTERNS if pattern.match(name)), None) for name in names
    )
    first, *others = found
    later = next((role for role in others if role), None)
    return (later if first == "background" else None) or first or "other"


def role_weight(role: SectionRole, kind: DocumentKindName) -> float:
    """How much a statement counts by the role of its section in a document of a kind; above 0."""
    return _BY_KIND.get(kind, {}).get(role, _USUAL[role])


def comes_first(role: SectionRole, kind: DocumentKindName) -> int:
    """The rank of a section among those that a kind puts first, from 0; after them all others."""
    first = _FIRST.get(kind, ())
    return first.index(role) if role in first else len(first)


def document_kind(sources: KnowledgeBase) -> DocumentKindName:
    """The kind of the first document, which the deck follows; ``report`` where no rule applies."""
    if not sources.documents:
        return "report"
    return kind_of(sources.documents[0])


def kind_of(document: Document) -> DocumentKindName:
    """The kind of one document, by its file, title, first lines, headings and form of its text."""
    texts = [block for block in document.blocks if block.kind in ("paragraph", "item")]
    words = sum(len(block.text.split()) for block in texts)
    cells = sum(len(row) for table in document.tables for row in table.rows)
    if document.kind in ("csv", "xlsx") or cells > max(60, words):
        return "data"
    headings = [block.text.strip() for block in document.headings]
    title = document.title or next(iter(headings), "")
    first = [line for block in document.blocks[:_FIRST_BLOCKS] for line in block.text.splitlines()]
    leads = [title, *(line for line in first[:_TITLE_LINES] if len(line) <= _TITLE_CHARACTERS)]
    named = next(
        (
            kind
            for kind, words in _TITLES
            for lead in leads
            if re.search(words, lead, re.IGNORECASE)
        ),
        None,
    )
    if named is not None and named != "manual":
        return named
    if len({found[1].casefold() for line in first if (found := OF_MEETING.match(line))}) > 1:
        return "minutes"
    if any(len(set(_MEMO_FIELDS.findall(line))) >= _LEAST_HEADERS for line in first):
        return "memo"
    if sum(bool(HEADER_LINE.match(line.strip(" *_"))) for line in first) >= _LEAST_HEADERS:
        return "memo"
    return _by_form(document, headings) or named or "report"


_OF_REPORTS: Final[frozenset[SectionRole]] = frozenset(
    {"summary", "findings", "conclusion", "recommendation"}
)
"""Roles of sections of which a report has several, however many headings it has."""


_ATTENDANCE: Final = re.compile(
    rf"{_NUMBERING}(?:attend(?:ees|ance)|(?:members )?present|apologies|teilnehmer\w*|anwesen\w*)\b"
    r"(?:\W*(?:and|und|for|absen\w+|apologies|present|attendance|entschuldigt\w*))*\W*\Z",
    re.IGNORECASE,
)


def _by_form(document: Document, headings: Sequence[str]) -> DocumentKindName | None:
    """The kind that headings and the form of the text show."""
    leads = [*headings, *(block.text for block in document.blocks if block.kind == "paragraph")]
    questions = sum(bool(_QUESTION.search(text.strip())) for text in headings)
    spoken = sum(bool(re.match(r"Q[.:]\s", text)) for text in leads)
    if max(questions, spoken) >= _LEAST_QUESTIONS and (
        questions >= _QUESTION_SHARE * len(headings) or spoken >= _LEAST_QUESTIONS
    ):
        return "faq"
    roles = {section_role(heading) for heading in headings}
    plain = " ".join(headings).casefold()
    if any(map(_ATTENDANCE.match, headings)):
        return "minutes"
    cites = re.search(r"\breferences\b|bibliography|related work", plain)
    if cites and ("abstract" in plain or (document.kind == "pdf" and "introduction" in plain)):
        return "paper"
    if "synopsis" in plain and "description" in plain:
        return "manual"
    if re.search(r"\b(?:done|completed|erledigt)\b", plain) and roles & {"actions", "risks"}:
        return "status"
    if "options" in roles and "recommendation" in roles:
        return "comparison"
    if len(roles & _OF_REPORTS) > 1:
        return "report"
    return _long_form(document, headings)


def _long_form(document: Document, headings: Sequence[str]) -> DocumentKindName | None:
    blocks = [block for block in document.blocks if block.kind in ("paragraph", "item", "code")]
    steps = sum(block.kind == "item" and bool(_STEP.match(block.text)) for block in blocks)
    if steps >= _LEAST_STEPS and steps >= _STEP_SHARE * len(blocks):
        return "how-to"
    code = sum(block.kind == "code" for block in blocks)
    if code > _MANUAL_CODE * len(blocks) and len(headings) > 1:
        return "manual"
    return "manual" if len(headings) >= _MANUAL_SECTIONS else None
