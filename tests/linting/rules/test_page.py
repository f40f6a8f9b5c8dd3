from decklab.deck.views.drawn import claim, match
from decklab.linting.rules.page import Page, match_page


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
