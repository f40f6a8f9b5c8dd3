"""The page of a graded attempt, from decks to what stands on it."""

from pathlib import Path

import pytest
from pptx import Presentation
from tests.rubrics.conftest import leaf, tree

from decklab.errors import RenderFailed
from decklab.rubrics.graded import GradedTree, LeafResult, ModelCall, graded
from decklab.scoring.deck_pair import ComparedDecks
from decklab.scoring.grading_page import changed_pictures, write_grading_page


@pytest.fixture
def decks(tmp_path: Path) -> tuple[Path, Path]:
    """Two slides; the second title is edited."""
    deck = Presentation()
    for number in (1, 2):
        slide = deck.slides.add_slide(deck.slide_layouts[0])
        slide.shapes.title.text = f"Topic {number}"
    deck.save(str(tmp_path / "original.pptx"))
    deck.slides[1].shapes.title.text = "Theme 2"
    deck.save(str(tmp_path / "edited.pptx"))
    return tmp_path / "original.pptx", tmp_path / "edited.pptx"


def made(*calls: ModelCall) -> GradedTree:
    rubric = tree(leaf(critical=True), leaf())
    result = LeafResult(1.0, "as asked", asked=calls)
    return graded(rubric, {path: result for path, _ in rubric.leaves()})


class NoOffice:
    engine, options = "none", {}

    def pdf(self, path: Path) -> bytes:
        raise RenderFailed(path, "the printer is on fire")


@pytest.mark.office
def test_changed_slides_stand_before_and_after_with_frames_around_changes(
    decks: tuple[Path, Path], tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    with ComparedDecks(*decks) as pair:
        write_grading_page(page, made(), pair)
        [drawn] = changed_pictures(pair, 5)
    html = page.read_text()
    assert html.count("data:image/jpeg") == 2
    assert "Slide 2: <bdi>Theme 2</bdi>" in html and "Done as asked" in html
    # "Topic 2" stands centred in the title of the default layout; only the word differs.
    assert drawn.marks
    assert all(box.left > 250 and box.right < 750 and box.height < 120 for box in drawn.marks)
    assert html.count('class="halo"') == 2 * len(drawn.marks)


def test_the_page_says_why_pictures_lack(decks: tuple[Path, Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    with ComparedDecks(*decks, office=NoOffice()) as pair:
        write_grading_page(page, made(), pair)
        assert "the printer is on fire" in page.read_text()
        write_grading_page(page, made(), pair, pictures=False, summary="../all more.html")
        assert 'href="./../all%20more.html"' in page.read_text()
        assert "They were not asked for." in page.read_text()


def test_what_a_model_was_asked_is_told(decks: tuple[Path, Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    calls = ModelCall("Is it <blue>?", 2, 99, "YES"), ModelCall("Sure?", 0, 5, failed="overloaded")
    with ComparedDecks(*decks) as pair:
        write_grading_page(page, made(*calls), pair, pictures=False)
    html = page.read_text()
    for said in ("2 questions to a model", "Asked with 2 pictures", "Is it &lt;blue&gt;?", "YES",
                 "No answer", "overloaded"):  # fmt: skip
        assert said in html
