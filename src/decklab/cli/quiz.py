"""``decklab quiz``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import decklab
from decklab import evals
from decklab.cli.parameters import AsJson, BudgetOptions, Force, argument, grouped_options, option
from decklab.cli.terminal import checked_until_begun, echo_json, stages_shown
from decklab.core.options import SlideReading
from decklab.pages.wording import clean_line

if TYPE_CHECKING:
    from decklab.evals.judges.quiz.exam import Accuracy, ExamResult

app = typer.Typer(add_completion=False, no_args_is_help=True)

_SHOWN = 90
_PROXY = "Proxy: a program stands in for a model; see docs/quiz.md."
_NOT_SCORED = 3
"""Exit code where the answer to a question could not be had."""

Model = Annotated[str | None, option("The model to ask, as Inspect AI names it.", "NAME")]


@app.callback()
def quiz_command() -> None:
    """Ask of a deck what its sources say: ten questions, answered from the slides alone.

    Example: decklab quiz build report.pdf --out bank.json
    """


@app.command("build")
@grouped_options
def build_command(
    documents: Annotated[
        list[Path], argument("PDF, DOCX, PPTX, Markdown, HTML, CSV, XLSX.", "FILE...")
    ],
    out: Annotated[Path, option("The bank, a JSON file.", "FILE")],
    budget: BudgetOptions,
    force: Force = False,
    model: Model = None,
    seed: Annotated[int, option("Which questions, and the order of options.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Write ten questions about documents: five on concepts, five on data, each with its quote.

    A model writes them in three phases, and every quote is looked up. Without --model sentences
    lose a number or a term, which is a proxy. A bank that breaks a rule is never written.

    Exit codes: 0 written; 2 it could not begin; 1 no bank keeps the rules.

    Example: decklab quiz build report.pdf --out bank.json --seed 3
    """
    spending = budget.spending(model)
    with checked_until_begun() as stages, stages_shown(stages) as progress:
        built = evals.build_quiz(
            documents,
            out,
            model=model,
            seed=seed,
            force=force,
            spending=spending,
            progress=progress,
        )
    if as_json:
        echo_json({**built.bank.model_dump(mode="json"), "left_out": list(built.left_out)})
        return
    for line in built.left_out:
        typer.secho(f"left out: {line}", err=True, fg="yellow")
    if built.bank.proxy:
        typer.echo(_PROXY)
    typer.echo(f"Wrote {out}: 10 questions by {built.bank.made_by}")


@app.command("take")
@grouped_options
def take_command(
    bank: Annotated[Path, argument("A bank of questions.", "BANK")],
    decks: Annotated[list[Path], argument("Decks of any kind.", "DECK...")],
    budget: BudgetOptions,
    model: Model = None,
    reading: Annotated[
        SlideReading, option("Slides by the deck's own text, or as the model sees their pictures.")
    ] = "text",
    source: Annotated[
        list[Path] | None, option("Look the quotes up in this document; repeatable.", "FILE")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Answer the questions from each deck alone: how much was right, and why the rest was not.

    Speaker notes are not read. Without --model a program looks for the statement that fits, which
    is a proxy. An answer that cannot be read is asked again, and then not scored.

    Exit codes: 0 all questions scored; 3 some were not; 2 it could not begin.

    Example: decklab quiz take bank.json talk.pptx --source report.pdf
    """
    spending = budget.spending(model, reading=None if reading == "text" else reading)
    with checked_until_begun() as stages, stages_shown(stages) as progress:
        results = evals.take_quiz(
            bank, decks, model=model, reading=reading, documents=source or (), spending=spending,
            progress=progress,
        )  # fmt: skip
    if as_json:
        echo_json([result.as_json() for result in results])
    else:
        if any(result.proxy for result in results):
            typer.echo(_PROXY)
        for result in results:
            _print(result)
    raise typer.Exit(_NOT_SCORED if any(exam.accuracy.not_scored for exam in results) else 0)


def _print(result: "ExamResult") -> None:
    typer.echo(f"{result.deck}: {_sentence(result.accuracy)}")
    for line in result.notes:
        typer.secho(f"  {line}", err=True, fg="yellow")
    for group in ("kind", "difficulty"):
        parts = (
            f"{name} {accuracy.correct} of {accuracy.questions}"
            for name, accuracy in sorted(result.accuracy_by(group).items())
        )
        typer.echo(f"  {group}: {', '.join(parts)}")
    for mistake in result.mistakes:
        question = result.bank.questions[mistake.number - 1]
        said = result.answers[mistake.number - 1].selected
        answered = "nothing" if said == "insufficient information" else said
        typer.echo(
            f"  {mistake.number} {mistake.kind}: {clean_line(question.question)[:_SHOWN]}\n"
            f"    answered {answered}, right is {question.answer}, "
            f"{clean_line(question.right)[:_SHOWN]}; {clean_line(mistake.reason)}"
        )


def _sentence(accuracy: "Accuracy") -> str:
    share, interval = accuracy.share, accuracy.interval
    if isinstance(share, decklab.NotScored) or isinstance(interval, decklab.NotScored):
        return str(share)
    words = (
        f"{accuracy.correct} of {accuracy.questions} right "
        f"({share:.0%}; 95% interval {interval[0]:.0%} to {interval[1]:.0%})"
    )
    if accuracy.insufficient:
        words += f", {accuracy.insufficient} without enough information"
    return words + (f", {accuracy.not_scored} not scored" if accuracy.not_scored else "")
