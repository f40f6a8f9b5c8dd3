"""Options of ``decklab write`` for the look of a deck and its mending."""

from typing import Annotated

import typer

StyleFilled = Annotated[
    bool | None,
    typer.Option(
        "--style/--no-style",
        help="With a model: have it fill in colours, sizes, fonts and parts on top of the theme.",
    ),
]
FreeLayout = Annotated[
    bool | None,
    typer.Option(
        "--free-layout/--no-free-layout",
        help="With a model: have it arrange the contents of slides itself.",
    ),
]
RefineDeck = Annotated[
    bool | None,
    typer.Option(
        "--refine/--no-refine",
        help="Look at the drawn deck and mend defects; with a model unless told otherwise.",
    ),
]
