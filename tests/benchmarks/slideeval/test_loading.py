"""The package loads its modules when they are first used."""

import pytest

from decklab.benchmarks import slideeval


def test_every_module_is_there_and_nothing_else():
    for name in slideeval.__all__:
        assert getattr(slideeval, name).__name__ == f"decklab.benchmarks.slideeval.{name}"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = slideeval.nothing
