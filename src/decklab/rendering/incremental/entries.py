"""What the cache keeps of slides: the PDFs that LibreOffice wrote, and which page is which slide.

A PDF is kept whole, because LibreOffice's pages share their fonts and pictures: pages taken apart
take thirty times the room. For each slide there is a small entry that names the PDF and the page.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from decklab.rendering.cache import Cache

__all__ = ["PageOf", "known_pages", "remember"]


@dataclass(frozen=True)
class PageOf:
    """One page of a PDF."""

    name: str
    """The cache's key of the PDF."""
    pdf: bytes
    page: int
    """From 0."""


def known_pages(cache: Cache, keys: Iterable[str]) -> dict[str, PageOf]:
    """The pages that the cache holds for slides of these keys."""
    pdfs: dict[str, bytes | None] = {}
    found = {}
    for key in dict.fromkeys(keys):
        place = _place(cache.get(key))
        if place is None:
            continue
        name, page = place
        if name not in pdfs:
            pdfs[name] = cache.get(name)
        pdf = pdfs[name]
        if pdf is not None:
            found[key] = PageOf(name, pdf, page)
    return found


def remember(cache: Cache, name: str, pdf: bytes, pages: Mapping[str, int]) -> None:
    """Keep a PDF under ``name``, and for each slide's key the page of it that shows the slide."""
    if cache.put(name, pdf):
        for key, page in pages.items():
            cache.put(key, json.dumps({"pdf": name, "page": page}).encode())


def _place(entry: bytes | None) -> tuple[str, int] | None:
    if entry is None:
        return None
    try:
        said: Any = json.loads(entry)
    except ValueError:
        return None
    if not isinstance(said, dict):
        return None
    name, page = said.get("pdf"), said.get("page")
    return (name, page) if isinstance(name, str) and isinstance(page, int) else None
