import pytest

from decklab.metrics.accessibility.findings import accessibility_findings
from decklab.metrics.accessibility.language import script_of

RUSSIAN = "Добро пожаловать на урок истории"
HEBREW = "שאלות העוסקות במרכיבי הניסוי"


@pytest.mark.parametrize(
    ("words", "script"),
    [
        (RUSSIAN, "Cyrillic"),
        (HEBREW, "Hebrew"),
        ("Selamat belajar biologi dasar", "Latin"),
        ("ゾルゲと尾崎についてのかんたんなせつめいです", "Japanese"),
        ("Hello", None),
        ("12345 67890 12345 67890", None),
        (RUSSIAN + " mixed with many English words", None),
    ],
)
def test_scripts_are_told_where_text_is_long_and_plain(words, script):
    assert script_of(words) == script


def test_text_marked_as_of_another_script(build):
    (found,) = build.lint(build.text(build.run(RUSSIAN, language="en-US")))
    assert found.rule == "accessibility.language"
    assert "is marked as en-US but written in Cyrillic script" in found.message


@pytest.mark.parametrize(
    ("words", "language"),
    [
        (RUSSIAN, "ru-RU"),
        (HEBREW, "he-IL"),
        (RUSSIAN, "xx-XX"),
        ("Good morning to you all", "fr-FR"),
    ],
)
def test_what_may_be_right_is_left_alone(build, words, language):
    assert build.lint(build.text(build.run(words, language=language))) == []


def test_a_deck_that_names_no_language_is_told_once(build):
    slides = [
        build.slide(
            build.text(build.run(f"Title {n}", language=None), placeholder="title"), number=n
        )
        for n in (1, 2)
    ]
    (found,) = accessibility_findings(build.deck(*slides))
    assert found.slide is None and found.severity == "info"
