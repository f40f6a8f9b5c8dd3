"""Two cases of the starter set on disk."""

from pathlib import Path

import pytest

from decklab.benchmarks.pptarena.cases import CaseSet
from decklab.benchmarks.pptarena.starter import starter_cases

NAMES = ("Crew leaders", "Where to sign up")


@pytest.fixture(scope="session")
def starter(tmp_path_factory: pytest.TempPathFactory) -> CaseSet:
    return starter_cases(Path(tmp_path_factory.mktemp("starter")), NAMES)
