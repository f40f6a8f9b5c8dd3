import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from decklab.core.results import DeckResult, Finding, Measurement, NotScored
from decklab.pages.pictures import SlidePicture
from decklab.scoring.reports.deck_page import write_deck_page

ResultMaker = Callable[..., DeckResult]
PictureMaker = Callable[..., dict[int, SlidePicture]]


class Page(HTMLParser):
    """What a browser would see: tags, ids, same-page links, and the text of each id'd element."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self._skipping = False
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._skipping = tag in ("style", "script")

    def handle_endtag(self, tag: str) -> None:
        self._skipping = False

    def handle_data(self, data: str) -> None:
        if not self._skipping:
            self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())

    def ids(self) -> list[str]:
        return [attrs["id"] or "" for _, attrs in self.tags if "id" in attrs]

    def local_links(self) -> set[str]:
        links = [attrs.get("href") or "" for _, attrs in self.tags]
        return {link[1:] for link in links if link.startswith("#")}


def written(path: Path, result: DeckResult, pictures: dict[int, SlidePicture]) -> Page:
    write_deck_page(path, result, pictures, generated_by="decklab 9.9", index="../index.html")
    return Page(path.read_text("utf-8"))


def test_the_total_stands_with_its_four_parts(tmp_path: Path, scored: ResultMaker) -> None:
    page = written(tmp_path / "a.html", scored(parts=(-1.5, 6.5, 7.25, 8.0)), {})
    hero = page.words.partition("Findings")[0]
    for shown in (
        "kickoff.pptx",
        "5 slides",
        "20.2",
        "−1.5",
        "6.5",
        "7.2",
        "8.0",
        "of 45",
        "of 20",
        "L2",
    ):
        assert shown in hero


@pytest.mark.long
def test_every_link_within_the_page_leads_somewhere(
    tmp_path: Path, scored: ResultMaker, pictures: PictureMaker
) -> None:
    page = written(tmp_path / "a.html", scored(slides=9, findings=120), pictures(9))
    ids = page.ids()
    assert len(ids) == len(set(ids))
    assert page.local_links() <= set(ids)
    assert {f"slide-{n}" for n in range(1, 10)} <= page.local_links()


def test_a_finding_on_a_slide_that_was_not_drawn_still_has_a_target(tmp_path: Path) -> None:
    finding = Finding(rule="a", severity="info", message="m", slide=12)
    result = DeckResult(deck="a", status="scored", slides=2, findings=(finding,))
    page = written(tmp_path / "a.html", result, {})
    assert "slide-12" in page.ids()


@pytest.mark.parametrize("findings", [3, 120])
def test_every_finding_is_on_the_page(tmp_path: Path, scored: ResultMaker, findings: int) -> None:
    result = scored(findings=findings)
    page = written(tmp_path / "a.html", result, {})
    for finding in result.findings:
        assert finding.message in page.words
        assert finding.fix in page.words


def test_a_finding_of_several_slides_is_shown_with_each_of_them(tmp_path: Path) -> None:
    finding = Finding(
        rule="text.small", severity="warning", message="Small on two.", slide=1, slides=(1, 3)
    )
    result = DeckResult(deck="deck.pptx", status="scored", slides=3, findings=(finding,))
    write_deck_page(tmp_path / "page.html", result, {})
    parts = (tmp_path / "page.html").read_text().split('<article class="slide')[1:]
    assert ["Small on two." in part for part in parts] == [True, False, True]
    assert "Nothing to fix" in parts[1]


def test_replaced_fonts_are_told_before_anything_depends_on_them(
    tmp_path: Path, scored: ResultMaker
) -> None:
    words = written(tmp_path / "a.html", scored(findings=30), {}).words
    assert words.index("not installed here") < words.index("Filmstrip")
    machine = words.index("About this machine, not the deck")
    assert machine < words.index("Corporate Sans 1 ")


def test_each_picture_is_embedded_once(
    tmp_path: Path, scored: ResultMaker, pictures: PictureMaker
) -> None:
    drawn = pictures(5)
    written(tmp_path / "a.html", scored(slides=5), drawn)
    source = (tmp_path / "a.html").read_text("utf-8")
    assert [source.count(picture.uri) for picture in drawn.values()] == [1] * 5


def test_what_was_not_scored_says_so_with_its_reason(tmp_path: Path, scored: ResultMaker) -> None:
    words = written(tmp_path / "a.html", scored(slides=7), {}).words
    seventh = words.rpartition("Slide 7")[2]
    assert seventh.count("not scored") == 4
    for reason in ("no pixel has a hue", "the slide has no text", "the slide is of one colour"):
        assert reason in seventh


def test_a_deck_without_slides_has_a_page_of_reasons(
    tmp_path: Path, without_slides: DeckResult
) -> None:
    words = written(tmp_path / "a.html", without_slides, {}).words
    assert "0 slides" in words
    assert words.count("the deck has no slides") >= 6
    assert "0.00" not in words


def test_a_failed_deck_has_a_page_with_its_error(tmp_path: Path, failed: DeckResult) -> None:
    words = written(tmp_path / "a.html", failed, {}).words
    assert "could not be read" in words
    assert "ppt/slides/slide4.xml: the bytes of the part are damaged" in words


def test_evidence_that_is_missing_is_not_drawn(tmp_path: Path) -> None:
    rows = [
        Measurement.of("harmony.distance_deg", 2.0, slide=1, unit="deg"),
        Measurement.of("usability.contrast", 0.5, slide=1),
        Measurement.of("rhythm.score", 3.0),
        Measurement.of("editability.level", 0.0),
        Measurement.of("engagement.score", NotScored("why not")),
    ]
    result = DeckResult(deck="a", status="scored", slides=1, measurements=tuple(rows))
    words = written(tmp_path / "a.html", result, {}).words
    assert "2.00 deg" in words
    assert "why not" in words


def test_pictures_keep_their_proportions(tmp_path: Path, scored: ResultMaker) -> None:
    picture = SlidePicture(b"\xff\xd8\xff\xe0", 1024, 768)
    page = written(tmp_path / "a.html", scored(slides=1), {1: picture})
    boxes = [a["viewbox"] for tag, a in page.tags if tag == "svg" and a.get("class") == "shot"]
    assert boxes == ["0 0 960 720"] * 2


def test_no_deck_text_becomes_markup(
    tmp_path: Path, hostile: DeckResult, pictures: PictureMaker
) -> None:
    page = written(tmp_path / "a.html", hostile, pictures(2))
    source = (tmp_path / "a.html").read_text("utf-8")
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert "img" not in {tag for tag, _ in page.tags}
    assert not any(name.startswith("on") for _, attrs in page.tags for name in attrs)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", source)
    assert "{{ 7 * 7 }}" in page.words
    assert all("<" not in (attrs.get("style") or "") for _, attrs in page.tags)


def test_the_page_names_its_maker_and_the_way_back(tmp_path: Path, scored: ResultMaker) -> None:
    page = written(tmp_path / "a.html", scored(), {})
    assert "decklab 9.9" in page.words
    assert ("a", {"href": "../index.html"}) in page.tags


def test_the_same_result_gives_the_same_page(
    tmp_path: Path, scored: ResultMaker, pictures: PictureMaker
) -> None:
    for name in ("a", "b"):
        written(tmp_path / name, scored(slides=3), pictures(3))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_metrics_have_their_names_for_people_where_there_are_any(
    tmp_path: Path, scored: ResultMaker
) -> None:
    named = {"usability.contrast": "How text stands out"}
    write_deck_page(tmp_path / "a.html", scored(), {}, labels=named)
    words = Page((tmp_path / "a.html").read_text("utf-8")).words
    assert "How text stands out" in words and "harmony.distance_deg" in words
