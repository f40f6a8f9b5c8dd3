"""How long `decklab score` takes on decks, against LibreOffice's own conversion.

Both start cold on the same decks in the same run, taking turns: `soffice --convert-to pdf` one
deck after the other in a profile that is already set up, and `decklab score` with an empty cache.
Then the same decks are scored again, and the deck of most slides after one edit, from the cache.
Run as ``python -m bench.folder [FOLDER]``; without a folder, ten of the decks in
``../shared/decks/real``, then the others there (which no speed was tuned on), then one deck alone;
or the three samples where those are absent.
"""

import shutil
import sys
import tempfile
from pathlib import Path
from statistics import geometric_mean, median

from bench.deck_edits import edit_text
from bench.measuring import Cost, cost_of, remember
from decklab.deck.deck import write_samples
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries

REAL = Path(__file__).parents[2] / "shared" / "decks" / "real"
BUDGET = 0.8
"""`decklab score` may take at most so many times as long."""
AGAIN_BUDGET = 0.1
"""The same for a second run from the cache."""
EDIT_BUDGET = 0.15
"""A deck after one edit may take at most so many times as long as its first score."""
ROUNDS = 3
DECKS = 10


def main(arguments: list[str]) -> int:
    """Time both, print each round and the median ratios; 1 where a budget is missed."""
    with tempfile.TemporaryDirectory() as name:
        room = Path(name)
        groups = _groups(arguments, room)
        profile = room / "profile"
        cost_of(_soffice(next(iter(groups.values()))[:1], profile, room / "warm"))
        missed = False
        for group, decks in groups.items():
            size = sum(deck.stat().st_size for deck in decks) / 1e6
            print(f"{group}: {len(decks)} decks, {size:.1f} MB")
            missed |= not _met(f"folder, {group}", decks, room)
            missed |= not _met_after_edit(f"folder, {group}, after an edit", decks, room)
            ratio = alone(decks[::4])
            print(f"each a command of its own: {ratio:.2f} times as long (no budget is set on it)")
    return int(missed)


def _groups(arguments: list[str], room: Path) -> dict[str, list[Path]]:
    if arguments:
        return {"as named": sorted(Path(arguments[0]).glob("*.pptx"))}
    if REAL.is_dir():
        decks = sorted(REAL.glob("*.pptx"))
        return {"ten decks": decks[:DECKS], "other decks": decks[DECKS:]}
    return {"samples": write_samples(room / "samples")}


def _met(name: str, decks: list[Path], room: Path) -> bool:
    rounds = []
    for number in range(ROUNDS):
        plain = cost_of(_soffice(decks, room / "profile", room / "pdf"))
        ours = _decklab(decks, room / "cache", room / "out")
        rounds.append((ours.seconds / plain.seconds, ours, plain))
        print(f"round {number + 1}: soffice {plain.seconds:6.1f} s {plain.megabytes:5.0f} MB,"
              f" decklab score {ours.seconds:6.1f} s {ours.megabytes:5.0f} MB,"
              f" ratio {rounds[-1][0]:.2f}", flush=True)  # fmt: skip
    ratio = median(each for each, _, _ in rounds)
    again = _decklab(decks, room / "cache", room / "out", kept=True)
    met = _said(name, ratio, BUDGET, ours, plain)
    ratio = again.seconds / plain.seconds
    return _said(f"{name}, again", ratio, AGAIN_BUDGET, again, plain) and met


def _met_after_edit(name: str, decks: list[Path], room: Path) -> bool:
    """Score the deck of most slides, and once more after its middle slide got another text."""
    deck = max(decks, key=lambda each: len(_slides(each)))
    first = _decklab([deck], room / "cache", room / "out")
    slides, edited = _slides(deck), room / deck.name
    with Package.open(deck) as package:
        middle = sorted(slides, key=lambda part: abs(slides.index(part) - len(slides) // 2))
        any(edit_text(package, part, "Edited", edited) for part in middle)
    then = _decklab([edited], room / "cache", room / "out", kept=True)
    return _said(name, then.seconds / first.seconds, EDIT_BUDGET, then, first)


def _slides(deck: Path) -> list[str]:
    with Package.open(deck) as package:
        return [entry.part for entry in slide_entries(package)]


def _said(name: str, ratio: float, budget: float, ours: Cost, theirs: Cost) -> bool:
    verdict = "met" if ratio <= budget else "MISSED"
    said = remember(name, ratio, budget, ours=ours, theirs=theirs)
    print(f"{name}: decklab score takes {ratio:.2f} times as long (budget {budget}): {verdict};"
          f" {ours.seconds:.1f} s, {ours.cpu:.1f} s of CPU besides LibreOffice's; {said}",
          flush=True)  # fmt: skip
    return ratio <= budget


def alone(decks: list[Path]) -> float:
    """The mean ratio of decks scored one by one, each by a command of its own."""
    with tempfile.TemporaryDirectory() as name:
        room = Path(name)
        cost_of(_soffice(decks[:1], room / "profile", room / "warm"))
        ratios = []
        for deck in decks:
            plain = cost_of(_soffice([deck], room / "profile", room / "pdf"))
            ours = _decklab([deck], room / "cache", room / "out")
            ratios.append(ours.seconds / plain.seconds)
            print(f"{deck.stem[:44]:44} soffice {plain.seconds:5.1f} s,"
                  f" decklab score {ours.seconds:5.1f} s, ratio {ratios[-1]:.2f}",
                  flush=True)  # fmt: skip
    return geometric_mean(ratios)


def _soffice(decks: list[Path], profile: Path, out: Path) -> list[list[str]]:
    return [
        [
            "soffice", f"-env:UserInstallation=file://{profile}", "--headless",
            "--convert-to", "pdf", "--outdir", str(out), str(deck),
        ]
        for deck in decks
    ]  # fmt: skip


def _decklab(decks: list[Path], cache: Path, out: Path, *, kept: bool = False) -> Cost:
    """The cost of a score into an empty folder; from an empty cache, if it is not ``kept``."""
    for folder in (out,) if kept else (cache, out):
        shutil.rmtree(folder, ignore_errors=True)
    command = [str(Path(sys.executable).with_name("decklab")), "score", *map(str, decks)]
    return cost_of([[*command, "--out", str(out), "--cache", str(cache)]])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
