"""What the decks hold that a run is about: of a whole folder, and of the slides asked about."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from decklab.benchmarks.slideeval.items import deck_files, deck_names
from decklab.benchmarks.slideeval.runs import ExtractRun
from decklab.benchmarks.slideeval.summary_views import DatasetView
from decklab.deck.model.plain import PlainSlide
from decklab.deck.reading import read_elements
from decklab.deck.views.plain import plain_slide
from decklab.errors import DeckError
from decklab.files import write_whole
from decklab.metrics.extraction.dataset import (
    DatasetRow,
    FontCounts,
    dataset_statistics,
    font_counts,
)
from decklab.ooxml.package import Package

DATASET: Final = "dataset.json"
"""Where a folder's tables are kept, beside the logs."""

_VIEW: Final = TypeAdapter(DatasetView)


@dataclass(frozen=True)
class Dataset:
    """Tables 2, 5 and 6 of paper 000, for some slides."""

    name: str
    decks: int
    rows: tuple[DatasetRow, ...]
    fonts: FontCounts
    predicted: Mapping[str, FontCounts]
    """What each judge named instead, over all its runs."""


def dataset_of_decks(folder: str | Path) -> tuple[Dataset, tuple[str, ...]]:
    """The tables of all slides of the decks below a folder, and what was left out and why.

    Nothing is drawn. Raises DeckError where the folder holds no deck.
    """
    slides: dict[str, list[PlainSlide]] = {}
    left_out: list[str] = []
    for name, path in deck_names(folder, deck_files(folder)).items():
        try:
            with Package.open(path) as package:
                read = read_elements(package)
        except DeckError as error:
            left_out.append(str(error))
            continue
        left_out += [f"{name}: {problem}" for problem in read.problems]
        slides[name] = [plain_slide(slide) for slide in read.slides]
    return _dataset(f"All slides of {Path(folder).resolve().name}", slides, {}), tuple(left_out)


def dataset_of_runs(runs: Iterable[ExtractRun]) -> Dataset:
    """The tables of the slides that judges were asked to read, each slide once."""
    truths: dict[str, dict[int, PlainSlide]] = {}
    predicted: dict[str, list[PlainSlide]] = {}
    for run in runs:
        truths.setdefault(run.deck, {})[run.slide] = run.truth
        found = predicted.setdefault(run.judge, [])
        if run.prediction is not None:
            found.append(run.prediction)
    slides = {deck: list(found.values()) for deck, found in truths.items()}
    return _dataset("Slides that were asked about", slides, predicted)


def keep_dataset(view: DatasetView, out: Path) -> Path:
    """Write a folder's tables where a report finds them."""
    write_whole(out / DATASET, _VIEW.dump_json(view, indent=1) + b"\n")
    return out / DATASET


def saved_dataset(out: Path) -> DatasetView | None:
    """The tables that ``keep_dataset`` wrote; None where there are none. Raises DeckError where
    the file is of another kind."""
    path = out / DATASET
    if not path.is_file():
        return None
    try:
        return _VIEW.validate_json(path.read_bytes())
    except ValidationError as error:
        raise DeckError(path, f"is no table of a dataset: {error.errors()[0]['msg']}") from error


def _dataset(
    name: str,
    slides: Mapping[str, Sequence[PlainSlide]],
    predicted: Mapping[str, Sequence[PlainSlide]],
) -> Dataset:
    return Dataset(
        name,
        len(slides),
        dataset_statistics(slides),
        font_counts(slide for found in slides.values() for slide in found),
        {judge: font_counts(found) for judge, found in predicted.items()},
    )
