"""Other forms of a deck's report: Markdown, PDF, a card to share and a badge."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from decklab.core.files import scratch_folder, write_whole
from decklab.core.options import ReportForm
from decklab.rendering.browser import Browser, chromium_program, playwright_api
from decklab.scoring.journal import JournalEntry
from decklab.scoring.reports.cards import CARD_SIZE, score_badge, score_card
from decklab.scoring.reports.markdown import markdown_report

FORM_FILES: Final[dict[ReportForm, tuple[str, ...]]] = {
    "md": (".md",),
    "pdf": (".pdf",),
    "card": ("-card.svg", "-card.png"),
    "badge": ("-badge.svg",),
}
"""Ends of the file names of each form, beside the page of the deck."""

_DRAWN: Final = frozenset({"pdf", "card"})
_SECONDS = 120.0


def check_forms(out: Path, forms: Collection[ReportForm]) -> None:
    """Raises RendererMissing if a form needs a Chromium that is not here."""
    if not _DRAWN.isdisjoint(forms):
        chromium_program(out)
        playwright_api(out)


def form_names(page: str, forms: Iterable[ReportForm]) -> Iterator[str]:
    """The names of the files of ``forms`` beside the page of that name.

    >>> list(form_names("talk.html", ["card", "md"]))
    ['talk-card.svg', 'talk-card.png', 'talk.md']
    """
    stem = page.removesuffix(".html")
    return (f"{stem}{end}" for form in forms for end in FORM_FILES[form])


def write_forms(folder: Path, entry: JournalEntry, forms: Collection[ReportForm]) -> None:
    """Write ``forms`` of a deck's report beside its page in ``folder``; nothing without a page."""
    if entry.page is None:
        return
    stem = folder / entry.page.removesuffix(".html")
    if "md" in forms:
        write_whole(stem.with_name(f"{stem.name}.md"), markdown_report(entry.result).encode())
    if "badge" in forms:
        write_whole(stem.with_name(f"{stem.name}-badge.svg"), score_badge(entry.result).encode())
    if "card" in forms:
        card = score_card(entry.result, entry.cover)
        write_whole(stem.with_name(f"{stem.name}-card.svg"), card.encode())
        write_whole(stem.with_name(f"{stem.name}-card.png"), _pictured(card))
    if "pdf" in forms:
        write_whole(stem.with_name(f"{stem.name}.pdf"), _printed(folder / entry.page))


def _printed(page: Path) -> bytes:
    browser = Browser(page, deadline=_SECONDS)
    try:
        return browser.pdf()
    finally:
        browser.close()


def _pictured(card: str) -> bytes:
    with scratch_folder("card") as folder:
        page = folder / "card.html"
        page.write_text(f'<!doctype html><body style="margin:0">{card}', encoding="utf-8")
        browser = Browser(page, deadline=_SECONDS)
        try:
            width, height = CARD_SIZE
            return browser.screenshot({"x": 0, "y": 0, "width": width, "height": height})
        finally:
            browser.close()
