"""What judges get to see of an edit: differences between decks, and pairs of slide pictures.

Differences are JSON or XML, whichever shows more of them.
"""

import difflib
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from decklab.core.colors import Image
from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import DeckDiff
from decklab.diffing.pictures import color_ssim
from decklab.diffing.snapshots import DeckEdit
from decklab.diffing.wording import words
from decklab.evals.judges.preference.showing import hidden_out
from decklab.ooxml.package import Package
from decklab.pages.pictures import encode_png

LONGEST: Final = 40_000
"""Characters of a block of differences in a prompt, some 10,000 tokens. Ours."""
_WIDEST = 600
"""Characters of a line of XML. Ours."""
Form = Literal["json", "xml"]
Lines = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class EditEvidence:
    """What the judge of instruction following gets to see of three decks."""

    form: Form
    """Form of the differences: the one in which a greater share differs."""
    truth_changes: str
    """What leads from the original to the truth."""
    prediction_changes: str
    """What leads from the original to the prediction."""
    remaining: str
    """What leads from the truth to the prediction."""
    json_share: float
    """Share of the values of the snapshots in which prediction and truth differ, 0 to 1."""
    xml_share: float
    """Share of the lines of their XML."""
    sentences: tuple[str, ...] = ()
    """What the prediction changes of the original, change by change."""

    @property
    def material(self) -> str:
        """All of it, for a prompt."""
        return (
            f"Form of the differences: {self.form.upper()}\n\n"
            f"What the truth changes of the original:\n{self.truth_changes}\n\n"
            f"What the prediction changes of the original:\n{self.prediction_changes}\n\n"
            f"In what the prediction differs from the truth:\n{self.remaining}\n"
        )


def structured_evidence(
    original: Package,
    truth: Package,
    prediction: Package,
    to_truth: DeckEdit,
    to_prediction: DeckEdit,
    *,
    form: Form | None = None,
    unseen: Collection[str] = (),
) -> EditEvidence:
    """Differences between three decks in the form that shows more of them (paper 003, E.2).

    ``to_truth`` and ``to_prediction`` are the edits that lead there from the original. The paper
    does not say which decks' difference decides; here it is that between prediction and truth, by
    which the judge decides. At equal shares it is JSON. ``form`` chooses it. ``unseen`` are
    texts of the prediction that are taken out. Raises what reading parts raises.
    """
    remaining = DeckEdit.of(to_truth.after, to_prediction.after)
    lines = [xml_lines(package) for package in (original, truth, prediction)]
    shares = json_share(to_truth.after, to_prediction.after), xml_share(lines[1], lines[2])
    chosen: Form = form or ("xml" if shares[1] > shares[0] else "json")
    if chosen == "json":
        blocks = [_json(edit.found) for edit in (to_truth, to_prediction, remaining)]
    else:
        blocks = [_xml(lines[a], lines[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    told = [blocks[0], *(hidden_out(block, unseen) for block in blocks[1:])]
    sentences = tuple(hidden_out(said, unseen) for said in words(to_prediction.found))
    return EditEvidence(chosen, told[0], told[1], told[2], *shares, sentences)


def json_share(first: Snapshot, second: Snapshot) -> float:
    """Share of the values of two snapshots that are not in both, each at its path."""
    left, right = dict(_leaves(first, "")), dict(_leaves(second, ""))
    paths = left.keys() | right.keys()
    same = sum(path in left and path in right and left[path] == right[path] for path in paths)
    return 1 - same / len(paths) if paths else 0.0


def texts_of(deck: Snapshot) -> Iterator[str]:
    """All texts in a snapshot, names and settings among them."""
    return (value for _, value in _leaves(deck, "") if isinstance(value, str))


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, f"{path}/{key}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _leaves(item, f"{path}/{number}")
    else:
        yield path, value


def xml_share(first: Lines, second: Lines) -> float:
    """Share of the lines of two decks' XML that are not in both, part by part."""
    total = same = 0
    for part in first.keys() | second.keys():
        left, right = first.get(part, ()), second.get(part, ())
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
    attributes = sorted(
        f'{name}="{value[1:-1]}"' for name, value in found if not name.startswith("xmlns")
    )
    return f"<{' '.join((tag[1], *attributes))}{tag[3]}>"


def _json(found: DeckDiff) -> str:
    if not found.edits:
        return "no differences"
    changes = DeckDiff(changes=found.edits).as_json()["changes"]
    for change in changes:
        del change["noise"]
    return _cut([json.dumps(change, ensure_ascii=False) for change in changes])


def _xml(first: Lines, second: Lines) -> str:
    lines = []
    for part in sorted(first.keys() | second.keys()):
        left, right = list(first.get(part, ())), list(second.get(part, ()))
        if left != right:
            lines += [f"part {part}", *difflib.unified_diff(left, right, n=1, lineterm="")]
    return _cut(lines) if lines else "no differences"


def _cut(lines: Sequence[str]) -> str:
    """As many lines as fit into ``LONGEST``, and how many more there are."""
    fitting: list[str] = []
    size = 0
    for whole in lines:
        line = whole if len(whole) <= _WIDEST else f"{whole[:_WIDEST]}…"
        size += len(line) + 1
        if size > LONGEST:
            return "\n".join([*fitting, f"({len(lines) - len(fitting)} more lines)"])
        fitting.append(line)
    return "\n".join(fitting)


@dataclass(frozen=True)
class PicturePair:
    """A slide of the truth and of the prediction, as PNG; one of them may not be there."""

    number: int
    """1-based place in the show."""
    truth: bytes | None
    prediction: bytes | None

    @property
    def images(self) -> list[bytes]:
        """Those there are, the truth first."""
        return [image for image in (self.truth, self.prediction) if image is not None]

    @property
    def labels(self) -> list[str]:
        """What each picture is, and what is not there."""
        return [
            f"slide {self.number}, {name}: {'a picture' if image else 'there is no such slide'}"
            for name, image in (("truth", self.truth), ("prediction", self.prediction))
        ]


def pairs_to_judge(
    truth: Sequence[Image], prediction: Sequence[Image], alike: float
) -> list[PicturePair]:
    """The slides, paired by their place in the show, whose ``color_ssim`` is below ``alike``;
    slides that only one of the decks has are among them."""
    count = max(len(truth), len(prediction))
    rows = [
        [pictures[n] if n < len(pictures) else None for n in range(count)]
        for pictures in (truth, prediction)
    ]
    return [
        PicturePair(number, *(None if image is None else encode_png(image) for image in (old, new)))
        for number, (old, new) in enumerate(zip(*rows, strict=True), start=1)
        if old is None or new is None or color_ssim(old, new) < alike
    ]
