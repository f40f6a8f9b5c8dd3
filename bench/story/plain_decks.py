"""Decks to compare with: a heading with its first sentences a slide, and what pandoc makes."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

from bench.story.shown import Shown
from bench.story.source import Source
from bench.story.words import word_count
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.rendering.opening import open_rendered

WORDS: Final = 60
"""The words that a slide of first sentences holds at most, as in the contract of a body slide."""
_PANDOC_READS: Final = {".md": "markdown", ".docx": "docx", ".html": "html", ".txt": "markdown"}
_PANDOC_SECONDS: Final = 60
_SMALL: Final = (480, 270)
_FRAME: Final = Box(0, 0, FRAME_WIDTH, FRAME_HEIGHT)


def first_sentences(source: Source, slides: int) -> list[Shown]:
    """A title slide, then a slide for each section with its first sentences, ``slides`` in all.

    The first sentence stands whole even if it is longer than ``WORDS``.
    """
    deck = [Shown(source.headings[0] if source.headings else "")]
    for section in source.filled[: max(0, slides - 1)]:
        texts: list[str] = []
        for unit in section.units:
            if texts and sum(map(word_count, texts)) + word_count(unit) > WORDS:
                break
            texts.append(unit)
        deck.append(Shown(section.heading, texts))
    return deck[:slides]


def pandoc_slides(path: Path, out: Path) -> list[Shown] | None:
    """The slides of the deck that pandoc makes of a document, which is left in ``out``, with the
    words that LibreOffice draws on them: pandoc does not part what runs off a slide.

    None if pandoc is not installed, does not read this kind, or fails.
    """
    kind = _PANDOC_READS.get(path.suffix.lower())
    if kind is None or shutil.which("pandoc") is None:
        return None
    target = out / f"{path.stem}-pandoc.pptx"
    command = ["pandoc", "--from", kind, "--output", str(target.resolve()), str(path.resolve())]
    try:
        subprocess.run(command, cwd=path.parent, check=True, timeout=_PANDOC_SECONDS)
    except subprocess.SubprocessError:
        return None
    with open_rendered(target, size=_SMALL, ocr=False) as drawn:
        return [
            Shown(texts=[" ".join(span.text for span in slide.spans if _is_on_slide(span.box))])
            for slide in drawn
        ]


def _is_on_slide(box: Box) -> bool:
    return (
        box.top >= 0 and box.left >= 0 and box.bottom <= FRAME_HEIGHT and box.right <= FRAME_WIDTH
    )
