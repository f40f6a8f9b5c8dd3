"""LaTeX: as pandoc reads it, with nothing included; without pandoc one line says what is needed."""

import shutil
from pathlib import Path

import pytest

from decklab.core.errors import TruncatedDeck, Unavailable
from decklab.documents.reading import read_document
from decklab.documents.sections import document_sections

TEXT = r"""\documentclass{article}
\title{On Boats}
\author{Anna Smith \and Bob Jones}
\date{12 March 2024}
\newcommand{\elm}{Elm Harbour}
\begin{document}
\maketitle
\begin{abstract}We study \elm{} and find growth of 12\%.\end{abstract}
\section{Introduction}\label{sec:intro}
Boats float \cite{smith2019}.
\input{secret}
\section{Results}
\begin{table}\caption{Tonnage.}
\begin{tabular}{lr}Name & Tons\\\hline Elm & 40\\ Oak & 55\end{tabular}\end{table}
\appendix
\section{Masts}
Masts are long.
\begin{thebibliography}{9}\bibitem{smith2019} A. Smith. Boats. 2019.\end{thebibliography}
\end{document}
"""
with_pandoc = pytest.mark.skipif(shutil.which("pandoc") is None, reason="pandoc is not here")


def written(folder: Path, text: str) -> Path:
    path = folder / "a.tex"
    path.write_text(text)
    return path


@with_pandoc
def test_sections_tables_and_parts(tmp_path):
    (tmp_path / "secret.tex").write_text("secret words")
    document = read_document(written(tmp_path, TEXT))
    assert (document.title, document.author, document.date) == (
        "On Boats",
        "Anna Smith, Bob Jones",
        "2024-03-12",
    )
    assert [(section.heading, section.part) for section in document_sections(document)] == [
        ("On Boats", "front"),
        ("Abstract", "body"),
        ("Introduction", "body"),
        ("Results", "body"),
        ("Appendix", "appendix"),
        ("Masts", "appendix"),
        ("References", "references"),
    ]
    texts = [block.text for block in document.blocks]
    assert "We study Elm Harbour and find growth of 12%." in texts
    assert "Boats float." in texts
    assert document.tables[0].rows == (("Name", "Tons"), ("Elm", "40"), ("Oak", "55"))
    assert not [text for text in texts if "secret" in text]
    assert any("secret" in item.reason for item in document.unread)


@with_pandoc
def test_damaged_text_is_told_in_one_line(tmp_path):
    with pytest.raises(TruncatedDeck, match=r"a\.tex: pandoc cannot read it") as caught:
        read_document(written(tmp_path, r"\begin{document}\begin{tabular}{l"))
    assert "\n" not in str(caught.value)


def test_without_pandoc_one_line_says_what_is_needed(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match=r"reading LaTeX needs pandoc") as caught:
        read_document(written(tmp_path, TEXT))
    assert "\n" not in str(caught.value)
