"""The design that a deck gets if nobody names one."""

import binascii

import pytest
from tests.board.plans import plan_of

from decklab.board.themes import THEMES
from decklab.writer.design_choice import design_for
from decklab.writer.request import WriteOptions


def chosen(title: str, *sections: str, **options: str) -> str:
    slides = [{"layout": "title", "title": title}]
    slides += [{"layout": "section", "title": name} for name in sections]
    return design_for(plan_of({"title": title, "slides": slides}), WriteOptions(**options))  # type: ignore[arg-type]


def drawn(title: str) -> str:
    """By the rule of the docs: the checksum of the title counts through the plain designs."""
    plain = [name for name in THEMES if THEMES[name].plain]
    return plain[binascii.crc32(title.lower().encode()) % len(plain)]


def test_a_title_that_says_nothing_draws_one_of_the_plain_designs() -> None:
    titles = [f"Bus {number}" for number in range(60)]
    assert [chosen(title) for title in titles] == [drawn(title) for title in titles]
    assert {drawn(title) for title in titles} == {name for name in THEMES if THEMES[name].plain}


@pytest.mark.parametrize(
    ("title", "design"),
    [
        ("Revenue by region in the third quarter", "corporate"),
        ("Der Klimawandel und unsere Wälder", "nordic"),
        ("Moving the API to Kubernetes", "carbon"),
        ("A history of the opera in Vienna", "editorial"),
        ("The portfolio of a photographer", "ink"),
        ("Spielregeln für Kinder", "playful"),
        ("The law on data and what parliament said", "journal"),
        ("Our campaign for the autumn launch", "poster"),
        ("The gala of the wine growers", "midnight"),
        ("Dissertation: a hypothesis about tides", "academic"),
    ],
)
def test_the_words_of_the_title_choose(title: str, design: str) -> None:
    assert chosen(title) == design


def test_words_count_as_whole_words_only() -> None:
    assert chosen("A career in lawnmowers") == drawn("A career in lawnmowers")  # no "law"
    assert chosen("Modern codecs") == drawn("Modern codecs")  # no "code"


def test_audience_prompt_kind_and_sections_count_too() -> None:
    assert chosen("Night buses", audience="investors") == "corporate"
    assert chosen("Night buses", prompt="explain our cloud to a newcomer") == "carbon"
    assert chosen("Night buses", kind="paper") == "academic"
    assert chosen("Night buses", "Climate") == drawn("Night buses")  # one alone is too little
    assert chosen("Night buses", "Climate", "Energy") == "nordic"


def test_every_design_but_the_default_can_be_chosen() -> None:
    for name in THEMES:
        words = THEMES[name].words
        assert bool(words) == (name != "light")
        for word in words:
            assert chosen(f"About {word.removesuffix('*')}") == name, word
