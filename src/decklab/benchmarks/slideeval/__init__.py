"""VLM-SlideEval (paper 000): models and baselines read slides, rate damage and order decks.

Its modules are loaded when they are first used, so that commands can import it and start light::

    from decklab.benchmarks import slideeval

    summary = slideeval.report.report_folder("slideeval/logs", "slideeval")
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from decklab.errors import ModelUnavailable

if TYPE_CHECKING:
    from decklab.benchmarks.slideeval import (
        dataset,
        extract,
        items,
        order,
        rate,
        report,
        runs,
        tables,
        zenodo,
    )

__all__ = ["dataset", "extract", "items", "order", "rate", "report", "runs", "tables", "zenodo"]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if error.name != "inspect_ai":
            raise
        raise ModelUnavailable("bench slideeval", "needs decklab[bench]") from error
