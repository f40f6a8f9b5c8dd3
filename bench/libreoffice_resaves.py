"""Decks that LibreOffice saved again: what does the diff take for an edit, and which does it miss?

First every deck is saved by LibreOffice without an edit, and compared with what it was: whatever is
told that is not marked as noise is false. Then known edits (those of ``tests/diffing/edits``, and
one slide put in another's place) are made in the XML before LibreOffice saves the deck: each has to
be told, and little else. Both are done twice: by rules on what LibreOffice does, and with
LibreOffice saving the older deck as well (``decklab.diffing.decks``). An edit that LibreOffice
itself does not keep, so that the two decks that it saves are the same, can be told by nobody: such
are counted apart, found by comparing all parts of both.

Run as ``python -m bench.libreoffice_resaves [--edits N] [--keep FOLDER] [FOLDER ...]``: the decks
of the folders, or of ``../shared/decks``, or the samples where those are absent; N edits by kind
(2). FOLDER keeps what LibreOffice saved, for the next run. 1 where more than one deck in ten shows
a difference that nobody made.
"""

import argparse
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.diffing.edits import COMMENTS, EDITS, Expected, edit_deck
from tests.diffing.exactness import taken

from decklab.core.errors import DecklabError, RenderError
from decklab.deck.deck import write_samples
from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.decks import diff_resaved
from decklab.diffing.snapshots import diff
from decklab.editing.slide_operations import clone_slide, delete_slide, move_slide
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.rendering.office import Office
from decklab.rendering.renderer import Cache, cache_key

SHARED = Path(__file__).parents[2] / "shared" / "decks"
FOLDERS = ("real", "features", "hostile")
_RANDOM = re.compile(rb"\{[0-9A-Fa-f-]{36}\}|charts?/?chart\d+|modId [^>]*>")
_COUNTED = re.compile(r"chart\d+")
SWAPPED = "another slide instead"
KINDS = (*sorted(set(EDITS) - set(COMMENTS)), *sorted(COMMENTS), SWAPPED)


@dataclass
class Resaver:
    """LibreOffice, and what it saved before."""

    office: Office
    cache: Cache
    room: Path

    def taken(self, path: Path) -> Snapshot:
        """The snapshot of a deck after LibreOffice saved it."""
        target = self.room / "resaved.pptx"
        target.write_bytes(self.saved(path))
        return taken(target)

    def saved(self, path: Path) -> bytes:
        """The deck as LibreOffice saves it."""
        key = cache_key(path.read_bytes(), {"engine": self.office.engine, "bench": "resaves"})
        data = self.cache.get(key)
        if data is None:
            data = self.office.resaved(path)
            self.cache.put(key, data)
        return data


@dataclass
class Tally:
    """What became of the edits of one kind."""

    made: int = 0
    lost: int = 0
    """By LibreOffice."""
    told: Counter[str] = field(default_factory=Counter)
    """By way of comparing."""
    false: Counter[str] = field(default_factory=Counter)


def main(arguments: list[str]) -> int:
    """Print both tables; 1 where more than one deck in ten shows what nobody made."""
    options = _options(arguments)
    with tempfile.TemporaryDirectory() as name, Office() as office:
        room = Path(name)
        saver = Resaver(office, Cache(options.keep or room / "cache"), room)
        decks = list(_decks(options.folders, room))
        bad = _unedited(decks, saver)
        if options.edits:
            _edited([deck for deck in decks if deck in bad], saver, options.edits, room)
    return 0 if all(10 * sum(ways[way] > 0 for ways in bad.values()) <= len(bad)
                    for way in ("office",)) else 1  # fmt: skip


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.libreoffice_resaves")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--edits", type=int, default=2)
    parser.add_argument("--keep", type=Path)
    return parser.parse_args(arguments)


def _decks(folders: list[Path], room: Path) -> Iterator[Path]:
    chosen = folders or [SHARED / name for name in FOLDERS]
    for folder in chosen:
        yield from sorted(folder.glob("*.pptx"))
    if not folders:
        yield from write_samples(room / "samples")


def _unedited(decks: list[Path], saver: Resaver) -> dict[Path, dict[str, int]]:
    """What is told of each deck that LibreOffice saved without an edit."""
    found: dict[Path, dict[str, int]] = {}
    print(f"{'saved without an edit':60} {'noise':>6} {'rules':>6} {'office':>6}")
    for deck in decks:
        try:
            before, after = taken(deck), saver.taken(deck)
        except (DecklabError, RenderError) as error:
            print(f"{deck.name[:60]:60} not compared: {error}")
            continue
        by_rules, by_office = diff(before, after), diff_resaved(before, saver.taken(deck), after)
        found[deck] = {"rules": len(by_rules.edits), "office": len(by_office.edits)}
        noise = len(by_office.changes) - len(by_office.edits)
        print(f"{deck.name[:60]:60} {noise:6} {len(by_rules.edits):6} {len(by_office.edits):6}",
              flush=True)  # fmt: skip
    for way in ("rules", "office"):
        decks_bad = sum(one[way] > 0 for one in found.values())
        print(f"by {way}: {sum(one[way] for one in found.values())} unmarked changes on "
              f"{decks_bad} of {len(found)} decks")  # fmt: skip
    return found


def _edited(decks: list[Path], saver: Resaver, tries: int, room: Path) -> None:
    """Which edits are told after LibreOffice saved the deck, by kind."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for kind in KINDS:
        chance = random.Random(kind)
        for deck in chance.sample(decks, len(decks)):
            if tallies[kind].made >= tries:
                break
            try:
                _try(kind, deck, saver, tallies[kind], room / "edited.pptx")
            except (DecklabError, RenderError) as error:
                print(f"{kind} in {deck.name}: not compared: {error}")
        _print(kind, tallies[kind])
    total = Tally()
    for one in tallies.values():
        total.made, total.lost = total.made + one.made, total.lost + one.lost
        total.told += one.told
        total.false += one.false
    _print("all", total)


def _try(kind: str, deck: Path, saver: Resaver, tally: Tally, out: Path) -> None:
    made, expected = edit_deck(deck, out, [kind], 1) if kind != SWAPPED else _swap(deck, out)
    if not made:
        return
    before, through, edited, after = taken(deck), saver.taken(deck), taken(out), saver.taken(out)
    ways = {"rules": diff(before, after), "office": diff_resaved(before, through, after)}
    wanted = [_place(one, before, edited) for one in expected]
    lost = _content(saver.saved(deck)) == _content(saver.saved(out))
    tally.made += 1
    tally.lost += lost
    for way, found in ways.items():
        told = [one for one in found.edits if _is_wanted(one, wanted)]
        tally.told[way] += bool(told)
        tally.false[way] += len(found.edits) - len(told)
        if way == "office" and not lost and (not told or len(found.edits) > len(told)):
            _explain(kind, deck, wanted, found)


def _content(data: bytes) -> Counter[tuple[str, bytes]]:
    """All parts of a deck but its properties, which hold the time; without what is counted on from
    deck to deck or drawn at random."""
    with Package.from_bytes(data, "a deck") as package:
        return Counter(
            (_COUNTED.sub("chart", name), _RANDOM.sub(b"", package.read(name)))
            for name in package.names
            if "docProps" not in name
        )


def _swap(deck: Path, out: Path) -> tuple[list[str], list[Expected]]:
    """Another slide, a copy with other words, in the place of one."""
    with Package.open(deck) as package:
        draft = Draft(package)
        entries = slide_entries(draft)
        if len(entries) < 4:
            return [], []
        old, model = entries[2], entries[0]
        new = clone_slide(draft, model.part)
        for number, text in enumerate(draft.edit(new).iter("{*}t")):
            text.text = f"Wombats and numbats {number}"
        move_slide(draft, new, old.number)
        delete_slide(draft, old.part)
        draft.save(out)
    return [SWAPPED], [
        Expected(old.part, None, "slide", "removed"), Expected(new, None, "slide", "added")
    ]  # fmt: skip


def _place(expected: Expected, before: Snapshot, edited: Snapshot) -> tuple[int | None, str, str]:
    side = before if expected.property == "removed" and expected.kind == "slide" else edited
    number = next((s["number"] for s in side["slides"] if s["part"] == expected.part), None)
    return number, expected.kind, expected.property


def _is_wanted(change: Change, wanted: list[tuple[int | None, str, str]]) -> bool:
    """Templates come back under other names and of other kinds: a layout as a master."""
    if change.slide is None and any(slide is None for slide, _kind, _property in wanted):
        return any(change.property == property for _slide, _kind, property in wanted)
    return (change.slide, change.kind, change.property) in wanted


def _explain(
    kind: str, deck: Path, wanted: list[tuple[int | None, str, str]], found: DeckDiff
) -> None:
    print(f"    {kind} in {deck.name}: wanted {wanted}; told")
    for one in found.edits[:6]:
        print(f"        {one.slide} {one.kind} {one.property} {one.old!r:.60} {one.new!r:.60}")


def _print(kind: str, tally: Tally) -> None:
    if not tally.made:
        print(f"{kind:24} no deck has a place for it")
        return
    ways = "   ".join(
        f"{way}: told {tally.told[way]:3}, {tally.false[way]:4} false"
        for way in ("rules", "office")
    )
    print(f"{kind:24} {tally.made:3} made, {tally.lost:2} lost by LibreOffice   {ways}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
