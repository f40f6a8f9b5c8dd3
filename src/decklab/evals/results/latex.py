"""Tables of results as LaTeX, which any LaTeX sets without further packages."""

from collections.abc import Iterator, Mapping
from typing import Final

from decklab.evals.results.means import METHOD
from decklab.evals.results.tables import ResultColumn, ResultRow, ResultTable
from decklab.pages.wording import clean_line

_SPECIAL: Final[Mapping[str, str]] = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "–": "--", "—": "---", "−": "$-$", "’": "'", "‘": "`", "“": "``", "”": "''", "…": r"\dots{}",
    "τ": r"$\tau$", "ρ": r"$\rho$", "Δ": r"$\Delta$", "≤": r"$\leq$", "≥": r"$\geq$",
    "×": r"$\times$", "→": r"$\rightarrow$", "\u00a0": "~", "∕": "/",
}  # fmt: skip
_LAST_LATIN: Final = 0xFF
_MANY: Final = 6
_DENSE: Final = "\\scriptsize\\setlength{\\tabcolsep}{2pt}"
"""For tables of more than ``_MANY`` columns."""


def latex_text(text: str) -> str:
    """A text in which LaTeX finds nothing to obey; letters beyond Latin-1 become code points.

    >>> latex_text("a_b & 50% é 表")
    'a\\\\_b \\\\& 50\\\\% é [U+8868]'
    """
    return "".join(map(_letter, clean_line(text)))


def _letter(letter: str) -> str:
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    return letter if ord(letter) <= _LAST_LATIN else f"[U+{ord(letter):04X}]"


def latex_table(table: ResultTable) -> str:
    """A ``table`` with caption and label; each row's intervals stand small below its means."""
    columns = [*(["Place"] if table.placed else []), *(row.heading for row in table.columns)]
    heads = " & ".join(map(latex_text, (table.head, *columns)))
    body = "\n".join(line for row in table.rows for line in _lines(table, row))
    dense = _DENSE if len(columns) > _MANY else ""
    caption = latex_text(f"{table.title}. {METHOD.format(units=table.units)}")
    return (
        f"\\begin{{table}}\n\\centering{dense}\n"
        f"\\caption{{{caption}}}\n\\label{{tab:{table.name}}}\n"
        f"\\begin{{tabular}}{{l{'r' * len(columns)}}}\n\\hline\n{heads} \\\\\n\\hline\n"
        f"{body}\n\\hline\n\\end{{tabular}}\n\\end{{table}}\n"
    )


def _lines(table: ResultTable, row: ResultRow) -> Iterator[str]:
    cells = [_mean(table, row, column) for column in table.columns]
    place = [latex_text(row.place)] if table.placed else []
    yield " & ".join([latex_text(row.name), *place, *cells]) + r" \\"
    ends = [latex_text(column.ends(row.cells[column.key])) for column in table.columns]
    if any(ends):
        small = [f"{{\\scriptsize {words}}}" if words else "" for words in ends]
        yield " & ".join(["", *("" for _ in place), *small]) + r" \\"


def _mean(table: ResultTable, row: ResultRow, column: ResultColumn) -> str:
    cell = row.cells[column.key]
    words = latex_text(column.words(cell))
    count = column.counted(cell)
    if (row.name, column.key) in table.leading:
        words = f"\\textbf{{{words}}}"
    return f"{words} {{\\scriptsize ({count})}}" if count else words
