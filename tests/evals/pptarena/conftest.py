"""Two cases of the starter set on disk."""

import gc
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from decklab.evals.pptarena.cases import CaseSet
from decklab.evals.pptarena.running import starter_cases

NAMES = ("Crew leaders", "Where to sign up")


@pytest.fixture(autouse=True)
def _collected() -> Iterator[None]:
    """Inspect leaves memory streams to the garbage collector: not while another test runs."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()


@pytest.fixture(scope="session")
def starter(tmp_path_factory: pytest.TempPathFactory) -> CaseSet:
    return starter_cases(Path(tmp_path_factory.mktemp("starter")), NAMES)
