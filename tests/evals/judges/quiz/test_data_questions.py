"""Wrong options of questions about numbers, with the document's own numbers beside them."""

from pathlib import Path
from random import Random

import pytest

from decklab.documents.reading import read_documents
from decklab.evals.judges.quiz.bank import ClozeQuestion
from decklab.evals.judges.quiz.cloze_questions import number_questions
from decklab.evals.judges.quiz.statements import source_sentences

ROADS = """# Roads

The road to the northern harbour is 12 km long and was built of concrete.
The road to the southern harbour is 15 km long and was built of gravel.
The road to the eastern harbour is 18 km long and was built of stone.
The road to the western harbour is 21 km long and was built of asphalt.
On the northern quay 14 cranes lift containers from the largest ships.
On the southern quay 16 tugs wait for the ships that arrive at night.
On the eastern quay 19 pilots live in the houses beside the old tower.
"""


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ClozeQuestion]:
    """The questions by their right answers."""
    path = tmp_path_factory.mktemp("roads") / "roads.md"
    path.write_text(ROADS)
    sources = read_documents([path])
    found = number_questions(source_sentences(sources), sources, Random(1))
    return {one.right: one for one in found}


def test_lengths_stand_among_lengths_and_never_among_counts(
    asked: dict[str, ClozeQuestion],
) -> None:
    lengths = {"12 km", "15 km", "18 km", "21 km"}
    for right in lengths:
        assert set(asked[right].wrong) == lengths - {right}
    assert asked["12 km"].question.startswith("The road to the northern harbour is ____ long")


def test_counts_of_other_things_take_the_place_of_missing_ones(
    asked: dict[str, ClozeQuestion],
) -> None:
    counts = {"14", "16", "19"}
    for right in counts:
        wrong = set(asked[right].wrong)
        assert counts - {right} < wrong  # and one near it that the document does not have
        [near] = wrong - counts
        assert near.isdigit() and 7 <= int(near) <= 38


@pytest.mark.parametrize(
    ("sentence", "alike"),
    [
        ("Der Hafen hat zwei Kräne verloren und im Winter keine neuen gekauft.",
         {"drei", "vier", "fünf"}),
        ("The harbour lost fifty cranes and bought no new ones in the winter.",
         {"twenty", "thirty", "forty"}),
    ],
)  # fmt: skip
def test_numbers_in_words_stand_among_words_of_their_language(
    tmp_path: Path, sentence: str, alike: set[str]
) -> None:
    (tmp_path / "harbour.txt").write_text(f"{sentence}\n")
    sources = read_documents([tmp_path / "harbour.txt"])
    [question] = number_questions(source_sentences(sources), sources, Random(2))
    assert set(question.wrong) == alike
