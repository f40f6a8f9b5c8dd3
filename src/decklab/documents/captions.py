"""Captions: which paragraphs are captions, and which figure or table each belongs to."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from decklab.documents.model import DocumentBlock

_CAPTION = re.compile(
    r"^(?P<label>(?P<word>Figure|FIGURE|Fig|FIG|Abbildung|Abb|Chart|Scheme|Plate|Diagram|"
    r"Table|TABLE|Tab|TAB|Tabelle)"
    r"\.?\s?(?P<number>\d+(?:[.\-–]\d+)*[a-z]?|[A-Z]\.?\d+(?:\.\d+)*|[IVX]+))"
    r"\s*(?P<mark>[:.|–—-](?=\s|$)|(?=\s*$)|(?=\s+[A-Z]))\s*(?P<text>.*)$",
    re.DOTALL,
)
_TABLES = frozenset({"table", "tab", "tabelle"})


@dataclass(frozen=True)
class Caption:
    """The label of a caption, such as ``Figure 3``, its words, and what it belongs to."""

    subject: Literal["figure", "table"]
    label: str
    text: str
    marked: bool
    """Whether a colon, full stop or dash parts label and words, as in captions and hardly ever
    in sentences."""


def read_caption(text: str) -> Caption | None:
    """The caption that a paragraph is; None where it is none.

    >>> read_caption("Fig. 3: Sales by region").label
    'Fig. 3'
    >>> read_caption("Figure 3 shows the sales.") is None
    True
    """
    match = _CAPTION.match(text.strip())
    if match is None:
        return None
    subject: Literal["figure", "table"] = "figure"
    if match["word"].lower() in _TABLES:
        subject = "table"
    marked = bool(match["mark"]) or not match["text"]
    return Caption(subject, match["label"], " ".join(match["text"].split()), marked)


def attached_captions(blocks: Sequence[DocumentBlock]) -> list[DocumentBlock]:
    """Blocks with paragraphs beside a figure or table that are its caption turned into captions.

    A caption belongs to the block above it or else to that below, of its own kind and without
    another caption.
    """
    found = list(blocks)
    captioned = {(item.subject, item.index) for item in found if item.kind == "caption"}
    for number, block in enumerate(found):
        caption = read_caption(block.text) if block.kind == "paragraph" else None
        if caption is None or not caption.marked:
            continue
        for beside in (number - 1, number + 1):
            other = found[beside] if 0 <= beside < len(found) else None
            if (
                other is not None
                and other.kind == caption.subject
                and (caption.subject, other.index) not in captioned
            ):
                captioned.add((caption.subject, other.index))
                found[number] = replace(
                    block, kind="caption", index=other.index, subject=caption.subject
                )
                break
    return found
