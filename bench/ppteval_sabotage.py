"""Perfect attempts at PPT-Eval's starter tasks, spoilt in one place: which still score 1?

Every attribute and every element of the shapes that a task may change, of their slides and of what
these hang on (layout, master, theme, charts, notes, the presentation, its show and its properties)
is changed by itself: an attribute is made another, is left out; an element is left out, or is there
twice; a text says something else. ``INJECTIONS`` add what no attempt has: strikes, warps, insets,
3-D, hidden axes, emphasis effects, kiosk shows, passwords, links. Each such sabotage

- *costs*: the score is below 1, or the deck cannot be read;
- is *noise*: the deck differs by nothing, by what a rule of the diff names noise, or by values that
  the task leaves open by a rule of ``decklab.evals.rubrics.inside``;
- or is *paid*: it keeps the score of the perfect attempt.

A hash of its name decides whether a sabotage is of the half that is kept aside: rules are mended on
the other half, and ``--aside`` tries the half that no mend has seen.

Run as ``python -m bench.ppteval_sabotage [--task NAME] [--tries 40] [--aside] [--ungraded]
[--show]``: so many tries a task, half of them of slides and charts, the first ones by their hash; 0
for all. Most are decided by the changes that nobody asked for, which cost by themselves; the others
are graded, or with ``--ungraded`` told as open.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from decklab.core.errors import DecklabError
from decklab.core.results import SAME
from decklab.deck.samples import write_samples
from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.changes import DeckDiff
from decklab.diffing.decks import diff_packages
from decklab.diffing.xml.trees import leaf_places, path_of
from decklab.evals.ppteval.starter import StarterTask, make_attempts, starter_tasks
from decklab.evals.rubrics.allowed import MAY_CHANGE, AllowedChanges
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.grade import grade_compared
from decklab.evals.rubrics.inside import NOTES, PLAIN
from decklab.evals.rubrics.rubric import parse_rubric
from decklab.evals.rubrics.running import LeafRoom
from decklab.evals.rubrics.unasked import unasked_changes
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.writing import write_package
from decklab.ooxml.xml import NAMESPACES, Element, parse_xml, qn, serialize_xml
from decklab.rendering.cache import Cache
from decklab.rendering.renderer import Renderer

_SHARED = ("slideLayout", "slideMaster", "theme", "chart", "notesSlide")
_SHAPES = tuple(qn(f"p:{name}") for name in ("sp", "pic", "graphicFrame", "cxnSp", "grpSp"))
_SPACES = " ".join(f'xmlns:{prefix}="{NAMESPACES[prefix]}"' for prefix in ("a", "p", "r", "c"))
_EMPHASIS = """
<p:timing><p:tnLst><p:par><p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot">
<p:childTnLst><p:seq concurrent="1" nextAc="seek"><p:cTn id="2" dur="indefinite"
nodeType="mainSeq"><p:childTnLst><p:par><p:cTn id="3" fill="hold"><p:stCondLst>
<p:cond delay="0"/></p:stCondLst><p:childTnLst><p:par><p:cTn id="4" fill="hold"><p:stCondLst>
<p:cond delay="0"/></p:stCondLst><p:childTnLst><p:par><p:cTn id="5" presetID="{preset}"
presetClass="{kind}" presetSubtype="0" fill="hold" nodeType="withEffect"><p:stCondLst>
<p:cond delay="0"/></p:stCondLst><p:childTnLst>{effect}</p:childTnLst></p:cTn></p:par>
</p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:seq>
</p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"""
_BEHAVIOUR = (
    '<p:cBhvr><p:cTn id="6" dur="500" fill="hold"/><p:tgtEl><p:spTgt spid="2"/></p:tgtEl></p:cBhvr>'
)

INJECTIONS: Mapping[str, tuple[str, str]] = {
    "struck through": ("a:rPr", 'strike="dblStrike"'),
    "raised": ("a:rPr", 'baseline="-250000"'),
    "spread": ("a:rPr", 'spc="3000"'),
    "small capitals": ("a:rPr", 'cap="small"'),
    "one point": ("a:rPr", 'sz="100"'),
    "underlined": ("a:rPr", 'u="wavyHeavy"'),
    "inset": ("a:bodyPr", 'lIns="6000000"'),
    "pushed down": ("a:bodyPr", 'tIns="3000000"'),
    "turned in its box": ("a:bodyPr", 'rot="5400000"'),
    "written upright": ("a:bodyPr", 'vert="wordArtVert"'),
    "warped": ("a:bodyPr", '<a:prstTxWarp prst="textWave4"><a:avLst/></a:prstTxWarp>'),
    "flat 3-D text": ("a:bodyPr", '<a:sp3d z="900000" extrusionH="50000"/>'),
    "far to the left": ("a:pPr", 'marL="9000000"'),
    "tiny bullets": ("a:pPr", '<a:buSzPct val="25000"/>'),
    "other bullets": ("a:pPr", '<a:buChar char="X"/>'),
    "edge-on": ("p:spPr", '<a:scene3d><a:camera prst="orthographicFront"><a:rot lat="0" '
                'lon="5400000" rev="0"/></a:camera><a:lightRig rig="flat" dir="t"/></a:scene3d>'),
    "blurred": ("p:spPr", '<a:effectLst><a:softEdge rad="900000"/></a:effectLst>'),
    "filled": ("p:spPr", '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'),
    "hidden": ("p:cNvPr", 'hidden="1"'),
    "runs a program": ("p:cNvPr", '<a:hlinkClick r:id="" action="ppaction://program"/>'),
    "ends the show": ("p:cNvPr", '<a:hlinkClick r:id="" action="ppaction://hlinkshowjump?'
                      'jump=endshow"/>'),
    "recoloured": ("a:blip", '<a:biLevel thresh="50000"/>'),
    "half transparent": ("a:blip", '<a:alphaModFix amt="50000"/>'),
    "goes by itself": ("p:transition", 'advTm="500"'),
    "no click": ("p:transition", 'advClick="0"'),
    "kiosk": ("p:presentationPr", '<p:showPr loop="1"><p:kiosk restart="1000"/></p:showPr>'),
    "password": ("p:presentation", '<p:modifyVerifier algorithmName="SHA-512" hashData="AA==" '
                 'saltData="AA==" spinValue="100000"/>'),
    "axis without bars": ("c:scaling", '<c:min val="10000"/>'),
    "axis too long": ("c:scaling", '<c:max val="900000"/>'),
    "upside down axis": ("c:scaling", '<c:orientation val="maxMin"/>'),
    "chart turned": ("c:chart", '<c:view3D><c:rotX val="90"/></c:view3D>'),
    "title swells": ("p:sld", _EMPHASIS.format(
        preset=6, kind="emph", effect=f'<p:animScale>{_BEHAVIOUR}<p:to x="0" y="0"/>'
        "</p:animScale>")),
    "title leaves on a path": ("p:sld", _EMPHASIS.format(
        preset=35, kind="path", effect='<p:animMotion origin="layout" path="M 0 0 L 2 0 E" '
        f'pathEditMode="relative">{_BEHAVIOUR}</p:animMotion>')),
    "title fades to nothing": ("p:sld", _EMPHASIS.format(
        preset=9, kind="emph", effect=f'<p:animEffect filter="image" prLst="opacity: 0">'
        f"{_BEHAVIOUR}</p:animEffect>")),
}  # fmt: skip
"""By name the element that is spoilt, and the attribute or child that it gets."""
_LAST = frozenset(("p:sld", "p:presentation", "p:presentationPr"))
"""Elements whose new child comes at the end; at all others it comes first."""


@dataclass(frozen=True)
class Sabotage:
    """One change of one place."""

    task: str
    part: str
    what: str
    """What is done and where, which names it."""
    apply: Callable[[Element], None]
    """Does it to the root of the part."""

    @property
    def digest(self) -> str:
        return sha256(f"{self.task} {self.part} {self.what}".encode()).hexdigest()

    @property
    def aside(self) -> bool:
        """Whether it is of the half that no mend has seen."""
        return int(self.digest[-1], 16) % 2 == 1


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


def sabotages(task: StarterTask, package: Package) -> Iterator[Sabotage]:
    """All sabotages of a perfect attempt."""
    entries = task.rubric["metadata"][MAY_CHANGE]
    for part, wanted in _places(package, entries).items():
        root = package.xml(part)
        tree = root.getroottree()
        for item in _chosen(root, wanted):
            path = tree.getpath(item)
            where = path_of(item)
            for name, value in sorted((str(name), str(value)) for name, value in item.items()):
                yield Sabotage(task.name, part, f"{where}@{name} another",
                               partial(_set, path, name, _other(value)))  # fmt: skip
                yield Sabotage(task.name, part, f"{where}@{name} left out",
                               partial(_set, path, name, None))  # fmt: skip
            if item.getparent() is not None:
                yield Sabotage(task.name, part, f"{where} left out", partial(_leave_out, path))
                yield Sabotage(task.name, part, f"{where} twice", partial(_double, path))
            if (item.text or "").strip():
                yield Sabotage(task.name, part, f"{where} says more", partial(_say, path))
            for name, (tag, more) in INJECTIONS.items():
                if item.tag == qn(tag):
                    yield Sabotage(task.name, part, f"{where} {name}",
                                   partial(_inject, path, more, tag in _LAST))  # fmt: skip


def _places(package: Package, entries: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Parts to spoil, each with the entries whose shapes are meant; none for all of the part."""
    slides = {entry.number: entry.part for entry in slide_entries(package)}
    chosen: dict[str, list[Any]] = {}
    for entry in entries:
        number = entry.get("slide") or entry.get("added")
        if number in slides:
            chosen.setdefault(slides[number], []).append(entry)
    for part in list(chosen) or list(slides.values())[:1]:
        _follow(package, part, chosen)
    for name in package.names:
        if name in (package.main_part, "docProps/core.xml", "docProps/app.xml") or (
            name.endswith(("presProps.xml", "viewProps.xml"))
        ):
            chosen.setdefault(name, [])
    return chosen


def _follow(package: Package, part: str, chosen: dict[str, list[Any]]) -> None:
    for link in package.relationships(part).values():
        if not link.external and link.kind in _SHARED and link.target not in chosen:
            chosen[link.target] = []
            if link.kind in ("slideLayout", "slideMaster"):
                up = {"slideLayout": "slideMaster", "slideMaster": "theme"}[link.kind]
                for target in package.related(link.target, up):
                    chosen.setdefault(target, [])
                    _follow(package, target, chosen) if up == "slideMaster" else None


def _chosen(root: Element, entries: Sequence[Mapping[str, Any]]) -> list[Element]:
    """The elements of a part but those in shapes that may not change."""
    items = list(root.iter("*"))
    if not entries or any("added" in entry or "new" in entry for entry in entries):
        return items
    fixed = {
        id(below)
        for shape in root.iter(*_SHAPES)
        if not any(_is_meant(shape, entry) for entry in entries)
        for below in shape.iter("*")
    }
    return [item for item in items if id(item) not in fixed]


def _is_meant(shape: Element, entry: Mapping[str, Any]) -> bool:
    named = next(shape.iter(qn("p:cNvPr")))
    text = "".join(str(item.text) for item in shape.iter(qn("a:t"))).lower()
    return any(fnmatchcase(named.get("name") or "", one) for one in entry.get("shapes", ())) or any(
        word in text for word in (*entry.get("words", ()), *entry.get("words_now", ()))
    )


def _at(root: Element, path: str) -> Element:
    spaces = {prefix: uri for prefix, uri in root.nsmap.items() if prefix}
    found: Any = root.getroottree().xpath(path, namespaces=spaces | dict(NAMESPACES))
    item: Element = found[0]
    return item


def _other(value: str) -> str:
    """A number twice as large, a flag flipped, a word turned round."""
    if value.lstrip("-").isdigit() and value not in ("0", "1"):
        return str(int(value) * 2)
    flags = {"0": "1", "1": "0", "true": "false", "false": "true"}
    return flags.get(value, value[::-1] if value[::-1] != value else f"{value}x")


def _set(path: str, name: str, value: str | None, root: Element) -> None:
    item = _at(root, path)
    if value is None:
        del item.attrib[name]
    else:
        item.set(name, value)


def _leave_out(path: str, root: Element) -> None:
    item = _at(root, path)
    item.getparent().remove(item)  # type: ignore[union-attr]


def _double(path: str, root: Element) -> None:
    item = _at(root, path)
    item.addnext(deepcopy(item))


def _say(path: str, root: Element) -> None:
    item = _at(root, path)
    old = str(item.text)
    item.text = f"{float(old) * 3 + 1:g}" if old.replace(".", "").isdigit() else f"{old} and more"


def _inject(path: str, more: str, last: bool, root: Element) -> None:
    item = _at(root, path)
    if not more.lstrip().startswith("<"):
        name, _, value = more.partition("=")
        item.set(name, value.strip('"'))
        return
    made = parse_xml(f"<x {_SPACES}>{more}</x>".encode(), path="injection", part="x")[0]
    for old in item.findall(made.tag):
        item.remove(old)
    item.append(made) if last else item.insert(0, made)


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

    def fate(self, sabotage: Sabotage, *, graded: bool) -> str:
        """``costs``, ``noise: RULE``, ``paid``, or ``open`` where only grading would tell and
        nothing is to be ``graded``."""
        spoilt = self.folder / "spoilt.pptx"
        try:
            self._spoil(sabotage, spoilt)
            with Package.open(self.original) as before, Package.open(spoilt) as after:
                found = diff_packages(before, after)
                count = len(slide_entries(after))
            pairs = found.slides.pairs(len(self.before["slides"]), count)
            files = SabotagedFiles(
                {"original": self.original, "modified": spoilt}, {"original": self.before}, found,
                {new: was for was, new in pairs},
            )  # fmt: skip
            if any(True for _ in unasked_changes(files, self.scope)):
                return "costs"
            with Package.open(self.perfect) as before, Package.open(spoilt) as after:
                own = diff_packages(before, after)
                free = free_rule(before, after)
        except DecklabError:
            return "costs"
        if not own.edits:
            rules = sorted({one.rule or one.property for one in own.changes})
            return f"noise: {rules[0] if rules else 'nothing differs'}"
        if not graded:
            return "open"
        if self._score(spoilt) < 1 - SAME:
            return "costs"
        return f"noise: {free}" if free else "paid"

    def _spoil(self, sabotage: Sabotage, spoilt: Path) -> None:
        with Package.open(self.perfect) as package:
            root = package.xml(sabotage.part)
            sabotage.apply(root)
            content = serialize_xml(root)
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
            return grade_compared(decks, rubric, room=self.room).root.high


def free_rule(before: Package, after: Package) -> str:
    """The reason why two decks that differ in the XML of their parts serve a task alike; empty
    where a value differs that no rule of ``PLAIN`` leaves open."""
    sides = [Counter(_every_leaf(package)) for package in (before, after)]
    differing = [*(sides[0] - sides[1]), *(sides[1] - sides[0])]
    if not differing:
        return "how a page of notes looks only its speaker sees"
    reasons = [_free_reason(key, value) for key, value in differing]
    return reasons[0] if all(reasons) else ""


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
    tasks = [one for one in starter_tasks() if not options.task or one.name in options.task]
    sums: Counter[str] = Counter()
    rules: Counter[str] = Counter()
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
                    every = [one for one in sabotages(task, package) if one.aside == options.aside]
                every.sort(key=lambda one: one.digest)
                own: Counter[str] = Counter()
                for one in _drawn(every, options.tries):
                    fate = at_hand.fate(one, graded=not options.ungraded)
                    own["tried"] += 1
                    own[fate.partition(":")[0]] += 1
                    if fate.startswith("noise"):
                        rules[fate.removeprefix("noise: ")] += 1
                    if fate in ("paid", "open") or options.show:
                        print(f"  {fate}: {one.part}: {one.what}"[-200:], flush=True)
                sums.update(own)
                print(f"{task.name:24}{len(every):10}{own['tried']:7}{own['paid']:6}{own['open']:6}"
                      f"{own['noise']:7}", flush=True)  # fmt: skip
    print("noise by rule: " + ", ".join(f"{rule} {n}" for rule, n in rules.most_common()))
    share = sums["paid"] / max(1, sums["tried"])
    half = "kept aside" if options.aside else "opened"
    print(f"{sums['tried']} sabotages of the half that is {half}: {sums['paid']} paid "
          f"({share:.1%}), {sums['open']} not graded, {sums['noise']} named noise")  # fmt: skip
    return int(sums["paid"] > 0)


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
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
