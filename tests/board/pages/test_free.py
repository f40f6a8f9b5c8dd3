"""HTML of one slide that somebody else wrote."""

import pytest

from decklab.board.blueprint import read_plan
from decklab.board.pages.free import clean_html, filled, html_words, places
from decklab.core.errors import PlanError


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        ('<p style="color:var(--accent)">A</p>', '<p style="color:var(--accent)">A</p>'),
        ("<p onclick=\"x()\">A<script>alert('B')</script></p>", "<p>A</p>"),
        ('<a href="https://example.org">A</a>', "A"),
        ('<iframe src="x"></iframe><img src="y"><b>A</b>', "<b>A</b>"),
        ('<div style="display:grid;behavior:x">A</div>', '<div style="display:grid">A</div>'),
        ("<table><tr><td colspan=2>A</td></tr></table>",
         '<table><tbody><tr><td colspan="2">A</td></tr></tbody></table>'),
        ("", ""),
    ],
)  # fmt: skip
def test_what_says_where_words_stand_is_kept_and_nothing_else(html: str, kept: str) -> None:
    assert clean_html(html) == kept


@pytest.mark.parametrize(
    "html",
    [
        '<div style="background:url(https://example.org/a.png)">A</div>',
        '<div style="background: u&#114;l(a)">A</div>',
        '<div style="position: fixed">A</div>',
        "x" * 20_001,
    ],
)
def test_addresses_fixed_places_and_endless_pages_are_refused(html: str) -> None:
    with pytest.raises(ValueError, match="the page's HTML has"):
        clean_html(html)


def test_words_are_those_that_a_reader_sees_in_order() -> None:
    assert html_words("<h2>Up</h2><ul><li>1 <em>of</em> 2</li><li></li></ul>") == ("Up", "1 of 2")
    assert html_words("") == ()


def test_a_figure_is_the_place_of_what_the_slide_shows() -> None:
    html = clean_html('<div><figure style="height:9px">old</figure></div>')
    assert places(html) == 1
    shown = '<div><div style="height:9px"><div class="shown"><img></div></div></div>'
    assert filled(html, "<img>") == shown
    chart = {"kind": "bar", "categories": ["a"], "source": "S",
             "series": [{"name": "n", "values": [1.0]}]}  # fmt: skip
    for content in ({"html": html}, {"html": "<p>A</p>", "chart": chart}):
        slide = {"layout": "free", "title": "T", **content}
        with pytest.raises(PlanError, match="figure elements"):
            read_plan({"title": "T", "slides": [slide]})
    slide = {"layout": "free", "title": "T", "html": html, "chart": chart}
    assert read_plan({"title": "T", "slides": [slide]}).slides[0].chart is not None
