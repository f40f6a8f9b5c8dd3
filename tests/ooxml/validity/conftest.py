"""Packages with one thing wrong, made from a sample deck by plain text replacement."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from decklab.deck.deck import write_samples
from decklab.ooxml.package import Package
from decklab.ooxml.validity.parts import Problem
from decklab.ooxml.validity.validating import validate

Parts = dict[str, bytes]


def write(parts: Parts, path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_samples(tmp_path_factory.mktemp("samples"))


@pytest.fixture(scope="session")
def rich_parts(samples: list[Path]) -> Callable[[], Parts]:
    """The parts of the rich sample, anew at each call."""
    path = next(path for path in samples if path.stem == "rich")
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return lambda: dict(parts)


@pytest.fixture
def problems(tmp_path: Path) -> Callable[[Parts], list[Problem]]:
    """What validate says of a package of these parts."""

    def check(parts: Parts) -> list[Problem]:
        with Package.open(write(parts, tmp_path / "deck.pptx")) as package:
            return validate(package)

    return check
