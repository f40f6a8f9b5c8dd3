"""Openly licensed documents of Debian packages, where `scripts/documents` has fetched them.

What is in them was counted by hand or is stated by the file itself: its bookmarks.
"""

from functools import cache
from pathlib import Path

import pypdfium2
import pytest

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_document

FOLDER = Path(__file__).parents[2] / "build" / "documents"


@cache
def document(name):
    path = FOLDER / f"{name}.pdf"
    if not path.exists():
        pytest.skip(f"{path} is not here; scripts/documents fetches it")
    return read_document(path)


def bookmarks(path):
    with pypdfium2.PdfDocument(path) as pdf:
        return [" ".join(item.get_title().split()) for item in pdf.get_toc()]


def plain(text):
    return "".join(char for char in text.lower() if char.isalpha())


@pytest.mark.parametrize(
    ("name", "share"), [("lmer", 0.9), ("strucplot", 0.9), ("Implementation", 0.9), ("coin", 0.9)]
)
def test_headings_are_the_bookmarks_of_the_file(name, share):
    found = [plain(block.text) for block in document(name).headings]
    stated = [plain(title) for title in bookmarks(FOLDER / f"{name}.pdf")]
    met = sum(any(title in heading for heading in found) for title in stated)
    assert stated
    assert met >= share * len(stated), [
        title for title in stated if not any(title in heading for heading in found)
    ]


def test_all_figures_of_strucplot_are_found_with_their_captions():
    labels = {figure.label for figure in document("strucplot").figures}
    assert labels >= {f"Figure {number}" for number in range(1, 35)} - {"Figure 0"}


def test_two_columns_are_read_one_after_the_other():
    found = document("Rcpp-introduction")
    kb = KnowledgeBase((found,))
    # The first column ends and the second begins in the middle of the section.
    assert kb.find_quote("established itself as both an increasingly dominant facility") is not None
    assert (
        kb.find_quote("leading to two final chapters on interfaces. Chambers (2016, p. 4)")
        is not None
    )


def test_a_table_of_numbers_is_read_exactly():
    tables = [table for table in document("lmer").tables if table.native]
    assert tables
    assert all(len({len(row) for row in table.rows}) == 1 for table in tables)
