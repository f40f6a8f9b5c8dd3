"""The language of a deck's words."""

import pytest

from decklab.documents.languages import language_of

pytest.importorskip("py3langid")

ENGLISH = (
    "The river was frozen for most of the winter, so the mill could not grind any wheat and the "
    "farmers had to carry their sacks over the hills to the next valley."
)
GERMAN = (
    "Der Fluss war den größten Teil des Winters zugefroren, deshalb konnte die Mühle kein Korn "
    "mahlen und die Bauern trugen ihre Säcke über die Hügel in das nächste Tal."
)


def test_a_paragraph_has_a_language() -> None:
    assert (language_of(ENGLISH), language_of(GERMAN)) == ("en", "de")


def test_too_little_text_has_none() -> None:
    assert language_of(" ".join(ENGLISH.split()[:19])) is None
    assert language_of("") is None


def test_words_whose_halves_disagree_have_none() -> None:
    pairs = zip(ENGLISH.split(), GERMAN.split(), strict=False)
    assert language_of(" ".join(word for pair in pairs for word in pair)) is None
