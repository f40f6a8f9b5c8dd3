"""Intervals and tests of results on simulated systems whose truth is known.

``python -m bench.simulated_results [--rounds 1000] [--seed 1]`` prints three tables in Markdown:
how many nominal 95% intervals hold the mean, by number of topics and kind of values; how often an
order is found where there is none, and what share of the orders found are false where some are
true; and how often a true difference is found, by its size. Four systems share the topics.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from decklab.evals.results.comparing import LEVEL, Correction, corrected_p, sign_flip_p
from decklab.evals.results.means import UNIT_SCALE, interval_of
from decklab.metrics.statistics import Floats, Interval

Draw = Callable[[np.random.Generator, int], Floats]
WORLDS: Final[dict[str, tuple[Draw, float, Interval | None]]] = {
    "normal": (lambda rng, n: rng.normal(0.6, 0.15, n), 0.6, None),
    "skewed (beta 5, 2)": (lambda rng, n: rng.beta(5, 2, n), 5 / 7, UNIT_SCALE),
    "two-peaked (beta .5, .5)": (lambda rng, n: rng.beta(0.5, 0.5, n), 0.5, UNIT_SCALE),
    "long-tailed (lognormal)": (lambda rng, n: rng.lognormal(0, 1, n), float(np.exp(0.5)), None),
    "marks of 0 to 5": (
        lambda rng, n: rng.choice(6, n, p=[0.05, 0.1, 0.15, 0.3, 0.3, 0.1]).astype(float),
        3.0, (0.0, 5.0),
    ),
    "share, .7": (lambda rng, n: (rng.random(n) < 0.7).astype(float), 0.7, UNIT_SCALE),
    "share, .95": (lambda rng, n: (rng.random(n) < 0.95).astype(float), 0.95, UNIT_SCALE),
}  # fmt: skip
TOPICS: Final = (5, 7, 10, 20, 100)
EFFECTS: Final = (0.3, 0.5, 0.8, 1.2)
PAIRS: Final = tuple(combinations(range(4), 2))
CORRECTIONS: Final[tuple[Correction, ...]] = ("Holm", "Benjamini-Hochberg")


def held(world: str, topics: int, rounds: int, seed: int) -> str:
    """The share of intervals that hold the mean, of those that there are, in per cent; how many
    rounds have none stands behind, if any."""
    draw, mean, scale = WORLDS[world]
    rng, hits, none = np.random.default_rng((seed, topics)), 0, 0
    for _ in range(rounds):
        values = draw(rng, topics)
        ends = interval_of(((str(n), float(value)) for n, value in enumerate(values)), scale)
        if isinstance(ends, tuple):
            hits += ends[0] <= mean <= ends[1]
        else:
            none += 1
    share = f"{100 * hits / (rounds - none):.1f}"
    return f"{share} ({100 * none / rounds:.1f} without)" if none else share


def p_values(rng: np.random.Generator, topics: int, ahead: Sequence[float]) -> list[float]:
    """P-values of all pairs of four systems on the same topics, not corrected; ``ahead`` is by how
    many standard deviations of a difference each is above 0."""
    scores = rng.normal(0, 1, topics) + rng.normal(0, 1, (4, topics))
    scores += np.sqrt(2) * np.asarray(ahead)[:, None]
    return [sign_flip_p((scores[one] - scores[other]).tolist()) for one, other in PAIRS]


def found(
    topics: int, ahead: Sequence[float], rounds: int, seed: int
) -> dict[str, NDArray[np.bool_]]:
    """By correction which pairs were called different, an array of rounds by pairs."""
    rng = np.random.default_rng((seed, topics))
    ps = [p_values(rng, topics, ahead) for _ in range(rounds)]
    return {name: np.array([corrected_p(row, name) for row in ps]) < LEVEL for name in CORRECTIONS}


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table in Markdown."""
    for row in (head, ["---"] * len(head), *rows):
        print(f"| {' | '.join(row)} |", flush=True)
    print()


def main(arguments: Sequence[str]) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="bench.simulated_results")
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    how = parser.parse_args(arguments)
    rows = [
        [world, *(held(world, topics, how.rounds, how.seed) for topics in TOPICS)]
        for world in WORLDS
    ]
    table(["values", *(f"{topics} topics" for topics in TOPICS)], rows)
    rows = []
    for topics in (5, 20, 100):
        alike = found(topics, (0, 0, 0, 0), how.rounds, how.seed)
        mixed = found(topics, (0, 0, 0.8, 0.8), how.rounds, how.seed)
        for name in CORRECTIONS:
            wrong = mixed[name][:, [0, 5]].sum(axis=1)
            rate = wrong / np.maximum(mixed[name].sum(axis=1), 1)
            shares = (alike[name].any(axis=1).mean(), rate.mean(), wrong.astype(bool).mean())
            rows.append([f"{topics}", name, *(f"{100 * share:.1f}" for share in shares)])
    heads = ("all alike: an order, %", "two pairs alike: false orders, %", "any false one, %")
    table(["topics", "correction", *heads], rows)
    rows = []
    for topics in (5, 20, 100):
        for name in CORRECTIONS:
            ahead = [found(topics, (effect, 0, 0, 0), how.rounds // 2, how.seed)[name][:, :3].mean()
                     for effect in EFFECTS]  # fmt: skip
            rows.append([f"{topics}", name, *(f"{100 * share:.0f}" for share in ahead)])
    table(["topics", "correction", *(f"{effect:g} sd, %" for effect in EFFECTS)], rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
