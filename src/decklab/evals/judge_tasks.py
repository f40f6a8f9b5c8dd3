"""Judges of decks as tasks of Inspect AI: which systems a model prefers, a sample for each topic,
and the exams of many decks; without a model the proxy answers these.

A folder holds a folder for each document: ``bank.json``, which ``decklab quiz build`` wrote, and
the decks that are to answer it.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from decklab.core.options import PreferenceWay, SlideReading
from decklab.core.results import NotScored, scored_by_name
from decklab.evals.editors.running import NO_MODEL
from decklab.evals.inspect_run import EVERY_SAMPLE, say
from decklab.evals.judges.asking import KnownTally
from decklab.evals.judges.preference.prefer import (
    TOPIC,
    Preference,
    check_ways,
    find_topic_decks,
    model_name,
    prefer_shown,
    show_decks,
)
from decklab.evals.judges.preference.rating import Meeting, arena_result
from decklab.evals.judges.quiz.bank import QuizError, load_bank
from decklab.evals.judges.quiz.exam import ExamResult
from decklab.evals.judges.quiz.quiz import take_quiz
from decklab.models.asking import Ask, Usage
from decklab.models.inspect import asking_from_thread
from decklab.rendering.opening import find_decks
from decklab.rendering.renderer import Cache, Renderer

_PREFERENCE: Final = "decklab_preference"
_OVERALL: Final = ("preference.rating", "preference.ppteval")
_NOBODY: Final = "only a model prefers, and none was named"


@task(name="prefer")
def prefer_task(
    folder: str, prompt: str = TOPIC, how: PreferenceWay = "arena", repeats: int = 1
) -> Task:
    """One sample for each topic of which two systems below ``folder`` have a deck.

    ``prompt`` says what the decks were to be about; ``{topic}`` in it is the name of the files.
    ``how`` and ``repeats`` are as in ``decklab.evals.prefer``. Raises ValueError if no two systems
    can be compared, for a way that is not known, and for no repeats.
    """
    systems = find_topic_decks(sorted(path for path in Path(folder).iterdir() if path.is_dir()))
    check_ways(systems.systems, [how], repeats)
    samples = [
        Sample(
            id=topic,
            input=prompt.replace(TOPIC, topic),
            metadata={"decks": {system: str(path) for system, path in decks.items()}},
        )
        for topic, decks in systems.topics.items()
    ]
    left_out = {"left_out": list(systems.left_out)}
    solver, scorer = judge_topic(how, repeats), preference_scores()
    options: dict[str, Any] = {
        "name": "prefer",
        "fail_on_error": EVERY_SAMPLE,
        "metadata": left_out,
    }
    return Task(samples, solver=solver, scorer=scorer, **options)


@solver
def judge_topic(how: PreferenceWay = "arena", repeats: int = 1) -> Solver:
    """Have the model judge the decks of a topic; without one nothing is judged."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        if str(model) == NO_MODEL:
            state.output = ModelOutput.from_content(NO_MODEL, _NOBODY)
            return state
        decks, ask = list(state.metadata["decks"].values()), asking_from_thread(model)
        judged = partial(_judged, decks, ask, state.input_text, how, repeats)
        preference = await anyio.to_thread.run_sync(judged)
        state.metadata[_PREFERENCE] = preference.as_json()
        say(state, model, _preference_words(preference))
        return state

    return solve


def _judged(decks: list[str], ask: Ask, task: str, how: PreferenceWay, repeats: int) -> Preference:
    """A model's judgement of the decks of a topic that can be drawn; ``left_out`` names the
    others."""
    with Renderer(cache=Cache()).started() as renderer:
        shown, lost = show_decks(decks, renderer)
    least = 2 if how == "arena" else 1
    if len(shown) < least:
        nothing = Preference(task, model_name(ask), (), (), None, Usage())
        return replace(nothing, left_out=tuple(lost))
    preference = prefer_shown(ask, shown, task, [how], repeats=repeats)
    return replace(preference, left_out=tuple(lost))


def _preference_words(preference: Preference) -> str:
    """Judgement of each pair, or of each deck, a line each."""
    if preference.arena is None:
        return "\n".join(f"{rating.name}: {rating.reason}" for rating in preference.ratings)
    return "\n".join(
        f"{meeting.first} and {meeting.second}: {meeting.outcome}; {meeting.reasons[0]}"
        for meeting in preference.arena.meetings
    )


@metric
def system_strengths() -> Metric:
    """Bradley-Terry ratings of systems over all topics, flicker and position bias; or mean scores.

    A rating is missing if no meeting of a system was judged.
    """

    def pooled(scores: list[SampleScore]) -> Value:
        topics = [score.score.metadata for score in scores if score.score.metadata]
        return {**_ratings(topics), **_means(topics)}

    return pooled


def _ratings(topics: list[dict[str, Any]]) -> dict[str, float]:
    """Of the meetings of all topics; a system without any judged meeting leaves out the ratings."""
    meetings = [
        _meeting(rating, str(number))
        for number, topic in enumerate(topics)
        for rating in topic["meetings"]
    ]
    if not meetings:
        return {}
    names = dict.fromkeys(name for meeting in meetings for name in (meeting.first, meeting.second))
    known = sum((KnownTally(**topic["known"]) for topic in topics), KnownTally())
    arena = arena_result(meetings, list(names), known)
    ranked = () if isinstance(arena.strengths, NotScored) else arena.strengths
    steadiness = {"flicker": arena.flicker, "first_place": arena.first_place}
    return {rating.name: rating.rating for rating in ranked} | scored_by_name(steadiness)


def _meeting(entry: dict[str, Any], topic: str) -> Meeting:
    """A meeting out of the log."""
    known: Any = [said or NotScored("not judged") for said in (entry["outcome"], *entry["answers"])]
    outcome, *answers = known
    decks = entry["first"], entry["second"]
    return Meeting(*decks, outcome, tuple(answers), tuple(entry["reasons"]), topic=topic)


def _means(topics: list[dict[str, Any]]) -> dict[str, float]:
    """The mean of each system's overall rating over topics."""
    ratings = defaultdict(list)
    for topic in topics:
        for system, value in topic["ratings"].items():
            ratings[system].append(value)
    return {system: fmean(values) for system, values in ratings.items()}


@scorer(metrics=[system_strengths()])
def preference_scores() -> Scorer:
    """How steadily a topic was judged: the share of pairs on which both orders agree, or for scores
    of single decks their mean. Not scored if nothing could be judged."""

    async def score(state: TaskState, target: Target) -> Score:
        if (preference := state.metadata.get(_PREFERENCE)) is None:
            return Score.unscored(explanation=_NOBODY)
        system = {path: name for name, path in state.metadata["decks"].items()}
        arena = preference["arena"] or {"meetings": [], "flicker": None, "known": {}}
        meetings = [
            {**meeting, "first": system[meeting["first"]], "second": system[meeting["second"]]}
            for meeting in arena["meetings"]
        ]
        ratings = {
            system[row["deck"]]: row["value"]
            for row in preference["scores"]
            if row["metric"] in _OVERALL and row["value"] is not None
        }
        kept = {"meetings": meetings, "ratings": ratings, "usage": preference["usage"]}
        kept["known"] = arena["known"]
        reasons = "; ".join((*preference["not_scored"], *preference["notes"])) or None
        steady = None if arena["flicker"] is None else 1.0 - arena["flicker"]
        value = fmean(ratings.values()) if steady is None and ratings else steady
        if value is None:
            return Score.unscored(explanation=reasons, metadata=kept)
        return Score(value=value, explanation=reasons, metadata=kept)

    return score


BANK: Final = "bank.json"
_EXAM: Final = "decklab_exam"


@task
def quizbank(folder: str, reading: SlideReading = "text") -> Task:
    """One sample for each deck of each document below ``folder``; ``reading`` as in ``take_quiz``.

    Raises QuizError if there is no bank, or one breaks a rule.
    """
    samples = [
        Sample(
            id=f"{bank.parent.name}/{deck.name}",
            input=f"Answer the bank of {bank.parent.name} from {deck.name}.",
            metadata={"bank": str(bank), "deck": str(deck)},
        )
        for bank, deck in _exams(Path(folder))
    ]
    if not samples:
        raise QuizError(f"{folder}: no folder in it has a {BANK} and a deck")
    how = {"reading": reading}
    options: dict[str, Any] = {"name": "quizbank", "fail_on_error": EVERY_SAMPLE, "metadata": how}
    return Task(samples, solver=take_exam(reading), scorer=exam_accuracy(), **options)


def _exams(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Each bank with each deck beside it; banks are checked first."""
    for bank in sorted(folder.glob(f"*/{BANK}")):
        load_bank(bank)
        yield from ((bank, Path(deck)) for deck in find_decks([bank.parent]))


@solver
def take_exam(reading: SlideReading = "text") -> Solver:
    """Have the model take the exam, or the proxy if there is no model."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        ask = None if str(model) == NO_MODEL else asking_from_thread(model)
        bank, deck = state.metadata["bank"], state.metadata["deck"]
        exam = partial(take_quiz, bank, [deck], model=ask, reading=reading)
        (result,) = await anyio.to_thread.run_sync(exam)
        state.metadata[_EXAM] = result.as_json()
        say(state, model, _exam_words(result))
        return state

    return solve


def _exam_words(result: ExamResult) -> str:
    """The answers, a line each."""
    lines = [
        f"{said.number}. {said.selected} (right: {question.answer}) {said.reason}"
        for question, said in result.pairs
    ]
    return "\n".join((f"{result.examinee or 'the model'}, {result.read}", *lines))


@metric
def pooled_accuracy() -> Metric:
    """Right answers among all questions that were scored, over all decks, and by kind."""

    def pooled(scores: list[SampleScore]) -> Value:
        exams = [(each.score.metadata or {}) for each in scores]
        groups = {"all": [exam["accuracy"] for exam in exams if "accuracy" in exam]}
        for kind in ("concept", "data"):
            groups[kind] = [item["by_kind"][kind] for item in exams if "by_kind" in item]
        return {name: _share(listed) for name, listed in groups.items() if _count(listed)}

    return pooled


def _count(exams: list[dict[str, Any]]) -> int:
    return sum(exam["questions"] for exam in exams)


def _share(exams: list[dict[str, Any]]) -> float:
    return float(sum(exam["correct"] for exam in exams) / _count(exams))


@scorer(metrics=[pooled_accuracy()])
def exam_accuracy() -> Scorer:
    """The share of right answers of one deck; not scored if no question was."""

    async def score(state: TaskState, target: Target) -> Score:
        exam: dict[str, Any] = state.metadata[_EXAM]
        share = exam["accuracy"]["share"]
        notes = "; ".join(exam["told"])
        if share is None:
            reason = notes or str(NotScored("no question was scored"))
            return Score.unscored(explanation=reason, metadata=exam)
        return Score(value=share, explanation=notes, metadata=exam)

    return score
