"""Results of an editor's cases: edited decks compared, and judged if there are judges; and the
starter set, 32 cases on decklab's own sample decks, with truths and attempts.

The set comes with decklab as data. ``cases.json`` is the list in the published format;
``decks.json.xz`` has for each truth and each flawed attempt the parts that differ from the sample
deck, and the order of its parts. ``python -m generate`` makes both in decklab's repository: every
deck is the sample with small edits made in code. The editors that know its answers are here too.
"""

import base64
import io
import json
import lzma
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Final, Literal

from decklab.core.errors import DeckError, DecklabError, MissingPart
from decklab.core.files import package_data, package_values, write_whole
from decklab.core.options import JudgeOptions
from decklab.core.registry import Registry
from decklab.core.results import NotScored
from decklab.deck.deck import sample_bytes
from decklab.diffing.snapshots import DeckEdit
from decklab.evals.editors.isolation import EditorFor
from decklab.evals.editors.protocol import Editor, EditSession, Outcome, trusted
from decklab.evals.editors.running import (
    Submission,
    check_readable,
    commands,
    noop,
    submitted_bytes,
)
from decklab.evals.judges.editing.judging import EditJudge, EditMaterial
from decklab.evals.judges.editing.verdict import (
    EditEvidence,
    EditVerdict,
    Question,
    structured_evidence,
    texts_of,
)
from decklab.evals.judges.preference.showing import judge_instructions, unseen_texts, without_known
from decklab.evals.pptarena.cases import Case, CaseSet, Decks, load_cases, slug
from decklab.evals.pptarena.reference_scores import Companions, compare
from decklab.models.asking import Ask, Usage
from decklab.ooxml.package import Package, packed, write_archive

_PACKAGE = "decklab.evals.pptarena"
ATTEMPTS = ("partial", "wrong-slide", "collateral")
"""The flawed attempts of each case: a part of the edit, the whole edit in the wrong place, and the
whole edit with something else damaged."""
CASES_FILE = "cases.json"
ATTEMPTS_FOLDER = "attempts"


def starter_cases(folder: Path, names: Sequence[str] = ()) -> CaseSet:
    """The starter set, or its cases of these names, written into ``folder``.

    Raises UnknownName for a name that the set does not have; the message gives the nearest name.
    """
    return load_cases(write_starter(folder, names))


def write_starter(folder: Path, names: Sequence[str] = ()) -> Path:
    """Write the cases of ``names``, or all, into ``folder``; returns the path of their list.

    Decks are in ``original/``, ``ground_truth/`` and ``attempts/``; the list comes last, so a
    folder with a list is complete. Every call writes the same bytes. Raises UnknownName for a name
    that the set does not have, OSError where the folder cannot be written.
    """
    known = Registry[dict[str, str]]("case of the starter set")
    for case in package_values(_PACKAGE, f"data/{CASES_FILE}"):
        known.register(case["name"], case)
    cases = [known[name] for name in names or known]
    for original in sorted({case["original"] for case in cases}):
        write_whole(folder / original, sample_bytes(PurePosixPath(original).stem))
    for case in cases:
        sample, decks = PurePosixPath(case["original"]).stem, _decks()[slug(case["name"])]
        write_whole(folder / case["ground_truth"], _rebuilt(sample, decks["truth"]))
        for kind in ATTEMPTS:
            path = attempt_path(folder, case["name"], kind)
            write_whole(path, _rebuilt(sample, decks[kind]))
    text = json.dumps(cases, indent=2, ensure_ascii=False) + "\n"
    write_whole(folder / CASES_FILE, text.encode())
    return folder / CASES_FILE


def attempt_path(folder: Path, case: str, kind: str) -> Path:
    """The path of a case's flawed attempt of a kind, one of ``ATTEMPTS``."""
    return folder / ATTEMPTS_FOLDER / slug(case) / f"{kind}.pptx"


def _rebuilt(sample: str, differences: Mapping[str, Any]) -> bytes:
    """A deck from its sample: ``order`` names all its parts, ``parts`` holds the different parts.

    A part is text, or ``{"base64": ...}`` where it is not text.
    """
    changed: Mapping[str, str | Mapping[str, str]] = differences["parts"]
    entries = []
    for name in differences["order"]:
        if (part := changed.get(name)) is None:
            data = _sample_parts(sample)[name]
        elif isinstance(part, str):
            data = part.encode()
        else:
            data = base64.b64decode(part["base64"])
        entries.append(packed(name, data))
    file = io.BytesIO()
    write_archive(entries, file)
    return file.getvalue()


@cache
def _sample_parts(sample: str) -> dict[str, bytes]:
    """The parts of a sample deck by name."""
    with Package.from_bytes(sample_bytes(sample), sample) as package:
        return {name: package.read(name) for name in package.names}


@cache
def _decks() -> dict[str, dict[str, Any]]:
    """Differences from the sample by the case's slug, then by ``truth`` or one of ``ATTEMPTS``."""
    data: dict[str, dict[str, Any]] = json.loads(
        lzma.decompress(package_data(_PACKAGE, "data/decks.json.xz"))
    )
    return data


BASELINES: Registry[EditorFor[Case]] = Registry("editor")
"""Editors by their names on the command line, each made for a case."""


def hand_in(find: Callable[[Case], Path], note: str) -> EditorFor[Case]:
    """An editor that submits an existing deck, with the remark ``note``."""

    def made(case: Case) -> Editor:
        def copied(deck: Path, instruction: str, session: EditSession) -> None:
            write_whole(deck, find(case).read_bytes())
            session.finish("done", note)

        return trusted(copied)

    return made


def attempts(folder: Path, kind: str) -> EditorFor[Case]:
    """An editor that submits the starter set's attempt of that kind, flawed on purpose."""
    return hand_in(lambda case: attempt_path(folder, case.name, kind), f"flawed on purpose: {kind}")


BASELINES.register("noop", noop)
BASELINES.register("commands", commands)
BASELINES.register("truth", hand_in(lambda case: case.ground_truth, "the truth"))


@dataclass(frozen=True)
class ArenaEvent:
    """An editor begins with a case or is done with it, a model is asked again, or, where nothing
    is named, everything is ready."""

    done: int
    """Edits that are compared and judged, of ``total``."""
    total: int
    case: str = ""
    editor: str = ""
    finished: bool = False
    note: str = ""
    """How it ended, or what a model is asked again for."""

    @property
    def words(self) -> str:
        """The event in a line, such as ``Crew leaders, commands: done, 0.4 s``."""
        where = ", ".join(filter(None, (self.case, self.editor)))
        return ": ".join(filter(None, (where, self.note)))


ArenaProgress = Callable[[ArenaEvent], object]


class ArenaWatch:
    """Counts the edits of a run and passes on what goes on. ``progress`` may be called by
    threads."""

    def __init__(self, progress: ArenaProgress, total: int) -> None:
        self._progress, self.total, self.done = progress, total, 0
        self._at = "", ""
        progress(ArenaEvent(0, total))

    def begin(self, case: str, editor: str) -> None:
        """An editor begins with a case."""
        self._at = case, editor
        self._progress(ArenaEvent(self.done, self.total, case, editor))

    def finish(self, case: str, editor: str, note: str) -> None:
        """The edit is compared and judged."""
        self.done += 1
        self._progress(ArenaEvent(self.done, self.total, case, editor, finished=True, note=note))

    def tell(self, note: str) -> None:
        """A model is asked again, while the editor of the last ``begin`` works or is judged."""
        self._progress(ArenaEvent(self.done, self.total, *self._at, note=note))


NOT_RUN: Final = "not run"
"""The ending of an editor that could not be run on a case, which is not its fault."""
_NO_DECK = "it left no deck: nothing is in its place, or a link, a folder or a pipe"

NO_TARGET: Final = "None is given: go by the instruction and the truth."
"""The judges' substitute for a style target."""
PREDICTIONS = "predictions"
"""Folder of the edited decks, in the folder of a run."""
LOGS = "logs"
"""Folder of Inspect's log, in the folder of a run."""
BOARD_FILE = "board.csv"
"""Table of the systems, in the folder of a run."""
SCORES = "scores"
"""Folder of each system's scores in the published columns, in the folder of a run."""
_OUTPUTS: Final = ("starter", "cases", "results.json", "index.html")
_UNSEEN_KINDS: Final = frozenset(("notes", "alt text", "name", "comment"))
"""Kinds of changes whose words no audience sees."""
Judge = Callable[[Case, Path, Decks], tuple[EditVerdict, EditVerdict]]
"""IF and VQ of a prediction."""


@dataclass(frozen=True)
class Edited:
    """How an editor's work ended, as the editor reports it where it ended by itself."""

    ending: Outcome | Literal["not run"]
    note: str = ""


@dataclass(frozen=True)
class CaseResult:
    """The result of one editor on one case."""

    case: Case
    prediction: Path
    """The edited deck; the original if there is none."""
    edited: Edited
    seconds: float | None
    """The editor's, not the comparison's; None if it worked elsewhere and did not say."""
    companions: Companions | NotScored
    """NotScored where the editor or the comparison failed, or the deck is broken."""
    instruction: EditVerdict | None = None
    """Verdict on IF; None if no judge was asked."""
    visual: EditVerdict | None = None
    """Verdict on VQ."""
    second: tuple[tuple[str, EditVerdict], ...] = ()
    """``IF`` and ``VQ`` of a second judge, which are in no mean of the summary."""
    broken: bool = False
    """Whether the edited deck cannot be read, which counts 0 on every scale."""
    undrawn: str = ""
    """Why the edited deck cannot be drawn though the case's own decks can. It counts 0 where
    changes must be visible and where pictures are compared or judged."""
    usage: Usage = field(default_factory=Usage)
    """The cost of the editor's questions."""
    cost: float | None = None
    """Of the editor in US dollars; None if prices or tokens are not known."""
    notes: tuple[str, ...] = ()
    """Text of the edited deck, and not of the original, that speaks to a judge."""

    @property
    def judged(self) -> Usage:
        """The cost of the judges' questions."""
        return sum((verdict.usage for _, verdict in self.verdicts), Usage())

    @property
    def verdicts(self) -> tuple[tuple[str, EditVerdict], ...]:
        """The judges' verdicts, each with ``IF`` or ``VQ``; the second judge's last."""
        first = (("IF", self.instruction), ("VQ", self.visual))
        return (*((name, verdict) for name, verdict in first if verdict is not None), *self.second)

    def value(self, name: str) -> float | NotScored:
        """``IF``, ``VQ`` or one of ``COMPANIONS``."""
        if self.edited.ending == NOT_RUN:
            return NotScored(f"the editor could not be run: {self.edited.note}")
        if name in ("IF", "VQ"):
            verdict = self.instruction if name == "IF" else self.visual
            return NotScored("no judge was asked") if verdict is None else verdict.score
        if self.undrawn and name in ("visual", "recall", "edit"):
            return 0.0  # none of it can be seen
        if not isinstance(self.companions, NotScored):
            return self.companions.value(name)
        return 0.0 if self.broken and name != "precision" else self.companions


def judging(ask: Ask, how: JudgeOptions | None = None, *, secret: str = "") -> Judge:
    """A judge that asks one model for IF and VQ, see ``EditJudge``."""

    def judge(case: Case, prediction: Path, decks: Decks) -> tuple[EditVerdict, EditVerdict]:
        pictures = decks.pictures(case.ground_truth), decks.pictures(prediction)
        question = Question(case.prompt, case.style_target or NO_TARGET)
        material = EditMaterial(evidence_of(case, prediction, decks), *pictures)
        return EditJudge(ask, question, how, secret=secret).judge(material)

    return judge


def evidence_of(case: Case, prediction: Path, decks: Decks) -> EditEvidence:
    """A prediction as the judge of instruction following sees it; words that no audience sees are
    left out unless the case's own decks have them, or such words change in the truth."""
    asked = decks.edit(case.original, case.ground_truth)
    made = decks.edit(case.original, prediction)
    with (
        Package.open(case.original) as first,
        Package.open(case.ground_truth) as truth,
        Package.open(prediction) as made_deck,
    ):
        return structured_evidence(
            first, truth, made_deck, asked, made, unseen=_unseen(prediction, asked, made)
        )


def _unseen(prediction: Path, asked: DeckEdit, made: DeckEdit) -> tuple[str, ...]:
    """Words of a prediction that no audience sees and nobody asked for."""
    known = [*texts_of(asked.before), *texts_of(asked.after)]
    wanted = {change.kind for change in asked.found.changes}
    kinds = {
        change.new.strip()
        for change in made.found.changes
        if change.kind in _UNSEEN_KINDS - wanted and isinstance(change.new, str)
    }
    beside = without_known((line for text in kinds for line in text.splitlines()), known)
    hidden = not any(slide.get("hidden") for slide in asked.after["slides"])
    return (*unseen_texts(prediction, known, hidden_slides=hidden), *beside)


def secrets_of(cases: CaseSet, out: Path, *more: Path) -> list[Path]:
    """The files that no editor may see: the set's list, decks and attempts, the predictions, pages
    and logs of a run in ``out``, and ``more``."""
    decks = {path for case in cases for path in (case.original, case.ground_truth)}
    outputs = (PREDICTIONS, LOGS, BOARD_FILE, SCORES, *_OUTPUTS)
    attempts = [cases.path.parent / ATTEMPTS_FOLDER]
    return [cases.path, *sorted(decks), *attempts, *(out / name for name in outputs), *more]


def handed_in(case: Case, made: Submission) -> tuple[Edited, Path]:
    """How an editor's work on a case ended, and the deck to compare: the original where the editor
    changed nothing. An empty file stands for a missing deck, or for a link."""
    if made.error is not None:
        made.deck.unlink(missing_ok=True)
        return Edited(NOT_RUN, str(made.error)), case.original
    session = made.session
    edited = Edited("failed", made.ended) if made.ended else Edited(session.outcome, session.note)
    try:
        if submitted_bytes(made.deck) == case.original.read_bytes():
            return edited, case.original
    except DeckError as error:
        problem = _NO_DECK if isinstance(error, MissingPart) else str(error)
        edited = Edited("failed", "; ".join(filter(None, (edited.note, problem))))
        made.deck.unlink(missing_ok=True)
        write_whole(made.deck, b"")
    return edited, made.deck


def compared(
    case: Case, prediction: Path, decks: Decks, edited: Edited, judges: Sequence[Judge] = ()
) -> CaseResult:
    """Compare an edited deck with the truth, and judge it if there are judges, of which a second
    one is compared with the first."""
    if edited.ending == NOT_RUN:
        return CaseResult(case, prediction, edited, 0.0, NotScored(edited.note))
    companions, broken = _companions(case, prediction, decks)
    if broken and edited.note and isinstance(companions, NotScored):
        companions = NotScored(f"{companions.reason} ({edited.note})")
    undrawn = "" if isinstance(companions, NotScored) else _undrawn(case, prediction, decks)
    result = CaseResult(case, prediction, edited, 0.0, companions, broken=broken, undrawn=undrawn)
    if verdicts := [_verdicts(judge, result, decks) for judge in judges]:
        (instruction, visual), notes = verdicts[0], _notes(result)
        result = replace(result, instruction=instruction, visual=visual, notes=notes)
    second = [(("IF", following), ("VQ", looks)) for following, looks in verdicts[1:2]]
    return replace(result, second=second[0]) if second else result


def _notes(result: CaseResult) -> tuple[str, ...]:
    """Words to judges in the edited deck that the original does not have."""
    if isinstance(result.companions, NotScored):
        return ()
    return judge_instructions(result.prediction, result.case.original)


def _companions(case: Case, prediction: Path, decks: Decks) -> tuple[Companions | NotScored, bool]:
    """The companions, or why there are none; and whether the prediction is at fault."""
    try:
        for path in (case.original, case.ground_truth):
            decks.snapshot(path)
    except DecklabError as error:
        return NotScored(f"the case cannot be read: {error}"), False
    try:
        check_readable(prediction, case.original)
        return compare(case, prediction, decks), False
    except DeckError as error:
        return NotScored(str(error)), True


def _undrawn(case: Case, prediction: Path, decks: Decks) -> str:
    """Why only the prediction cannot be drawn, after two tries; empty where it can be, or where
    the case's own decks cannot be drawn either."""
    if not isinstance(decks.pictures(prediction), NotScored) or prediction == case.original:
        return ""
    own = (decks.pictures(path) for path in (case.original, case.ground_truth))
    if any(isinstance(pictures, NotScored) for pictures in own):
        return ""
    again = decks.pictures(prediction, again=True)
    return again.reason if isinstance(again, NotScored) else ""


def _drawn(verdict: EditVerdict, undrawn: str) -> EditVerdict:
    score = verdict.score
    if undrawn and isinstance(score, NotScored) and score.reason == undrawn:
        return EditVerdict(0.0, undrawn, samples=(0.0,))
    return verdict


def _verdicts(judge: Judge, result: CaseResult, decks: Decks) -> tuple[EditVerdict, EditVerdict]:
    """The judge's verdicts; a deck that cannot be read is not judged. A verdict that lacks pictures
    is 0 where only the prediction cannot be drawn."""
    if not isinstance(result.companions, NotScored):
        first, two = judge(result.case, result.prediction, decks)
        return _drawn(first, result.undrawn), _drawn(two, result.undrawn)
    score = 0.0 if result.broken else result.companions
    verdict = EditVerdict(score, result.companions.reason, samples=(score,))
    return verdict, verdict
