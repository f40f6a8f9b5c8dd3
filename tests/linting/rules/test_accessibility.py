import pytest

from decklab.deck.model.shapes import Cell
from decklab.linting.rules.accessibility import is_address, is_vague, other_language, script_of
from decklab.linting.rules.every import accessibility_findings


def test_a_table_that_marks_no_header(plain):
    (found,) = plain.lint(plain.table())
    assert found.rule == "accessibility.missing-table-headers" and found.severity == "warning"


def test_a_header_row_or_column_will_do_and_small_tables_need_none(plain):
    assert plain.lint(plain.table(first_row=True)) == []
    assert plain.lint(plain.table(first_column=True)) == []
    assert plain.lint(plain.table(1, 4)) == [] and plain.lint(plain.table(4, 1)) == []


def test_merged_cells_are_counted(plain):
    (found,) = plain.lint(plain.table(first_row=True, cell=Cell(column_span=2)))
    assert found.rule == "accessibility.merged-table-cells" and found.measured == 1


def test_the_tables_of_a_slide_are_one_finding(plain):
    (found,) = plain.lint(plain.table(name="North"), plain.table(name="South"))
    assert found.message == "North, South mark no row or column as header."


def test_hidden_tables_are_not_read(plain):
    assert plain.lint(plain.table(hidden=True)) == []


URL = "https://example.org"


@pytest.mark.parametrize(
    "words", ["Click here", "here.", "READ  MORE »", "this link", "Saiba mais"]
)
def test_words_that_lead_anywhere(plain, words):
    assert is_vague(words)
    (found,) = plain.lint(plain.text("For the data ", plain.run(words, url=URL)))
    assert found.rule == "accessibility.link-text" and found.severity == "warning"


@pytest.mark.parametrize("words", ["Annual report", "here be dragons", "aka.ms/learn"])
def test_words_that_tell(plain, words):
    assert not is_vague(words) and plain.lint(plain.text(plain.run(words, url=URL))) == []


def test_a_long_address_is_tiring_and_a_short_one_is_not(plain):
    long = "https://example.org/reports/2024/annual.html"
    assert is_address(long) and not is_address("https://aka.ms/learn")
    (found,) = plain.lint(plain.text(plain.run(long, url=long)))
    assert found.severity == "info" and "is an address" in found.message


def test_the_runs_of_one_link_are_one_text(plain):
    runs = [plain.run("Annual report: read ", url=URL), plain.run("more", url=URL)]
    assert plain.lint(plain.text(*runs)) == []
    (found,) = plain.lint(
        plain.text(plain.run("Report", url=URL), " or ", plain.run("more", url=URL))
    )
    assert '"more"' in found.message


def test_words_without_a_link_are_words(plain):
    assert plain.lint(plain.text("Click here", " to begin")) == []


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


def test_text_marked_as_of_another_script(plain):
    (found,) = plain.lint(plain.text(plain.run(RUSSIAN, language="en-US")))
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
def test_what_may_be_right_is_left_alone(plain, words, language):
    assert plain.lint(plain.text(plain.run(words, language=language))) == []


def test_a_deck_that_names_no_language_is_told_once(plain):
    slides = [
        plain.slide(
            plain.text(plain.run(f"Title {n}", language=None), placeholder="title"), number=n
        )
        for n in (1, 2)
    ]
    (found,) = accessibility_findings(plain.deck(*slides))
    assert found.slide is None and found.severity == "info"


def test_a_videos_captions_are_for_people_to_check(plain):
    (found,) = plain.lint(plain.media("video", alt_text="Tour of the plant"))
    assert found.rule == "accessibility.captions" and found.severity == "info"
    assert plain.lint(plain.media("audio", alt_text="Greeting by the chair")) == []


def test_links_of_hidden_texts_are_not_told(plain):
    words = plain.run("Click here", url=URL)
    assert plain.lint(plain.text(words, hidden=True)) == []
    assert len(plain.lint(plain.text(words))) == 1


def other(plain, languages, *runs, **fields):
    slide = plain.slide(plain.text(*runs, **fields))
    return [item.finding.message for item in other_language(slide, languages)]


def test_a_text_of_a_language_that_the_project_does_not_have_is_told_once(plain):
    french = plain.run("Bonjour", language="fr-FR")
    english = plain.run("Hello", language="en-GB")
    told = '"Bonjour" is marked as fr-FR, which is none of the languages of the project: en, de.'
    assert other(plain, ("en", "de"), english, french, french) == [told]
    assert other(plain, ("en", "fr"), english, french) == []
    assert other(plain, (), french) == []


def test_text_without_language_or_letters_is_of_no_other_language(plain):
    english = plain.run("Hello", language="en-GB")
    assert other(plain, ("fr",), plain.run("Hello", language=None)) == []
    assert other(plain, ("fr",), plain.run("12 - 34", language="en-GB")) == []
    assert other(plain, ("fr",), english, hidden=True) == []
    assert len(other(plain, ("fr",), plain.run("2024", language="en-GB"), english)) == 1


def test_text_in_a_wrong_script_is_not_told_of_its_language_too(plain):
    wrong = plain.run(RUSSIAN, language="en-US")
    assert other(plain, ("de",), wrong) == []
    after = plain.run("Hello", language="en-US")
    (told,) = other(plain, ("de",), wrong, after)
    assert told.startswith('"Hello" is marked as en-US')


def test_several_vague_links_are_one_finding_that_counts_them(plain):
    texts = [plain.text(plain.run(words, url=URL)) for words in ("here", "more", "Click here")]
    (found,) = plain.lint(*texts)
    assert found.message == (
        'The link text "here" does not say where the link leads, and so with 2 more.'
    )
    assert found.measured == 3
    (alone,) = plain.lint(texts[0])
    assert alone.message == 'The link text "here" does not say where the link leads.'
