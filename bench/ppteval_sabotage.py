"""Perfect attempts at PPT-Eval's starter tasks, spoilt in one place: which still score 1?

Every attribute and every element of the shapes that a task may change, of their slides and of what
these hang on (layout, master, theme, charts, notes, the presentation, its show and its properties)
is changed by itself: an attribute is made another, is left out; an element is left out, or is there
twice; a text says something else. ``bench.ppteval_injections`` adds what no attempt has: strikes,
warps, insets, 3-D, hidden axes, emphasis effects, kiosk shows, passwords, links. Each such sabotage

- *costs*: the score is below 1, or the deck cannot be read;
- is *noise*: the deck differs by nothing, by what a rule of the diff names noise, or by values that
  the task leaves open by a rule of ``decklab.evals.rubrics.inside``;
- or is *paid*: it keeps the score of the perfect attempt.

A hash of its name decides whether a sabotage is of the half that is kept aside: rules are mended on
the other half, and ``--aside`` tries the half that no mend has seen.

Run as ``python -m bench.ppteval_sabotage [--task NAME] [--tries 40] [--aside] [--ungraded]
[--show] [--known] [--results FILE]``: so many tries a task, half of them of slides and charts, the
first ones by their hash; 0 for all. Most are decided by the changes that nobody asked for, which
cost by themselves; the others are graded, or with ``--ungraded`` told as open. ``--known`` grades
each known sabotage at one place of each of the first ``--tries`` tasks that it fits. ``FILE`` keeps
every result as a line of JSON, and what it holds is not tried again.
"""

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.ppteval_spoiling import KINDS, KNOWN_NAMES, Sabotage, sabotages
from decklab.core.errors import DecklabError
from decklab.core.results import SAME
from decklab.deck.deck import write_samples
from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.changes import DeckDiff
from decklab.diffing.decks import diff_packages
from decklab.diffing.xml.trees import leaf_places
from decklab.evals.ppteval.outcomes import Grading, zero_for_broken_leaves
from decklab.evals.ppteval.tasks import StarterTask, make_attempts, starter_tasks
from decklab.evals.rubrics.damage import unasked_changes
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.grade import grade_compared
from decklab.evals.rubrics.inside import NOTES, PLAIN
from decklab.evals.rubrics.rubric import AllowedChanges, parse_rubric
from decklab.evals.rubrics.running import LeafRoom
from decklab.ooxml.package import Package, write_package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.validity.validating import validate
from decklab.ooxml.xml import parse_xml
from decklab.rendering.renderer import Cache, Renderer


@dataclass(frozen=True)
class SabotagedFiles:
    """Two deck files as ``unasked_changes`` needs them, without drawing them."""

    paths: Mapping[Any, Path]
    snapshots: Mapping[Any, Snapshot]
    changes: DeckDiff
    earlier: Mapping[int, int]
    written_anew: bool = False

    def later_ids(self, old: int, new: int) -> Mapping[int, int]:
        """Sabotages leave ids as they are."""
        return {}


@dataclass(frozen=True)
class Tried:
    """One sabotage that was tried, and what became of it."""

    task: str
    part: str
    what: str
    kind: str
    name: str
    aside: bool
    fate: str
    """``costs``, ``noise``, ``paid`` or ``open``."""
    rule: str = ""
    """The rule by which it is noise."""
    score: float | None = None
    """Where it was graded."""


@dataclass
class _Task:
    """A task with its decks, and what grading it needs."""

    task: StarterTask
    original: Path
    perfect: Path
    folder: Path
    room: LeafRoom
    renderer: Renderer
    known: ComparedDecks | None = None

    def tried(self, sabotage: Sabotage, *, graded: str = "") -> Tried:
        """What becomes of a sabotage. It is graded where changes that nobody asked for do not tell;
        with ``graded`` ``always`` or ``never``."""
        fate, rule, score = self._fate(sabotage, graded)
        return Tried(sabotage.task, sabotage.part, sabotage.what, sabotage.kind, sabotage.name,
                     sabotage.aside, fate, rule, score)  # fmt: skip

    def _fate(self, sabotage: Sabotage, graded: str) -> tuple[str, str, float | None]:
        spoilt = self.folder / "spoilt.pptx"
        try:
            self._spoil(sabotage, spoilt)
            unasked = self._is_unasked(spoilt)
            if unasked and graded != "always":
                return "costs", "", None
            with Package.open(self.perfect) as before, Package.open(spoilt) as after:
                own = diff_packages(before, after)
                free = free_rule(before, after)
                if _errors(after) > _errors(before) and graded != "always":
                    return "costs", "", None
        except DecklabError:
            return "costs", "", 0.0
        if not unasked and not own.edits:
            rules = sorted({one.rule or one.property for one in own.changes})
            return "noise", rules[0] if rules else "nothing differs", None
        if graded == "never":
            return "open", "", None
        score = self._score(spoilt)
        if score < 1 - SAME:
            return "costs", "", score
        return ("noise", free, score) if free else ("paid", "", score)

    def _is_unasked(self, spoilt: Path) -> bool:
        """Whether the deck has changes that nobody asked for."""
        with Package.open(self.original) as before, Package.open(spoilt) as after:
            found = diff_packages(before, after)
            count = len(slide_entries(after))
        pairs = found.slides.pairs(len(self.before["slides"]), count)
        files: Any = SabotagedFiles(
            {"original": self.original, "modified": spoilt}, {"original": self.before}, found,
            {new: was for was, new in pairs},
        )  # fmt: skip
        return any(True for _ in unasked_changes(files, self.scope))

    def _spoil(self, sabotage: Sabotage, spoilt: Path) -> None:
        with Package.open(self.perfect) as package:
            content = sabotage.apply(package.read(sabotage.part))
            if sabotage.part.endswith(".xml"):
                parse_xml(content, path=spoilt, part=sabotage.part)
            spoilt.unlink(missing_ok=True)
            write_package(package, spoilt, replace={sabotage.part: content})

    @cached_property
    def before(self) -> Snapshot:
        with Package.open(self.original) as package:
            return snapshot(package)

    @cached_property
    def scope(self) -> AllowedChanges:
        scope = AllowedChanges.of(parse_rubric(dict(self.task.rubric)))
        assert scope is not None
        return scope

    def _score(self, spoilt: Path) -> float:
        rubric = parse_rubric(dict(self.task.rubric))
        with ComparedDecks(self.original, spoilt, like=self.known, renderer=self.renderer) as decks:
            self.known = decks
            tree = grade_compared(decks, rubric, room=self.room)
            return zero_for_broken_leaves(
                tree, rubric, self.original, Grading(room=self.room, renderer=self.renderer)
            ).root.high


def _errors(package: Package) -> int:
    """Faults for which PowerPoint may offer a repair; each costs."""
    return sum(problem.severity == "error" for problem in validate(package))


def free_rule(before: Package, after: Package) -> str:
    """The reason why two decks that differ in the XML of their parts serve a task alike; empty
    where a value differs that no rule of ``PLAIN`` leaves open."""
    sides = [Counter(_every_leaf(package)) for package in (before, after)]
    differing = [*(sides[0] - sides[1]), *(sides[1] - sides[0])]
    if _files(before) != _files(after):
        return ""
    if not differing:
        return "how a page of notes looks only its speaker sees"
    reasons = [_free_reason(key, value) for key, value in differing]
    return reasons[0] if all(reasons) else ""


def _files(package: Package) -> Counter[bytes]:
    """Parts that are no XML, such as pictures and workbooks."""
    return Counter(
        package.read(part) for part in package.names if not part.endswith((".xml", ".rels"))
    )


def _every_leaf(package: Package) -> Iterator[tuple[str, str]]:
    for part in package.names:
        if part.endswith(".xml"):
            is_notes = (package.content_type(part) or "").endswith(NOTES)
            for key, value in leaf_places(package.xml(part)):
                if not is_notes or key.endswith("#text"):
                    yield key, value


def _free_reason(key: str, value: str) -> str:
    for rule in PLAIN:
        fits = not rule.values or re.fullmatch(rule.values, value)
        if rule.free and fits and re.search(rule.place, key):
            return rule.reason
    return ""


def main(arguments: Sequence[str]) -> int:
    """Print what became of the sabotages, by task; 1 where one was paid."""
    options = _options(arguments)
    known = _results(options.results)
    tasks = [one for one in starter_tasks() if not options.task or one.name in options.task]
    all_tried: list[Tried] = []
    fits: Counter[str] = Counter()
    print(f"{'task':24}{'there are':>10}{'tried':>7}{'paid':>6}{'open':>6}{'noise':>7}")
    with TemporaryDirectory() as name, LeafRoom() as room:
        folder = Path(name)
        decks = folder / "decks"
        write_samples(decks)
        with Renderer(cache=Cache(folder / "cache")).started() as renderer:
            for task, _, made in make_attempts(tasks, decks, ["perfect"]):
                perfect = folder / f"{task.name}.pptx"
                perfect.write_bytes(made)
                at_hand = _Task(task, decks / f"{task.deck}.pptx", perfect, folder, room, renderer)
                with Package.open(perfect) as package:
                    every = list(sabotages(task, package))
                chosen: Sequence[Sabotage]
                if options.known:
                    chosen = list(_first_of_each(every, fits, options.tries))
                else:
                    every = [one for one in every if one.aside == options.aside]
                    every.sort(key=lambda one: one.digest)
                    chosen = _drawn(every, options.tries)
                own = []
                for one in chosen:
                    tried = known.get((one.task, one.part, one.what))
                    if tried is None:
                        how = "always" if options.known else "never" if options.ungraded else ""
                        tried = at_hand.tried(one, graded=how)
                        _keep(options.results, tried)
                    own.append(tried)
                    if tried.fate in ("paid", "open") or options.show:
                        print(f"  {tried.fate}: {one.part}: {one.what}"[-200:], flush=True)
                print(f"{task.name:24}{len(every):10}{_counts(own)}", flush=True)
                all_tried += own
    for line in _summary(all_tried, by_name=options.known):
        print(line)
    return int(any(one.fate == "paid" for one in all_tried))


def _results(path: Path | None) -> dict[tuple[str, str, str], Tried]:
    """What a file of results holds."""
    if path is None or not path.exists():
        return {}
    kept = [Tried(**json.loads(line)) for line in path.read_text().splitlines()]
    return {(one.task, one.part, one.what): one for one in kept}


def _keep(path: Path | None, tried: Tried) -> None:
    if path is not None:
        with path.open("a") as stream:
            stream.write(json.dumps(asdict(tried)) + "\n")


def _counts(tried: Sequence[Tried]) -> str:
    fates = Counter(one.fate for one in tried)
    return f"{len(tried):7}{fates['paid']:6}{fates['open']:6}{fates['noise']:7}"


def _summary(tried: Sequence[Tried], *, by_name: bool) -> Iterator[str]:
    """Tables by kind, or of the known sabotages by name, and by rule of noise."""
    groups: dict[str, list[Tried]] = defaultdict(list)
    for one in tried:
        groups[one.name if by_name else one.kind].append(one)
    yield f"\n{'':30}{'tried':>7}{'paid':>6}{'open':>6}{'noise':>7}  scores"
    for name in KNOWN_NAMES if by_name else KINDS:
        own = groups[name]
        scores = [one.score for one in own if one.score is not None]
        span = f"{min(scores):.2f} to {max(scores):.2f}" if scores and by_name else ""
        names = ", ".join(dict.fromkeys(one.task for one in own)) if by_name else ""
        yield f"{name:30}{_counts(own)}  {span} {names}".rstrip()
    yield f"{'all':30}{_counts(tried)}"
    rules = Counter(one.rule for one in tried if one.fate == "noise")
    yield "noise by rule: " + ", ".join(f"{rule} {n}" for rule, n in rules.most_common())


def _first_of_each(every: Iterable[Sabotage], fits: Counter[str], tries: int) -> Iterator[Sabotage]:
    """The first place of each known sabotage, for so many tasks; ``fits`` counts them. Shapes of
    slides and charts come before layouts and what holds all shapes."""
    mine = set()
    for one in sorted(every, key=_remoteness):
        if one.name and one.name not in mine and fits[one.name] < tries:
            mine.add(one.name)
            fits[one.name] += 1
            yield one


def _remoteness(one: Sabotage) -> int:
    if "GrpSpPr" in one.what or "p:grpSpPr" in one.what:
        return 2
    return 0 if one.part.startswith(("ppt/slides/", "ppt/charts/", "ppt/media/")) else 1


def _drawn(every: Sequence[Sabotage], tries: int) -> Sequence[Sabotage]:
    """So many sabotages, half of them of slides and charts where there are as many: layouts and
    masters have many times more places."""
    if not tries or tries >= len(every):
        return every
    own = [one for one in every if one.part.startswith(("ppt/slides/", "ppt/charts/"))]
    others = [one for one in every if one not in own]
    first = own[: max(tries // 2, tries - len(others))]
    return [*first, *others[: tries - len(first)]]


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.ppteval_sabotage")
    parser.add_argument("--task", action="append")
    parser.add_argument("--tries", type=int, default=40)
    parser.add_argument("--aside", action="store_true")
    parser.add_argument("--ungraded", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--known", action="store_true")
    parser.add_argument("--results", type=Path)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
