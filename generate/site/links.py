"""Looks up the links of a site: each leads somewhere, and no page loads anything from elsewhere."""

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """What a page links to, what it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag leads to."""
        given = {name: value for name, value in attrs if value}
        if "id" in given:
            self.anchors.add(given["id"])
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        elif tag in {"img", "script", "iframe", "source"} and "src" in given:
            self.loads.add(given["src"])
        elif tag == "link" and "href" in given and given.get("rel") != "canonical":
            self.loads.add(given["href"])


def link_faults(site: Path) -> Iterator[str]:
    """Links that lead nowhere, and what would be loaded from elsewhere, one line each."""
    pages = {page: _Page(page.read_text(encoding="utf-8")) for page in sorted(site.rglob("*.html"))}
    for page, found in pages.items():
        shown = page.relative_to(site)
        for address in sorted(found.links | found.loads):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in found.loads and parts.scheme != "data":
                    yield f"{shown} loads {address}"
                continue
            yield from _fault(page, shown, address, pages, site)


def _fault(
    page: Path, shown: Path, address: str, pages: Mapping[Path, _Page], site: Path
) -> Iterator[str]:
    parts = urlsplit(address)
    path = unquote(parts.path)
    base = site if path.startswith("/") else page.parent
    target = (base / path.lstrip("/")).resolve() if path else page.resolve()
    target = target / "index.html" if target.is_dir() else target
    if not target.is_file():
        yield f"{shown} links to {address}, which is not there"
    elif (
        parts.fragment
        and target in pages
        and not parts.fragment.startswith("__")
        and unquote(parts.fragment) not in pages[target].anchors
    ):
        yield f"{shown} links to {address}: there is no such place on that page"
