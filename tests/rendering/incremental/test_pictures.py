"""Slides drawn incrementally against slides of a whole deck, as LibreOffice draws both."""

import random
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from pptx import Presentation
from tests.rendering.incremental.decks import (
    CHART,
    DATE,
    HIDDEN,
    LINK,
    NUMBER,
    PICTURE,
    TABLE,
    TITLE,
    Change,
    ChangePart,
    picture_bytes,
    replacing,
    xml_change,
)

from decklab.editing.slide_operations import clone_slide, delete_slide, move_slide
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.parts import relationships_part
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.xml import qn
from decklab.rendering.office import Office
from decklab.rendering.opening import IncrementalDeck, open_incremental, open_rendered
from decklab.rendering.partial_copies import write_partial_copy
from decklab.rendering.pdf import PageOptions, PdfDeck
from decklab.rendering.pictures import RenderedSlide
from decklab.rendering.renderer import Cache, Renderer
from decklab.rendering.slide_keys import SlideKeys

pytestmark = pytest.mark.office

SIZE = (640, 360)
TIMING = (
    '</p:clrMapOvr><p:transition spd="slow"><p:fade/></p:transition><p:timing><p:tnLst><p:par>'
    '<p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot"><p:childTnLst><p:seq>'
    '<p:cTn id="2" dur="indefinite" nodeType="mainSeq"><p:childTnLst><p:par><p:cTn id="3" '
    'fill="hold"><p:stCondLst><p:cond delay="indefinite"/></p:stCondLst><p:childTnLst><p:par>'
    '<p:cTn id="4" fill="hold"><p:childTnLst><p:par><p:cTn id="5" presetID="10" '
    'presetClass="exit" fill="hold" nodeType="clickEffect"><p:childTnLst><p:set><p:cBhvr>'
    '<p:cTn id="6" dur="1" fill="hold"/><p:tgtEl><p:spTgt spid="2"/></p:tgtEl><p:attrNameLst>'
    "<p:attrName>style.visibility</p:attrName></p:attrNameLst></p:cBhvr><p:to><p:strVal "
    'val="hidden"/></p:to></p:set></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par>'
    "</p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:seq></p:childTnLst></p:cTn>"
    "</p:par></p:tnLst></p:timing>"
)


def differing(some: Iterator[RenderedSlide], whole: Iterator[RenderedSlide]) -> list[int]:
    """Numbers of the slides that differ in a pixel or in a span."""
    return [
        one.number
        for one, other in zip(some, whole, strict=True)
        if one.spans != other.spans or not np.array_equal(one.image, other.image)
    ]


def compared(path: Path, office: Office, cache: Cache) -> tuple[list[int], frozenset[int]]:
    """Slides that differ from a whole rendering, and those that were drawn for the opening."""
    with (
        open_incremental(path, renderer=Renderer(office, cache), size=SIZE, ocr=False) as some,
        open_rendered(path, renderer=Renderer(office), size=SIZE, ocr=False) as whole,
    ):
        assert isinstance(some, IncrementalDeck)
        assert (some.slide_size_pt, some.fonts) == (whole.slide_size_pt, whole.fonts)
        return differing(iter(some), iter(whole)), some.fresh


def looks_the_same(one: Path, other: Path, office: Office) -> bool:
    with (
        open_rendered(one, renderer=Renderer(office), size=SIZE, ocr=False) as first,
        open_rendered(other, renderer=Renderer(office), size=SIZE, ocr=False) as second,
    ):
        return differing(iter(first), iter(second)) == []


def slide_part(path: Path, number: int, kind: str = "") -> str:
    with Package.open(path) as package:
        part = slide_entries(package)[number - 1].part
        return package.related(part, kind)[0] if kind else part


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


@pytest.fixture
def known(rich_deck: Path, office: Office, cache: Cache) -> Path:
    """The rich deck, with its slides in the cache."""
    open_incremental(rich_deck, renderer=Renderer(office, cache)).close()
    return rich_deck


@pytest.mark.long
def test_each_slide_alone_looks_as_in_the_whole_deck(rich_deck: Path, office: Office) -> None:
    copy = rich_deck.with_name("copy.pptx")
    with (
        Package.open(rich_deck) as package,
        PdfDeck(rich_deck, office.pdf(rich_deck), options=PageOptions(SIZE)) as whole,
    ):
        keys = SlideKeys(package, {})
        for number in range(1, 9):
            place = write_partial_copy(package, keys, [number], copy)[number]
            with PdfDeck(copy, office.pdf(copy), options=PageOptions(SIZE)) as some:
                assert len(some) == place + 1
                alone, among = some.slide(place + 1), whole.slide(number)
            assert alone.spans == among.spans, number
            assert np.array_equal(alone.image, among.image), number


def test_edits_of_several_slides_are_drawn_together(
    known: Path, office: Office, cache: Cache, tmp_path: Path
) -> None:
    deck = Presentation(str(known))
    for number in (NUMBER, LINK, HIDDEN, TABLE):
        deck.slides[number - 1].shapes.title.text = "Longer title than there was before"
    deck.save(str(tmp_path / "edited.pptx"))
    wrong, fresh = compared(tmp_path / "edited.pptx", office, cache)
    assert (wrong, fresh) == ([], frozenset({NUMBER, LINK, HIDDEN, TABLE}))


@pytest.mark.long
def test_an_edit_in_a_chart_is_seen(
    known: Path, office: Office, cache: Cache, change_part: ChangePart
) -> None:
    chart = slide_part(known, CHART, "chart")
    edited = change_part(known, chart, replacing("<c:v>3.0</c:v>", "<c:v>1.5</c:v>"))
    assert compared(edited, office, cache) == ([], frozenset({CHART}))
    assert not looks_the_same(known, edited, office)


def test_another_picture_under_the_same_name_is_seen(
    known: Path, office: Office, cache: Cache, change_part: ChangePart
) -> None:
    image = slide_part(known, PICTURE, "image")
    edited = change_part(known, image, lambda _: picture_bytes("blue"))
    assert compared(edited, office, cache) == ([], frozenset({PICTURE}))


def test_an_edited_layout_is_seen_on_its_slides(
    known: Path, office: Office, cache: Cache, change_part: ChangePart
) -> None:
    layout = slide_part(known, TITLE, "slideLayout")
    place = xml_change(lambda root: next(root.iter(qn("a:off"))).set("y", "100000"))
    wrong, fresh = compared(change_part(known, layout, place), office, cache)
    # Text that shrinks follows on the latter.
    assert (wrong, fresh) == ([], frozenset({TITLE, NUMBER}))


def test_an_edited_theme_is_seen_on_all(
    known: Path, office: Office, cache: Cache, change_part: ChangePart
) -> None:
    edited = change_part(known, "ppt/theme/theme1.xml", replacing("Calibri", "Courier New"))
    wrong, fresh = compared(edited, office, cache)
    assert (wrong, len(fresh)) == ([], 8)


@pytest.mark.parametrize(
    "operation",
    [
        lambda draft: move_slide(draft, TABLE, 1),
        lambda draft: delete_slide(draft, TITLE),
        lambda draft: clone_slide(draft, LINK),
    ],
    ids=["move", "delete", "clone"],
)
def test_slides_come_go_and_move(
    known: Path, office: Office, cache: Cache, operation: Callable[[Draft], object], tmp_path: Path
) -> None:
    with Package.open(known) as package:
        draft = Draft(package)
        operation(draft)
        draft.save(tmp_path / "other.pptx")
    wrong, fresh = compared(tmp_path / "other.pptx", office, cache)
    assert wrong == []
    assert len(fresh) < 5


def test_the_first_number_and_hidden_slides_change_nothing_wrongly(
    known: Path, office: Office, cache: Cache, change_part: ChangePart
) -> None:
    edited = change_part(
        known, "ppt/presentation.xml", replacing('firstSlideNum="1"', 'firstSlideNum="7"')
    )
    assert compared(edited, office, cache)[0] == []
    shown = change_part(
        edited, slide_part(edited, HIDDEN), replacing(' show="0"', ""), "shown.pptx"
    )
    assert compared(shown, office, cache)[0] == []


@pytest.mark.parametrize(
    ("place", "change"),
    [
        ((TITLE, ""), replacing("</p:clrMapOvr>", TIMING)),
        ((PICTURE, ""), replacing('descr="image.png"', 'descr="Something else entirely"')),
        ((TITLE, "notesSlide"), replacing("not shown", "nor shown")),
    ],
    ids=["animation", "alternative text", "notes"],
)
def test_what_keys_leave_out_is_not_drawn(
    rich_deck: Path, office: Office, change_part: ChangePart, place: tuple[int, str], change: Change
) -> None:
    part = slide_part(rich_deck, *place)
    assert looks_the_same(rich_deck, change_part(rich_deck, part, change), office)


def test_workbooks_and_the_aims_of_links_are_not_drawn(
    rich_deck: Path, office: Office, change_part: ChangePart
) -> None:
    with Package.open(rich_deck) as package:
        (workbook,) = package.related(slide_part(rich_deck, CHART, "chart"), "package")
    emptied = change_part(rich_deck, workbook, lambda _: b"no workbook", "emptied.pptx")
    assert looks_the_same(rich_deck, emptied, office)
    links = relationships_part(slide_part(rich_deck, LINK))
    elsewhere = change_part(rich_deck, links, replacing("example.invalid", "other.invalid"))
    assert looks_the_same(rich_deck, elsewhere, office)


def test_a_date_is_that_of_today(rich_deck: Path, office: Office, cache: Cache) -> None:
    with open_incremental(rich_deck, renderer=Renderer(office, cache), ocr=False) as deck:
        words = " ".join(span.text for span in deck.slide(DATE).spans)
    assert "2001" not in words
    assert f"{datetime.now().astimezone():%y}" in words


def test_a_deck_without_slides_draws_as_none(tmp_path: Path, office: Office, cache: Cache) -> None:
    Presentation().save(str(tmp_path / "empty.pptx"))
    with open_incremental(tmp_path / "empty.pptx", renderer=Renderer(office, cache)) as deck:
        assert list(deck) == []


@pytest.mark.by_day(1)
@pytest.mark.shared
@pytest.mark.parametrize(
    "name", ["real/test-data_slideshow_aptia.pptx", "features/test-data_slideshow_shapes.pptx"]
)
def test_real_decks_after_an_edit(
    shared: Path, name: str, office: Office, cache: Cache, change_part: ChangePart
) -> None:
    path = shared / "decks" / name
    open_incremental(path, renderer=Renderer(office, cache)).close()
    with Package.open(path) as package:
        parts = [entry.part for entry in slide_entries(package)]
        with_text = [part for part in parts if b"<a:t>" in package.read(part)]
    part = random.Random(0).choice(with_text)
    edit = xml_change(lambda root: setattr(next(root.iter(qn("a:t"))), "text", "Edited"))
    wrong, fresh = compared(change_part(path, part, edit), office, cache)
    assert (wrong, fresh) == ([], frozenset({parts.index(part) + 1}))
