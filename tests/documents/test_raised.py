"""Raised numbers that lead to footnotes are no part of the text; powers and units are."""

from pathlib import Path

import pytest
from docx import Document as WordDocument

from decklab.documents.reading import read_document
from decklab.documents.texts import raised_text

SAID = "The line opens in 2027. It cost 3.4 million on 5 m2, or 10^6 in 2026."


@pytest.mark.parametrize(
    ("before", "mark", "stands"),
    [
        ("The 4", "th", "th"), ("in 2027", "2", ""), ("by 12,027", "2", "^2"), ("", "2", "2"),
        ("CO", "2", "2"), ("“wait”", "[5]", ""), ("a wait", "3, 4", ""), ("x", "†", "†"),
        ("5 %", "1", ""),
    ],
)  # fmt: skip
def test_what_stands_after_a_text(before: str, mark: str, stands: str) -> None:
    assert raised_text(before, mark) == stands


def test_a_web_page_and_markdown(tmp_path: Path) -> None:
    html = (
        "<p>The line opens in 2027.<sup>2</sup> It cost <i>3.4 million</i><sup>3</sup> on 5 "
        'm<sup>2</sup>, or 10<sup>6</sup> in 2026<a href="#n"><sup>4</sup></a>.</p>'
    )
    for name, text in (("a.html", f"<h1>Report</h1>{html}"), ("b.md", f"# Report\n\n{html}\n")):
        (tmp_path / name).write_text(text)
        blocks = read_document(tmp_path / name).blocks
        assert [block.text for block in blocks if block.kind == "paragraph"] == [SAID], name


def test_a_word_document(tmp_path: Path) -> None:
    document = WordDocument()
    said = document.add_paragraph()
    for text in ("The line opens in 2027.", "^2", " It cost 3.4 million", "^3", " on 5 m", "^2",
                 ", or 10", "^6", " in 2026", "^4", "."):  # fmt: skip
        said.add_run(text.lstrip("^")).font.superscript = text.startswith("^")
    document.save(str(tmp_path / "c.docx"))
    assert [block.text for block in read_document(tmp_path / "c.docx").blocks] == [SAID]
