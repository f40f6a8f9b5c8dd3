"""Sentences of a paragraph, by pysbd (rules, no model)."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from decklab.documents.extras import needed

_LANGUAGES = "en hi mr zh es am ar hy bg ur ru pl fa nl da fr my el it ja de kk sk"
_LONGEST = 20_000
"""Ours: pysbd's rules take time that grows faster than the text; more than any paragraph."""


def sentences(paragraph: str, *, language: str = "en") -> list[str]:
    """The sentences of one paragraph in order, ends stripped; none of an empty one.

    ``language`` is a two-letter code of ISO 639-1; one that pysbd does not know is read as English.
    Raises Unavailable without ``decklab[write]``.

    >>> sentences("See Fig. 3. Sales rose by 1.5 %, says Smith et al. That is all.")
    ['See Fig. 3.', 'Sales rose by 1.5 %, says Smith et al.', 'That is all.']
    """
    text = " ".join(paragraph.split())
    if len(text) > _LONGEST:
        return [part.strip() for part in re.split(r"(?<=[.!?])\s+", text) if part.strip()]
    parts = _splitter(language if language in _LANGUAGES.split() else "en").segment(text)
    return [part.strip() for part in parts if part.strip()]


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
