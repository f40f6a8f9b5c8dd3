"""Groups of options become options of the command, under a heading of their own."""

from dataclasses import dataclass
from typing import Annotated

import typer
from typer.testing import CliRunner

from decklab.cli.parameters import argument, flag, grouped_options, option

app = typer.Typer(add_completion=False)


@dataclass(frozen=True)
class Size:
    """Paper size: how large a page is."""

    wide: Annotated[int, option("Points across.", "PT", "--width -w", min=1)] = 10
    tall: Annotated[int, option("Points down.")] = 20


@app.command()
@grouped_options
def draw(
    name: Annotated[str, argument("What is drawn.", "NAME")],
    size: Size,
    loud: Annotated[bool, flag("--loud", "In capitals.")] = False,
) -> None:
    """Draw a page."""
    typer.echo(f"{name.upper() if loud else name} {size.wide} x {size.tall}")


def said(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, words)
    return result.exit_code, result.output


def test_fields_are_options_with_their_defaults() -> None:
    assert said("page") == (0, "page 10 x 20\n")
    assert said("--loud", "page", "-w", "3", "--tall", "4") == (0, "PAGE 3 x 4\n")
    assert said("page", "--width", "0")[0] == 2


def test_a_flag_has_no_negative() -> None:
    assert said("page", "--no-loud")[0] == 2


def test_help_shows_a_group_under_the_first_words_of_its_docstring() -> None:
    code, page = said("--help")
    assert code == 0 and page.index("Paper size ─") > page.index("Options ─")
    assert page.index("--loud") < page.index("Paper size ─") < page.index("--tall")
