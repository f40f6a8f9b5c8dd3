"""The lines below the title of a title page: for whom a document is, its status, its author and its
date, as the fields at its head have them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from decklab.documents.bylines import WRITTEN_DATE
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Document
from decklab.documents.sentences import sentences
from decklab.writer.story.titles import deck_subtitle

_HEAD_BLOCKS, _FIELDS_CHARACTERS, _SUBTITLE_CHARACTERS = 10, 260, 120
"""Blocks at the beginning of a document among which its fields are, characters of such a block, and
of what stands below the title. Ours."""
_FIELDS: Final = {
    "reader": r"client|prepared for|to|report (?:to|for)|paper for|auftraggeber(?:in)?|an|für"
              r"|destinataires?|à|para|cliente|note à l[’']attention de|bericht an",
    "status": r"(?:overall )?status|overall|rag|gesamtstatus|état|estado",
    "author": r"(?:prepared|written|compiled|reported) by|author|surveyor|owner|from|inspector"
              r"|project manager|rédact(?:eur|rice)|bearbeiter(?:in)?|verfasser(?:in)?|autora?"
              r"|berichterstatter(?:in)?",
    "date": r"issued|report date|date of issue|date|stand|datum|fecha",
    "project": r"project|projekt|projet|proyecto",
    "event": r"survey date|date of event|week ending|period",
    "other": r"cc|checked|reviewed by|distribution|subject|re|event no\.?|report no\.?"
             r"|auftrag|ortstermine?|ref(?:erence)?|version|protocol|sponsor|next report|apologies",
}  # fmt: skip
_LABEL: Final = re.compile(
    r"(?:\A|(?<=[.;|·\n\s]))(?:"
    + "|".join(f"(?P<{name}>{labels})" for name, labels in _FIELDS.items())
    + r")(?:\s*[:：]\s+|\t|(?:(?<=by)|(?<=for)|(?<= de)|(?<=t an)|(?<=ending)|(?<=report to))\s)"
    r"(?=\S)",
    re.IGNORECASE,
)
_VALUE_END: Final = re.compile(
    r"\s[·|]\s|[\n\t]|[.;](?=\s|\Z)(?<!\b[A-ZÀ-Þ]\.)(?<!Dr\.)(?<!Dept\.)|\sby\s"
    r"|, (?:Sitzung|séance)\b"
)
_DATE_BEHIND: Final = re.compile(rf",?\s(?:{WRITTEN_DATE.pattern}).*\Z", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"\s*[<(]\S+@\S+[>)]")
_NAME: Final = re.compile(r"[A-ZÀ-Þ][\w.'’-]*(?:\s[A-ZÀ-Þ][\w.'’-]*){0,3}")
_LIGHT: Final = re.compile(r"\b(?:AMBER|RED|GREEN|GELB|ROT|GRÜN|ORANGE|ROUGE|VERT)\b")
_MOST_ALONE, _INITIALS = 160, 4
"""Characters of a line whose first words are no field, and of a value that is none. Ours."""
_CAPITALS: Final = re.compile(r"\b[A-ZÀ-Þ]{2,}(?:\s[A-ZÀ-Þ]{2,}){2,}\b")


@dataclass(frozen=True)
class Cover:
    """The lines below the title of a deck, and the texts of the document that they are from."""

    subtitle: str = ""
    author: str = ""
    date: str = ""
    texts: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Field:
    name: str
    label: str
    value: str

    @property
    def whole(self) -> str:
        return f"{self.label}{self.value}"


def cover_of(sources: KnowledgeBase, title: str) -> Cover:
    """The lines of the title page of a deck with a title about its only document."""
    first, *rest = sources.documents
    known = deck_subtitle(sources, title)
    if rest:
        return Cover(known)
    head = {text: [*_fields_of(text)] for text in _head_texts(first)}
    found: dict[str, _Field] = {}
    for field in (field for fields in head.values() for field in fields):
        found.setdefault(field.name, field)
    status = found.get("status")
    light = status.whole if status and _LIGHT.search(status.value) else ""
    told = (found[name].whole for name in ("reader", "event") if name in found)
    project = found["project"].value if "project" in found else ""
    lines = (light, project or known, *told)
    parts = [part for part in lines if part and part not in title]
    while len(" · ".join(parts)) > _SUBTITLE_CHARACTERS:
        parts.pop()
    subtitle = " · ".join(parts)
    author = first.author or (found["author"].value if "author" in found else "")
    stated = found["date"].value if "date" in found else ""
    texts = [stated, first.date, *(text for text, fields in head.items() if fields)]
    written = (match[0] for match in map(WRITTEN_DATE.search, texts) if match)
    others = (date for date in written if date not in subtitle)
    date = next(others, "" if first.date in subtitle else first.date or stated)
    used = (text for text, fields in head.items() if {field.name for field in fields} - {"status"})
    return Cover(subtitle, f"{author[:1].upper()}{author[1:]}", date, tuple(used))


def calm(text: str) -> str:
    """A text whose words in capital letters are as in a sentence, if several stand together.

    >>> calm("ACTA DE LA JUNTA GENERAL celebrada en 2025"), calm("Use of the NHS")
    ('Acta de la junta general celebrada en 2025', 'Use of the NHS')
    """
    lowered = _CAPITALS.sub(lambda found: found[0].lower(), text)
    return lowered[:1].upper() + lowered[1:]


def _head_texts(document: Document) -> Iterator[str]:
    """The sentences and rows at the head of a document, before its first section."""
    titled = begun = False
    for block in document.blocks[:_HEAD_BLOCKS]:
        if block.kind == "heading":
            if titled and begun:
                return
            titled = True
        elif block.kind == "table":
            yield from block.text.splitlines()
        elif block.kind in ("paragraph", "code"):
            begun = True
            told = [text for line in block.text.splitlines() for text in sentences(line)]
            yield from told if len(block.text) <= _FIELDS_CHARACTERS else told[:1]


def _fields_of(text: str) -> Iterator[_Field]:
    """The fields of a line."""
    found = [*_LABEL.finditer(text)]
    if not found or (found[0].start() and (len(text) > _MOST_ALONE or ":" not in found[0][0])):
        return
    found = [label for label in found if label.start() == 0 or label[0][0].isupper()]
    for at, label in enumerate(found):
        name = next(name for name in _FIELDS if label[name])
        end = found[at + 1].start() if at + 1 < len(found) else len(text)
        colon = ":" in label[0] or "\t" in label[0]
        value = _ADDRESS.sub("", _VALUE_END.split(text[label.end() : end])[0]).strip(" ,;.")
        value = value if name in ("date", "event") else _DATE_BEHIND.sub("", value)
        if name == "author" and not colon:
            named = _NAME.match(value)
            value = named[0] if named else ""
        words = label[name].capitalize() if label[name].isupper() else label[name]
        dated = name != "date" or any(map(str.isdigit, value))
        if (name == "date" or len(value) > _INITIALS) and dated and name != "other":
            yield _Field(name, f"{words}{': ' if colon else ' '}", value)
