"""Which flaws that an eye noted lint finds: ``python -m bench.lint_recall``.

``tests/data/lint_flaws.jsonl`` has the flaws of 180 slides of ``../shared/decks``, noted by models
that looked at their pictures before lint was run on them. ``tests/data/lint_verdicts.jsonl`` has
what the same model said afterwards of findings that are no such flaw: "true", "trivial" or "false".
Half of the slides, by a hash, is kept apart: what lint says of it was not looked at while rules
were fitted, though the same model had seen its pictures.

A finding is a flaw's if their kinds go together and their places touch; a finding without a place,
or told once for several slides, is only compared by kind.
"""

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from decklab.core.errors import DecklabError
from decklab.core.geometry import Box
from decklab.core.results import Finding
from decklab.linting.lint import lint
from decklab.rendering.office import Office
from decklab.rendering.renderer import Cache, Renderer

ROOT: Final = Path(__file__).parents[1]
DECKS: Final = ROOT.parent / "shared" / "decks"
FLAWS: Final = ROOT / "tests" / "data" / "lint_flaws.jsonl"
SECOND: Final = FLAWS.with_name("lint_flaws_second.jsonl")
VERDICTS: Final = ROOT / "tests" / "data" / "lint_verdicts.jsonl"
NEAR_PX: Final = 12.0
"""How far apart a flaw and its finding may lie in the 960x540 frame; places are read off by eye."""

UNSEEN: Final = ("accessibility.", "package.", "placeholder.empty")
"""Rules about what no picture shows: no flaw noted by eye is theirs, and they are not counted."""

Half = Literal["open", "kept"]
_RUNS_OVER = ("text.overflow", "text.off-slide", "text.overlap", "text.hidden", "text.on-object",
              "text.margin", "text.touching")  # fmt: skip
RULES_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "overflow": _RUNS_OVER,
    "overlap": (*_RUNS_OVER, "text.struck", "text.crosses-edge", "text.unseen", "shape.overlap"),
    "contrast": ("contrast.", "text.busy", "text.unseen"),
    "small": ("text.small", "title.shrunk"),
    "broken": ("text.broken", "text.orphan"),
    "layout": (
        "layout.",
        "shape.",
        "text.margin",
        "text.touching",
        "text.crosses-edge",
        "text.orphan",
        "text.justified",
        "written.spacing",
    ),
    "density": ("density.",),
    "consistency": ("title.", "style.", "layout.list", "layout.edge"),
    "picture": ("picture.",),
    "glyphs": ("text.glyphs",),
    "chart": ("chart.",),
    "written": ("written.", "placeholder.prompt", "accessibility.duplicate-slide-title"),
}
"""The rules, or beginnings of their ids, that find a kind of flaw."""


@dataclass(frozen=True)
class Flaw:
    """A flaw that an eye noted on a slide."""

    deck: str
    slide: int
    kind: str
    box: Box | None
    severe: bool
    note: str


def half_of(deck: str, slide: int) -> Half:
    """The half that a slide belongs to, by a hash of its deck's name and its number.

    >>> half_of("real/talk.pptx", 1) in ("open", "kept")
    True
    """
    digest = hashlib.sha256(f"{deck}#{slide}".encode()).digest()
    return "open" if digest[0] % 2 else "kept"


def read_flaws(path: Path = FLAWS) -> tuple[list[tuple[str, int]], list[Flaw]]:
    """The slides that were looked at, and the flaws noted on them."""
    slides, flaws = [], []
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        if "deck" not in row:
            continue
        slides.append((row["deck"], row["slide"]))
        for flaw in row["flaws"]:
            box = Box(*flaw["box"]) if flaw["box"] else None
            severe = flaw["severity"] == "warning"
            flaws.append(Flaw(row["deck"], row["slide"], flaw["kind"], box, severe, flaw["note"]))
    return slides, flaws


def is_about(finding: Finding, flaw: Flaw) -> bool:
    """Whether a finding on the flaw's slide tells it."""
    if not finding.rule.startswith(RULES_OF[flaw.kind]):
        return False
    if flaw.box is None or finding.box is None or finding.slide != flaw.slide:
        return True
    return finding.box.grown(NEAR_PX).intersection(flaw.box).area > 0


def is_same(one: Flaw, other: Flaw) -> bool:
    """Whether two raters noted one flaw of a slide: kinds that go together, places that touch."""
    if (one.deck, one.slide) != (other.deck, other.slide):
        return False
    if one.kind != other.kind and {one.kind, other.kind} != {"overflow", "overlap"}:
        return False
    if one.box is None or other.box is None:
        return True
    return one.box.grown(NEAR_PX).intersection(other.box).area > 0


def _print_agreement(first: Sequence[Flaw]) -> None:
    """How many flaws of one rater the other has, on the slides that both looked at."""
    slides, second = read_flaws(SECOND)
    own = [flaw for flaw in first if (flaw.deck, flaw.slide) in slides]
    for name, flaws, others in (("first", own, second), ("second", second, own)):
        for severe in (False, True):
            counted = [flaw for flaw in flaws if flaw.severe or not severe]
            shared = sum(any(is_same(flaw, other) for other in others) for flaw in counted)
            which = "that matter " if severe else ""
            print(f"flaws {which}of the {name} rater that the other has:"
                  f" {shared} of {len(counted)}")  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Lint the decks of the noted slides and print recall and precision by half."""
    parser = argparse.ArgumentParser(prog="python -m bench.lint_recall", description=__doc__)
    parser.add_argument("--decks", type=Path, default=DECKS)
    parser.add_argument("--missed", action="store_true", help="list the open half's missed flaws")
    parser.add_argument("--half", choices=("open", "kept"), help="only this half of the slides")
    parser.add_argument("--raters", action="store_true", help="how far the two raters agree")
    parser.add_argument("--unmatched", choices=("open", "kept"), help="findings without a flaw")
    parser.add_argument(
        "--out", type=Path, help="write the findings on these slides, as JSON lines"
    )
    options = parser.parse_args(arguments)
    slides, flaws = read_flaws()
    if options.raters:
        _print_agreement(flaws)
        return 0
    if options.half:
        slides = [key for key in slides if half_of(*key) == options.half]
        flaws = [flaw for flaw in flaws if half_of(flaw.deck, flaw.slide) == options.half]
    found = _findings(slides, options.decks)
    if options.out:
        rows = [
            {"deck": deck, "number": number, **finding.model_dump(mode="json")}
            for (deck, number), findings in found.items()
            for finding in findings
        ]
        options.out.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    for half in (options.half,) if options.half else ("open", "kept"):
        here = [flaw for flaw in flaws if half_of(flaw.deck, flaw.slide) == half]
        _print_recall(half, here, found)
        _print_precision(half, flaws, found)
    if options.missed:
        for flaw in flaws:
            if half_of(flaw.deck, flaw.slide) == "open" and not _told(flaw, found, "info"):
                print(f"missed: {flaw.deck} {flaw.slide} {flaw.kind}: {flaw.note}")
    if options.unmatched:
        for deck, number, finding in _unmatched(options.unmatched, flaws, found):
            row = {"deck": deck, "slide": number, "rule": finding.rule, "shape": finding.shape}
            print(json.dumps(row), finding.severity, finding.message)
    return 0


_Found = Mapping[tuple[str, int], Sequence[Finding]]


def _findings(slides: Iterable[tuple[str, int]], root: Path) -> _Found:
    """The findings on each slide that a picture can show, those told once for several included."""
    found: dict[tuple[str, int], list[Finding]] = {key: [] for key in slides}
    with Office() as office:
        renderer = Renderer(office, Cache())
        for deck in dict.fromkeys(deck for deck, _slide in found):
            try:
                result = lint(root / deck, renderer=renderer)
            except DecklabError as error:
                print(f"left out: {error}")
                continue
            for finding in result.findings:
                numbers = {finding.slide or 0, *finding.slides}
                for number in numbers if not finding.rule.startswith(UNSEEN) else ():
                    if (deck, number) in found:
                        found[deck, number].append(finding)
    return found


def _told(flaw: Flaw, found: _Found, least: str) -> bool:
    return any(
        is_about(finding, flaw)
        for finding in found[flaw.deck, flaw.slide]
        if least == "info" or finding.severity != "info"
    )


def _print_recall(half: str, flaws: Sequence[Flaw], found: _Found) -> None:
    kinds: dict[str, list[Flaw]] = defaultdict(list)
    for flaw in flaws:
        kinds[flaw.kind].append(flaw)
        kinds["all"].append(flaw)
        if flaw.severe:
            kinds["all that matter"].append(flaw)
    for kind, own in sorted(kinds.items()):
        warned, noted = (sum(_told(f, found, least) for f in own) for least in ("warning", "info"))
        print(f"{half} {kind}: {warned} of {len(own)} at warning or worse, {noted} with notes")


def _unmatched(
    half: str, flaws: Sequence[Flaw], found: _Found
) -> Iterator[tuple[str, int, Finding]]:
    """Findings of warning or worse that tell no noted flaw."""
    for (deck, number), findings in found.items():
        here = [flaw for flaw in flaws if (flaw.deck, flaw.slide) == (deck, number)]
        for finding in findings if half_of(deck, number) == half else ():
            if finding.severity != "info" and not any(is_about(finding, flaw) for flaw in here):
                yield deck, number, finding


def _print_precision(half: str, flaws: Sequence[Flaw], found: _Found) -> None:
    """Counts of findings by rule: noted flaws, and the others by what was said of them later."""
    verdicts = {}
    if VERDICTS.exists():
        for row in map(json.loads, VERDICTS.read_text("utf-8").splitlines()):
            if "deck" in row:
                verdicts[row["deck"], row["slide"], row["rule"], row["shape"]] = row["verdict"]
    left = {(d, n, id(f)) for d, n, f in _unmatched(half, flaws, found)}
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for (deck, number), findings in found.items():
        for finding in findings if half_of(deck, number) == half else ():
            if finding.severity == "info":
                continue
            verdict = "noted"
            if (deck, number, id(finding)) in left:
                key = deck, number, finding.rule, finding.shape
                verdict = verdicts.get(key, "not looked at")
            for rule in (finding.rule, "all"):
                counts[rule][verdict] += 1
    for rule, by in sorted(counts.items()):
        print(f"{half} {rule}: " + ", ".join(f"{count} {verdict}" for verdict, count in by.items()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
