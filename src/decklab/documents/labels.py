"""Paragraphs that are the items of a list: with typed numbers, headings run in, or under terms.

``Cost. The event cost 1.2 million`` begins with a heading that its paragraph goes on behind. The
rules are ours, and for text alone; what is bold is known to the readers only.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby, pairwise, takewhile
from typing import Final

from decklab.documents.model import DocumentBlock

_NUMBERED: Final = re.compile(r"\(?(?P<number>\d{1,2}|[a-z])[.)]\s+\S")
_DASHED: Final = re.compile(r"[—–•·*-]\s+\S|[A-Z]{2,3} [–—-] \S")
_LABEL: Final = re.compile(
    r"(?P<code>[A-Z]{1,2}\d{1,3}(?:\\?\*)?[.:)]\s+)?(?P<name>[A-ZÀ-Þ][^.!?:;,]{1,58})\.\s+"
    r"(?P<rest>[\"“(]?[A-ZÀ-Þ\d$€£].*)",
    re.DOTALL,
)
_SENTENCE: Final = re.compile(
    r"\A(?:we|it|he|she|they|i|you|this|that|these|there|nobody|everybody|no one|es|sie|er|wir|il|"
    r"elle|nous)\b|\b(?:is|are|was|were|has|have|had|can|could|will|would|must|may|should|do|does|"
    r"did|ist|sind|war|hat|wird|est|sont|était|es|son|fue)\b",
    re.IGNORECASE,
)
_INSIDE: Final = re.compile(r"(?<=[:;,.])\s*\((?P<key>[a-h])\)(?=\s+\S+\s\S)")
_STOP: Final = re.compile(r"[.!?](?=\s+[^\W\d_a-zß-ÿ])")
_LEAST_TERMS, _TERM = 3, 48
"""Ours: terms of a section that are a list, and characters of one."""
_MOST_WORDS, _LEAST_REST, _LEAST_RUN, _ITEM_WORDS = 4, 5, 2, 20
"""Ours: words of a heading run in that has no number, words behind it, items of a list, and words
of an item at the mean; longer paragraphs stay, for they are sections rather."""


def with_items(blocks: Sequence[DocumentBlock]) -> list[DocumentBlock]:
    """Blocks of which those that follow each other as the items of a list are items; a heading run
    in, and a term that stands over its meaning, ends with a colon then."""
    blocks = list(_with_terms([*chain.from_iterable(map(_parted_items, blocks))]))
    found = list(blocks)
    for run in (*_numbered_runs(blocks), *_dashed_runs(blocks)):
        for at in run:
            found[at] = replace(found[at], kind="item", level=1)
    for labelled, group in groupby(enumerate(blocks), lambda item: _labelled(item[1])):
        run = [at for at, _ in group]
        words = sum(len(blocks[at].text.split()) for at in run)
        if labelled and len(run) >= _LEAST_RUN and words <= _ITEM_WORDS * len(run):
            for at in run:
                found[at] = replace(found[at], kind="item", text=_with_colon(found[at]), level=1)
    return found


def _dashed_runs(blocks: Sequence[DocumentBlock]) -> Iterator[list[int]]:
    """The places of paragraphs that begin with a typed dash or bullet, or with the initials of who
    has to do them, two or more together."""
    for dashed, group in groupby(enumerate(blocks), lambda item: bool(_DASHED.match(item[1].text))):
        run = [at for at, _ in group]
        if dashed and len(run) >= _LEAST_RUN and blocks[run[0]].kind == "paragraph":
            yield run


def _parted_items(block: DocumentBlock) -> list[DocumentBlock]:
    """The items of a list that were read as one, or that stand in a paragraph behind a colon:
    "Options: (a) a new engine; (b) a repair"."""
    if block.kind == "item":
        return [replace(block, text=text) for text in block.text.split(" • ") if text.strip()]
    inside = list(_INSIDE.finditer(block.text)) if block.kind == "paragraph" else []
    counted = [found["key"] for found in inside] == [*"abcdefgh"][: len(inside)]
    if len(inside) < _LEAST_RUN or not counted or block.text[: inside[0].start()][-1:] != ":":
        return [block]
    ends = [found.start() for found in inside[1:]]
    stop = _STOP.search(block.text, inside[-1].end())
    ends.append(stop.end() if stop else len(block.text))
    items = [
        replace(block, kind="item", text=block.text[found.start() : end].strip(" ;"), level=1)
        for found, end in zip(inside, ends, strict=True)
    ]
    rest = block.text[ends[-1] :].strip()
    after = [replace(block, text=rest)] if rest else []
    return [replace(block, text=block.text[: inside[0].start()].strip()), *items, *after]


def _with_terms(blocks: Sequence[DocumentBlock]) -> Iterator[DocumentBlock]:
    """Blocks with each line of code that stands over its meaning, as an option or a constant does,
    as the beginning of that; of a section that has several of these."""
    for _, group in groupby(blocks, lambda block: block.kind == "heading"):
        section = list(group)
        above = [DocumentBlock("heading", ""), *section]
        terms = {
            at for at, (block, meaning) in enumerate(pairwise(section))
            if _is_term(block) and meaning.kind == "paragraph" and not meaning.text[:1].islower()
            and not above[at].text.rstrip().endswith((":", "："))
        }  # fmt: skip
        codes = sum(block.kind == "code" for block in section)
        listed = len(terms) >= _LEAST_TERMS and 2 * len(terms) > codes
        for at, block in enumerate(section):
            if listed and at - 1 in terms:
                text = f"{section[at - 1].text.strip()}: {block.text}"
                yield replace(block, kind="item", text=text, level=1)
            elif not (listed and at in terms):
                yield block


def _is_term(block: DocumentBlock) -> bool:
    text = block.text.strip()
    return (
        block.kind == "code" and "\n" not in text and len(text) <= _TERM and text[-1:] not in ";{:"
    )


def _numbered_runs(blocks: Sequence[DocumentBlock]) -> Iterator[list[int]]:
    """The places of paragraphs, items, and headings that are sentences, with numbers that count on
    from 1."""
    run: list[int] = []
    for at, number in enumerate([*map(_number, blocks), 0]):
        if run and number == len(run) + 1 and run[-1] == at - 1:
            run.append(at)
            continue
        if len(run) >= _LEAST_RUN and not _are_clauses(run, blocks):
            yield run
        run = [at] if number == 1 else []


def _are_clauses(run: Sequence[int], blocks: Sequence[DocumentBlock]) -> bool:
    """Whether long paragraphs with numbers are all those of a document: the next section goes on
    with their numbers."""
    below = [*takewhile(lambda block: not _number(block), blocks[run[-1] + 1 :])]
    goes_on = _number(next(iter(blocks[run[-1] + 1 + len(below) :]), blocks[0])) == len(run) + 1
    words = sum(len(blocks[at].text.split()) for at in run)
    headed = any(block.kind == "heading" for block in below)
    return goes_on and headed and words > _ITEM_WORDS * len(run)


def _number(block: DocumentBlock) -> int:
    numbered = _NUMBERED.match(block.text)
    sentence = block.kind == "heading" and block.text.rstrip().endswith((".", ";"))
    if numbered is None or not (sentence or block.kind in ("paragraph", "item")):
        return 0
    number = numbered["number"]
    return int(number) if number.isdecimal() else ord(number) - ord("a") + 1


def _labelled(block: DocumentBlock) -> bool:
    label = _LABEL.match(block.text) if block.kind == "paragraph" else None
    if label is None or len(label["rest"].split()) < _LEAST_REST:
        return False
    short = len(label["name"].split()) <= _MOST_WORDS
    return bool(label["code"]) or (short and _SENTENCE.search(label["name"]) is None)


def _with_colon(block: DocumentBlock) -> str:
    label = _LABEL.match(block.text)
    if label is None:
        return block.text
    code = (label["code"] or "").replace("\\*", "").replace("*", "")
    return f"{code}{label['name']}: {label['rest']}"
