"""One deck scored: its rows and findings, and which contrasts are judged under effects."""

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Inches, Pt
from tests.rendering.dying_office import DyingOffice, write_numbered

from decklab.core.errors import RendererDied, RenderFailed, RenderTimeout
from decklab.core.results import DeckResult, Measurement
from decklab.deck.model.shapes import Image
from decklab.deck.model.slide import Animation, DeckElements, SlideElements
from decklab.deck.reading import read_outline
from decklab.metrics.aesthetics.rows import PICTURE_METRICS
from decklab.ooxml.package import Package
from decklab.rendering.renderer import Renderer
from decklab.scoring.deck import score_deck, still_rows, unread_slides
from decklab.scoring.scored import ScoreOptions


def deck(*animations):
    picture = Image(id=7, z=1, x=100.0, y=100.0, w=400.0, h=200.0)
    slide = SlideElements(background="#FFFFFF", images=(picture,), animations=animations)
    return DeckElements(size_pt=(960.0, 540.0), slides=(slide,), layouts=(), masters=(), themes=())


def row():
    region = {"ratio": 1.1, "least_ratio": 4.5, "text": "words"}
    worst = [region | {"box": [110, 110, 200, 130]}, region | {"box": [600, 110, 700, 130]}]
    return Measurement.of(
        "usability.contrast", 0.5, slide=1, evidence={"worst": worst, "covered": worst[:1]}
    )


def test_text_under_what_animations_bring_in_is_not_judged():
    enters = Animation(order=0, effect="fade", kind="entrance", trigger="on_click", shape=7)
    (still,) = still_rows([row()], deck(enters))
    assert [item["box"][0] for item in still.evidence["worst"]] == [600]
    assert still.evidence["covered"] == [] and still.value == 0.5


def test_other_slides_and_rows_stay_as_they_are():
    other = Measurement.of("rhythm.subband_entropy", 3.0, slide=1)
    assert still_rows([row(), other], deck()) == [row(), other]


SLIDE_METRICS = [
    "harmony.distance_deg",
    *PICTURE_METRICS,
    "usability.contrast",
    "rhythm.subband_entropy",
]


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """Three slides, each with a line of text, the last one without any shape."""
    deck = Presentation()
    for number in range(3):
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        if number < 2:
            box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(7), Inches(1))
            box.text_frame.text = f"What slide {number + 1} says"
            box.text_frame.paragraphs[0].font.size = Pt(40)
    path = tmp_path / "talk.pptx"
    deck.save(str(path))
    return path


def changed(path: Path, parts: Mapping[str, bytes | None]) -> Path:
    """The file with parts replaced, or left out where None."""
    with zipfile.ZipFile(path) as archive:
        kept = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**kept, **parts}.items():
            if data is not None:
                archive.writestr(name, data)
    return path


def reasons(path: Path) -> dict[int, str]:
    with Package.open(path) as package:
        return unread_slides(package, read_outline(package))


def rows_of(result: DeckResult, slide: int) -> dict[str, tuple[float | None, str | None]]:
    return {
        row.metric: (row.value, row.reason) for row in result.measurements if row.slide == slide
    }


def test_a_sound_deck_has_no_unread_slide_also_where_one_is_blank(talk: Path) -> None:
    assert reasons(talk) == {}


@pytest.mark.parametrize("damage", [b"", b"<p:sld", b"\x00\x01"])
def test_a_damaged_slide_is_unread_and_its_part_is_named(talk: Path, damage: bytes) -> None:
    found = reasons(changed(talk, {"ppt/slides/slide2.xml": damage}))
    assert list(found) == [2]
    assert found[2].startswith("ppt/slides/slide2.xml: ")
    assert "\n" not in found[2]


def test_a_blank_slide_beside_a_damaged_one_is_still_read(talk: Path) -> None:
    assert list(reasons(changed(talk, {"ppt/slides/slide1.xml": b"<"}))) == [1]


def test_a_slide_that_is_not_in_the_file_is_no_slide(talk: Path) -> None:
    torn = changed(talk, {"ppt/slides/slide2.xml": None})
    assert reasons(torn) == {}
    with Package.open(torn) as package:
        assert [slide.number for slide in read_outline(package).slides] == [1, 2]


@pytest.mark.office
def test_the_blank_page_drawn_for_an_unread_slide_is_not_measured(
    talk: Path, no_cache_score: Callable[[Path], DeckResult]
) -> None:
    whole = no_cache_score(talk)
    torn = no_cache_score(changed(talk, {"ppt/slides/slide2.xml": b"<p:sld"}))
    assert (torn.status, torn.slides) == ("scored", 3)
    unread = rows_of(torn, 2)
    assert list(unread) == SLIDE_METRICS
    for value, reason in unread.values():
        assert value is None
        assert reason is not None and reason.startswith("ppt/slides/slide2.xml: ")
    for slide in (1, 3):
        assert rows_of(torn, slide) == rows_of(whole, slide)
    first = rows_of(whole, 1)["usability.contrast"][0]
    usability = torn.row("usability.score")
    assert first is not None and usability is not None
    assert usability.value == pytest.approx(10 * first)
    assert any("slide2.xml" in finding.message for finding in torn.findings)


@pytest.mark.parametrize(
    ("error", "fault"),
    [(RendererDied, "LibreOffice dies on it"), (RenderTimeout, "LibreOffice does not finish it")],
)
def test_a_slide_that_cannot_be_drawn_costs_only_itself(
    tmp_path: Path, error: type[RenderFailed | RenderTimeout], fault: str
) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 6)
    whole = score_deck(path, renderer=Renderer(DyingOffice())).result
    office = DyingOffice("Slide 3", error=error)
    scored = score_deck(path, renderer=Renderer(office))
    part = scored.result
    assert (part.status, part.slides) == ("scored", 6)
    assert rows_of(part, 3) == dict.fromkeys(
        (*SLIDE_METRICS, "quality.slide"), (None, f"not drawn: {fault}")
    )
    for slide in (1, 2, 4, 5, 6):
        for name, value in rows_of(whole, slide).items():
            if not name.startswith("quality"):  # words of other slides count there
                assert rows_of(part, slide)[name] == value
    for name in ("harmony", "engagement", "usability", "rhythm", "quality"):
        row, before = part.row(f"{name}.score"), whole.row(f"{name}.score")
        assert row is not None and before is not None
        asked = before.evidence["slides_scored"]
        assert row.evidence["slides_scored"] == (asked - 1 if asked else 0)
    (told,) = [item for item in part.findings if item.rule == "slide.not-drawn"]
    assert (told.slide, told.severity, told.message) == (3, "error", f"Not drawn: {fault}.")
    assert sorted(scored.pictures) == [1, 2, 4, 5, 6]
    # Twice the whole, its group, the slide; the copies for editability are without it.
    assert office.deaths == 4
    assert part.value("editability.level") == whole.value("editability.level") == 2


def test_a_deck_of_which_no_slide_can_be_drawn_is_not_scored(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 1)
    with pytest.raises(RendererDied, match=r"slide 1: LibreOffice dies on it"):
        score_deck(path, renderer=Renderer(DyingOffice("Slide 1")))


@pytest.mark.office
def test_a_deck_of_unread_slides_only_has_no_score_and_says_so(
    talk: Path, no_cache_score: Callable[[Path], DeckResult]
) -> None:
    parts = {f"ppt/slides/slide{number}.xml": b"<p:sld" for number in (1, 2, 3)}
    torn = no_cache_score(changed(talk, parts))
    assert all(row.value is None for row in torn.measurements)
    level = torn.row("editability.level")
    assert level is not None and level.reason is not None
    assert level.reason.startswith("the slides cannot be read: ppt/slides/slide1.xml: ")
    usability = torn.row("usability.score")
    assert usability is not None and usability.reason is not None
    assert usability.reason.startswith("no slide could be measured; slide 1: ppt/slides/slide1.xml")


@pytest.fixture
def no_cache_score() -> Callable[[Path], DeckResult]:
    def score(path: Path) -> DeckResult:
        return score_deck(path, renderer=Renderer()).result

    return score


def line(slide, words: str, points: float, color: str = "000000", top: float = 1) -> None:
    box = slide.shapes.add_textbox(Inches(1), Inches(top), Inches(7), Inches(1))
    box.text_frame.text = words
    font = box.text_frame.paragraphs[0].runs[0].font
    font.size, font.color.rgb = Pt(points), RGBColor.from_string(color)


@pytest.mark.office
def test_letters_too_pale_to_read_make_a_white_slide_no_less_plain(tmp_path: Path) -> None:
    scores: list[float] = []
    for words in ("", "Pale words that nobody can read on a wall", "A second line of them"):
        deck = Presentation()
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        line(slide, "What a slide says of the harbour and its ships", 24)
        if words:
            line(slide, words, 40, "FFFFA8", top=3)
        deck.save(str(tmp_path / "deck.pptx"))
        score = score_deck(tmp_path / "deck.pptx", renderer=Renderer()).result
        value = score.value("quality.score")
        assert isinstance(value, float)
        scores.append(value)
    assert max(scores[1:]) <= scores[0] + 0.1


@pytest.mark.long
@pytest.mark.office
def test_hidden_slides_and_words_count_only_if_they_are_asked_for(tmp_path: Path) -> None:
    """Pale words on the slides of the show; dark ones on a hidden slide, and in a tiny font."""
    paths = [tmp_path / f"{name}.pptx" for name in ("show", "cheat")]
    for path in paths:
        deck = Presentation()
        for number in range(3):
            slide = deck.slides.add_slide(deck.slide_layouts[6])
            line(slide, f"What slide {number + 1} says of the harbour and its ships", 20, "A0A0A0")
            if path == paths[1]:
                line(slide, "Dark words that nobody can read at all", 2, top=4)
        if path == paths[1]:
            extra = deck.slides.add_slide(deck.slide_layouts[6])
            line(extra, "Dark words on a slide that nobody gets to see", 40)
            extra._element.set("show", "0")
        deck.save(str(path))
    honest, cheat = (score_deck(path, renderer=Renderer()).result for path in paths)
    assert honest.unseen == ""
    assert cheat.unseen == "34 words on 4 slides cannot be seen."  # 3 times 8, and 10
    assert rows_of(cheat, 4) == dict.fromkeys(SLIDE_METRICS, (None, "the slide is hidden"))
    assert cheat.value("usability.score") == pytest.approx(
        honest.value("usability.score"), abs=1e-6
    )
    assert cheat.value("quality.score") < honest.value("quality.score")  # the tiny words cost
    options = ScoreOptions(with_hidden=True)
    old = score_deck(paths[1], options=options, renderer=Renderer()).result
    before, now = old.row("usability.score"), cheat.row("usability.score")
    assert before is not None and now is not None
    assert (before.version, now.version, old.unseen) == ("1", "2", "")
    assert before.value is not None and now.value is not None and before.value > now.value + 1
    assert old.row("usability.contrast", 4) is not None
