"""Judgements of decks by a model: scores of a single deck (the weighted rating, PPTEval's three),
and the arena of pairs in both orders.

The rating: paper 002, appendix N and figure 24, whose criteria and weights are here. PPTEval:
content, design and coherence from 1 to 5 (Zheng et al. 2025, which papers 002 and 003 compare
with). Prompts are ours. Each deck is also marked as a plainly damaged copy, and questions with text
hold known statements: a judge that gets these wrong gives no scores.

Paper 002, section 3.2 and figure 23, after Zheng et al. (2023): a model that prefers whatever
stands first would decide an arena of one order. Here a pair is decided only where both orders say
the same; else it is a tie, and counted as a flicker. Two decks also meet a plainly damaged copy of
themselves; a judge that does not see which is better ranks nothing. Prompts are ours.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from secrets import token_hex
from statistics import fmean
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import BeforeValidator, Field, create_model

from decklab.core.files import package_values
from decklab.core.options import JUDGE_TEMPERATURE
from decklab.core.results import NotScored, first_cause, scored, scored_mean
from decklab.evals.agreement.rankings import Bout, Strength, Winner, strengths
from decklab.evals.judges.asking import (
    FENCE_RULE,
    LINE,
    KnownTally,
    Questions,
    WithKnown,
    fenced,
    known_statements,
    lines_said,
    scrambled,
)
from decklab.evals.judges.preference.showing import ShownDeck, damaged_copy
from decklab.models.asking import Ask, StrictForm, Usage
from decklab.pages.pictures import decoded, encode_jpeg

_PROMPTS: Final[Mapping[str, Any]] = package_values(__package__, "prompts.toml")
DAMAGED: Final = 2
"""How many decks of an arena meet a damaged copy of themselves. Ours: of these four answers a
judge that guesses gets three right in five of sixteen arenas."""


def _side(given: Any) -> Any:
    """``A``, ``B`` or ``Tie`` in the spellings that models use for them; anything else as it is."""
    if not isinstance(given, str):
        return given
    words = given.strip().strip(".*\"'").lower().removeprefix("ppt ").removeprefix("deck ")
    return {"a": "A", "b": "B", "tie": "Tie", "draw": "Tie", "equal": "Tie"}.get(words, given)


_Side = Annotated[Literal["A", "B", "Tie"], BeforeValidator(_side)]


class CriterionWinner(StrictForm):
    """Which deck is better by one criterion, by how much (1 hardly to 5 clearly), and why."""

    winner: _Side
    score_difference: int = Field(ge=0, le=5)
    reason: str = Field(min_length=1)


class PairJudgement(StrictForm):
    """Which deck is better by each criterion and over all, and how sure that is (1 to 5)."""

    OTHER_NAMES: ClassVar[Mapping[str, str]] = {
        "Visual_Design": "visual_design", "Layout": "layout", "Overall_Winner": "overall_winner",
        "Overall_Reason": "overall_reason", "Confidence": "confidence",
    }  # fmt: skip
    """Of paper 002, figure 23."""

    visual_design: CriterionWinner
    layout: CriterionWinner
    overall_winner: _Side
    overall_reason: str = Field(min_length=1)
    confidence: int = Field(ge=1, le=5)


def contradiction(judgement: PairJudgement) -> str | None:
    """The contradiction in a judgement, in a line; None if all does."""
    both = {judgement.visual_design.winner, judgement.layout.winner}
    if len(both) == 1 and judgement.overall_winner not in both:
        [side] = both
        return f"both criteria say {side}, and overall_winner {judgement.overall_winner}"
    return None


@dataclass(frozen=True)
class Meeting:
    """Two decks, judged once in each order."""

    first: str
    second: str
    outcome: Winner | NotScored
    """Who is better where both orders agree; a tie where they do not, or both say so."""
    answers: tuple[Winner | NotScored, Winner | NotScored]
    """Answers with ``first`` shown as A, then as B."""
    reasons: tuple[str, str]
    """The model's, of both orders; of one without an answer, why there is none."""
    usage: Usage = field(default_factory=Usage)
    topic: str = ""
    """The topic of the decks, if there are several."""

    @property
    def flickered(self) -> bool:
        """Whether the two orders say different things."""
        return not isinstance(self.outcome, NotScored) and self.answers[0] != self.answers[1]


@dataclass(frozen=True)
class ArenaResult:
    """All meetings of an arena, and what they say of the decks."""

    meetings: tuple[Meeting, ...]
    strengths: tuple[Strength, ...] | NotScored
    """The strongest first. NotScored where the judge fails with damaged copies."""
    usage: Usage
    known: KnownTally = field(default_factory=KnownTally)
    """How the judge did with damaged copies of decks."""

    @property
    def judged(self) -> tuple[Meeting, ...]:
        """Meetings with an outcome."""
        return tuple(pair for pair in self.meetings if not isinstance(pair.outcome, NotScored))

    @property
    def flicker(self) -> float | NotScored:
        """Share of the meetings in which the orders disagree, 0 to 1; lower is steadier."""
        return scored_mean((row.flickered for row in self.judged), "no meeting was judged")

    @property
    def first_place(self) -> float | NotScored:
        """Share of the answers with a winner that prefer what was shown as A; 0.5 is no bias."""
        orders = (zip(it.answers, ("first", "second"), strict=True) for it in self.judged)
        pairs = (pair for order in orders for pair in order)
        shown = [answer == position for answer, position in pairs if answer != "tie"]
        return scored_mean(shown, "every answer was a tie")

    @property
    def repeat_flicker(self) -> float | NotScored:
        """Share of the pairs whose repeats have different outcomes, 0 to 1; lower is steadier."""
        outcomes: dict[tuple[str, str, str], list[str]] = {}
        for meeting in self.judged:
            pair = (meeting.topic, meeting.first, meeting.second)
            outcomes.setdefault(pair, []).append(str(meeting.outcome))
        repeated = [set(answers) for answers in outcomes.values() if len(answers) > 1]
        return scored_mean((len(each) > 1 for each in repeated), "no pair was judged twice")


def arena_result(
    meetings: Sequence[Meeting], names: Sequence[str], known: KnownTally | None = None
) -> ArenaResult:
    """The ranking of all decks, or systems, in ``names`` by meetings.

    Meetings of one topic are drawn together when intervals are made. ``known`` is how the judge did
    with damaged copies.
    """
    bouts = [
        Bout(meeting.first, meeting.second, meeting.outcome, meeting.topic)
        for meeting in meetings
        if not isinstance(meeting.outcome, NotScored)
    ]
    usage = sum((held.usage for held in meetings), Usage())
    known = known or KnownTally()
    strengths = _all_strengths(bouts, names)
    if known.failure and not isinstance(strengths, NotScored):
        strengths = NotScored(known.failure)
    return ArenaResult(tuple(meetings), strengths, usage, known)


def _all_strengths(bouts: Sequence[Bout], names: Sequence[str]) -> tuple[Strength, ...] | NotScored:
    met = {name for bout in bouts for name in (bout.first, bout.second)}
    if alone := [name for name in names if name not in met]:
        return NotScored(f"no meeting of {alone[0]} was judged")
    return strengths(bouts)


_ORDERS: Final[tuple[Mapping[str, Winner], Mapping[str, Winner]]] = (
    {"A": "first", "B": "second", "Tie": "tie"},
    {"A": "second", "B": "first", "Tie": "tie"},
)
"""Who wins where the first deck is shown as A, and as B."""


def _prompt(left: ShownDeck, right: ShownDeck, task: str) -> str:
    before = len(left.sheets)
    return (
        f"{LINE}\nThe decks were to be: {task}\n"
        f"Deck A: {len(left.slides)} slides, {_pictures(1, before)}.\n"
        f"Deck B: {len(right.slides)} slides, {_pictures(before + 1, len(right.sheets))}."
    )


def _pictures(first: int, count: int) -> str:
    if not count:
        return "no pictures"
    last = first + count - 1
    return f"picture {first}" if count == 1 else f"pictures {first} to {last}"


RATING_WEIGHTS: Final[Mapping[str, tuple[float, Mapping[str, float]]]] = {
    "visual_design": (
        0.4,
        {"color_scheme": 0.2, "typography": 0.2, "visual_consistency": 0.2, "image_quality": 0.2,
         "theme_appropriateness": 0.2},
    ),
    "layout": (
        0.4, {"spatial_balance": 0.4, "element_alignment": 0.3, "no_overlapping": 0.3}
    ),
    "complexity": (
        0.2,
        {"charts_and_data": 0.25, "visual_elements": 0.25, "advanced_design": 0.25,
         "layout_variety": 0.25},
    ),
}  # fmt: skip
"""The weight of each group, and within it of each criterion (paper 002, figure 24)."""

_QUALITY: Final = 80
"""Of the JPEG of a damaged slide, of 100; that of the other slides. Ours."""


class RatingForm(StrictForm):
    """The marks of one deck, and the reason in a sentence or two."""

    OTHER_NAMES: ClassVar[Mapping[str, str]] = {
        "Visual_Design": "visual_design", "Layout": "layout", "Complexity": "complexity",
        "Overall_Feedback": "reason",
    }  # fmt: skip
    """Of paper 002, figure 24."""


def _form(name: str, base: type[StrictForm], said: str, **fields: Any) -> Any:
    return create_model(name, __base__=base, __doc__=said, **fields)


DeckMarks: Final[type[RatingForm]] = _form(
    "DeckMarks",
    RatingForm,
    RatingForm.__doc__ or "",
    **{
        group: _form(
            group.title().replace("_", ""),
            StrictForm,
            "Marks of 0 to 10.",
            **dict.fromkeys(criteria, (int, Field(ge=0, le=10))),
        )
        for group, (_, criteria) in RATING_WEIGHTS.items()
    },
    reason=(str, Field(min_length=1)),
)
"""The form that a model fills in: each group with its criteria, and ``reason``."""


class FiveMark(StrictForm):
    """A mark of 1 to 5 with its reason in a sentence."""

    OTHER_NAMES: ClassVar[Mapping[str, str]] = {"mark": "score"}

    score: int = Field(ge=1, le=5)
    reason: str = Field(min_length=1)


class FiveMarkOfText(FiveMark, WithKnown):
    """A mark of 1 to 5 with its reason in a sentence, and which statements about the deck are
    true."""


@dataclass(frozen=True)
class DeckRating:
    """A model's ratings of one deck. All scores are higher for better."""

    name: str
    scores: Mapping[str, float | NotScored]
    """``rating`` with its three groups, 0 to 10; or ``content``, ``design`` and ``coherence``, 1 to
    5, and their mean ``ppteval``."""
    samples: Mapping[str, tuple[float, ...]]
    """Each score's values: one for each repeat, or for each slide and repeat."""
    reason: str
    """The model's, of the first reply; of PPTEval that on coherence."""
    usage: Usage = field(default_factory=Usage)
    known: KnownTally = field(default_factory=KnownTally)
    """How the judge did on what is known about the deck; where it fails nothing is scored."""


def weighted_rating(marks: RatingForm) -> dict[str, float]:
    """The rating, 0 to 10, and that of its three groups (paper 002, figure 24).

    >>> marks = {"visual_design": 10, "layout": 5, "complexity": 0}
    >>> filled = {group: dict.fromkeys(RATING_WEIGHTS[group][1], mark)
    ...           for group, mark in marks.items()}
    >>> weighted_rating(DeckMarks.model_validate({**filled, "reason": "so"}))["rating"]
    6.0
    """
    groups = {
        group: sum(weight * getattr(getattr(marks, group), name) for name, weight in parts.items())
        for group, (_, parts) in RATING_WEIGHTS.items()
    }
    return {
        "rating": sum(weight * groups[group] for group, (weight, _) in RATING_WEIGHTS.items()),
        **groups,
    }


def _unrated(
    name: str, names: Sequence[str], cause: NotScored, usage: Usage | None = None
) -> DeckRating:
    return DeckRating(name, dict.fromkeys(names, cause), {}, cause.reason, usage or Usage())


def _believed(judge: Questions, scores: Mapping[str, float | NotScored]) -> dict[str, Any]:
    """The scores, or why they do not count where the judge fails on what is known."""
    counted = {name: judge.known.counted(score) for name, score in scores.items()}
    return {"scores": counted, "usage": judge.usage, "known": judge.known}


class DeckJudge:
    """Judges decks for one task by one model: each ``repeats`` times.

    Text stands between marks that are made from ``secret``, a new one by default. Raises ValueError
    for no repeats.
    """

    def __init__(
        self,
        ask: Ask,
        task: str,
        *,
        repeats: int = 1,
        temperature: float | None = JUDGE_TEMPERATURE,
        secret: str = "",
    ) -> None:
        if repeats < 1:
            raise ValueError(f"a deck is judged once at least, not {repeats} times")
        self._ask, self._task, self._repeats = ask, task, repeats
        self._temperature, self._secret = temperature, secret or token_hex()

    def _questions(self, system: str, **how: Any) -> Questions:
        how = {"system": system, "temperature": self._temperature, **how}
        return Questions(self._ask, self._secret, **how)

    def arena(
        self,
        decks: Sequence[ShownDeck],
        *,
        judged: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> ArenaResult:
        """All pairs of decks in both orders.

        ``judged`` is called with the number of meetings done, and of all. A meeting without a
        fitting reply in one order is NotScored and counts nowhere. Raises ValueError for fewer than
        two decks, and for two of one name.
        """
        names = [deck.name for deck in decks]
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError("an arena needs two decks at least, of different names")
        pairs = [pair for pair in combinations(decks, 2) for _ in range(self._repeats)]
        known, spent = self._meet_damaged(decks)
        meetings = []
        for first, other in pairs:
            meetings.append(self._meet(first, other))
            judged(len(meetings), len(pairs))
        arena = arena_result(meetings, names, known)
        return replace(arena, usage=arena.usage + spent)

    def _meet_damaged(self, decks: Sequence[ShownDeck]) -> tuple[KnownTally, Usage]:
        """How the judge ranks the first decks and damaged copies of them, in both orders."""
        known, usage = KnownTally(), Usage()
        copies = ((deck, copy) for deck in decks if (copy := damaged_copy(deck)) is not None)
        for deck, copy in islice(copies, DAMAGED):
            met = self._meet(deck, copy)
            usage += met.usage
            for answer in met.answers:
                known.compare(right=answer == "first")
        return known, usage

    def _meet(self, shown: ShownDeck, other: ShownDeck) -> Meeting:
        judge = self._questions(_PROMPTS["arena_system"], stage="arena")
        answers: list[Winner | NotScored] = []
        reasons = []
        for (left, right), sides in zip(((shown, other), (other, shown)), _ORDERS, strict=True):
            images = [*left.sheets, *right.sheets]
            prompt = _prompt(left, right, self._task)
            answer = judge.put(prompt, PairJudgement, images=images, check=contradiction)
            if isinstance(answer, NotScored):
                answers.append(answer)
                reasons.append(answer.reason)
            else:
                answers.append(sides[answer.overall_winner])
                reasons.append(answer.overall_reason)
        first, second = answers
        spoken = (reasons[0], reasons[1])
        outcome = first_cause(answers) or (first if first == second else "tie")
        return Meeting(shown.name, other.name, outcome, (first, second), spoken, judge.usage)

    def rating(self, deck: ShownDeck) -> DeckRating:
        """How a deck looks, 0 to 10: the mean of the repeats.

        NotScored where a reply that fits could not be had for one of them, and where a damaged copy
        of the deck is not rated lower. Only pictures are shown.
        """
        names = ("rating", *RATING_WEIGHTS)
        if not deck.sheets:
            return _unrated(deck.name, names, NotScored("the deck has no slides"))
        prompt = f"{_PROMPTS['rating_criteria']}\n\n{LINE}\nThe deck was to be: {self._task}\n"
        prompt += f"It has {len(deck.slides)} slides."
        judge = self._questions(f"{_PROMPTS['rating_system']} {_PROMPTS['material']}", stage="rate")
        marks: list[Any] = []
        for _ in range(self._repeats):
            answer = judge.put(prompt, DeckMarks, images=deck.sheets)
            if isinstance(answer, NotScored):
                return _unrated(deck.name, names, answer, judge.usage)
            marks.append(answer)
        ratings = [weighted_rating(each) for each in marks]
        if (copy := damaged_copy(deck)) is not None:
            lower = judge.put(prompt, DeckMarks, images=copy.sheets)
            if isinstance(lower, NotScored):
                cause = NotScored(f"a damaged copy: {lower.reason}")
                return _unrated(deck.name, names, cause, judge.usage)
            judge.known.compare(right=weighted_rating(lower)["rating"] < ratings[0]["rating"])
        samples = {name: tuple(rating[name] for rating in ratings) for name in names}
        rated = _believed(judge, {name: fmean(own) for name, own in samples.items()})
        return DeckRating(deck.name, samples=samples, reason=marks[0].reason, **rated)

    def ppteval(self, deck: ShownDeck) -> DeckRating:
        """PPTEval's three scores of a deck, 1 to 5, and their mean.

        Content and design are the means over all slides, content from picture and text, design from
        the picture alone; coherence is of the text of all slides. A score is NotScored where a
        reply that fits could not be had for one of its slides, and says for which. All are where
        the judge fails on known statements, or does not put the damaged copy of a slide below it.
        """
        if not deck.slides:
            names = ("ppteval", "content", "design", "coherence")
            return _unrated(deck.name, names, NotScored("the deck has no slides"))
        judge = self._questions(f"{_PROMPTS['ppteval_system']} {_PROMPTS['material']}")
        marker = _Marker(judge, self._task, self._repeats)
        shown = list(zip(deck.numbers, deck.slides, deck.texts, strict=True))
        asked: dict[str, list[_Shown]] = {
            "content": [(f"slide {n}: ", {n: text}, [slide]) for n, slide, text in shown],
            "design": [(f"slide {n}: ", {}, [slide]) for n, slide, _ in shown],
            "coherence": [("", {n: text for n, _, text in shown}, [])],
        }
        scores = {stage: marker.mean(stage, some) for stage, some in asked.items()}
        if not isinstance(scores["design"], NotScored):
            failed = marker.compare(deck, marker.samples["design"][:: self._repeats])
            scores["design"] = failed or scores["design"]
        mean = first_cause(scores.values()) or fmean(scored(scores.values()))
        rated = _believed(judge, {"ppteval": mean, **scores})
        return DeckRating(deck.name, samples=marker.samples, reason=marker.reason, **rated)


_Shown = tuple[str, Mapping[int, str], Sequence[bytes]]
"""Words before the cause of a failure, the texts of slides by number, the pictures."""


class _Marker:
    """Asks for marks of 1 to 5."""

    def __init__(self, judge: Questions, task: str, repeats: int) -> None:
        self._judge, self._task, self._repeats = judge, task, repeats
        self.reason = ""
        self.samples: dict[str, tuple[float, ...]] = {}

    def mean(self, stage: str, shown: Sequence[_Shown]) -> float | NotScored:
        """The mean mark over what is shown and over repeats; the first failure ends it."""
        marks: list[float] = []
        for what, texts, images in shown:
            for _ in range(self._repeats):
                answer = self._marked(stage, texts, images)
                if isinstance(answer, NotScored):
                    return NotScored(f"{what}{answer.reason}")
                marks.append(float(answer.score))
                self.reason = answer.reason
        self.samples[stage] = tuple(marks)
        return fmean(marks)

    def compare(self, deck: ShownDeck, marks: Sequence[float]) -> NotScored | None:
        """Have the best designed slide marked as a damaged copy, and count whether that is lower;
        gives why there is no mark."""
        best_first = sorted(range(len(marks)), key=lambda index: -marks[index])
        for index in best_first:
            if (copy := scrambled(decoded(deck.slides[index]))) is None:
                continue
            picture = encode_jpeg(copy, width=copy.shape[1], quality=_QUALITY).data
            answer = self._marked("design", {}, [picture])
            if isinstance(answer, NotScored):
                return NotScored(f"a damaged copy of a slide: {answer.reason}")
            self._judge.known.compare(right=answer.score < marks[index])
            return None
        return None

    def _marked(
        self, stage: str, texts: Mapping[int, str], images: Sequence[bytes]
    ) -> FiveMark | NotScored:
        question, secret = _PROMPTS["ppteval"][stage], self._judge.secret
        text = "\n\n".join(f"Slide {number}:\n{text}" for number, text in texts.items())
        known = known_statements(lines_said(texts), f"{question}\n{text}", secret)
        parts = [question, f"{LINE}\nThe deck was to be: {self._task}"]
        if text:
            parts = [f"{question}\n{FENCE_RULE}", parts[1], fenced(text, question, secret)]
        form = FiveMarkOfText if known.text else FiveMark
        prompt = "\n\n".join(filter(None, (*parts, known.text)))
        return self._judge.put(prompt, form, stage=stage, images=images, known=known)
