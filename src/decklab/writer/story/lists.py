"""Lists of a section that a reader takes as one: numbered steps, and lists under a line that
announces them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Final

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentBlock
from decklab.documents.sections import DocumentSection
from decklab.documents.sentences import sentences, word_count
from decklab.documents.shortening import point_text
from decklab.writer.outline import Evidence, OutlinePoint

_STEP: Final = re.compile(r"^\(?(\d{1,2})[.)]\s+")
_LEAST_STEPS, _MOST_STEPS = 3, 10
_STEP_NAME: Final = 60
_STEP_END: Final = re.compile(
    r"[:,;]\s+|\s+(?=\()|\s[–—]\s|\s+(?=(?:and|und|et|y|so that|in)\s)"
)
_HEADING_WORDS: Final = 10
_LEAST_ITEMS: Final = 2
_LEAST_BESIDE: Final = 60
"""Words of a line that stands over a list as a heading does, items of such a list, and words of the
section beside it, without which it needs no heading. Ours."""
_CAPITALS: Final = re.compile(
    r"(?P<number>\d{1,2}[.)]\s+)?(?P<name>[A-ZÀ-Þ][A-ZÀ-Þ&/' -]{1,50}[A-ZÀ-Þ])(?:\s+\([^()]{2,40}\))?\s*:?\Z"
)
_DEEPEST: Final = 6
_NAMES: Final = re.compile(
    r"(?:what|how|why|when|who|where|was|wie|warum|wer|que|quoi|comment|pourquoi|qué|cómo|quién)\b",
    re.IGNORECASE,
)


def with_announced_lists(section: DocumentSection) -> Iterator[DocumentSection]:
    """A section, and as sections of their own what stands below its lines in capitals, and its
    lists under a line that names them as a heading does ("What I need from you by 20 March:"); a
    list that fills no page is left where it is."""
    if section.is_apparatus:
        yield section
        return
    cuts = [at for at, block in enumerate(section.blocks) if _is_capitals(block)]
    first = cuts[0] if cuts else None
    yield from _with_lists(replace(section, blocks=section.blocks[:first]))
    for start, end in pairwise([*cuts, len(section.blocks)]):
        name = _CAPITALS.match(section.blocks[start].text)
        assert name is not None, "only such blocks were taken"
        yield from _with_lists(
            replace(section, heading=name["name"].capitalize(), level=section.level if section.heading else _DEEPEST,
                    blocks=section.blocks[start + 1 : end])
        )  # fmt: skip


def _is_capitals(block: DocumentBlock) -> bool:
    found = _CAPITALS.match(block.text.strip())
    return found is not None and (block.kind == "paragraph" or bool(found["number"]))


def _with_lists(section: DocumentSection) -> Iterator[DocumentSection]:
    blocks = section.blocks
    named = [
        (at, at + 1 + len(items))
        for at, block in enumerate(blocks)
        if _is_heading(block)
        and len(items := [*takewhile(lambda one: one.kind == "item", blocks[at + 1 :])])
        >= _LEAST_ITEMS
    ]
    inside = {at for start, end in named for at in range(start, end)}
    rest = tuple(block for at, block in enumerate(blocks) if at not in inside)
    beside = sum(word_count(block.text) for block in rest if block.kind == "paragraph")
    if not named or (len(named) == 1 and beside < _LEAST_BESIDE):
        yield section
        return
    yield replace(section, blocks=rest)
    for start, end in named:
        name = blocks[start].text.strip().rstrip(" .:：")
        yield replace(
            section, heading=name, level=section.level + 1, path=(*section.path, name),
            blocks=blocks[start + 1 : end],
        )  # fmt: skip


def _is_heading(block: DocumentBlock) -> bool:
    """Whether a paragraph is a short line that names what follows, and no sentence of its own."""
    text = block.text.strip()
    if block.kind != "paragraph" or not text.endswith((":", "：", ".")):
        return False
    if word_count(text) > _HEADING_WORDS or len(sentences(text)) > 1:
        return False
    return _NAMES.match(text) is not None


def numbered_steps(section: DocumentSection, sources: KnowledgeBase) -> tuple[OutlinePoint, ...]:
    """The first numbered list of a section as steps; none where an item has no short name.

    The name of a step is its first sentence, what it means the second.
    """
    steps: list[OutlinePoint] = []
    for block in section.blocks:
        if block.kind == "code":  # what a step shows
            continue
        marker = _STEP.match(block.text) if block.kind == "item" else None
        if marker is None or int(marker[1]) != len(steps) + 1:
            if len(steps) >= _LEAST_STEPS:
                break
            steps = []
            continue
        step = _step(section.document, block, block.text[marker.end() :], sources)
        if step is None:
            return ()
        steps.append(step)
    return tuple(steps) if _LEAST_STEPS <= len(steps) <= _MOST_STEPS else ()


def _step(
    document: str, block: DocumentBlock, text: str, sources: KnowledgeBase
) -> OutlinePoint | None:
    first, *rest = sentences(text) or [""]
    name, more = point_text(first).rstrip(" :："), ""
    if len(name) > _STEP_NAME:
        name, more = _parted(name)
    if not name or sources.find_quote(first) is None:
        return None
    meaning = ". ".join(filter(None, (more, point_text(" ".join(rest)) if rest else "")))
    evidence = tuple(
        Evidence(document=document, page=block.page, quote=quote)
        for quote in (first, *(rest if meaning else []))
        if sources.find_quote(quote) is not None
    )
    return OutlinePoint(text=meaning or name, label=name, evidence=evidence)


def _parted(name: str) -> tuple[str, str]:
    """A long name of a step up to the last mark that leaves a short one, and what follows; empty
    where there is no such mark."""
    marks = [found for found in _STEP_END.finditer(name) if found.start() <= _STEP_NAME]
    if not marks:
        return "", ""
    end = next((found for found in marks if found[0][0] == ":"), marks[-1])
    return name[: end.start()], name[end.end() :]
