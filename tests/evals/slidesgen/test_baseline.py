from pathlib import Path

import pytest
from pptx import Presentation
from tests.evals.slidesgen.sets import REPORT

from decklab.core.errors import PlanError
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.evals.slidesgen.jobs import SENTENCES_A_SLIDE, lead_pages, write_baseline


@pytest.fixture
def sources(tmp_path: Path) -> KnowledgeBase:
    (tmp_path / "harbour.md").write_text(REPORT)
    return read_documents([tmp_path / "harbour.md"])


def test_it_is_the_first_sentences_word_for_word_on_plain_slides(
    sources: KnowledgeBase, tmp_path: Path
) -> None:
    assert write_baseline(sources, tmp_path / "b.pptx") == 5
    slides = list(Presentation(str(tmp_path / "b.pptx")).slides)
    said = [[shape.text_frame.text for shape in slide.shapes] for slide in slides]
    assert said[0] == ["The harbour in 2025"]
    assert [one[0] for one in said[1:]] == ["The harbour in 2025", "The new crane", "Staff",
                                            "Outlook"]  # fmt: skip
    plain = " ".join(REPORT.split())
    for heading, body in said[1:]:
        assert heading in plain
        lines = body.split("\n")
        assert len(lines) <= SENTENCES_A_SLIDE
        assert all(line in plain for line in lines)
    assert not any(shape.is_placeholder for slide in slides for shape in slide.shapes)
    sizes = {run.font.size.pt for slide in slides for shape in slide.shapes
             for line in shape.text_frame.paragraphs for run in line.runs}  # fmt: skip
    assert sizes == {18.0, 28.0}


def test_slides_and_characters_are_bounded(sources: KnowledgeBase, tmp_path: Path) -> None:
    assert write_baseline(sources, tmp_path / "b.pptx", slides=3, title="Mine") == 3
    first = Presentation(str(tmp_path / "b.pptx")).slides[0]
    assert first.shapes[0].text_frame.text == "Mine"
    (tmp_path / "long.md").write_text("# Long\n\n" + "The quay is very long and wide. " * 90)
    (page,) = lead_pages(read_documents([tmp_path / "long.md"]), 9)
    assert sum(map(len, page.sentences)) <= 620


def test_without_documents_or_sentences_there_is_no_deck(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="none is named"):
        write_baseline(read_documents([]), tmp_path / "b.pptx")
    (tmp_path / "empty.md").write_text("# Only a heading\n")
    with pytest.raises(PlanError, match="no sentence"):
        write_baseline(read_documents([tmp_path / "empty.md"]), tmp_path / "b.pptx")
    assert not (tmp_path / "b.pptx").exists()
