"""The page that shows all designs with somebody's slides."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

from decklab.board.themes import THEMES
from decklab.core.errors import PlanError
from decklab.core.files import NameTaken
from decklab.writer import design_page
from decklab.writer.design_page import write_design_page

SLIDES = """# A gala for the harbour

## <b>Who</b> comes

- Two hundred guests
- Nine speakers
"""


class _Page(HTMLParser):
    def __init__(self, page: Path) -> None:
        super().__init__()
        self.pictures: list[str] = []
        self.headings: list[str] = []
        self._in = ""
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in = tag
        if tag == "img":
            self.pictures.append(dict(attrs)["src"] or "")

    def handle_data(self, data: str) -> None:
        if self._in == "h2":
            self.headings.append(data.strip())


def two(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    monkeypatch.setattr(design_page, "THEMES", {name: THEMES[name] for name in names})


@pytest.mark.long
def test_each_design_is_drawn_with_the_first_slides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two(monkeypatch, "midnight", "poster")
    source, out = tmp_path / "talk.md", tmp_path / "designs.html"
    source.write_text(SLIDES)
    assert write_design_page(out, source, slides=1) == "midnight"
    page = _Page(out)
    assert page.headings[0] == "midnight" and "poster" in page.headings
    assert len(page.pictures) == 2 and len(set(page.pictures)) == 2
    assert all(address.startswith("data:image/jpeg;base64,") for address in page.pictures)
    assert "suits this topic" in out.read_text() and "<b>Who</b>" not in out.read_text()
    write_design_page(out, source, slides=1)  # a page of decklab's own is made anew


def test_a_file_that_is_no_such_page_stays(tmp_path: Path) -> None:
    out = tmp_path / "designs.html"
    out.write_text("mine")
    with pytest.raises(NameTaken):
        write_design_page(out)
    assert out.read_text() == "mine"


def test_a_source_without_slides_is_one_clear_line(tmp_path: Path) -> None:
    source = tmp_path / "empty.md"
    source.write_text("")
    with pytest.raises(PlanError, match=r"empty\.md"):
        write_design_page(tmp_path / "designs.html", source)
    assert not (tmp_path / "designs.html").exists()
