"""Which language a text is marked as, by its script and the languages of the project."""

import pytest

from decklab.deck.model.base import Font
from decklab.deck.model.shapes import Paragraph, Run, RunFont, Text
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.linting.fix_kinds import languages_by_use, unmarked_languages, wrong_languages

RUSSIAN = "Добро пожаловать на урок истории"
GREEK = "Καλώς ήρθατε στο μάθημα της ιστορίας"
ENGLISH = "Welcome to the lesson of history"


def run(words, language="en-GB", **fields):
    font = RunFont(name="Arial", size=20.0, style=(), color="#000000", language=language)
    return Run(text=words, font=font, **fields)


def text(*runs, id=3, **fields):
    return Text(
        text="".join(one.text for one in runs), align="left",
        font=Font(name="Arial", size=20.0, style=(), color="#000000"),
        paragraphs=(Paragraph(runs=runs),), id=id, z=id, name=f"Text {id}",
        x=100.0, y=100.0, w=300.0, h=60.0, **fields,
    )  # fmt: skip


def slide(*texts, number=1):
    return SlideElements(background="#FFFFFF", number=number, texts=texts)


def deck(*slides, **fields):
    return DeckElements(
        size_pt=(960.0, 540.0), slides=slides, layouts=(), masters=(), themes=(), **fields
    )


def wanted(one, languages=(), used=()):
    return [fix.says.rpartition(" ")[2] for fix in wrong_languages(slide(one), languages, used)]


@pytest.mark.parametrize(
    ("words", "languages", "used", "found"),
    [
        (RUSSIAN, ("en", "ru-RU", "uk-UA"), ("bg-BG",), ["ru-RU"]),  # the project's first
        (RUSSIAN, ("en",), ("en-GB", "bg-BG"), ["bg-BG"]),  # what most of the deck has
        (RUSSIAN, (), (), []),  # nobody can know
        (GREEK, (), (), ["el-GR"]),  # hardly any other is written so
        (GREEK, (), ("el-CY",), ["el-GR"]),
        (GREEK, ("el-CY",), (), ["el-CY"]),
        (ENGLISH, ("ru-RU",), (), []),
    ],
)
def test_text_in_another_script_gets_a_language_of_that_script(words, languages, used, found):
    assert wanted(text(run(words)), languages, used) == found


def test_text_that_is_right_hidden_or_without_a_language_stays():
    assert wanted(text(run(RUSSIAN, "ru-RU")), ("bg-BG",)) == []
    assert wanted(text(run(RUSSIAN), hidden=True), ("ru-RU",)) == []
    assert wanted(text(run(RUSSIAN, None)), ("ru-RU",)) == []
    assert wanted(text(run(RUSSIAN, kind="field")), ("ru-RU",)) == []


def test_each_language_of_a_text_is_looked_at_by_itself():
    mixed = text(run(ENGLISH, "en-GB"), run(RUSSIAN, "de-DE"), run(GREEK, "fr-FR"))
    assert wanted(mixed, ("ru-RU",)) == ["ru-RU", "el-GR"]


def test_languages_are_ordered_by_their_letters():
    texts = [text(run("12345678 90", "fr-FR"), run("abc", "de-DE")), text(run("abcd", "en-GB"))]
    assert languages_by_use(texts) == ["en-GB", "de-DE", "fr-FR"]
    assert languages_by_use([text(run("abc", None))]) == []


def unmarked(*slides, languages=(), **properties):
    found = list(unmarked_languages(deck(*slides, properties=properties), languages))
    return [(fix.says, fix.slides) for fix in found]


def test_a_deck_without_languages_gets_the_projects_first_on_each_slide_once():
    slides = [
        slide(text(run("Hello", None)), text(run("there", None), id=4), number=1),
        slide(number=2),
        slide(text(run("Bye", None)), number=3),
    ]
    told = [("all text is marked as de-AT", (1, 3))]
    assert unmarked(*slides, languages=("de-AT", "en")) == told
    assert unmarked(*slides, language=" de-AT ") == told
    assert unmarked(*slides, languages=("de-AT",), language="fr-FR") == told
    assert unmarked(*slides) == unmarked(*slides, language=" ") == []


def test_one_marked_run_says_that_the_deck_has_languages():
    slides = [slide(text(run("Hello", None)), number=1), slide(text(run("Bye")), number=2)]
    assert unmarked(*slides, languages=("de-AT",)) == []


def test_text_in_another_script_is_not_marked():
    slides = [slide(text(run(RUSSIAN, None)), number=1), slide(text(run("Bye", None)), number=2)]
    assert unmarked(*slides, languages=("de-AT",)) == [("all text is marked as de-AT", (2,))]
    assert unmarked(slides[0], languages=("de-AT",)) == []
    assert unmarked(slide(text()), languages=("de-AT",)) == []


def test_the_language_of_a_field_does_not_say_that_of_the_text():
    number = text(run("7", "en-US", kind="field"), run("Hello", None))
    (fix,) = unmarked_languages(deck(slide(number), properties={}), ("de-AT",))
    assert (fix.slides, fix.of_deck) == ((1,), True)
    assert unmarked(slide(text(run("7", None, kind="field"))), languages=("de-AT",)) == []
