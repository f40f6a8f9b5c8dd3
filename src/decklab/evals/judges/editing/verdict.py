"""The evidence on an edit, differences and pairs of pictures, and the verdict of a judge on it;
style targets drafted for a person to check.

The prompts, in ``prompts.toml``, are the scoring policies of paper 003, listings 4 and 5, in our
words. Style targets are drafted by a model from original and truth (E.1).

Differences are JSON or XML, whichever shows more of them.
"""

import difflib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, ClassVar, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from decklab.core.colors import Image
from decklab.core.files import package_values
from decklab.core.options import JUDGE_TEMPERATURE
from decklab.core.results import NotScored, scored_mean
from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import DeckDiff
from decklab.diffing.pictures import color_ssim
from decklab.diffing.snapshots import DeckEdit
from decklab.diffing.wording import words
from decklab.evals.judges.asking import KnownTally, Questions, WithKnown
from decklab.evals.judges.preference.showing import hidden_out
from decklab.models.asking import Ask, Usage
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
    """The view of three decks for the judge of instruction following."""

    form: Form
    """Form of the differences: the one in which a greater share differs."""
    truth_changes: str
    """Changes from the original to the truth."""
    prediction_changes: str
    """Changes from the original to the prediction."""
    remaining: str
    """Changes from the truth to the prediction."""
    sentences: tuple[str, ...] = ()
    """Changes that the prediction makes to the original, one by one."""

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
    unseen: Collection[str] = (),
) -> EditEvidence:
    """Differences between three decks in the form that shows more of them (paper 003, E.2).

    ``to_truth`` and ``to_prediction`` are the edits that lead there from the original. The paper
    does not say which decks' difference decides; here it is that between prediction and truth, by
    which the judge decides. At equal shares it is JSON. ``unseen`` are texts of the
    prediction that are taken out. Raises what reading parts raises.
    """
    remaining = DeckEdit.of(to_truth.after, to_prediction.after)
    lines = [xml_lines(package) for package in (original, truth, prediction)]
    by_json = json_share(to_truth.after, to_prediction.after)
    form: Form = "xml" if xml_share(lines[1], lines[2]) > by_json else "json"
    if form == "json":
        blocks = [_json(edit.found) for edit in (to_truth, to_prediction, remaining)]
    else:
        blocks = [_xml(lines[a], lines[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    texts = [blocks[0], *(hidden_out(block, unseen) for block in blocks[1:])]
    sentences = tuple(hidden_out(said, unseen) for said in words(to_prediction.found))
    return EditEvidence(form, texts[0], texts[1], texts[2], sentences)


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
    own = (name for name in package.names if name.startswith("ppt/"))
    parts = {name: package.read(name) for name in own if name.endswith((".xml", ".rels"))}
    return {name: _lines(data.decode("utf-8", "replace")) for name, data in parts.items()}


_TAG = re.compile(r"<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*(/?)>")
_ATTRIBUTE = re.compile(r"([\w:.-]+)\s*=\s*(\"[^\"]*\"|'[^']*')")


def _lines(text: str) -> list[str]:
    body = re.sub(r"<\?xml[^>]*\?>\s*", "", text)
    return [line for line in _TAG.sub(_spelled, body).replace("><", ">\n<").split("\n") if line]


def _spelled(tag: re.Match[str]) -> str:
    pairs = _ATTRIBUTE.findall(tag[2])
    attributes = sorted(
        f'{name}="{value[1:-1]}"' for name, value in pairs if not name.startswith("xmlns")
    )
    return f"<{' '.join((tag[1], *attributes))}{tag[3]}>"


def _json(diff: DeckDiff) -> str:
    if not diff.edits:
        return "no differences"
    changes = DeckDiff(changes=diff.edits).as_json()["changes"]
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
        """The meaning of each picture, and what is missing."""
        return [
            f"slide {self.number}, {name}: {'a picture' if image else 'there is no such slide'}"
            for name, image in (("truth", self.truth), ("prediction", self.prediction))
        ]


def pairs_to_judge(
    truth: Sequence[Image], prediction: Sequence[Image], alike: float
) -> list[PicturePair]:
    """The slides, paired by their place in the show, whose ``color_ssim`` is below ``alike``;
    slides that only one of the decks has are among them."""
    return [
        PicturePair(number, *(None if image is None else encode_png(image) for image in (old, new)))
        for number, (old, new) in enumerate(zip_longest(truth, prediction), start=1)
        if old is None or new is None or color_ssim(old, new) < alike
    ]


@dataclass(frozen=True)
class Question:
    """The request to the editor, and the conditions on the outcome, which it did not see."""

    instruction: str
    style_target: str


class Marked(BaseModel):
    """The form of a judge's reply."""

    OTHER_NAMES: ClassVar[Mapping[str, str]] = {
        "instruction_following_score": "score", "instruction_following_reason": "reason",
        "visual_quality_score": "score", "visual_quality_reason": "reason",
    }  # fmt: skip
    """Of paper 003, listings 4 and 5."""
    model_config = ConfigDict(extra="forbid", strict=True)

    score: int = Field(ge=0, le=5)
    reason: str = Field(min_length=1)


class MarkedChanges(Marked, WithKnown):
    """The same of differences, and which statements about them are true."""

    model_config = ConfigDict(extra="forbid", strict=True)


@dataclass(frozen=True)
class EditVerdict:
    """A score of 0 to 5, higher is better, or why there is none."""

    score: float | NotScored
    """Mean over the repeats that gave one."""
    reason: str
    """The model's, of the first repeat; or how the score came about without it."""
    samples: tuple[float | NotScored, ...] = ()
    """One for each repeat."""
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    shown: str = ""
    """The evidence of the judge, in a few words."""
    known: KnownTally = field(default_factory=KnownTally)
    """How the judge did on what is known; where it fails there is no score."""

    @classmethod
    def none(cls, cause: NotScored, shown: str = "") -> Self:
        """No score, for a cause."""
        return cls(cause, cause.reason, shown=shown)

    def without(self, cause: str) -> Self:
        """It without its score, for a cause."""
        return replace(self, score=NotScored(cause), reason=cause)

    @property
    def believed(self) -> Self:
        """It without its score where the judge fails on what is known."""
        if isinstance(self.score, NotScored) or not self.known.failure:
            return self
        return self.without(self.known.failure)


def pooled(sample: Callable[[], EditVerdict], repeats: int) -> EditVerdict:
    """The mean of ``repeats`` verdicts; those not scored do not count, but are in
    ``samples``. Raises ValueError for less than one."""
    if repeats < 1:
        raise ValueError(f"a judge is asked once at least, not {repeats} times")
    verdicts = [sample() for _ in range(repeats)]
    marked = [verdict for verdict in verdicts if not isinstance(verdict.score, NotScored)]
    samples = tuple(verdict.score for verdict in verdicts)
    return replace(
        (marked or verdicts)[0],
        score=scored_mean(samples, "nobody was asked"),
        samples=samples,
        usage=sum((verdict.usage for verdict in verdicts), Usage()),
        known=sum((verdict.known for verdict in verdicts), KnownTally()),
    )


_PROMPTS: Final[Mapping[str, Any]] = package_values(__package__, "prompts.toml")
SYSTEMS: Final[Mapping[str, str]] = {
    judge: f"{system}\n\n{_PROMPTS['common']}" for judge, system in _PROMPTS["systems"].items()
}
"""The system prompt of each judge."""
IF_SCALE: Final[str] = _PROMPTS["if_scale"]
VQ_SCALE: Final[str] = _PROMPTS["vq_scale"]


def questions(question: Question, *, scale: str, material: str) -> str:
    """The prompt: scale, instruction and style target, then the material below a line."""
    return (
        f"{scale}\n\nReply with the score and one sentence of evidence for it.\n\n"
        f"Instruction to the editor:\n{question.instruction}\n\n"
        f"Style target, unseen by the editor:\n{question.style_target}\n\n"
        f"{'-' * 40}\n{material}"
    )


class StyleTarget(BaseModel):
    """Requirements of an outcome, by the four headings of paper 003, E.1."""

    model_config = ConfigDict(extra="forbid", strict=True)

    content: list[str] = Field(description="Texts and data, word for word, slide by slide.")
    layout: list[str] = Field(description="Alignment, spacing, order.")
    typography: list[str] = Field(description="Fonts, sizes, weights, hierarchy.")
    constraints: list[str] = Field(description="Theme, masters, and what must not change.")

    @property
    def text(self) -> str:
        """As one text, marked as a draft: a person has to check it, as the paper's were."""
        parts = ["DRAFT, to be checked by a person"]
        for heading, lines in self:
            parts += [f"{heading.capitalize()}:", *(f"- {line}" for line in lines)] if lines else []
        return "\n".join(parts)


def draft_style_target(
    ask: Ask, instruction: str, edit: DeckEdit, *, pictures: Sequence[PicturePair] = ()
) -> StyleTarget | NotScored:
    """A style target for the edit that leads from an original to its truth.

    ``pictures`` are changed slides, with the original in the place of the truth and the truth in
    that of the prediction. NotScored where nothing changes, the model failed or its reply does
    not fit. Raises ModelUnavailable.
    """
    if not (changes := words(edit.found)):
        return NotScored("original and truth are the same")
    shown = [f"slide {pair.number}: before, then after" for pair in pictures]
    outline = json.dumps(_outline(edit.before), ensure_ascii=False)[:LONGEST]
    listed, pictured = "\n".join(changes)[:LONGEST], "\n".join(shown) or "none"
    prompt = (
        f"Instruction:\n{instruction}\n\nOriginal, in outline:\n{outline}\n\n"
        f"Every change from the original to the finished deck:\n{listed}\n\nPictures:\n{pictured}"
    )
    images = [image for pair in pictures for image in pair.images]
    judge = Questions(ask, system=_PROMPTS["target_system"], temperature=JUDGE_TEMPERATURE)
    return judge.put(prompt, StyleTarget, stage="style target", images=images)


def _outline(deck: Snapshot) -> list[dict[str, object]]:
    return [
        {
            "slide": slide["number"],
            "layout": slide.get("layout", ""),
            "shapes": [_shape_outline(shape) for shape in slide.get("shapes", [])],
        }
        for slide in deck["slides"]
    ]


def _shape_outline(shape: Mapping[str, Any]) -> dict[str, str]:
    text = shape.get("text")
    words = text.get("text", "")[:400] if isinstance(text, dict) else ""
    return {"name": shape.get("name", ""), "kind": shape["kind"], "text": words}
