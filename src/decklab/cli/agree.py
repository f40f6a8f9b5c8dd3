"""``decklab agree``."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from decklab import evals
from decklab.cli import calls
from decklab.cli.parameters import AsJson, Force, argument, flag, option
from decklab.cli.terminal import checked_first, echo_json

app = typer.Typer(add_completion=False)


@app.command()
def agree_command(
    scores: Annotated[
        Path,
        argument(
            "What decklab score wrote: its folder, results.json, results.parquet or CSV; or "
            "a CSV with the columns topic, product, metric, value.",
            "SCORES",
        ),
    ],
    ranks: Annotated[
        list[Path],
        argument("CSV files with the columns topic, annotator, product, rank.", "RANKS..."),
    ],
    metric: Annotated[
        list[str] | None, option("A metric to compare; repeatable. Else all.", "NAME")
    ] = None,
    ablation: Annotated[
        bool,
        flag(
            "--ablation",
            "Also compare the sums of all subsets: of harmony, engagement, usability and "
            "rhythm, or of the metrics named.",
        ),
    ] = False,
    select: Annotated[
        bool, flag("--select", "Also choose metrics that predict people's judgements best.")
    ] = False,
    tune: Annotated[
        bool,
        flag(
            "--tune",
            "Also fit the parameters of the aesthetics score, and say what they are worth on "
            "topics held out.",
        ),
    ] = False,
    html: Annotated[Path | None, option("Also write a page with all of it.", "FILE")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Say how far scores of decks agree with rankings of people, and people with each other.

    A deck belongs to the topic and the product that its path names, such as topic/product.pptx.

    Example: decklab agree results ranks.csv --ablation --html agreement.html
    """
    with checked_first():
        result = evals.agree(
            scores, ranks, metrics=metric or (), ablate=ablation, select=select, tuned=tune,
            outputs=[html] if html else [], force=force,
        )  # fmt: skip
    if as_json:
        echo_json(result.as_json())
    else:
        calls.print_agreement(result, Console())
    if html is not None:
        calls.write_agreement_page(html, result)
