"""VLM-SlideEval (paper 000): models and baselines read slides, rate damage and order decks.

Its modules are loaded when they are first used, so that commands start fast::

    from decklab.benchmarks import slideeval

    summary = slideeval.report.report_folder("slideeval/logs", "slideeval")
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decklab.benchmarks.slideeval import dataset, items, report, runs, tables, tasks, zenodo


__all__ = ["dataset", "items", "report", "runs", "tables", "tasks", "zenodo"]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
