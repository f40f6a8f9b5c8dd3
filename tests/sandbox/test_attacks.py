"""Every attack of the table ends as it must, and leaves host and next run as they were.

The same table as ``python -m bench.attacks`` prints.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))
from bench.attack_range import Range
from bench.attack_table import ATTACKS

sys.path.pop(0)


@pytest.fixture(scope="module")
def attacked(caged: None) -> Iterator[Range]:
    with Range() as made:
        yield made


@pytest.mark.by_day(6)
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: f"{attack.group}: {attack.name}")
def test_an_attack_ends_as_it_must_and_changes_nothing(attacked: Range, attack: Any) -> None:
    assert attacked.fire(attack).problems == []


@pytest.mark.long
def test_nothing_is_left_when_the_sandbox_ends(caged: None) -> None:
    last = [attack for attack in ATTACKS if attack.group == "other processes"][-3:]
    with Range() as made:
        for attack in last:
            made.fire(attack)
        assert made.close() == []


def test_the_attacks_are_of_many_kinds() -> None:
    assert len({(attack.group, attack.name) for attack in ATTACKS}) == len(ATTACKS) >= 200
    assert len({attack.group for attack in ATTACKS}) >= 10


def test_the_range_notices_an_attack_that_gets_through(attacked: Range) -> None:
    harmless = ATTACKS[0].__class__("none", "none", "result = 1", errors=ATTACKS[0].errors)
    assert attacked.fire(harmless).problems == ["it went through and gave 1"]


def test_the_range_notices_a_secret_that_comes_out(attacked: Range) -> None:
    told = ATTACKS[0].__class__(
        "none", "none", "result = 'the secret of the host ' + '7f3a9c'", harmless=bool
    )
    assert attacked.fire(told).problems == ["a secret came out"]
