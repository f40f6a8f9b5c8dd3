"""Parts of a document beside its body: literature, appendices, licences, contents, notices,
prompts, thanks and the front, told by their headings and by the form of their lines.

Headings in English, German, French, Spanish, Italian, Portuguese, Dutch, Chinese and Japanese. The
rules are ours; what fits none of them is the document's body.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from decklab.documents.model import DocumentBlock

PartKind = Literal[
    "body", "front", "references", "appendix", "licence", "contents", "notice", "prompt",
    "acknowledgements",
]  # fmt: skip

_NUMBER = (
    r"(?:(?:chapter|section|kapitel)\s+)?(?:(?:\d{1,2}|[IVX]{1,5}|[A-Z])(?:\.\d{1,2})*[.):]?\s+)?"
)
_NAMES: Final[Mapping[PartKind, str]] = {
    "references": r"see also|(?:selected |list of |cited )?(?:references|bibliography|literature)"
    r"(?: list| cited)?|works cited|cited works|sources|further reading|"
    r"(?:end ?)?notes and references|literatur(?:verzeichnis|angaben|hinweise)?|"
    r"quellen(?:verzeichnis|angaben)?|bibliogra(?:ph|f)ie|bibliograf[íi]a|"
    r"r[ée]f[ée]rences(?: bibliographiques)?|refer[êe]nci?as(?: bibliogr[áa]ficas)?|"
    r"riferimenti(?: bibliografici)?|literatuur(?:lijst)?|bronnen(?:lijst)?|"
    r"参考文献|參考文獻|引用文献",
    "licence": r"licen[cs]es?|licen[cs]ing|"
    r"(?:copyright|legal)(?: notices?| information| statement)?|"
    r"(?:the )?(?:mit|[\w-]*bsd|apache|gnu|l?gpl|mozilla|creative commons|cc|software|"
    r"open[- ]source|end[- ]user|documentation)\b(?: [\w.-]+){0,4} licen[cs]e(?: agreement)?|"
    r"terms of (?:use|service)|lizenz(?:en|bedingungen)?|nutzungsbedingungen|licencias?|licenza|"
    r"licen[çc]as?|licenties?|conditions d['’]utilisation|许可证|ライセンス",
    "contents": r"(?:table of )?contents|"
    r"(?:list|table) of (?:figures|tables|abbreviations|listings|algorithms)|"
    r"(?:subject |alphabetical |general )?index|inhalt|"
    r"(?:inhalts|abbildungs|tabellen|stichwort|abk[üu]rzungs)verzeichnis|"
    r"table des mati[èe]res|sommaire|[íi]ndice(?: general| de contenidos?)?|sommario|sum[áa]rio|"
    r"inhoud(?:sopgave)?|目录|目錄|目次|索引",
    "notice": r"(?:registered )?trademarks?(?: notices?| acknowledge?ments?| information)?|"
    r"notices?|"
    r"(?:legal )?disclaimers?|disclosures?|forward[- ]looking statements?|"
    r"safe harbou?r(?: statement)?|confidentiality(?: notice| statement)?|imprint|impressum|"
    r"colophon|author contributions|(?:conflicts?|declarations?) of (?:competing )?interests?|"
    r"competing interests|declarations|ethics (?:approval|statement)|"
    r"data availability(?: statement)?|change ?log|(?:revision|document|version) history|"
    r"(?:document|version) control|computational details|session info(?:rmation)?|"
    r"haftungsausschluss|(?:waren|marken)zeichen|markenhinweise?|rechtliche hinweise|"
    r"mentions l[ée]gales|avertissement|aviso legal|note legali|免责声明|免責事項",
    "acknowledgements": r"acknowledge?ments?|thanks|danksagung|remerciements|agradecimientos|"
    r"ringraziamenti|agradecimentos|dankwoord|致谢|致謝|謝辞",
    "front": r"preface|foreword|dedication|(?:about the )?authors?|(?:author )?affiliations?|"
    r"credits|"
    r"signature|author (?:biograph(?:y|ies)|information)|biograph(?:y|ies)(?: section)?|"
    r"quoted message|distribution list|vorwort|widmung|"
    r"pr[ée]face|avant-propos|pr[óo]logo|prefacio|prefazione|voorwoord|"
    r"前言|序言|はじめに",
}
_HEADINGS: Final = {
    part: re.compile(
        rf"{_NUMBER}(?:{names})(?:\s*(?:,|/|&|\band\b|\bund\b|\bet\b|\by\b|\be\b|\ben\b)\s*"
        rf"(?:{names}|notes|funding|disclosure of funding))*(?:\s*\(continued\))?\s*[.:]?",
        re.IGNORECASE,
    )
    for part, names in _NAMES.items()
}
_APPENDIX = re.compile(
    r"(?:appendix|appendices|annex(?:es)?|annexe|anhang|anh[äa]nge|ap[ée]ndice|anexo|allegato|"
    r"appendice|ap[êe]ndice|bijlage|附录|附錄|付録)(?:\s*(?-i:[A-Z]|[IVX]+|\d{1,2})\b.*|\s*[.:–—-].*|s)?|"
    r"anlage\s+(?-i:[A-Z]|[IVX]+|\d{1,2})\b.*|"
    r"(?:technical |online |statistical )?appendi(?:x|ces)|appendix materials?|"
    r"supplement(?:ary|al)(?: materials?| information| data| methods)|"
    r"supporting information",
    re.IGNORECASE | re.DOTALL,
)
_LETTERED = re.compile(r"(?:[A-Z]|[IVX]{1,4})(?:\.\d{1,2})*[.):]?\s+\S")
_PROMPT = re.compile(
    r"(?:[\w/&’'-]+\s+){0,5}prompts?(?:\s+(?:templates?|texts?|listings?))?\s*(?:[\d:(–—-].*)?|"
    r"prompts?\s+(?:for|used|of|given to)\s.{1,80}",
    re.IGNORECASE,
)
_ABOUT_PROMPTS = re.compile(
    r"\b(?:effects?|ablat\w*|impact|influence|analysis|sensitivity|role|design\w*|of|on|to|we|vague|"
    r"from|and|robust\w*)\b.*\bprompts?\s*\Z",
    re.IGNORECASE,
)


def heading_part(heading: str) -> PartKind:
    """The part that a section is by its heading; "body" if the heading names none.

    >>> heading_part("7. References"), heading_part("Appendix B: Forms"), heading_part("Index fund")
    ('references', 'appendix', 'body')
    """
    words = " ".join(heading.split())
    if _APPENDIX.fullmatch(re.sub(rf"\A{_NUMBER}(?=appendi|annex|anhang)", "", words, flags=re.I)):
        return "prompt" if re.search(r"\bprompts?\W*\Z", words, re.I) else "appendix"
    named = (part for part, form in _HEADINGS.items() if form.fullmatch(words))
    part: PartKind = next(named, "body")
    if part == "body" and words and _is_prompt_heading(re.sub(rf"\A{_NUMBER}", "", words)):
        return "prompt"
    return part


def _is_prompt_heading(words: str) -> bool:
    return bool(_PROMPT.fullmatch(words)) and not _ABOUT_PROMPTS.search(words)


def contents_entry(line: str, *, numbered: bool = False) -> str:
    """A heading, or the entry for it in a list of contents, in small letters without page, leaders
    and, unless ``numbered``, number; empty for what is none: no letters, or longer than a line.

    >>> contents_entry("2.1 The network ..... 17"), contents_entry("THE NETWORK")
    ('the network', 'the network')
    """
    words = " ".join(line.split())
    if len(words) > _LONGEST_ENTRY:
        return ""
    bare = _ENTRY_PAGE.sub("", words if numbered else _ENTRY_NUMBER.sub("", words, 1)).casefold()
    return bare if sum(map(str.isalpha, bare)) > 1 else ""


def follows_appendix(heading: str) -> bool:
    """Whether a heading after the literature or an appendix is lettered, as appendices are.

    >>> follows_appendix("B Further results"), follows_appendix("Results")
    (True, False)
    """
    return bool(_LETTERED.match(heading))


def begins_appendix(heading: str) -> bool:
    """Whether a heading after numbered ones is the first lettered one.

    >>> begins_appendix("A. R code"), begins_appendix("A new method")
    (True, False)
    """
    return re.match(r"A(?:\.\d)?[.):]\s+\S", heading) is not None


def section_number(heading: str) -> int:
    """The number with which the heading of a section or chapter begins; 0 without one."""
    found = re.match(r"(?:(?:chapter|section|part|kapitel|teil)\s+)?(\d{1,2})\b", heading, re.I)
    return int(found[1]) if found else 0


_CITED = re.compile(
    r"\bdoi\b|arxiv|\bpp?\. ?\d|\bet al\b|\bvol\b|https?://|\bjournal\b|\bproceedings\b|\bpress\b|"
    r"\btransactions\b|\bconference\b|\bisbn\b|\b\d+\s?\(\d+\)|\(eds?\.\)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d[a-z]?\b")
_CITATION_MARK = re.compile(r"\[(?:\d{1,3}|[A-Z][A-Za-z+]{1,5}\d{2}[a-z]?)\]\s")
_AUTHORS = re.compile(
    r"(?:\d{1,3}\.\s+)?(?:[A-Z][\w'’-]+,?\s+(?:[A-Z]\.[ ,-]?)+|(?:[A-Z]\.[ -]?)+[A-Z][\w'’-]+)"
)
_LEADER = re.compile(r"(?<!\.)(?<!\.\s)(?:\.\s?){4,}+\s*(?:\d{1,4}|[ivxlc]{1,6})\b")
_ENTRY_NUMBER = re.compile(rf"(?:[-*•+]\s+)?{_NUMBER}(?=\S)", re.IGNORECASE)
_ENTRY_PAGE = re.compile(r"(?:[\s.·…_]{2,}|\s)(?:\d{1,4}|[ivxlc]{1,6})\Z|[\s.·…_:]+\Z")
_LICENCE = re.compile(
    r"permission is hereby granted|redistribution and use in source and binary|"
    r"without warrant(?:y|ies) (?:of any kind|or conditions)|licensed under (?:the|a|cc)\b|"
    r"must retain the above copyright|\bpermission is granted to (?:copy|make|distribute)|"
    r"\b(?:trademarks|copyrights)\b.{0,30}\bowned by\b|"
    r"\ball rights reserved\b|creative commons attribution|gnu (?:general|free|lesser)|"
    r"alle rechte vorbehalten|tous droits r[ée]serv[ée]s|todos los derechos reservados",
    re.IGNORECASE,
)
_COPYRIGHT = re.compile(r"(?:\bcopyright\b|©|\A\(c\))\s*(?:©|\(c\))?\s*.{0,40}\d{4}", re.IGNORECASE)
_NOTICE = re.compile(
    r"\b(?:is|are) (?:either )?(?:a )?(?:registered )?(?:trade|service )marks?\b|"
    r"trademarks? (?:or registered|and registered|are the property|of their respective)|"
    r"\bforward-looking statements\b|"
    r"\bdoes not constitute (?:an offer|investment advice|legal advice)|"
    r"\bintended (?:only|solely) for the (?:use|addressee|recipient|person)|"
    r"\A(?:key ?words(?: and phrases)?|index terms|jel(?: codes?| classification)?|"
    r"schlag(?:wörter|worte)|mots[- ]clés|palabras clave|parole chiave|关键词)\s*[:：—–.-]|"
    r"(?:eingetragene|geschützte) (?:waren|marken)zeichen|marques? d[ée]pos[ée]es?",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"(?:(?:\d{1,3}|#+|\W*(?:system(?: prompt)?|role|user)\W*)[:\s]+)?you are (?:an?|the)\s",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\bjson\b|\{\w*\}|\brespond (?:with|only|in)|\breturn (?:only|the|a|your)\b|output format|"
    r"\bdo not (?:output|include|add|invent)|\byour task\b|step[- ]by[- ]step|\bassistant\b|"
    r"\bscore from\b|\brate (?:the|each)\b|\binstructions?:",
    re.IGNORECASE,
)
_LONGEST_ENTRY = 120
"""Ours: characters of an entry of a list of contents."""
_FOOTNOTE = re.compile(
    r"(?:\d{1,2}|[¹²³⁰-⁹]{1,2}|\[\^\w{1,4}\]:\s|\^\[\d{1,3}\]\s)(?=[A-Z“\"(][\w ]|https?:)"
    r"|[∗†‡](?=[A-Z])"
)
"""The number or sign of a footnote, glued to its first word."""
_LOOKED_AT = 4_000
"""Ours: characters of a paragraph in which lines of contents are sought."""
_SHORT = 700
"""Ours: characters of a paragraph that as a whole may be a licence or a notice."""


def block_part(block: DocumentBlock) -> PartKind:
    """The part that a paragraph or list item is by its form; "body" for most of them."""
    text = block.text
    if block.kind not in {"paragraph", "item"}:
        return "body"
    if len(_LEADER.findall(text[:_LOOKED_AT])) >= (1 if len(text) < 160 else 3):
        return "contents"
    if _is_citation(text):
        return "references"
    if len(text) <= _SHORT and _LICENCE.search(text):
        return "licence"
    if block.kind == "paragraph" and is_footnote(text):
        return "notice"
    return "notice" if len(text) <= _SHORT and _NOTICE.search(text) else "body"


def is_notes(heading: str, blocks: Sequence[DocumentBlock]) -> bool:
    """Whether a section called "Notes" is nothing but footnotes: paragraphs with their numbers."""
    return bool(blocks and _NOTES.fullmatch(heading)) and all(
        block.kind in {"paragraph", "item"} and re.match(r"\W?\d{1,2}\W*\s*\w", block.text)
        for block in blocks
    )


_NOTES = re.compile(
    r"(?:foot|end)?notes|anmerkungen|fu(?:ß|ss)noten|notas(?: al pie)?|note", re.IGNORECASE
)


def is_footnote(text: str) -> bool:
    """Whether a paragraph is a footnote: its number is glued to its first word.

    >>> is_footnote("3To see this, note"), is_footnote("3 ships came")
    (True, False)
    """
    return _FOOTNOTE.match(text) is not None


def _is_citation(text: str) -> bool:
    """Whether a text is one entry of a list of literature."""
    if len(text) > _SHORT or not _YEAR.search(text):
        return False
    marked = bool(_CITATION_MARK.match(text))
    return (marked or bool(_AUTHORS.match(text))) and (marked or bool(_CITED.search(text)))


def is_prompt(blocks: Sequence[DocumentBlock]) -> bool:
    """Whether a section's text is a prompt to a language model: it begins by giving a role, and
    says how to answer."""
    texts = [block.text for block in blocks if block.kind in {"paragraph", "item", "code"}]
    if not texts or not _ROLE.match(texts[0]):
        return False
    return len({match[0].lower() for match in _ASKED.finditer(" ".join(texts)[:20_000])}) >= 2


@dataclass(frozen=True)
class PartRun:
    """Blocks of one section that are one part."""

    part: PartKind
    blocks: tuple[DocumentBlock, ...]


_LEAST_RUN = 3
"""Ours: entries of literature or lines of contents that are a list; fewer are examples."""


def part_runs(blocks: Sequence[DocumentBlock], headings: Collection[str] = ()) -> Iterator[PartRun]:
    """The body of a section, and after it what its forms show to be of other parts.

    Lines that are ``headings`` of the document, as ``contents_entry`` gives them, are contents. A
    section of nothing else has no body.
    """
    parts = [block_part(block) for block in blocks]
    if "licence" in parts and (
        (at := next((n for n, b in enumerate(blocks) if _COPYRIGHT.search(b.text)), None))
        is not None
    ):  # fmt: skip
        parts[at:] = ["licence"] * (len(parts) - at)
    entries = [contents_entry(block.text) in headings for block in blocks]
    if sum(entries) >= _LEAST_RUN:
        parts = ["contents" if entry else part for entry, part in zip(entries, parts, strict=True)]
    if len(set(parts)) > 1:
        leaders = sum(len(_LEADER.findall(block.text[:_LOOKED_AT])) for block in blocks)
        lines = max(leaders, sum(entries))
        for part, count in (("references", parts.count("references")), ("contents", lines)):
            if count < _LEAST_RUN:
                parts = ["body" if found == part else found for found in parts]
    for part in dict.fromkeys(["body", *parts]):
        own = tuple(block for block, found in zip(blocks, parts, strict=True) if found == part)
        if own:
            yield PartRun(part, own)
