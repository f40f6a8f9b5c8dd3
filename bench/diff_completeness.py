"""One change at a random place of a real deck: is it told?

Each try changes one thing in one part of a deck: an attribute (doubled, flipped, spelt otherwise,
removed, added), an element (removed, repeated, moved, emptied), a text, the target of a
relationship, a byte of a picture or other binary part, or a whole part (removed, added). The diff
has to tell it: by a change with a name, or by part and path. What is told as noise only has to be
on the list of noise. Nothing may be silent.

Changes that leave the package unreadable, and those that change nothing that a package says (the
order of attributes, ids of relationships that nothing names, content types that no part has), are
drawn again, and counted.

With ``--edited`` the deck is edited first (by one of the known edits of ``tests/diffing/edits``),
and the random change is made where that edit was: what the diff tells of both has to be other than
what it tells of the edit alone. Else one change would hide another. Changes inside of shapes that
the edit put in are not drawn; those inside of paragraphs or rows are, and end as ``silent``.

Run as ``python -m bench.diff_completeness [--tries 2000] [--seed 0] [--edited]
[--show KIND]``: the decks of
``../shared/decks/real`` and ``features``, or the samples where those are absent. ``--show`` prints
the tries that ended as ``silent``, ``noise``, ``path`` or ``typed``.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

from tests.diffing.edits import EDITS, edit_deck
from tests.diffing.edits.slides import WHOLE_SLIDES
from tests.diffing.mutations import Mutation, mutated
from tests.diffing.verdicts import Verdict, verdict

from decklab.deck.deck import write_samples
from decklab.diffing.changes import Change
from decklab.diffing.wording import sentence

DECKS = Path(__file__).parents[2] / "shared" / "decks"
FOLDERS = ("real", "features")


def main(arguments: list[str]) -> int:
    """Print what became of the tries; 1 where one was told nowhere."""
    options = _options(arguments)
    chance = random.Random(options.seed)
    counts: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    redrawn: Counter[str] = Counter()
    by_action: Counter[tuple[str, str]] = Counter()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        decks = _decks(Path(name))
        while counts.total() < options.tries:
            deck = chance.choice(decks)
            try_one = after_an_edit if options.edited else alone
            made, found = try_one(deck, Path(name), chance)
            if isinstance(made, str):
                redrawn[made] += 1
                continue
            if found.fate == "unreadable":
                redrawn["unreadable"] += 1
                continue
            counts[found.fate] += 1
            by_action[made.action, found.fate] += 1
            rules.update(found.rules)
            if found.fate in (options.show or ["silent"]):
                _show(deck, made, found.fate, [sentence(one) for one in found.changes])
    seconds = time.monotonic() - started
    for action in sorted({action for action, _ in by_action}):
        line = ", ".join(f"{fate} {by_action[action, fate]}" for fate in
                         ("typed", "path", "noise", "silent"))  # fmt: skip
        print(f"{action:28} {line}")
    print("noise by rule: " + ", ".join(f"{rule} {n}" for rule, n in rules.most_common()))
    print("drawn again: " + ", ".join(f"{why} {n}" for why, n in redrawn.most_common()))
    print(f"diff completeness: {counts.total()} tries on {len(decks)} decks: {counts['typed']} by "
          f"name, {counts['path']} by path only, {counts['noise']} as noise, "
          f"{counts['silent']} silent; {seconds:.0f} s")  # fmt: skip
    return int(counts["silent"] > 0)


def alone(deck: Path, room: Path, chance: random.Random) -> tuple[Mutation | str, Verdict]:
    """One change of a deck, and how it is told."""
    out = room / "mutated.pptx"
    made = mutated(deck, out, chance)
    return made, Verdict("silent") if isinstance(made, str) else verdict(deck, out)


def after_an_edit(deck: Path, room: Path, chance: random.Random) -> tuple[Mutation | str, Verdict]:
    """One change where an edit was made before, and how it is told beside that edit."""
    edited, out = room / "edited.pptx", room / "mutated.pptx"
    kind = chance.choice(sorted(set(EDITS) - set(WHOLE_SLIDES)))
    kinds, expected = edit_deck(deck, edited, [kind], chance.randrange(10**6))
    if not kinds:
        return "no place for the edit", Verdict("silent")
    within: dict[str, set[int]] = {}
    for one in expected:
        if one.part and one.kind not in ("added", "removed"):
            within.setdefault(one.part, set()).update({one.shape} if one.shape else ())
    if not within:
        return "nothing of the edit to change", Verdict("silent")
    made = mutated(edited, out, chance, within=within)
    if isinstance(made, str):
        return made, Verdict("silent")
    own = verdict(edited, out)
    if own.fate not in ("typed", "path"):
        return f"{own.fate} by itself", own
    both, first = verdict(deck, out), verdict(deck, edited)
    if not both.changes:
        return "undid the edit", both
    if set(map(_as_text, both.changes)) == set(map(_as_text, first.changes)):
        return replace(made, action=f"{kind}: {made.action}"), replace(own, fate="silent")
    return made, both


def _as_text(change: Change) -> str:
    return change.model_dump_json()


def _show(deck: Path, made: Mutation, fate: str, told: list[str]) -> None:
    print(f"{fate}: {deck.name}: {made.action} at {made.part} {made.path}: {made.old!r} -> "
          f"{made.new!r}"[:300])  # fmt: skip
    for one in told[:4]:
        print(f"    {one}"[:250])


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.diff_completeness")
    parser.add_argument("--tries", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--edited", action="store_true")
    parser.add_argument("--show", action="append", choices=("silent", "noise", "path", "typed"))
    return parser.parse_args(arguments)


def _decks(room: Path) -> list[Path]:
    if not DECKS.is_dir():
        return write_samples(room / "samples")
    return [path for folder in FOLDERS for path in sorted((DECKS / folder).glob("*.pptx"))]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
