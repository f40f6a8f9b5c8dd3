"""What words tell of a deck, with the weights worked out by hand."""

import pytest

from decklab.core.results import NotScored
from decklab.workbench.corpus.annotations import DeckContent, DeckLabel, labels_by_words


def content(
    *texts: str, titles: list[str] | None = None, data: int = 0, language: str | None = "en"
) -> DeckContent:
    return DeckContent("a.pptx", None, language, titles or [""] * len(texts), texts, data)


def topic(*texts: str) -> DeckLabel | NotScored:
    return labels_by_words(content(*texts)).topic


def purpose(*texts: str, **rest: object) -> DeckLabel | NotScored:
    return labels_by_words(content(*texts, **rest)).purpose  # type: ignore[arg-type]


def test_three_different_words_tell_a_topic_and_are_quoted_the_most_frequent_first() -> None:
    found = topic("Patients and a hospital.", "The care for patients")
    assert found == NotScored("only 2 of its words tell one, under 3")
    found = topic("A hospital and its patients.", "Vaccines, and surgery, for patients")
    assert found == DeckLabel("health", "patients, hospital, vaccines")
    assert topic("PATIENTS, Surgery, Blood") == DeckLabel("health", "patients, surgery, blood")


def test_one_word_many_times_is_one_word() -> None:
    assert topic("market " * 50) == NotScored("only 1 of its words tell one, under 3")


@pytest.mark.parametrize(
    ("words", "label"),
    [
        # 4 words of business with 3 or 2 of health: 4 is not 1.4 times 3, but of 2
        ("market sales brand loans patients surgery blood", None),
        ("market sales brand loans patients surgery", "business"),
        # a word four times weighs 1 + log2(4) / 2 = 2: 5 is 1.4 times 3
        ("market market market market sales brand loans patients surgery blood", "business"),
        ("market market sales brand loans patients surgery blood", "business"),  # 4.5 to 3
    ],
)
def test_the_first_label_leads_by_two_fifths(words: str, label: str | None) -> None:
    found = topic(words)
    if label is None:
        assert found == NotScored("its words tell business and health alike")
    else:
        assert isinstance(found, DeckLabel)
        assert found.label == label


SALE, STATE = "demo pricing pitch", "status actuals variance"


@pytest.mark.parametrize(
    ("data", "slides", "label"),
    [(0, 10, None), (2, 10, None), (3, 10, "report"), (1, 3, "report"), (1, 4, None)],
)
def test_three_charts_on_ten_slides_are_a_sign_of_a_report(
    data: int, slides: int, label: str | None
) -> None:
    found = purpose(f"{STATE} {SALE}", *[""] * (slides - 1), data=data)
    assert (found.label if isinstance(found, DeckLabel) else None) == label


def test_a_word_in_a_title_counts_more_than_one_in_the_text() -> None:
    texts = ["roadmap milestones timeline demo pricing pitch"]
    assert purpose(*texts) == NotScored("its words tell sell and plan alike")
    found = purpose(*texts, titles=["Roadmap"])
    assert isinstance(found, DeckLabel)
    assert found.label == "plan"


def test_words_of_titles_are_quoted_by_how_often_they_stand_in_text_and_titles() -> None:
    # timeline: twice in the title and once in the text, and as a title's word twice more
    texts = ["milestones milestones milestones milestones timeline roadmap"]
    found = purpose(*texts, titles=["Timeline, timeline"])
    assert found == DeckLabel("plan", "timeline, milestones, roadmap")


def test_only_english_and_unknown_languages_are_read() -> None:
    both = labels_by_words(content("market sales brand", language="de"))
    cause = NotScored("its language is de, and the word lists are English")
    assert both.topic == both.purpose == cause
    unknown = labels_by_words(content("market sales brand", language=None)).topic
    assert isinstance(unknown, DeckLabel)


def test_a_title_that_is_in_the_text_is_not_read_twice() -> None:
    deck = content("Plan\nof work", "the rest", titles=["Plan", "Other"])
    assert deck.slides == ["Plan\nof work", "Other\nthe rest"]


def test_a_deck_without_slides_tells_nothing() -> None:
    found = labels_by_words(content())
    assert found.topic == found.purpose == NotScored("only 0 of its words tell one, under 3")
