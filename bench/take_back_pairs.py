"""Pairs of random edits of one deck, each taken back in any order while the other stays.

The deck, the deck with one edit and the deck with both are versions of a library, and changes are
taken back by what its jobs do. What comes is compared with the deck that only ever had the other
edit, and with the deck itself once both are taken back.

Run as ``python -m bench.take_back_pairs [DECK] [PAIRS] [SEED] [--all]``; by default 200 pairs on a
sample. With ``--all`` each outcome is printed, else those that are wrong.
"""

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from decklab.deck.deck import write_samples
from decklab.diffing.decks import diff_packages
from decklab.diffing.wording import sentence
from decklab.editing import operations
from decklab.editing.finding import EditError, slide_ids
from decklab.editing.opening import PPTX_ERRORS, Presentation, opened, saved
from decklab.editing.taking_back import CannotTakeBack
from decklab.ooxml.package import Package
from decklab.rendering.renderer import Renderer
from decklab.workbench.web.database import VersionRow, engine_of, open_database
from decklab.workbench.web.library import Library
from decklab.workbench.web.looking import WorkTask
from decklab.workbench.web.worker import WORK

TAKEN, CONFLICT, WRONG = "taken back", "conflict named", "wrong"
_DO: Any = operations
_COLORS = ("#AA0000", "#00AA00", "#0000AA")


@dataclass(frozen=True)
class Edit:
    """An edit of an open deck, which raises EditError where it cannot be made."""

    name: str
    make: Callable[[Presentation], object]
    slide: int
    shape: int
    """Ids of its slide, and of a shape there that it may be of."""


@dataclass(frozen=True)
class Outcome:
    """What came of taking one edit back."""

    edits: tuple[str, str]
    back: str
    """Which edits were taken back, in order."""
    kind: str
    said: str


def random_edit(prs: Presentation, chance: random.Random, near: Edit | None = None) -> Edit:
    """An edit of a random slide or shape of a deck, which is known by its id.

    Every other one of two is on the slide of the edit ``near``, and half of these of its shape, so
    that they meet.
    """
    slide = near.slide if near and chance.random() < 0.5 else chance.choice(slide_ids(prs))
    neighbour = chance.choice(slide_ids(prs))
    shapes = [one.shape_id for one in prs.slides.get(slide).shapes]
    shape = chance.choice(shapes) if shapes else 0
    if near and near.slide == slide and chance.random() < 0.5:
        shape = near.shape
    words, color = f"Words {chance.randrange(10**6)}", chance.choice(_COLORS)
    box = (float(chance.randrange(600)), float(chance.randrange(400)), 200.0, 60.0)
    size = float(chance.randrange(10, 40))

    def at(prs: Presentation, id: int = slide) -> int:
        if id not in slide_ids(prs):
            raise EditError("the slide is gone")
        return slide_ids(prs).index(id) + 1

    def beside(prs: Presentation) -> int:
        """The place right behind the neighbour, once the slide has left its own."""
        here, there = at(prs), at(prs, neighbour)
        return there if here <= there else there + 1

    def alone(prs: Presentation) -> dict[str, list[int]]:
        return {"slides": [at(prs)]}

    made: dict[str, Callable[[Presentation], object]] = {
        "add slide": lambda p: _DO.add_slide(p, at(p), title=words),
        "clone slide": lambda p: _DO.clone_slide(p, at(p)),
        "delete slide": lambda p: _DO.delete_slide(p, at(p)),
        "move slide": lambda p: _DO.move_slide(p, at(p), beside(p)),
        "hide slide": lambda p: _DO.hide_slide(p, at(p)),
        "title": lambda p: _DO.set_title(p, at(p), words),
        "body": lambda p: _DO.set_body(p, at(p), [words, "More"]),
        "text": lambda p: _DO.set_text(p, at(p), shape, words),
        "bullet": lambda p: _DO.add_bullet(p, at(p), shape, words),
        "notes": lambda p: _DO.set_notes(p, at(p), words),
        "alt text": lambda p: _DO.set_alt_text(p, at(p), shape, words),
        "size": lambda p: _DO.format_text(p, shape=shape, size=size, **alone(p)),
        "colour": lambda p: _DO.format_text(p, shape=shape, color=color, **alone(p)),
        "bold": lambda p: _DO.format_text(p, shape=shape, bold=True, **alone(p)),
        "text box": lambda p: _DO.add_text_box(p, at(p), box, words),
        "shape": lambda p: _DO.add_shape(p, at(p), box, text=words),
        "delete shape": lambda p: _DO.delete_shape(p, at(p), shape),
        "fill": lambda p: _DO.fill_shape(p, at(p), shape, color),
        "outline": lambda p: _DO.outline_shape(p, at(p), shape, color),
        "place": lambda p: _DO.set_geometry(p, at(p), shape, x=box[0], y=box[1]),
        "cell": lambda p: _DO.set_cell(p, at(p), 1, 1, words),
        "row": lambda p: _DO.add_row(p, at(p), [words]),
        "chart title": lambda p: _DO.set_chart_title(p, at(p), words),
        "background": lambda p: _DO.set_background(p, color, **alone(p)),
        "transition": lambda p: _DO.set_transition(p, "fade", **alone(p)),
        "animation": lambda p: _DO.add_animation(p, at(p), shape),
        "theme fonts": lambda p: _DO.set_theme_fonts(p, headings="Georgia"),
        "theme colour": lambda p: _DO.set_theme_color(p, "accent1", color),
    }
    name = chance.choice(list(made))
    return Edit(name, made[name], slide, shape)


def edited(source: Path, edit: Edit, target: Path) -> Path | None:
    """The deck after an edit; None where it cannot be made or changes nothing."""
    prs = opened(source)
    try:
        edit.make(prs)
    except (EditError, *PPTX_ERRORS):
        return None
    saved(prs, target)
    return target if differences(source, target) else None


def differences(one: Path, other: Path) -> list[str]:
    """The changes between two decks, in words."""
    with Package.open(one) as before, Package.open(other) as after:
        return [sentence(change) for change in diff_packages(before, after).edits]


def try_pairs(deck: Path, pairs: int, seed: int, folder: Path) -> Iterator[Outcome]:
    """Make random pairs of edits and take them back, alone and both in each order."""
    sessions = open_database(f"sqlite:///{folder / 'w.sqlite'}")
    library, chance, number = Library(folder, sessions), random.Random(seed), 0
    shown = opened(deck)
    try:
        while number < pairs:
            one = random_edit(shown, chance)
            two = one, random_edit(shown, chance, one)
            built = two[0].name == "clone slide" or two[1].name == "clone slide"
            if built and two[0].slide == two[1].slide:
                continue  # the copy is made of what the other edit changed, or of what it did not
            room = library.unfinished()
            room.mkdir()
            first = edited(deck, two[0], room / "first.pptx")
            both = first and edited(first, two[1], room / "both.pptx")
            other = edited(deck, two[1], room / "other.pptx")
            if first is None or both is None or other is None:
                continue
            number += 1
            yield from _Pair(library, room, two, (deck, first, both, other)).outcomes()
    finally:
        engine_of(sessions).dispose()


class _Pair:
    """Two edits of a deck, one after the other, as versions of the library."""

    def __init__(
        self, library: Library, room: Path, edits: tuple[Edit, Edit], decks: tuple[Path, ...]
    ) -> None:
        self.library, self.room, self.edits = library, room, edits
        self.deck, self.first, self.both, self.other = decks
        upload = room / "upload"
        upload.write_bytes(self.deck.read_bytes())
        self.id = library.add("deck.pptx", upload).id
        for parent, made in enumerate((self.first, self.both), start=1):
            self._add(parent, made)

    def outcomes(self) -> Iterator[Outcome]:
        """What came of taking back the first, the second, and both in each order."""
        for order in ((1, 2), (2, 1)):
            version, said = 3, ""
            for step, back in enumerate(order):
                said += f"{'' if step == 0 else ', then '}{'first' if back == 1 else 'second'}"
                alone = self.other if back == 1 else self.first
                outcome, version = self._without(back, version, alone if step == 0 else self.deck)
                names = self.edits[0].name, self.edits[1].name
                yield Outcome(names, said, *outcome)
                if outcome[0] != TAKEN:
                    break

    def _without(self, edit: int, onto: int, wanted: Path) -> tuple[tuple[str, str], int]:
        """Take an edit back from a version; gives what came of it, and the version made."""
        before, made, file = (
            self.library.file(self.library.version(self.id, one)) for one in (edit, edit + 1, onto)
        )
        out = self.library.unfinished(".pptx")
        asked = {"before": str(before), "made": str(made), "keys": []}
        task = WorkTask("take_back", file, self.room / "seen", out, self.room / "stage", asked)
        try:
            result = WORK["take_back"](task, Renderer())
        except CannotTakeBack as error:
            return (CONFLICT, str(error)), onto
        if result["undone"]:
            return (CONFLICT, "; ".join(result["undone"])), onto
        wrong = differences(wanted, out)
        version = self._add(onto, out)
        return (WRONG if wrong else TAKEN, "; ".join(wrong[:3])), version.number

    def _add(self, parent: int, made: Path) -> VersionRow:
        copy = self.library.unfinished(".pptx")
        copy.write_bytes(made.read_bytes())
        return self.library.add_version(self.id, parent, copy, "an edit", "")[0]


def main(arguments: list[str]) -> int:
    """Try the pairs and print a table; 1 where anything went wrong."""
    with tempfile.TemporaryDirectory() as name:
        room = Path(name)
        named = [one for one in arguments if one != "--all"]
        deck = Path(named[0]) if named else write_samples(room / "samples")[1]
        pairs, seed = map(int, [*named[1:3], *("200", "1")[max(len(named) - 1, 0) :]])
        counts: dict[str, Counter[str]] = {}
        for outcome in try_pairs(deck, pairs, seed, room):
            counts.setdefault(outcome.back, Counter())[outcome.kind] += 1
            if outcome.kind == WRONG or "--all" in arguments:
                print(
                    f"{outcome.kind}: {outcome.edits}, {outcome.back}: {outcome.said}", flush=True
                )
        print(f"{pairs} pairs of edits of {deck.name}, seed {seed}")
        print(f"{'taken back':22} " + " ".join(f"{one:>14}" for one in (TAKEN, CONFLICT, WRONG)))
        for back, own in counts.items():
            row = " ".join(f"{own[one]:14}" for one in (TAKEN, CONFLICT, WRONG))
            print(f"{back:22} {row}")
    return int(any(own[WRONG] for own in counts.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
