"""Every text of a deck, against a walk of the zip file with regular expressions."""

import re
from collections import Counter
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from pptx import Presentation

from decklab.deck.deck import write_samples
from decklab.editing.every_text import (
    SHOWN_KINDS,
    TextKind,
    every_text,
    left_out,
    replace_everywhere,
    set_texts,
)
from decklab.editing.finding import EditError
from decklab.editing.opening import opened, saved
from decklab.editing.replacing import OBJECT, word_pattern

SHOWN_PARTS = re.compile(
    r"ppt/(slides/slide|notesSlides/notesSlide|charts/chart|diagrams/data)\d*\.xml"
)
FIELD = re.compile(rb"<a:fld\b.*?</a:fld>", re.DOTALL)
PARAGRAPH = re.compile(rb"<a:p>.*?</a:p>|<a:p [^>]*>.*?</a:p>", re.DOTALL)
PIECE = re.compile(rb"<a:t(?: [^>]*)?>([^<]*)</a:t>|<a:br\b|<a:fld\b", re.DOTALL)
DESCRIPTION = re.compile(rb'<p:cNvPr [^>]*?\bdescr="([^"]+)"')


def shown_texts(deck: Path) -> Counter[str]:
    """Paragraphs with words and alternative texts of slides, notes, charts and diagrams."""
    found: Counter[str] = Counter()
    with ZipFile(deck) as held:
        for name in held.namelist():
            if not SHOWN_PARTS.fullmatch(name):
                continue
            data = held.read(name)
            texts = [_words(item) for item in PARAGRAPH.findall(data)]
            texts += [unescape(item.decode()) for item in DESCRIPTION.findall(data)]
            found.update(text for text in texts if text.replace(OBJECT, "").strip())
    return found


def _words(paragraph: bytes) -> str:
    plain = FIELD.sub(b"<a:fld/>", paragraph)
    words = ""
    for match in PIECE.finditer(plain):
        if match[1] is not None:
            words += unescape(match[1].decode())
        else:
            words += "\n" if match[0].startswith(b"<a:br") else OBJECT
    return words


@pytest.fixture(scope="session")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample deck with something of everything."""
    paths = write_samples(tmp_path_factory.mktemp("samples"))
    return next(path for path in paths if path.name == "rich.pptx")


def found_texts(deck: Path) -> Counter[str]:
    kinds: tuple[TextKind, ...] = (
        "text", "table", "chart", "diagram", "notes", "alt text", "footer"
    )  # fmt: skip
    cell = re.compile(r"/chart/[^p]")
    return Counter(
        place.text
        for place in every_text(opened(deck), kinds=kinds)
        if not cell.search(place.id) and not place.id.endswith("/title")
    )


def test_what_the_file_shows_is_found_once_each(rich: Path, deck_file: Path) -> None:
    for deck in (rich, deck_file):
        expected = shown_texts(deck)
        assert sum(expected.values()) > 10
        assert found_texts(deck) == expected


@pytest.mark.shared
@pytest.mark.parametrize(
    "name",
    [
        "real/test-data_slideshow_aptia.pptx",
        "real/test-data_slideshow_keyframes.pptx",
        "features/test-data_slideshow_SmartArt.pptx",
        "features/shared-fixtures_real-financial-report.pptx",
    ],
)
def test_what_real_files_show_is_found(shared: Path, name: str) -> None:
    deck = shared / "decks" / name
    assert found_texts(deck) == shown_texts(deck)


def test_ids_are_of_one_text_each_and_equal_on_every_opening(rich: Path) -> None:
    first = every_text(opened(rich))
    assert first == every_text(opened(rich))
    assert len({place.id for place in first}) == len(first)
    assert {place.kind for place in first} <= set(SHOWN_KINDS)


@pytest.mark.long
def test_every_text_can_be_turned_round_and_back(rich: Path, tmp_path: Path) -> None:
    prs = opened(rich)
    before = {place.id: place.text for place in every_text(prs)}
    turned = {id: "\n".join(line[::-1] for line in text.split("\n"))
              for id, text in before.items()}  # fmt: skip
    changed = set_texts(prs, turned)
    assert changed == sum(turned[id] != text for id, text in before.items())
    again = opened(saved(prs, tmp_path / "turned.pptx"))
    assert {place.id: place.text for place in every_text(again)} == turned
    set_texts(again, before)
    back = saved(again, tmp_path / "back.pptx")
    assert {place.id: place.text for place in every_text(opened(back))} == before


def test_words_that_stay_keep_their_looks(deck: Any) -> None:
    body = next(one for one in every_text(deck, slides=[2]) if one.text == "The study of art in Q3")
    assert set_texts(deck, {body.id: "The studies of fine art in Q3"}) == 1
    runs = deck.slides[1].placeholders[1].text_frame.paragraphs[0].runs
    assert [(run.text, run.font.bold) for run in runs] == [
        ("The studies", None), (" of fine art in Q3", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["one two"], "one two three"),
        (["one", " two"], "zero one two"),
        (["one\vtwo"], "one\nand two\nthree"),
        (["a\v\vb"], "a\nmiddle\nb"),
        (["a\vb"], "a b"),
        (["a"], ""),
        (["a a a", "b"], "b a"),
        (["x\v"], "x\ny"),
    ],
)
def test_a_paragraph_reads_as_it_was_told(deck: Any, old: list[str], new: str) -> None:
    paragraph = deck.slides[0].placeholders[1].text_frame.paragraphs[0]
    paragraph.clear()
    for words in old:
        for place, line in enumerate(words.split("\v")):
            if place:
                paragraph.add_line_break()
            if line:
                paragraph.add_run().text = line
    body = f"s{deck.slides[0].slide_id}/{deck.slides[0].placeholders[1].shape_id}/p0"
    set_texts(deck, {body: new})
    assert paragraph.text == new.replace("\n", "\v")


def test_fields_stay_where_they_are(rich: Path) -> None:
    prs = opened(rich)
    paragraph = prs.slides[0].shapes.title.text_frame.paragraphs[0]
    paragraph.text = "Page  of all"
    field = paragraph._p.makeelement("{http://schemas.openxmlformats.org/drawingml/2006/main}fld")
    field.set("id", "{00000000-1234-1234-1234-123412341234}")
    field.set("type", "slidenum")
    paragraph._p.append(field)
    place = next(one for one in every_text(prs, slides=[1]) if one.text.startswith("Page"))
    assert place.text == f"Page  of all{OBJECT}"
    with pytest.raises(EditError, match="0 signs"):
        set_texts(prs, {place.id: "Seite"})
    set_texts(prs, {place.id: f"Seite {OBJECT}!"})
    assert [child.tag.rpartition("}")[2] for child in paragraph._p][-2:] == ["fld", "r"]


def test_names_of_a_chart_change_in_its_workbook_too(deck: Any, tmp_path: Path) -> None:
    chart = {one.text: one.id for one in every_text(deck, slides=[6], kinds=["chart"])}
    assert set(chart) == {"North", "South", "2025"}
    set_texts(deck, {chart["North"]: "Nord", chart["2025"]: "Year"})
    deck.save(str(tmp_path / "out.pptx"))
    again = Presentation(str(tmp_path / "out.pptx"))
    held = next(shape.chart for shape in again.slides[5].shapes if shape.has_chart)
    assert list(held.plots[0].categories) == ["Nord", "South"]
    assert held.plots[0].series[0].name == "Year"
    with ZipFile(BytesIO(held.part.chart_workbook.xlsx_part.blob)) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    cells = dict(re.findall(r'<c r="(\w+)"[^>]*><is><t[^>]*>([^<]*)</t>', sheet))
    assert cells == {"A2": "Nord", "B1": "Year"}


def test_nothing_changes_where_one_text_cannot_stand(deck: Any) -> None:
    before = every_text(deck)
    for texts in ({before[0].id: "x", "s1/2/p0": "y"}, {before[0].id: "x", before[1].id: "\x00"}):
        with pytest.raises(EditError):
            set_texts(deck, texts)
        assert every_text(deck) == before


def test_words_are_replaced_everywhere_and_counted(deck: Any) -> None:
    deck.slides[2].notes_slide.notes_text_frame.text = "The North, northern"
    north = word_pattern("North", whole_word=True, match_case=True)
    counts = replace_everywhere(deck, north, "East")
    assert counts == {"chart": 1, "notes": 1}
    assert not replace_everywhere(deck, north, "East")


def test_an_empty_deck_has_no_texts_of_slides(tmp_path: Path) -> None:
    prs = Presentation()
    assert [one for one in every_text(prs) if one.slide is not None] == []
    assert set_texts(prs, {}) == 0


def test_what_is_left_is_told(deck: Any) -> None:
    assert "pictures on slide 4" in left_out(deck)
