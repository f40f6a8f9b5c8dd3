"""Texts with marks: their words, their HTML, and that Markdown and JSON give them back."""

import pickle
from copy import deepcopy
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from decklab.board.blueprint import DeckPlan, Point, SlidePlan, read_plan
from decklab.board.marked_text import (
    MARKS,
    TAGS,
    MarkedText,
    TextSpan,
    bold,
    cut,
    escaped,
    joined,
    spans_of,
    text_of,
    text_of_markdown,
    unbold,
)

WRITTEN = {"strong", "em", "s", "u", "mark", "sup", "sub", "code"}
"""The elements that texts are written with."""


class Reader(HTMLParser):
    """The words of HTML, and the elements that each letter stands in."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, frozenset[str]]] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.seen += [(letter, frozenset(self.open)) for letter in data]


def html_of(text: str) -> str:
    assert isinstance(text, MarkedText)
    return text.__html__()


def test_a_text_is_its_words_and_knows_its_marks() -> None:
    text = text_of_markdown("up **12 %** and *more*, ~~down~~, `x < y` and <u>so</u>")
    assert text == "up 12 % and more, down, x < y and so"
    assert html_of(text) == (
        "up <strong>12 %</strong> and <em>more</em>, <s>down</s>, <code>x &lt; y</code> and "
        "<u>so</u>"
    )


def test_a_text_without_marks_is_a_plain_string() -> None:
    assert type(text_of_markdown("2 * 3 * 4 is 24")) is str
    assert type(text_of_markdown("")) is str and text_of([]) == ""


@pytest.mark.parametrize("address", ["javascript:alert(1)", "plans/a.pdf", "//x.example"])
def test_only_addresses_that_an_office_program_opens_are_links(address: str) -> None:
    assert spans_of(text_of_markdown(f"[a](<{address}>)"))[0].link == ""


def test_quotation_marks_in_an_address_stay_in_it() -> None:
    html = html_of(text_of_markdown('[a](<https://a.example/"onclick=x>)'))
    reader = Reader()
    reader.feed(html)
    assert html.count('"') == 2 and reader.seen == [("a", frozenset({"a"}))]


def test_amounts_of_money_are_no_formula() -> None:
    assert type(text_of_markdown("between $5 and $6")) is str


def test_a_formula_that_is_not_understood_stays_as_it_is_written() -> None:
    assert text_of_markdown(r"so $\nonsense{x}$ it is") == r"so $\nonsense{x}$ it is"


def test_parts_keep_their_marks() -> None:
    text = text_of_markdown("one **two** three")
    assert spans_of(cut(text, 4, 7)) == (TextSpan("two", bold=True),)
    assert spans_of(joined("; ", ("a", cut(text, 4, 7)))) == (
        TextSpan("a; "),
        TextSpan("two", bold=True),
    )
    assert unbold(text) == bold(text) == "one two three"
    assert type(unbold(text)) is str and spans_of(bold(text))[0].bold


def test_copies_keep_their_marks() -> None:
    text = text_of_markdown("a **b** $x^2$")
    assert spans_of(deepcopy(text)) == spans_of(pickle.loads(pickle.dumps(text))) == spans_of(text)


@st.composite
def spans(draw: st.DrawFn) -> list[TextSpan]:
    made = []
    for text in draw(st.lists(st.text("ab *_`$~<>[]()|\\^&!", min_size=1, max_size=6), max_size=4)):
        marks = draw(st.sets(st.sampled_from(MARKS), max_size=3)) - {"raised"}
        link = draw(st.sampled_from(["", "https://a.example/b_c"]))
        made.append(TextSpan(text, link=link, **dict.fromkeys(marks, True)))
    return made


@examples(150)
@given(spans())
def test_markdown_gives_a_text_back(given_spans: list[TextSpan]) -> None:
    text = text_of(given_spans)
    markdown = text.markdown if isinstance(text, MarkedText) else escaped(text)
    assert spans_of(text_of_markdown(markdown)) == spans_of(text)


@examples(60)
@given(spans())
def test_html_has_each_letter_in_the_elements_of_its_marks(given_spans: list[TextSpan]) -> None:
    text = text_of(given_spans)
    if isinstance(text, MarkedText):
        reader = Reader()
        reader.feed(text.__html__())
        assert [letter for letter, _ in reader.seen] == list(text)
        marks = [[mark for mark in MARKS if getattr(span, mark)] for span in text.spans
                 for _ in span.text]  # fmt: skip
        assert [{*tags} - {"a"} for _, tags in reader.seen] == [
            {tag for tag, name in TAGS.items() if name in names and tag in WRITTEN}
            for names in marks
        ]


def test_a_plan_keeps_marks_in_json() -> None:
    point = Point(text=text_of_markdown("a **b** $x_1$"))
    plan = DeckPlan(title="T", slides=(SlidePlan(layout="body", title="T", body=(point,)),))
    assert plan.model_dump(mode="json")["slides"][0]["body"][0]["text"] == {
        "markdown": "a **b** $x_1$"
    }
    again = read_plan(plan.model_dump(mode="json"))
    assert spans_of(again.slides[0].body[0].text) == spans_of(point.text)


@pytest.mark.parametrize("text", [{"markdown": ""}, {"html": "a"}, {"markdown": 3}, 3, None])
def test_what_is_no_text_is_refused(text: object) -> None:
    with pytest.raises(ValueError, match=r"text|empty"):
        Point.model_validate({"text": text})
