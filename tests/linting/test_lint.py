"""The lint of whole decks: what is drawn, what is left out, what is said once."""

from pathlib import Path

import pytest
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR
from pptx.util import Inches, Pt
from tests.rendering.dying_office import DyingOffice, write_numbered

from decklab.core.errors import RenderFailed, UnknownName, UnsupportedFormat
from decklab.core.geometry import Box
from decklab.core.results import Finding
from decklab.deck.deck import write_samples
from decklab.linting.lint import LintResult, lint, without_repeats
from decklab.linting.rules.every import LINT_RULES
from decklab.linting.settings import chosen_rules
from decklab.rendering.renderer import Renderer


class NoOffice:
    """A LibreOffice that draws nothing."""

    engine = "none"

    def __init__(self) -> None:
        self.options: dict[str, object] = {}
        self.asked = 0

    def pdf(self, path: str | Path) -> bytes:
        self.asked += 1
        raise RenderFailed(path, "it fell over")

    resaved = pdf


@pytest.fixture
def deck(tmp_path):
    """A slide with a picture without alternative text and pale grey words on white."""
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "Harvest"
    Image.new("RGB", (40, 40), "green").save(tmp_path / "field.png")
    picture = slide.shapes.add_picture(str(tmp_path / "field.png"), Inches(6), Inches(4))
    picture._element.nvPicPr.cNvPr.set("descr", "")
    box = slide.shapes.add_textbox(Inches(1), Inches(3), Inches(4), Inches(1))
    box.text_frame.text = "Hardly to be seen"
    for shape in (slide.shapes.title, box):
        shape.text_frame.paragraphs[0].runs[0]._r.get_or_add_rPr().set("lang", "en-GB")
    font = box.text_frame.paragraphs[0].runs[0].font
    font.size, font.color.rgb = Pt(28), RGBColor(0xDD, 0xDD, 0xDD)
    presentation.save(tmp_path / "deck.pptx")
    return tmp_path / "deck.pptx"


def rules_of(result):
    return {finding.rule for finding in result.findings}


@pytest.mark.office
def test_what_is_seen_and_what_is_read_are_told_together(deck):
    found = lint(deck)
    assert rules_of(found) == {"contrast.low", "accessibility.missing-alt-text"}
    (pale,) = [item for item in found.findings if item.rule == "contrast.low"]
    assert pale.measured == pytest.approx(1.36, abs=0.15)  # WCAG 2.2: #DDDDDD on white
    assert (found.slides, found.not_run) == (1, {})


def test_what_cannot_be_drawn_is_said_and_the_rest_is_found(deck):
    found = lint(deck, renderer=Renderer(NoOffice()))
    assert rules_of(found) == {"accessibility.missing-alt-text"}
    assert set(found.not_run) == {rule for rule in LINT_RULES if LINT_RULES[rule].drawn}
    assert set(found.not_run.values()) == {"not drawn: it fell over"}


def test_a_slide_that_cannot_be_drawn_is_a_finding_and_the_others_are_looked_at(tmp_path):
    path = write_numbered(tmp_path / "talk.pptx", 4)
    office = DyingOffice("Slide 3")
    found = lint(path, renderer=Renderer(office))
    (told,) = [item for item in found.findings if item.rule == "slide.not-drawn"]
    assert (told.slide, told.message) == (3, "Not drawn: LibreOffice dies on it.")
    assert found.not_run == {}
    whole = lint(path, renderer=Renderer(DyingOffice())).findings
    others = [item for item in whole if item.slide != 3 and not item.slides]
    assert others and all(item in found.findings for item in others)
    assert [item.slide or 0 for item in found.findings] == sorted(
        item.slide or 0 for item in found.findings
    )


def test_rules_that_need_no_picture_are_not_told_of_it(tmp_path):
    path = write_numbered(tmp_path / "talk.pptx", 4)
    office = DyingOffice("Slide 3")
    found = lint(path, renderer=Renderer(office), rules=chosen_rules(["accessibility"]))
    assert (office.deaths, "slide.not-drawn" in rules_of(found)) == (0, False)


def test_nothing_is_drawn_for_rules_that_do_not_need_it(deck):
    office = NoOffice()
    found = lint(deck, renderer=Renderer(office), rules=chosen_rules(["accessibility"]))
    assert (office.asked, found.not_run) == (0, {})
    assert rules_of(found) == {"accessibility.missing-alt-text"}


def test_a_file_that_is_no_deck_is_refused(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<html><body>words</body></html>")
    with pytest.raises(UnsupportedFormat):
        lint(page)
    with pytest.raises(UnsupportedFormat):
        lint(tmp_path)


def test_a_deck_without_slides_has_nothing_to_mend(tmp_path):
    Presentation().save(tmp_path / "empty.pptx")
    found = lint(tmp_path / "empty.pptx", renderer=Renderer(NoOffice()))
    assert (found.slides, found.findings, found.not_run) == (0, (), {})


def test_rules_are_chosen_by_name_or_group():
    assert chosen_rules() == frozenset(LINT_RULES)
    assert chosen_rules(["text.small"]) == {"text.small"}
    assert "accessibility.language" not in chosen_rules(ignore=["accessibility"])
    with pytest.raises(UnknownName, match=r"did you mean 'text\.small'"):
        chosen_rules(["text.smal"])


def test_only_what_matters_as_much_is_kept():
    findings = tuple(
        Finding(rule=level, severity=level, message="") for level in ("info", "warning", "error")
    )
    result = LintResult("deck", 1, findings)
    assert [item.severity for item in result.at_least("warning").findings] == ["warning", "error"]
    assert len(result.at_least("info").findings) == 3


def at(rule, box, slide=1):
    return Finding(rule=rule, severity="error", message="", slide=slide, box=box)


def test_hidden_text_is_not_covered_or_pale_as_well():
    place = Box(10, 10, 110, 30)
    hidden = at("text.hidden", place)
    elsewhere = [at("text.covered", place, slide=2), at("contrast.low", Box(10, 200, 90, 220))]
    repeats = [at("text.covered", place), at("contrast.low", Box(12, 12, 100, 28))]
    assert without_repeats([*repeats, hidden, *elsewhere]) == [hidden, *elsewhere]


@pytest.mark.long
@pytest.mark.office
def test_the_sample_decks_are_told_apart(tmp_path):
    write_samples(tmp_path)
    found = {str(path): lint(path) for path in sorted(tmp_path.glob("*.pptx"))}
    assert found[str(tmp_path / "plain.pptx")].findings == ()
    assert rules_of(found[str(tmp_path / "bad.pptx")]) >= {
        "contrast.low", "text.overflow", "text.off-slide", "text.small",
        "accessibility.missing-alt-text", "accessibility.missing-slide-title",
    }  # fmt: skip


def words(slide, place, text, *, size=18):
    """A text box in a font that every test machine draws alike, or as wide."""
    box = slide.shapes.add_textbox(*map(Inches, (*place, 0.5)))
    box.text_frame.word_wrap = True
    run = box.text_frame.paragraphs[0].add_run()
    run.text, run.font.size, run.font.name = text, Pt(size), "Arial"
    return box


def filled(slide, kind, place, color):
    shape = slide.shapes.add_shape(kind, *map(Inches, place))
    shape.fill.solid()
    shape.fill.fore_color.rgb = RGBColor.from_string(color)
    return shape


def flawed_deck(path, logo):
    """A slide for each flaw of layout that only the drawn slide shows."""
    presentation = Presentation()
    blank, titled = presentation.slide_layouts[6], presentation.slide_layouts[5]
    slides = [presentation.slides.add_slide(blank) for _ in range(2)]
    words(slides[0], (3, 3, 3), "Approved request")
    line = slides[0].shapes.add_connector(MSO_CONNECTOR.STRAIGHT, *map(Inches, (1, 3.25, 8, 3.25)))
    line.line.color.rgb = RGBColor(200, 0, 0)
    words(slides[0], (3, 5, 3), "Left alone")
    slides[0].shapes.add_connector(MSO_CONNECTOR.STRAIGHT, *map(Inches, (3, 5.6, 6, 5.6)))
    arrow = filled(slides[1], MSO_SHAPE.RIGHT_ARROW, (2, 2, 3, 1), "FFD966")
    arrow.text_frame.text = "A long label in an arrow that does not fit in it"
    run = arrow.text_frame.paragraphs[0].runs[0]
    run.font.name, run.font.size, run.font.color.rgb = "Arial", Pt(20), RGBColor(0, 0, 0)
    titles = [presentation.slides.add_slide(titled) for _ in range(2)]
    for slide in titles:
        title = slide.shapes.title
        title.left, title.top, title.width, title.height = map(Inches, (0.5, 0.3, 9, 1))
        title.text_frame.text = "A title that is long enough to need a second line"
        run = title.text_frame.paragraphs[0].runs[0]
        run.font.name, run.font.size = "Arial", Pt(36)
    words(titles[0], (0.5, 1.0, 9), "The first line of the body of this slide, set over the title")
    titles[1].shapes.add_picture(str(logo), Inches(6.2), Inches(0.2), Inches(1), Inches(1))
    picture = titles[1].shapes[-1]._element
    titles[1].shapes._spTree.remove(picture)
    titles[1].shapes._spTree.insert(2, picture)  # behind the title
    edge = presentation.slides.add_slide(blank)
    words(edge, (1, 7.18, 6), "Source: our own figures, in pounds")
    strong = presentation.slides.add_slide(blank)
    filled(strong, MSO_SHAPE.RECTANGLE, (1, 1, 6, 2), "FF0000")
    words(strong, (1.2, 1.2, 5), "Small dark words on a strong red", size=12)
    presentation.save(str(path))


@pytest.mark.office
def test_flaws_that_only_the_drawn_slide_shows(tmp_path):
    logo = Image.effect_noise((120, 120), 120).convert("RGB")
    logo.save(tmp_path / "logo.png")
    flawed_deck(tmp_path / "flawed.pptx", tmp_path / "logo.png")
    found = lint(tmp_path / "flawed.pptx", rules=chosen_rules(["text", "contrast"]))
    told = {(item.slide, item.rule) for item in found.findings if item.severity != "info"}
    assert told >= {
        (1, "text.struck"), (2, "text.overflow"), (3, "text.overlap"), (4, "text.on-object"),
        (5, "text.off-slide"), (6, "contrast.strong-color"),
    }  # fmt: skip
    struck = [item for item in found.findings if item.rule == "text.struck"]
    assert len(struck) == 1 and "Approved request" in struck[0].message


@pytest.mark.office
def test_words_that_office_does_not_draw_below_the_edge_are_found(tmp_path):
    """The box begins on the slide; its text, at the bottom of the box, lies below the edge."""
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "Harvest"
    height = presentation.slide_height
    for top, anchor, words in (
        (height - Inches(1), MSO_ANCHOR.BOTTOM, "Nobody reads these lines"),
        (Inches(3), MSO_ANCHOR.TOP, "Here all stand well"),
    ):
        box = slide.shapes.add_textbox(Inches(1), top, Inches(6), Inches(2))
        box.text_frame.text = words
        box.text_frame.vertical_anchor = anchor
    presentation.save(tmp_path / "low.pptx")
    found = [one for one in lint(tmp_path / "low.pptx").findings if one.rule == "text.off-slide"]
    assert [(one.slide, one.severity) for one in found] == [(1, "error")]
    assert "Nobody reads these lines" in found[0].message
