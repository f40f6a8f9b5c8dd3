"""Attacks on the sandbox, one line each: ``python -m bench.attacks [GROUP]``.

Ends with status 1 where an attack got out, ended otherwise than it must, or left anything behind.
"""

import sys
import time
from collections import Counter
from collections.abc import Sequence

from bench.attack_range import Range
from bench.attack_table import ATTACKS

__all__ = ["main"]


def main(arguments: Sequence[str]) -> int:
    """Fire all attacks, or those of the groups named, and print how each ended."""
    wanted = [attack for attack in ATTACKS if not arguments or attack.group in arguments]
    endings: Counter[str] = Counter()
    failed = 0
    began = time.monotonic()
    with Range() as range_:
        print(f"warm after {time.monotonic() - began:.2f} s, decks that attack included")
        for attack in wanted:
            shot = range_.fire(attack)
            endings[shot.ended.partition(" ")[0]] += 1
            failed += bool(shot.problems)
            marks = "".join(f"  !! {problem}" for problem in shot.problems)
            print(
                f"{attack.group:16} {attack.name:48} {shot.ended:32} {shot.seconds:6.2f} s{marks}",
                flush=True,
            )
        left = range_.close()
    for problem in left:
        print(f"!! {problem}")
    print(f"\n{len(wanted)} attacks in {time.monotonic() - began:.0f} s, {failed} with problems")
    print(", ".join(f"{ending} {count}" for ending, count in endings.most_common()))
    return 1 if failed or left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
