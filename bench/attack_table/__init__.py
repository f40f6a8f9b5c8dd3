"""Code that attacks the sandbox, and how each attack must end.

`ATTACKS` is data for ``python -m bench.attacks`` and for the tests: each attack has the code that
is run, and either the error its run must end in or what the value it returns must be. In the code,
``HOST`` is a dictionary of places on the host to go for (see `bench.attack_range`).
"""

from bench.attack_table import limits, neighbours, outside
from bench.attack_table.attack import Attack

__all__ = ["ATTACKS", "Attack"]

ATTACKS: list[Attack] = [
    attack
    for page in (outside, limits, neighbours)
    for group in page.GROUPS
    for attack in group.attacks
]
