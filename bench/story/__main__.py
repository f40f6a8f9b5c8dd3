"""Write every document of a folder at several sizes and measure what reaches the slides.

``python -m bench.story FOLDER --slides 5,8,15,25 --out FOLDER [--sheets]``

Documents are named ``KIND_LENGTH_SUBJECT``, such as ``minutes_short_council.docx``. Each is written
without a model, and its deck is read back by python-pptx. OUT gets ``story.md`` and ``story.csv``
with a row for each deck, ``missing`` with what each deck leaves out, ``decks``, and with
``--sheets`` contact sheets of six slides; the tables are written anew after each document.

Recall is the percentage of the content words of abstract, summary and conclusion that stand on
slides: those of the deck, and of two plain decks with as many slides: a heading and its first
sentences a slide, and pandoc's where it is installed, of which counts what LibreOffice draws on the
slides. A document that gives no deck has the reason
in its row, and is in no sum. "-" stands where there is nothing to measure. The first deck of a run
takes longer, for programs start with it.
"""

import argparse
import csv
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

import decklab
from bench.story.measures import Measures, Share, measure, recall
from bench.story.plain_decks import first_sentences, pandoc_slides
from bench.story.readers import READERS, read_source
from bench.story.sheets import draw_sheets
from bench.story.shown import Shown, shown_slides
from bench.story.source import Source
from decklab.core.errors import DecklabError

SHARES: Final = ("sections", "sentences", "numbers", "tables", "figures")
_HEAD: Final = (
    "document", "asked", "used", *SHARES, "words", "most", "bare titles", "alike", "charts",
    "seconds", "recall", "first sentences", "pandoc", "remark",
)  # fmt: skip
_SUMMARY_HEAD: Final = (
    "kind", "asked", "decks", "refused", "slides used", *SHARES, "words", "most", "bare titles",
    "alike", "charts", "seconds", "recall", "first sentences", "pandoc",
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One document at one size; ``measures`` is None if there is no deck."""

    document: str
    asked: int
    measures: Measures | None = None
    seconds: float = 0.0
    recalls: tuple[float | None, float | None, float | None] = (None, None, None)
    remark: str = ""

    @property
    def kind(self) -> str:
        """The kind of document, by its name."""
        return self.document.partition("_")[0]


def main(arguments: Sequence[str]) -> int:
    """Write and measure all; 1 if there is no document."""
    options = _options(arguments)
    documents = [
        path
        for path in sorted(options.folder.glob("*"))
        if path.suffix.lower() in READERS and options.only in path.name
    ]
    if not documents:
        print(f"{options.folder}: no documents")
        return 1
    for name in ("decks", "missing"):
        (options.out / name).mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    for path in documents:
        source, by_pandoc = read_source(path), pandoc_slides(path, options.out)
        for asked in options.slides:
            rows.append(_row(path, source, by_pandoc, asked, options.out))
            print(" | ".join(_cells(rows[-1])), flush=True)
        (options.out / "story.md").write_text(_markdown(rows), "utf-8")
        _write_csv(rows, options.out / "story.csv")
    if options.sheets:
        decks = [deck for row in rows if row.measures and (deck := _deck(row, options.out))]
        draw_sheets(decks, options.out / "sheets")
    return 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.story",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--slides", type=_sizes, default=(5, 8, 15, 25), help="such as 5,8,15")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", default="", help="documents with this in their names")
    parser.add_argument("--sheets", action="store_true", help="draw contact sheets by LibreOffice")
    return parser.parse_args(arguments)


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def _deck(row: Row, out: Path) -> Path:
    return out / "decks" / f"{row.document.replace('.', '_')}-{row.asked}.pptx"


def _row(
    path: Path, source: Source, by_pandoc: Sequence[Shown] | None, asked: int, out: Path
) -> Row:
    row = Row(path.name, asked)
    deck = _deck(row, out)
    deck.unlink(missing_ok=True)
    start = time.perf_counter()
    try:
        decklab.write([path], deck, options=decklab.WriteOptions(slides=asked), force=True)
    except DecklabError as error:
        return Row(path.name, asked, remark=f"refused: {' '.join(str(error).split())}")
    seconds = time.perf_counter() - start
    slides = shown_slides(deck)
    measures = measure(source, slides)
    missing = out / "missing" / f"{deck.stem}.txt"
    missing.write_text("\n".join(measures.missing) + "\n", "utf-8")
    recalls = (
        recall(source.gist, slides),
        recall(source.gist, first_sentences(source, len(slides))),
        None if by_pandoc is None else recall(source.gist, by_pandoc[: len(slides)]),
    )
    return Row(path.name, asked, measures, seconds, recalls)


def _cells(row: Row) -> list[str]:
    if row.measures is None:
        gap = ["-"] * (len(_HEAD) - 3)
        return [row.document, str(row.asked), *gap, row.remark]
    made = row.measures
    return [
        row.document, str(row.asked), str(made.slides),
        *(str(getattr(made, name)) for name in SHARES),
        _number(made.words_median), _number(made.words_most), str(made.bare_titles),
        str(made.titles_alike), str(made.charts), f"{row.seconds:.1f}",
        *(_number(value) for value in row.recalls), row.remark,
    ]  # fmt: skip


def _markdown(rows: Sequence[Row]) -> str:
    kinds = sorted({row.kind for row in rows})
    sizes = sorted({row.asked for row in rows})
    summary = [
        _summary(kind, asked, [row for row in rows if (row.kind, row.asked) == (kind, asked)])
        for kind in kinds
        for asked in sizes
    ]
    summary += [
        _summary("all", asked, [row for row in rows if row.asked == asked]) for asked in sizes
    ]
    return f"{_table(_HEAD, map(_cells, rows))}\n{_table(_SUMMARY_HEAD, summary)}"


def _summary(kind: str, asked: int, rows: Sequence[Row]) -> list[str]:
    """Sums of what is shown, in percent of all; means of the others."""
    made = [(row, row.measures) for row in rows if row.measures]
    measures = [measured for _, measured in made]
    shares = [
        sum((getattr(measured, name) for measured in measures), Share(0, 0)) for name in SHARES
    ]
    return [
        kind, str(asked), str(len(made)), str(len(rows) - len(made)),
        _percent(Share(sum(m.slides for m in measures), asked * len(made))),
        *map(_percent, shares), _mean(m.words_median for m in measures),
        _number(max((m.words_most for m in measures if m.words_most is not None), default=None)),
        *(str(sum(getattr(m, name) for m in measures))
          for name in ("bare_titles", "titles_alike", "charts")),
        _mean(row.seconds for row, _ in made),
        *(_mean(row.recalls[i] for row, _ in made) for i in range(3)),
    ]  # fmt: skip


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |\n" for line in lines)


def _write_csv(rows: Sequence[Row], path: Path) -> None:
    records = [_record(row) for row in rows]
    names = list(dict.fromkeys(name for record in records for name in record))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows(records)


def _record(row: Row) -> Mapping[str, object]:
    """A row with a column for each number."""
    record: dict[str, object] = {"document": row.document, "kind": row.kind, "asked": row.asked}
    for name, value in asdict(row.measures).items() if row.measures else ():
        if name in SHARES:
            record |= {f"{name}_shown": value["shown"], f"{name}_all": value["all"]}
        elif name != "missing":
            record[name] = value
    names = ("recall", "recall_first_sentences", "recall_pandoc")
    seconds = {"seconds": round(row.seconds, 2)} if row.measures else {}
    return record | seconds | dict(zip(names, row.recalls, strict=True)) | {"remark": row.remark}


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"


def _percent(share: Share) -> str:
    return "-" if share.percent is None else f"{share.percent:.0f} %"


def _mean(values: Iterable[float | None]) -> str:
    present = [value for value in values if value is not None]
    return f"{fmean(present):.1f}" if present else "-"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
