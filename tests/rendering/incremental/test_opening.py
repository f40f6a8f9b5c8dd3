"""When LibreOffice is asked, for what, and what comes back; the PDFs are made up."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from pptx import Presentation
from tests.rendering.incremental.decks import CHART, DATE, PICTURE, TITLE, ChangePart, replacing

from decklab.core.errors import DeckError, RenderFailed
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.rendering.opening import IncrementalDeck, open_incremental, open_rendered
from decklab.rendering.pdf import PdfDeck
from decklab.rendering.pictures import RenderedDeck
from decklab.rendering.renderer import Cache, Renderer
from decklab.rendering.slide_keys import SlideKeys

NOW = datetime(2024, 2, 29, tzinfo=UTC)


class FakeOffice:
    """Gives each slide a page that shows its title; notes how many slides it was given."""

    engine = "fake"
    options: Mapping[str, object] = {}

    def __init__(self, make_pdf: Callable[..., bytes]) -> None:
        self._make_pdf = make_pdf
        self.asked: list[int] = []
        self.refuses_copies = False
        self.extra_pages = 0

    def pdf(self, path: str | Path) -> bytes:
        if self.refuses_copies and Path(path).name == "deck.pptx":
            raise RenderFailed(path, "refused")
        titles = []
        for slide in Presentation(str(path)).slides:
            title = slide.shapes.title
            titles.append("" if title is None else title.text)
        self.asked.append(len(titles))
        titles += ["extra"] * self.extra_pages
        pages = [f"BT /F1 40 Tf 100 300 Td ({title}) Tj ET" for title in titles]
        return self._make_pdf(*pages, size=(720, 540))

    def resaved(self, path: str | Path) -> bytes:
        raise RenderFailed(path, "not recorded")


@pytest.fixture
def office(make_pdf: Callable[..., bytes]) -> FakeOffice:
    return FakeOffice(make_pdf)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def opened(path: Path, office: FakeOffice, cache: Cache, now: datetime = NOW) -> IncrementalDeck:
    deck = open_incremental(path, renderer=Renderer(office, cache), ocr=False, now=now)
    assert isinstance(deck, IncrementalDeck)
    return deck


def titles(deck: RenderedDeck) -> list[str]:
    with deck:
        return [" ".join(span.text for span in slide.spans) for slide in deck]


def retitled(path: Path, number: int, change_part: ChangePart, title: str = "New") -> Path:
    with Package.open(path) as package:
        part = slide_entries(package)[number - 1].part
    return change_part(path, part, replacing(f"<a:t>Slide {number}<", f"<a:t>{title}<"))


def test_the_first_time_the_whole_deck_is_drawn(
    rich_deck: Path, office: FakeOffice, cache: Cache
) -> None:
    deck = opened(rich_deck, office, cache)
    assert (len(deck), deck.kind, deck.slide_size_pt) == (8, "office", (720, 540))
    assert deck.fresh == frozenset(range(1, 9))
    assert len(set(deck.keys.values())) == 8
    assert deck.engine.startswith("fake, PDFium ")
    assert titles(deck) == [f"Slide {number}" for number in range(1, 9)]
    assert deck.fonts == ("Helvetica",)
    assert office.asked == [8]


def test_an_unchanged_deck_is_not_drawn_again(
    rich_deck: Path, office: FakeOffice, cache: Cache
) -> None:
    opened(rich_deck, office, cache).close()
    deck = opened(rich_deck, office, cache)
    assert deck.fresh == frozenset()
    assert titles(deck)[PICTURE - 1] == "Slide 3"
    assert office.asked == [8]


def test_after_an_edit_only_that_slide_is_drawn(
    rich_deck: Path, office: FakeOffice, cache: Cache, change_part: ChangePart
) -> None:
    opened(rich_deck, office, cache).close()
    deck = opened(retitled(rich_deck, CHART, change_part), office, cache)
    assert deck.fresh == {CHART}
    assert titles(deck) == ["Slide 1", "Slide 2", "Slide 3", "New", *titles(deck)[4:]]
    assert office.asked[1] < 8
    assert [slide.number for slide in deck] == list(range(1, 9))


def test_both_versions_stay_known(
    rich_deck: Path, office: FakeOffice, cache: Cache, change_part: ChangePart
) -> None:
    edited = retitled(rich_deck, TITLE, change_part)
    for path in (rich_deck, edited, rich_deck, edited):
        opened(path, office, cache).close()
    assert len(office.asked) == 2


def test_with_most_slides_unknown_the_whole_deck_is_drawn(
    rich_deck: Path, office: FakeOffice, cache: Cache, change_part: ChangePart
) -> None:
    opened(rich_deck, office, cache).close()
    master = "ppt/slideMasters/slideMaster1.xml"
    edited = change_part(rich_deck, master, replacing("<p:txStyles>", "<p:txStyles >"))
    assert opened(edited, office, cache).fresh == frozenset()
    edited = change_part(rich_deck, master, replacing('sz="4400"', 'sz="4000"'))
    assert len(opened(edited, office, cache).fresh) == 8
    assert office.asked == [8, 8]


def test_a_deck_that_was_opened_whole_is_known(
    rich_deck: Path, office: FakeOffice, cache: Cache, change_part: ChangePart
) -> None:
    undated = change_part(
        rich_deck, "ppt/slides/slide7.xml", replacing('type="datetime1"', 'type="slidenum"')
    )
    open_rendered(undated, renderer=Renderer(office, cache)).close()
    opened(undated, office, cache).close()
    open_rendered(undated, renderer=Renderer(office, cache)).close()
    assert office.asked == [8]


def test_the_day_after_only_dates_are_drawn_again(
    rich_deck: Path, office: FakeOffice, cache: Cache
) -> None:
    opened(rich_deck, office, cache).close()
    assert opened(rich_deck, office, cache, now=NOW.replace(month=3)).fresh == {DATE}


def test_where_a_copy_is_refused_the_whole_deck_is_drawn(
    rich_deck: Path, office: FakeOffice, cache: Cache, change_part: ChangePart
) -> None:
    opened(rich_deck, office, cache).close()
    office.refuses_copies = True
    deck = opened(retitled(rich_deck, TITLE, change_part), office, cache)
    assert len(deck.fresh) == 8
    assert titles(deck)[0] == "New"


def test_pages_that_are_not_the_slides_come_as_they_are(
    rich_deck: Path, office: FakeOffice, cache: Cache
) -> None:
    office.extra_pages = 1
    with open_incremental(rich_deck, renderer=Renderer(office, cache), ocr=False) as deck:
        assert len(deck) == 9
    assert not isinstance(deck, IncrementalDeck)
    assert office.asked == [8]


def test_a_deck_without_slides_needs_no_drawing(
    tmp_path: Path, office: FakeOffice, cache: Cache
) -> None:
    Presentation().save(str(tmp_path / "empty.pptx"))
    deck = opened(tmp_path / "empty.pptx", office, cache)
    assert (len(deck), deck.slide_size_pt, deck.fonts, list(deck)) == (0, (0.0, 0.0), (), [])
    assert office.asked == []


def test_other_kinds_of_deck_open_as_ever(
    tmp_path: Path, office: FakeOffice, cache: Cache, make_pdf: Callable[..., bytes]
) -> None:
    path = tmp_path / "deck.pdf"
    path.write_bytes(make_pdf("BT /F1 40 Tf 100 300 Td (Text) Tj ET"))
    with open_incremental(path, renderer=Renderer(office, cache)) as deck:
        assert (deck.kind, len(deck)) == ("pdf", 1)


def test_a_slide_that_is_not_there_is_an_index_error(
    rich_deck: Path, office: FakeOffice, cache: Cache
) -> None:
    with opened(rich_deck, office, cache) as deck, pytest.raises(IndexError, match="no slide 9"):
        deck.slide(9)


def test_a_missing_file_is_named(tmp_path: Path, office: FakeOffice, cache: Cache) -> None:
    with pytest.raises(DeckError, match=r"gone\.pptx"):
        open_incremental(tmp_path / "gone.pptx", renderer=Renderer(office, cache))


def test_a_cache_that_keeps_nothing_is_no_error(
    rich_deck: Path, office: FakeOffice, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"")
    cache = Cache(tmp_path / "file")
    for _ in range(2):
        assert titles(opened(rich_deck, office, cache))[0] == "Slide 1"
    assert office.asked == [8, 8]


def test_keys_are_those_of_slide_keys(rich_deck: Path, office: FakeOffice, cache: Cache) -> None:
    deck = opened(rich_deck, office, cache)
    with Package.open(rich_deck) as package:
        plain = SlideKeys(package, {}, now=NOW)
        assert all(plain.of(number) != deck.keys[number] for number in range(1, 9))


def test_only_the_slides_asked_for_are_drawn_and_shown(
    rich_deck: Path, office: FakeOffice, cache: Cache
) -> None:
    deck = open_incremental(
        rich_deck, renderer=Renderer(office, cache), ocr=False, now=NOW, slides=[CHART, TITLE, 99]
    )
    assert isinstance(deck, IncrementalDeck)
    with deck:
        assert (len(deck), deck.numbers, deck.fresh) == (
            8, (TITLE, CHART), frozenset({TITLE, CHART}),
        )  # fmt: skip
        assert [slide.number for slide in deck] == [TITLE, CHART]
        assert [span.text for span in deck.slide(CHART).spans] == [f"Slide {CHART}"]
        with pytest.raises(IndexError, match="not asked for"):
            deck.slide(DATE)
    assert office.asked[0] < 8
    assert opened(rich_deck, office, cache).fresh == frozenset(range(1, 9))
    with open_incremental(rich_deck, renderer=Renderer(office, cache), slides=[]) as none:
        assert (len(none), list(none), none.slide_size_pt) == (8, [], (0, 0))


def test_a_date_drawn_today_stays_when_other_slides_are_drawn(
    rich_deck: Path, office: FakeOffice, cache: Cache, change_part: ChangePart
) -> None:
    opened(rich_deck, office, cache).close()
    master = "ppt/slideMasters/slideMaster1.xml"
    edited = change_part(rich_deck, master, replacing('sz="4400"', 'sz="4000"'))
    Renderer(office, cache).pdf(edited)  # on some day before
    assert len(opened(edited, office, cache).fresh) == 8
    assert office.asked == [8, 8, 8]


def test_text_is_kept_and_the_picture_is_drawn_on_request(
    rich_deck: Path, office: FakeOffice, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(rich_deck, office, cache) as deck:
        first = list(deck)
    monkeypatch.setattr(PdfDeck, "slide", None)  # reads text and draws
    with opened(rich_deck, office, cache) as deck:
        for before, slide in zip(first, deck, strict=True):
            assert (slide.spans, slide.text_source) == (before.spans, before.text_source)
            assert slide.key == before.key
            assert slide.shape == before.image.shape
            assert np.array_equal(slide.image, before.image)
