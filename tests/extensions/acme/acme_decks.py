"""A package of its own that adds to decklab: a metric, a lint rule, a layout, a reader,
a benchmark."""

from pathlib import Path

import typer

from decklab.board.library import Layout
from decklab.linting.rules.rule import Rule
from decklab.metrics.metric import MetricInfo


def darkness(picture):
    """How dark a slide is: 0 for white, 1 for black."""
    return float(1 - picture.mean() / 255)


DARKNESS = MetricInfo(
    "acme.darkness", "slide", "How dark a slide is.", "acme", direction="lower",
    measure=darkness, label="Darkness",
)  # fmt: skip


def shouting(slide):
    """A finding for each text in capitals throughout."""
    for text in slide.texts:
        if len(text.text) > 8 and text.text.isupper():
            yield SHOUTING.finding(f"{text.text!r} shouts.", slide.number, text)


SHOUTING = Rule(
    "acme.shouting",
    "Shouting",
    "A text is in capitals throughout.",
    threshold="more than 8 signs",
    fix="Write it in sentence case.",
    source="acme",
    check=shouting,
)


RIBBON = Layout(
    "Ribbon", ("steps",), "steps on one ribbon", count=(2, 5),
    template=Path(__file__).with_name("ribbon.html"),
)  # fmt: skip


def read_recipe(path):
    """A .recipe file as Markdown: its first line is the title, the others are steps."""
    title, *steps = path.read_text(encoding="utf-8").splitlines()
    return "\n".join([f"# {title}", "", *(f"- {step}" for step in steps)])


bench = typer.Typer()


@bench.command()
def tasting(spoons: int = 3) -> None:
    """Taste what was written."""
    typer.echo(f"{spoons} spoons")
