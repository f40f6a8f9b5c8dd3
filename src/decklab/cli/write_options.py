"""Options of ``decklab write``: where its slides come from, and the pages around them."""

from pathlib import Path
from typing import Annotated

import typer

SlidesFrom = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Slides in Markdown, as in Marp, Slidev or Pandoc; --source then proves numbers.",
    ),
]
RedoSlide = Annotated[
    tuple[int, str],
    typer.Option(
        metavar="N WISH",
        help='Make slide N of the deck in --keep anew, such as 4 "shorter, as a timeline".',
    ),
]
SourceLanguage = Annotated[
    str, typer.Option(metavar="TAG", help="Of the documents, where it is not that of the deck.")
]
TitlePage = Annotated[
    bool | None, typer.Option("--title-page/--no-title-page", help="Begin with a title page.")
]
ContentsPage = Annotated[
    bool | None,
    typer.Option("--contents/--no-contents", help="List the parts; else where there are three."),
]
ClosingPage = Annotated[
    bool | None,
    typer.Option("--closing/--no-closing", help="End with a closing page; else with a summary."),
]
ScoreCard = Annotated[
    bool, typer.Option("--score/--no-score", help="Score the deck, and print what is found.")
]
