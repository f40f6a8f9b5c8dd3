"""Sentences of a paragraph, by pysbd (rules, no model)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from decklab.documents.extras import needed

_LANGUAGES = "en hi mr zh es am ar hy bg ur ru pl fa nl da fr my el it ja de kk sk"
_LONGEST = 20_000
"""Ours: pysbd's rules take time that grows faster than the text; more than any paragraph."""
_EAST_ASIAN = re.compile(r"(?<=[。！？])(?![」』）”’。！？])|(?<=[。！？][」』）”’])")
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
"""East Asian letters and marks, which are as wide as two others."""
_SHORTENED = re.compile(r"\d\s(?:Mio|Mrd|Tsd)\.\Z")
_NEVER_LAST = re.compile(
    r"\b(?:(?:tel|telef|fax|mob|tlf|tél)\. \d|(?:incl|excl|inkl|exkl|zzgl|bzw|approx)\. \S)\Z",
    re.IGNORECASE,
)
"""An abbreviation that ends no sentence before what follows it."""
_NAME_TITLE = re.compile(r"(?:\b(?:Prof|Dr|Hr|Fr|Dipl|Mag)|-Ing)\.\Z")
"""A person's title, before "-Ing." or the name."""
_NUMBER_TORN = re.compile(r"(\d{1,3}\.)\s+(?=[^\W\d_a-zß-ÿ])")
"""A number that ends a sentence, which pysbd takes for that of a list."""
_EVIDENT = re.compile(
    r"(?:[A-Za-zÀ-ÖØ-öø-ÿ0-9 ,;:%&\-–—$€+=#*_@.()/]|(?<=[A-Za-z])['’](?=[A-Za-z]))*\Z"
)
_STOP = re.compile(r"(?<![^\s(-])([a-zà-öø-ÿ]{3,})\.(?= [A-Z][a-z]|\Z)|(?<=\d)\.(?=\d)")
_UNCLEAR = re.compile(r"\b(?:\d{1,3}|[A-Za-z]{1,4})\)|\([^)]*(?:[.(]|\Z)|^[^(]*\)")
"""Letters of lists ("b)"), stops in brackets, and brackets without the other one."""
_MID_SENTENCE = re.compile(r"\b(?:an?|the|in|of|at|to|by|ein(?:e[mnr]?)?|de[mnrs]?)\s[a-zß-ÿ]+\Z")
"""The end of a part whose noun a number follows: "in a force"."""
_NUMBER_ALONE = re.compile(r"[\d.,%]+\Z")
_BEGINS = re.compile(r"(?:Das|Der|Die|Ein|Eine|Es|Im|In|Er|Sie|Wir|Damit|Dazu|Davon|Auch)\b")
"""Words with which a German sentence begins, where "Mio." ends the one before."""


def sentences(paragraph: str, *, language: str = "en") -> list[str]:
    """The sentences of one paragraph in order, ends stripped; none of an empty one.

    ``language`` is a two-letter code of ISO 639-1; one that pysbd does not know is read as English.
    Raises Unavailable without ``decklab[write]``.

    >>> sentences("See Fig. 3. Sales rose by 1.5 %, says Smith et al. That is all.")
    ['See Fig. 3.', 'Sales rose by 1.5 %, says Smith et al.', 'That is all.']
    >>> sentences("As Smith et al. [2014] say, sales rose.")
    ['As Smith et al. [2014] say, sales rose.']
    """
    text = " ".join(paragraph.split())
    if "。" in text:
        return [part.strip() for part in _EAST_ASIAN.split(text) if part.strip()]
    if len(text) > _LONGEST:
        return [part.strip() for part in re.split(r"(?<=[.!?])\s+", text) if part.strip()]
    known = language if language in _LANGUAGES.split() else "en"
    evident = _evident(text) if known == "en" else None
    if evident is not None:
        return evident
    splitter = _splitter(known)
    parts = _joined(_found(text, splitter.processor(text).process()) if text else [])
    return _with_ordinals(parts) if known == "de" else parts


def _with_ordinals(parts: Sequence[str]) -> list[str]:
    """Parts of a German text, joined again where a date or a number with a stop was taken for an
    end: "vor dem 16.2. geschult", "am 16. und 17. suche"."""
    whole: list[str] = []
    for part in parts:
        torn = whole and (not whole[-1].endswith((".", "!", "?", ":")) or (
            part[0].islower() and re.search(r"\d\.\Z", whole[-1])
        ))  # fmt: skip
        if torn:
            whole[-1] = f"{whole[-1]} {part}"
        else:
            whole.append(part)
    return whole


def _evident(text: str) -> list[str] | None:
    """The sentences of an English text in which every stop ends a word that is no abbreviation,
    before a capital letter, or stands in a number; None for any other text.

    It is what pysbd gives for such a text, in a twentieth of the time.
    """
    if not _EVIDENT.match(text) or _UNCLEAR.search(text):
        return None
    stops = list(_STOP.finditer(text))
    if len(stops) != text.count("."):
        return None
    ends = [stop.end() for stop in stops if stop[1]]
    if not _abbreviations().isdisjoint(stop[1] for stop in stops if stop[1]):
        return None
    parts = (text[start:end].strip() for start, end in pairwise((0, *ends, len(text))))
    return [part for part in parts if part]


@lru_cache(maxsize=1)
def _abbreviations() -> frozenset[str]:
    """Of English, as pysbd knows them."""
    found = _splitter("en").language_module.Abbreviation.ABBREVIATIONS
    return frozenset(word.lower() for word in found)


def _found(text: str, parts: Sequence[str]) -> Iterator[str]:
    """The parts that stand in a text, one after the other: what pysbd's ``segment`` gives, which
    takes twice the time, since it compiles a pattern for each part."""
    past = 0
    for part in parts:
        start = text.find(part, max(0, past - len(part)))
        while start >= 0:
            end = start + len(part)
            end += text[end : end + 1] == " "
            if end > past:
                past = end
                yield part.strip()
                break
            start = text.find(part, start + 1)


def _joined(parts: Iterable[str]) -> list[str]:
    """The parts without empty ones; what goes on after "5 Mio.", and a number alone, are joined to
    the part before."""
    found: list[str] = []
    for part in filter(None, parts):
        goes_on = _SHORTENED.search(found[-1]) and not _BEGINS.match(part) if found else False
        goes_on = goes_on or bool(found and _NEVER_LAST.search(f"{found[-1]} {part[0]}"))
        goes_on = goes_on or bool(found and part[0] == "[" and found[-1].endswith(" al."))
        titled = found and _NAME_TITLE.search(found[-1])
        torn = _NUMBER_TORN.match(part) if found and _MID_SENTENCE.search(found[-1]) else None
        if torn:
            found[-1] = f"{found[-1]} {torn[1]}"
            found.append(part[torn.end() :])
        elif titled:
            found[-1] += part if part[0] == "-" else f" {part}"
        elif found and (goes_on or _NUMBER_ALONE.match(part)):
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return found


@lru_cache(maxsize=4)
def _splitter(language: str) -> Any:
    return needed("pysbd", "splitting text into sentences").Segmenter(
        language=language, clean=False
    )


def sentence_at(paragraph: str, start: int, parts: Sequence[str]) -> str:
    """The one of a paragraph's sentences ``parts`` that holds its character ``start``.

    >>> sentence_at("One.  Two 2.", 10, ["One.", "Two 2."])
    'Two 2.'
    """
    place = len(" ".join(paragraph[:start].split()))
    past = 0
    for part in parts:
        past += len(part) + 1
        if place < past:
            return part
    return parts[-1] if parts else ""


def word_count(text: str) -> int:
    """How many words a text has; two letters of Chinese, Japanese or Korean count as one.

    >>> word_count("The crane costs more"), word_count("港口有工人")
    (4, 2)
    """
    wide = len(_WIDE.findall(text))
    return len(_WIDE.sub(" ", text).split()) + wide // 2


def text_width(text: str) -> int:
    """How long a text is in Latin letters; those of East Asia are as wide as two.

    >>> text_width("crane"), text_width("港口")
    (5, 4)
    """
    return len(text) + len(_WIDE.findall(text))
