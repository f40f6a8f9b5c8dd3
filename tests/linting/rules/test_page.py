import pytest

from decklab.deck.views.drawn import claim, match
from decklab.linting.rules.page import Page, StandIn, match_page


def owners(build, slide, spans):
    shows = match_page(slide, Page(1, spans))
    return {
        item.element.name: [s.text for s in item.spans] for item in (*shows.texts, *shows.contents)
    }


def test_of_two_texts_with_the_same_words_each_has_the_nearest(build):
    left = build.text("Total", 100, 100, 100, 30, name="left")
    right = build.text("Total", 500, 100, 100, 30, name="right")
    spans = [build.span("Total", 510, 105, 550, 120), build.span("Total", 110, 105, 150, 120)]
    shows = match_page(build.slide(left, right), Page(1, spans))
    assert [item.spans[0].box.left for item in shows.texts] == [110, 510]


def test_a_cells_words_are_not_a_texts(build):
    text = build.text("Revenue", 600, 300, 100, 30, name="text")
    table = build.table(100, 100, 300, 60, [["Revenue", "7"], ["", ""]])
    spans = [build.span("Revenue", 110, 105, 160, 120), build.span("7", 260, 105, 266, 120)]
    found = owners(build, build.slide(text, table), spans)
    assert found == {table.name: ["Revenue", "7"]}


def test_each_character_is_used_once(build):
    text = build.text("Logs in 2006", 100, 100, 200, 30)
    spans = [
        build.span("6", 20, 500, 26, 512, line=1),
        build.span("Logs in 2006", 110, 105, 190, 120),
    ]
    shows = match_page(build.slide(text), Page(1, spans))
    assert [span.text for span in shows.texts[0].spans] == ["Logs in 2006"]
    assert shows.texts[0].matched == 1


def test_what_is_far_away_or_without_words_is_nobodys(build):
    item = claim(build.text("Total", 100, 100, 100, 30))
    assert item is not None
    match([item], [build.span("Total", 700, 105, 750, 120), build.span("  ", 110, 105, 150, 120)])
    assert item.spans == [] and item.matched == 0


def test_empty_and_hidden_texts_claim_nothing(build):
    assert claim(build.text("")) is None
    assert claim(build.text("words", hidden=True)) is None
    assert claim(build.rect()) is None


def test_only_the_fonts_of_words_count_as_replaced(build):
    """A blank in a font that is not installed, as pasted texts have, explains nothing."""
    text = build.text("Total", 100, 100, 100, 30, font="Own")
    (paragraph,) = text.paragraphs
    blank = paragraph.runs[0].model_copy(
        update={"text": " ", "font": paragraph.runs[0].font.model_copy(update={"name": "Rare"})}
    )
    mixed = paragraph.model_copy(update={"runs": (*paragraph.runs, blank)})
    text = text.model_copy(update={"paragraphs": (mixed,)})
    spans = [build.span("Total", 110, 105, 150, 120)]
    rare = {"rare": StandIn("Rare", "Noto Sans", wider=1.3)}
    shows = match_page(build.slide(text), Page(1, spans), replaced=rare)
    assert shows.stand_in(shows.texts[0]) is None
    own = {"own": StandIn("Own", "Noto Sans", wider=1.3)}
    shows = match_page(build.slide(text), Page(1, spans), replaced=own)
    assert shows.stand_in(shows.texts[0]) == own["own"]


def test_mean_widths_are_allowed_their_error():
    # 1.1 with the 4 % that a line of 30 letters may be off
    assert StandIn("Own", "Wide", wider=1.1).least_wider == pytest.approx(1.144)
    assert StandIn("Own", "Wide").least_wider == 1.16
    assert "mean widths of the fonts Own and Wide" in StandIn("Own", "Wide", wider=1.1).basis
    assert "widths are not known" in StandIn("Own").basis
