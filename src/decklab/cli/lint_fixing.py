"""``decklab lint --fix`` and ``--diff``: fixes written to copies, or only shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import decklab
from decklab.cli import calls
from decklab.cli.terminal import echo_json, in_words
from decklab.core.errors import DecklabError
from decklab.core.files import check_file

if TYPE_CHECKING:
    from decklab.linting.fixes.mend import MendedDeck
    from decklab.linting.project import LintOptions
    from decklab.rendering.renderer import Renderer

WOULD_CHANGE = 1
UNREADABLE = 2


@dataclass(frozen=True)
class FixPlaces:
    """Where fixed decks go: the place of each deck; none if fixes are only shown."""

    targets: Mapping[Path, Path]
    in_place: bool = False
    force: bool = False
    """Whether files that exist are replaced."""


def places_for(
    decks: Sequence[Path], given: Sequence[str], out: Path | None, *, in_place: bool, force: bool
) -> FixPlaces:
    """Where each fixed deck goes.

    ``out`` is a file for one deck that was named, else a folder, in which decks of folders keep
    their paths. Raises OSError if a place cannot be written, or would replace a deck, and
    NameTaken if a file exists, unless ``force`` replaces it.
    """
    if in_place:
        return FixPlaces({deck: deck for deck in decks}, in_place=True)
    if out is None:
        return FixPlaces({})
    if len(decks) == 1 and out.suffix and not out.is_dir() and not Path(given[0]).is_dir():
        targets = {decks[0]: out}
    else:
        folders = [Path(one) for one in given if Path(one).is_dir()]
        targets = {deck: out / _relative(deck, folders) for deck in decks}
    taken: dict[Path, Path] = {}
    for deck, target in targets.items():
        check_file(target, inputs=decks, force=force)
        if target in taken:
            detail = f"both {taken[target]} and {deck} would be written there"
            raise FileExistsError(0, detail, str(target))
        taken[target] = deck
    return FixPlaces(targets, force=force)


def _relative(deck: Path, folders: Sequence[Path]) -> Path:
    above = next((folder for folder in folders if deck.is_relative_to(folder)), None)
    return Path(deck.name) if above is None else deck.relative_to(above)


def fix_all(
    decks: Sequence[Path],
    options: "LintOptions",
    renderer: "Renderer",
    places: FixPlaces,
    *,
    as_json: bool,
) -> None:
    """Fix each deck and say what was fixed; without places only show the changes.

    Ends the command with 2 where a deck could not be fixed, and with 1 where changes were only
    shown.
    """
    rows: list[dict[str, Any]] = []
    unread = changed = 0
    with renderer.started() as started:
        for deck in decks:
            try:
                mended = decklab.fix_deck(deck, options, started)
                target = places.targets.get(deck)
                if target is not None:
                    calls.write_fixed(mended, target, in_place=places.in_place, force=places.force)
            except (DecklabError, OSError) as error:
                unread += 1
                typer.echo(f"decklab: {in_words(error)}", err=True)
                rows.append({"deck": str(deck), "error": in_words(error)})
                continue
            changed += mended.content is not None
            rows.append(_row(mended, target))
            if not as_json:
                _print(mended, target)
    if as_json:
        echo_json({"decks": rows})
    if unread:
        raise typer.Exit(UNREADABLE)
    if changed and not places.targets:
        raise typer.Exit(WOULD_CHANGE)


def _row(mended: "MendedDeck", target: Path | None) -> dict[str, Any]:
    def told(fix: Any) -> dict[str, Any]:
        return {"rule": fix.rule, "slide": fix.slide, "says": fix.says}

    written = None if target is None or mended.content is None else str(target)
    return {
        "deck": mended.deck,
        "error": None,
        "out": written,
        "fixed": [told(fix) for fix in mended.fixed],
        "taken_back": [told(item.fix) | {"reason": item.reason} for item in mended.taken_back],
        "left": {rule: count for rule, count in mended.left.items() if count},
        "changes": mended.changes.as_json()["changes"],
    }


def _print(mended: "MendedDeck", target: Path | None) -> None:
    count = len(mended.fixed)
    where = f", written to {target}" if target and mended.content else ""
    fixes = f"{count} fix{'' if count == 1 else 'es'}" if count else "nothing to fix"
    typer.secho(f"{mended.deck}: {fixes}{where}", bold=True)
    for fix in mended.fixed:
        typer.echo(f"  slide {fix.slide}: {fix.rule}: {fix.says}")
    if not target and count:
        typer.echo("  what would change:")
        for item in calls.words_by_slide(mended.changes.edits):
            for words in item.clauses:
                typer.secho(f"    {item.place}: {words}", dim=True)
    for one in mended.taken_back:
        line = f"  slide {one.fix.slide}: {one.fix.rule}: taken back: {one.fix.says}: {one.reason}"
        typer.secho(line, fg="yellow")
    left = sum(mended.left.values())
    if left:
        typer.echo(f"  {left} more for people to mend, of rules that have a fix")
    if not mended.drawn:
        typer.echo("  nothing was drawn, so that what is seen was not fixed", err=True)
