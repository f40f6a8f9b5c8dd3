import pytest

from decklab.linting.rules.every import integrity_findings
from decklab.linting.rules.written import SlideWords, remarks


def rules(title="Costs fell", *texts):
    return [
        (item.rule.id.removeprefix("written."), item.text)
        for item in remarks(SlideWords(title, texts))
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Costs **fell** by half",
        "See [the report](https://example.org)",
        "Research &amp; Development",
        "Dear {{name}}",
        "First<br/>second",
        "## Costs",
    ],
)
def test_marks_of_markup_are_told(text):
    assert rules("Costs fell", text) == [("markup", 0)]


@pytest.mark.parametrize(
    "text",
    [
        "2 * 3 * 4",
        "<h1>Hello</h1>",
        "x ** 2; y ** 3;",
        "snake_case and `__init__`",
        "R&D",
        "C# is a language",
        "#1 in Europe",
        "# a remark of a shell",
        "a [note] (sic)",
    ],
)
def test_code_and_plain_signs_are_left_alone(text):
    assert rules("Costs fell", text) == []


@pytest.mark.parametrize(
    "text", ["Savings: TBD", "Growth of XX %", "Contact [company name]", "When ???"]
)
def test_gaps_to_be_filled_in_are_told(text):
    assert rules("Costs fell", text) == [("unfinished", 0)]


def test_a_sentence_that_stops_is_told():
    assert rules("Costs fell", "We looked at the prices of the") == [("unfinished", 0)]
    assert rules("Costs fell", "We looked at the prices.") == []
    assert rules("Costs fell", "The team we depend on") == []
    assert rules("Costs fell", "Where the money comes from") == []
    assert rules("Costs fell", "Where the money and the") == [("unfinished", 0)]
    assert rules("What we stand for", "Costs") == []


def test_doubled_words_are_told():
    assert rules("Costs fell", "We cut the the price") == [("doubled", 0)]
    assert rules("Costs fell", "We had had enough that that cost") == []


def test_the_scale_of_an_axis_is_told():
    assert rules("Costs fell", "0 10 20 30 40") == [("axis", 0)]
    assert rules("Costs fell", "2019 2021 2024 2026") == []
    assert rules("Costs fell", "1 2 3") == []
    listing = ("1\n2\n3\n4", "for pump in pumps\nrepair pump\nreport pump\ndone")
    assert rules("Costs fell", *listing) == []
    assert rules("Costs fell", "1\n2\n3\n4", "Costs") == [("axis", 0)]


@pytest.mark.parametrize(
    "title", ["Slide 3", "Untitled", "My Bar Chart", "Title Only", "Second slide title"]
)
def test_titles_that_say_nothing_are_told(title):
    assert rules(title) == [("title", None)]


@pytest.mark.parametrize(
    "title", ["Chart of the Baltic", "Costs", "Slides that sell", "", "Agenda"]
)
def test_other_titles_are_left_alone(title):
    assert rules(title) == []


def test_a_title_that_counts_is_a_note():
    (remark,) = remarks(SlideWords("Question 1", ()))
    assert remark.trivial and remark.text is None


def test_a_text_that_repeats_the_title_is_a_note():
    (remark,) = remarks(SlideWords("Costs fell by half", ("Costs  fell by HALF", "And now")))
    assert remark.trivial and remark.text == 0


def test_a_finding_names_shape_and_slide(build):
    slide = build.slide(build.text("Costs **fell** by half", 100, 200))
    (found,) = build.told("written.markup", slide, [])
    assert found.shape == "Shape 1 (id 1)" and found.box == (100, 200, 400, 260)
    assert build.rules(slide) == []  # not in the reports of scores


ENGLISH = "The plan of the harbour is to grow by three berths a year for all of you"


def misspelt(plain, *words):
    slide = plain.slide(plain.text(ENGLISH), *(plain.text(text) for text in words))
    found = integrity_findings(plain.deck(slide), unscored=True)
    return [item.message for item in found if item.rule == "written.misspelt"]


def test_a_word_that_misses_a_common_one_by_a_letter_is_told(plain):
    (message,) = misspelt(plain, "We care for the enviroment")
    assert '"enviroment"' in message and '"environment" may be meant' in message
    assert len(misspelt(plain, "Ehnhances the harbour", "what was susbtracted")) == 2


def test_names_code_and_words_of_computing_are_no_errors(plain):
    assert misspelt(plain, "Kaggle", "Dr Carriere of Lyon", "x = recieve(port);") == []
    assert misspelt(plain, "datasets, webhooks and toolkits", "a colour and a color", "") == []


def test_words_that_a_deck_often_has_are_meant(plain):
    assert misspelt(plain, "the ulimit", "ulimit is high", "a new ulimit") == []


def test_other_languages_are_not_judged(plain):
    slide = plain.slide(plain.text("o objetivo do enviroment e a escolha de um modelo"))
    found = integrity_findings(plain.deck(slide), unscored=True)
    assert [item.rule for item in found if item.rule == "written.misspelt"] == []


def test_scripts_without_spaces_need_none_after_a_comma() -> None:
    said = SlideWords("", ("工程总体进度为63%,本月没有发生安全事故,连续安全施工412天",))
    assert list(remarks(said)) == []
