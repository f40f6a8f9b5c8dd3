"""The results of all runs by judge: the data of the page, the tables and the headlines; and the
contents of a set of decks, elements and fonts of slides (paper 000, tables 2, 5 and 6), of a folder
or of the slides in questions.

The tables of a folder are stored in a file beside the logs.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Final

from inspect_ai.log import EvalLog
from pydantic import TypeAdapter, ValidationError

from decklab.core.errors import DeckError, fault_words
from decklab.core.files import write_whole
from decklab.core.results import by_key, scored_mean
from decklab.deck.model.base import PlainSlide
from decklab.deck.reading import read_elements
from decklab.deck.views.snapshot import plain_slide
from decklab.evals.results.means import Observation
from decklab.evals.slideeval.items import deck_names
from decklab.evals.slideeval.runs import (
    TEXT_ONLY,
    ExtractRun,
    JudgeAnswer,
    OrderRun,
    RateRun,
    judge_answers,
    read_extraction,
    read_ordering,
    read_rating,
    task_of,
)
from decklab.metrics.element_estimates import (
    Estimate,
    ParseBin,
    Pool,
    estimates,
    parse_rates,
    score_slide,
)
from decklab.metrics.element_matching import (
    FAMILIES,
    Family,
    WeightSensitivity,
    complexity,
    headline_by_weights,
)
from decklab.metrics.element_measures import canonical_font, font_group
from decklab.metrics.ordering import OrderScore
from decklab.metrics.ratings import Degraded, ScaleLink, averaged, scale_links
from decklab.metrics.sensitivity import (
    FrontierPoint,
    ManipulationCheck,
    ModelAgreement,
    consistency_fidelity,
    damage_ceilings,
    manipulation_check,
    model_agreement,
)
from decklab.ooxml.package import Package


@dataclass(frozen=True)
class CountSpread:
    """How a count is spread over decks or slides."""

    mean: float
    sd: float | None
    """Sample standard deviation; None for one deck or slide."""
    low: float
    median: float
    high: float


@dataclass(frozen=True)
class CategoryCounts:
    """One row of table 2."""

    category: str
    """``slides``, ``elements``, a family such as ``texts``, or ``words``, which the paper lacks."""
    per_deck: CountSpread | None
    """None if there is nothing to count."""
    per_slide: CountSpread | None
    """None for slides themselves too."""
    total: int


@dataclass(frozen=True)
class FontCounts:
    """How many text elements are set in each typeface, the most frequent first."""

    families: tuple[tuple[str, int], ...]
    """Table 5: canonical names, ``unknown`` where none is stated."""
    groups: tuple[tuple[str, int], ...]
    """Table 6."""
    total: int


def dataset_statistics(decks: Mapping[str, Sequence[PlainSlide]]) -> tuple[CategoryCounts, ...]:
    """Table 2 of paper 000, for any decks: slides by deck.

    Slides and elements are counted as in the schema (``plain_slide``): only visible elements. Words
    are those of texts and table cells, split at white space. Per deck is over decks, per slide over
    all slides. The paper does not say whether its standard deviation is a sample's; this one is.

    >>> blank = PlainSlide.model_validate({
    ...     "size": {"w": 960.0, "h": 540.0}, "background": "#FFFFFF",
    ...     "texts": [], "rects": [], "lines": [], "images": [], "tables": []})
    >>> rows = dataset_statistics({"a.pptx": [blank], "b.pptx": [blank] * 3})
    >>> rows[0].category, rows[0].per_deck.mean, rows[0].total
    ('slides', 2.0, 4)
    """
    sizes = [len(slides) for slides in decks.values()]
    rows = [CategoryCounts("slides", _spread(sizes), None, sum(sizes))]
    counted: dict[str, Callable[[PlainSlide], int]] = {"elements": complexity}
    counted |= {family: _counter_of(family) for family in FAMILIES}
    counted["words"] = _words
    for category, count in counted.items():
        by_deck = [[count(slide) for slide in slides] for slides in decks.values()]
        flat = [value for values in by_deck for value in values]
        per_deck = _spread([sum(values) for values in by_deck])
        rows.append(CategoryCounts(category, per_deck, _spread(flat), sum(flat)))
    return tuple(rows)


def font_counts(slides: Iterable[PlainSlide]) -> FontCounts:
    """Tables 5 and 6 of paper 000: text elements by typeface and by group of typefaces.

    An element counts for the typeface of most of its characters. Equal counts are sorted by name.

    >>> font_counts([]).total
    0
    """
    names = [canonical_font(text.font.name) for slide in slides for text in slide.texts]
    return FontCounts(_ranked(Counter(names)), _ranked(Counter(map(font_group, names))), len(names))


def _ranked(counts: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _counter_of(family: Family) -> Callable[[PlainSlide], int]:
    return lambda slide: len(getattr(slide, family))


def _words(slide: PlainSlide) -> int:
    cells = [cell for table in slide.tables for row in table.cells for cell in row]
    return sum(len(text.split()) for text in [*(item.text for item in slide.texts), *cells])


def _spread(values: Sequence[int]) -> CountSpread | None:
    if not values:
        return None
    spread = stdev(values) if len(values) > 1 else None
    return CountSpread(fmean(values), spread, min(values), median(values), max(values))


DATASET_FILE: Final = "dataset.json"
"""File of a folder's tables, beside the logs."""


@dataclass(frozen=True)
class FontCount:
    """Number of texts set in a typeface, or in a group of typefaces."""

    name: str
    true: int
    predicted: tuple[int, ...] = ()
    """By each judge, in the order of ``DatasetTables.judges``."""


@dataclass(frozen=True)
class DatasetTables:
    """Tables 2, 5 and 6 of paper 000, for some slides."""

    name: str
    decks: int
    rows: tuple[CategoryCounts, ...]
    families: tuple[FontCount, ...]
    groups: tuple[FontCount, ...]
    judges: tuple[str, ...] = ()
    """Judges whose predictions are counted as well, over all their runs."""


_TABLES: Final = TypeAdapter(DatasetTables)
_Ranked = Sequence[tuple[str, int]]


def dataset_of_decks(folder: str | Path) -> tuple[DatasetTables, tuple[str, ...]]:
    """The tables of all slides of the decks below a folder, and a line for each deck left out.

    Nothing is drawn. Raises DeckError if the folder holds no deck.
    """
    slides: dict[str, list[PlainSlide]] = {}
    left_out: list[str] = []
    for name, path in deck_names(folder).items():
        try:
            with Package.open(path) as package:
                read = read_elements(package)
        except DeckError as error:
            left_out.append(str(error))
            continue
        left_out += [f"{name}: {problem}" for problem in read.problems]
        slides[name] = [plain_slide(slide) for slide in read.slides]
    return _tables(f"All slides of {Path(folder).resolve().name}", slides, {}), tuple(left_out)


def dataset_of_runs(runs: Iterable[ExtractRun]) -> DatasetTables:
    """The tables of the slides that judges were asked to read, each slide once."""
    truths: dict[str, dict[int, PlainSlide]] = {}
    predicted: dict[str, list[PlainSlide]] = {}
    for run in runs:
        truths.setdefault(run.deck, {})[run.slide] = run.truth
        by_slide = predicted.setdefault(run.judge, [])
        if run.prediction is not None:
            by_slide.append(run.prediction)
    slides = {deck: list(by_slide.values()) for deck, by_slide in truths.items()}
    return _tables("Slides that were asked about", slides, predicted)


def keep_dataset(tables: DatasetTables, out: Path) -> Path:
    """Write a folder's tables to ``DATASET_FILE`` in ``out``; returns its path."""
    write_whole(out / DATASET_FILE, _TABLES.dump_json(tables, indent=1) + b"\n")
    return out / DATASET_FILE


def saved_dataset(out: Path) -> DatasetTables | None:
    """The tables that ``keep_dataset`` wrote; None if it wrote none. Raises DeckError if the file
    is of another kind."""
    path = out / DATASET_FILE
    if not path.is_file():
        return None
    try:
        return _TABLES.validate_json(path.read_bytes())
    except ValidationError as error:
        problem = fault_words(error.errors()[0])
        raise DeckError(path, f"is no table of a dataset: {problem}") from error


def _tables(
    name: str,
    slides: Mapping[str, Sequence[PlainSlide]],
    predicted: Mapping[str, Sequence[PlainSlide]],
) -> DatasetTables:
    true = font_counts(slide for group in slides.values() for slide in group)
    theirs = [font_counts(group) for group in predicted.values()]
    return DatasetTables(
        name,
        len(slides),
        dataset_statistics(slides),
        _fonts(true.families, [each.families for each in theirs]),
        _fonts(true.groups, [each.groups for each in theirs]),
        tuple(predicted),
    )


def _fonts(true: _Ranked, predicted: Sequence[_Ranked]) -> tuple[FontCount, ...]:
    """Fonts on the slides, then those that only judges named; the most frequent of each first."""
    truth, theirs = dict(true), [dict(each) for each in predicted]
    extra = Counter[str]()
    for each in theirs:
        extra.update({name: count for name, count in each.items() if name not in truth})
    return tuple(
        FontCount(name, truth.get(name, 0), tuple(each.get(name, 0) for each in theirs))
        for name in [*truth, *(name for name, _ in extra.most_common())]
    )


@dataclass(frozen=True)
class QuestionCounts:
    """Numbers of questions to one judge in one task, and of replies."""

    task: str
    judge: str
    decks: int
    questions: int
    unreadable: int
    """Replies that do not fit the schema."""
    failed: tuple[tuple[str, int], ...] = ()
    """Why questions have no reply, with the number for each reason; these are in no score."""

    @property
    def failures(self) -> int:
        """Questions without a reply."""
        return sum(count for _, count in self.failed)


@dataclass(frozen=True)
class ScopedMeasure:
    """One measure of a judge's extraction, over all replies and over those that fit the schema."""

    judge: str
    whole: Estimate
    """End to end."""
    parsed: Estimate
    """Parsed only."""

    @property
    def name(self) -> str:
        """Name of the measure, without ``extraction.``."""
        return self.whole.measure.removeprefix("extraction.")


@dataclass(frozen=True)
class ExtractionSummary:
    """The extraction of one judge."""

    judge: str
    slides: int
    estimates: tuple[Estimate, ...]
    bins: tuple[ParseBin, ...] = ()
    weights: tuple[WeightSensitivity, ...] = ()

    def measures(self) -> Iterator[ScopedMeasure]:
        """The estimates, each end to end beside parsed only."""
        pairs: dict[tuple[str, str], dict[str, Estimate]] = {}
        for row in self.estimates:
            pairs.setdefault((row.measure, row.where), {})[row.scope] = row
        for scopes in pairs.values():
            yield ScopedMeasure(self.judge, scopes["end_to_end"], scopes["parsed_only"])


@dataclass(frozen=True)
class SensitivitySummary:
    """How judges rated damaged slides."""

    points: tuple[FrontierPoint, ...] = ()
    ceilings: tuple[FrontierPoint, ...] = ()
    """Points of the damage itself on the slides that each judge rated; none if the log has no
    damage."""
    ladder_draws: Mapping[str, str] = field(default_factory=dict)
    """How slides were damaged at their severities, by judge."""
    checks: tuple[ManipulationCheck, ...] = ()
    links: tuple[ScaleLink, ...] = ()
    agreements: tuple[ModelAgreement, ...] = ()

    def raters(self) -> dict[str, list[str]]:
        """The judges who rated slides, by how these were damaged; "" if logs do not say how."""
        models = dict.fromkeys(point.model for point in self.points)
        return by_key(models, lambda model: self.ladder_draws.get(model, ""))

    def ceiling(self, point: FrontierPoint) -> FrontierPoint | None:
        """The point of the damage itself on the slides of ``point``; None if the log has none."""
        key = (point.model, point.axis, point.scale)
        same = (each for each in self.ceilings if (each.model, each.axis, each.scale) == key)
        return next(same, None)


@dataclass(frozen=True)
class SlideEvalSummary:
    """The summary of all tasks."""

    questions: tuple[QuestionCounts, ...] = ()
    extraction: tuple[ExtractionSummary, ...] = ()
    sensitivity: SensitivitySummary = field(default_factory=SensitivitySummary)
    ordering: tuple[Observation, ...] = ()
    """The measures of each judge's order of each deck."""
    datasets: tuple[DatasetTables, ...] = ()
    """Tables of the slides in questions of extraction."""

    @property
    def judges(self) -> tuple[str, ...]:
        """Names of all judges in order of their questions; the index gives letter and colour."""
        return tuple(dict.fromkeys(each.judge for each in self.questions))

    @property
    def text_only(self) -> bool:
        """Whether some judge was shown no pictures."""
        return any(judge.endswith(f", {TEXT_ONLY}") for judge in self.judges)

    @property
    def without_reply(self) -> int:
        """Questions without a reply, in all tasks."""
        return sum(each.failures for each in self.questions)

    @property
    def measures(self) -> list[ScopedMeasure]:
        """Every measure of extraction, of one judge after the other."""
        return [row for each in self.extraction for row in each.measures()]


def summary_of(logs: Iterable[EvalLog]) -> SlideEvalSummary:
    """The summary of logs, one for each task and judge."""
    questions: list[QuestionCounts] = []
    extracted: list[list[ExtractRun]] = []
    ordered: list[list[OrderRun]] = []
    rated: list[RateRun] = []
    for log in logs:
        replies, task = list(judge_answers(log)), task_of(log)
        if task == "slideeval_extract":
            extracted.append(read_extraction(replies))
            unreadable = sum(run.prediction is None for run in extracted[-1])
        elif task == "slideeval_order":
            ordered.append(read_ordering(replies))
            unreadable = sum(run.unreadable for run in ordered[-1])
        else:
            ratings = read_rating(replies)
            unreadable = sum(run.rating is None for run in ratings)
            rated += ratings
        questions.append(_question_counts(task, replies, unreadable))
    seen = [run for runs in extracted for run in runs]
    return SlideEvalSummary(
        tuple(questions),
        tuple(extraction_of(runs) for runs in extracted if runs),
        sensitivity_of(rated),
        tuple(row for runs in ordered for row in ordering_of(runs)),
        (dataset_of_runs(seen),) if seen else (),
    )


def extraction_of(runs: Sequence[ExtractRun]) -> ExtractionSummary:
    """The replies of one judge, matched and measured."""
    pool = Pool()
    for run in runs:
        pool.add(run.deck, score_slide(run.truth, run.prediction))
    return ExtractionSummary(
        runs[0].judge,
        len({(run.deck, run.slide) for run in runs}),
        estimates(pool),
        parse_rates(
            ((complexity(run.truth), run.prediction is not None) for run in runs),
            decks=[run.deck for run in runs],
        ),
        headline_by_weights((run.truth, run.prediction) for run in runs),
    )


def sensitivity_of(runs: Sequence[RateRun]) -> SensitivitySummary:
    """The ratings of all judges together."""
    rated = averaged(run.rating for run in runs if run.rating is not None)
    damage = _damage(runs)
    return SensitivitySummary(
        points=consistency_fidelity(rated),
        ceilings=damage_ceilings(damage),
        ladder_draws={run.judge: run.ladder_draws for run in runs},
        checks=manipulation_check(rated, damage),
        links=scale_links(rated),
        agreements=model_agreement(rated),
    )


def _damage(runs: Iterable[RateRun]) -> list[Degraded]:
    """The damage of every slide that has a rating, once for each judge and scale.

    A slide whose damage was drawn in another way, or from another seed, counts as another slide.
    """
    problems = set()
    for run in runs:
        if (each := run.rating) is not None and run.damage is not None:
            slide = f"{each.slide} {run.ladder_draws} {run.seed}"
            severity = round(each.severity, 9)
            problems.add(
                Degraded(each.model, each.axis, each.scale, each.deck, slide, severity, run.damage)
            )
    return sorted(problems)


def ordering_of(runs: Sequence[OrderRun]) -> Iterator[Observation]:
    """The measures of one judge's orders, deck by deck, each the mean of its replies."""
    for deck, own in by_key(runs, lambda run: run.deck).items():
        for measure in fields(OrderScore):
            value = scored_mean((getattr(run.score, measure.name) for run in own), "no reply")
            yield Observation(own[0].judge, deck, measure.name, value)


def _question_counts(task: str, replies: Sequence[JudgeAnswer], unreadable: int) -> QuestionCounts:
    failures = Counter(reply.failed for reply in replies if reply.failed is not None)
    return QuestionCounts(
        task,
        replies[0].judge if replies else "",
        len({row.asked["deck"] for row in replies}),
        len(replies),
        unreadable,
        tuple(failures.most_common()),
    )
