"""Differences for the judge of instruction following: JSON or XML, whichever changed more."""

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import DeckDiff
from decklab.diffing.snapshots import DeckEdit
from decklab.ooxml.package import Package

LONGEST: Final = 40_000
"""Characters of a block of differences in a prompt, some 10,000 tokens. Ours."""
_WIDEST = 600
"""Characters of a line of XML. Ours."""
Form = Literal["json", "xml"]
Lines = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Evidence:
    """What the judge of instruction following gets to see of three decks."""

    form: Form
    """In which differences are told: the one of which a greater share differs."""
    asked: str
    """What leads from the original to the truth."""
    made: str
    """What leads from the original to the prediction."""
    left: str
    """What leads from the truth to the prediction."""
    json_share: float
    """Share of the values of the snapshots in which prediction and truth differ, 0 to 1."""
    xml_share: float
    """Share of the lines of their XML."""

    @property
    def material(self) -> str:
        """All of it, for a prompt."""
        return (
            f"Form of the differences: {self.form.upper()}\n\n"
            f"What the truth changes of the original:\n{self.asked}\n\n"
            f"What the prediction changes of the original:\n{self.made}\n\n"
            f"In what the prediction differs from the truth:\n{self.left}\n"
        )


def structured_evidence(
    original: Package, truth: Package, prediction: Package,
    asked: DeckEdit, made: DeckEdit, *, form: Form | None = None,
) -> Evidence:  # fmt: skip
    """Differences between three decks in the form that shows more of them (paper 003, E.2).

    ``asked`` and ``made`` are the edits that lead from the original to the others. The paper does
    not say which decks' difference decides; it is that between prediction and truth here, which
    the judge goes by. At equal shares it is JSON. ``form`` decides by hand. Raises what reading
    parts raises.
    """
    left = DeckEdit.of(asked.after, made.after)
    lines = [xml_lines(package) for package in (original, truth, prediction)]
    shares = json_share(asked.after, made.after), xml_share(lines[1], lines[2])
    chosen: Form = form or ("xml" if shares[1] > shares[0] else "json")
    if chosen == "json":
        told = [_json(edit.found) for edit in (asked, made, left)]
    else:
        told = [_xml(lines[a], lines[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    return Evidence(chosen, told[0], told[1], told[2], *shares)


def json_share(one: Snapshot, other: Snapshot) -> float:
    """Share of the values of two snapshots that are not in both, each at its path."""
    left, right = dict(_leaves(one, "")), dict(_leaves(other, ""))
    paths = left.keys() | right.keys()
    same = sum(path in left and path in right and left[path] == right[path] for path in paths)
    return 1 - same / len(paths) if paths else 0.0


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, f"{path}/{key}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _leaves(item, f"{path}/{number}")
    else:
        yield path, value


def xml_share(one: Lines, other: Lines) -> float:
    """Share of the lines of two decks' XML that are not in both, part by part."""
    total = same = 0
    for part in one.keys() | other.keys():
        left, right = one.get(part, ()), other.get(part, ())
        total += len(left) + len(right)
        same += 2 * _common(left, right)
    return 1 - same / total if total else 0.0


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    if left == right:
        return len(left)
    blocks = difflib.SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks)


def xml_lines(package: Package) -> dict[str, list[str]]:
    """The XML parts of the presentation, one element a line, attributes in order, namespaces left
    out: what a program does to the spelling alone is no difference."""
    return {
        name: _lines(package.read(name).decode("utf-8", "replace"))
        for name in package.names
        if name.startswith("ppt/") and name.endswith((".xml", ".rels"))
    }


_TAG = re.compile(r"<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*(/?)>")
_ATTRIBUTE = re.compile(r"([\w:.-]+)\s*=\s*(\"[^\"]*\"|'[^']*')")


def _lines(text: str) -> list[str]:
    body = re.sub(r"<\?xml[^>]*\?>\s*", "", text)
    return [line for line in _TAG.sub(_spelled, body).replace("><", ">\n<").split("\n") if line]


def _spelled(tag: re.Match[str]) -> str:
    found = _ATTRIBUTE.findall(tag[2])
    kept = sorted(
        f'{name}="{value[1:-1]}"' for name, value in found if not name.startswith("xmlns")
    )
    return f"<{' '.join((tag[1], *kept))}{tag[3]}>"


def _json(found: DeckDiff) -> str:
    if not found.edits:
        return "no differences"
    changes = DeckDiff(changes=found.edits).as_json()["changes"]
    for change in changes:
        del change["noise"]
    return _cut([json.dumps(change, ensure_ascii=False) for change in changes])


def _xml(one: Lines, other: Lines) -> str:
    told = []
    for part in sorted(one.keys() | other.keys()):
        left, right = list(one.get(part, ())), list(other.get(part, ()))
        if left != right:
            told += [f"part {part}", *difflib.unified_diff(left, right, n=1, lineterm="")]
    return _cut(told) if told else "no differences"


def _cut(lines: Sequence[str]) -> str:
    """As many lines as there is room for, and how many more there are."""
    kept: list[str] = []
    size = 0
    for whole in lines:
        line = whole if len(whole) <= _WIDEST else f"{whole[:_WIDEST]}…"
        size += len(line) + 1
        if size > LONGEST:
            return "\n".join([*kept, f"({len(lines) - len(kept)} more lines)"])
        kept.append(line)
    return "\n".join(kept)
