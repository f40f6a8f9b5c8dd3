"""Whether quality agrees with an eye: ``python -m bench.quality_pairs [--fit]``.

``bench/quality_pairs.jsonl`` has 300 pairs of slides that two raters compared blind, each pair in
both orders, and the flaws of each slide. Raters are models that look at pictures; no person took
part. ``bench/quality_ladders.jsonl`` has the mean flaws of slides of real decks that were damaged
step by step as in paper 000, so that weights can be kept from rewarding damage.

Printed are the raters' agreement, and in how many pairs of decks that were held out quality and
plain baselines agree with them, with 95% intervals over pairs. ``--fit`` prints the weights of
``quality.score``.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from decklab.metrics.quality import SLIDE_WEIGHTS

DATA: Final = Path(__file__).with_suffix(".jsonl")
LADDERS: Final = DATA.with_name("quality_ladders.jsonl")
FOLDS, REPEATS, DRAWS = 5, 20, 2000
DECIDED: Final = 0.5
"""Mean vote, from -1 to 1, from which on a pair counts as decided."""
PULL: Final = 0.001
"""How strongly weights are drawn to what damage asks for."""
STEADY: Final = 10.0
"""How strongly weights are kept from letting the score rise at a step of damage."""
STEP: Final = 0.02
"""Penalty by which a step of damage is to cost at least."""
LEAST: Final = 1.0
"""Share of a weight fitted on damage that is kept at least, so that damage costs what it did."""
DAMAGE: Final[Mapping[str, float]] = {
    "layout.adrift": 0.03, "layout.cramped": 0.48, "layout.crowded": 0.19, "layout.margin": 0.31,
    "layout.overflow": 0.19, "layout.overlap": 0.34, "layout.stretched": 0.16, "layout.thin": 0.32,
    "layout.unaligned": 0.05, "layout.unbalanced": 0.28, "style.faint": 0.20,
    "style.typefaces": 0.43, "style.italic": 0.62, "style.large": 0.02, "style.loud": 0.40,
    "style.marks": 0.24, "style.tiny": 0.57, "style.underlined": 0.39, "style.uneven": 0.08,
    "words.capitals": 2.14, "words.joined": 2.22, "words.misspelt": 0.91,
}  # fmt: skip
"""Weights by a least squares fit of severity on the damage of paper 000, which know no eye."""
SCALE: Final = 0.27
"""Chosen: slides of ``../shared/decks/real`` keep the mean penalty of weights by damage alone."""
SEEN: Final = (
    "layout.blank", "layout.cut", "layout.overprinted", "style.fine", "style.flat", "style.plain",
    "words.many",
)  # fmt: skip
"""Flaws that have no weight by damage: only pairs give them one."""
NAMES: Final = (*DAMAGE, *SEEN)
BASELINES: Final = {
    "colourfulness": "+colorfulness", "fewer shapes": "-shapes", "less text": "-words",
}  # fmt: skip
Array = NDArray[np.float64]


def read_data() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Slides by their key, and pairs with their votes."""
    lines = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()[1:]]
    slides = {line["slide_key"]: line for line in lines if "slide_key" in line}
    return slides, [line for line in lines if "pair" in line]


def read_ladders() -> list[tuple[str, str, Array]]:
    """Deck, axis and flaws by severity (11 rows, in the order of ``NAMES``) of each ladder."""
    lines = map(json.loads, LADDERS.read_text(encoding="utf-8").splitlines()[1:])
    return [
        (line["deck"], line["axis"], np.array([[rung[name] for name in NAMES]
         for rung in line["rungs"]])) for line in lines
    ]  # fmt: skip


def vote(pair: Mapping[str, Any]) -> float:
    """The mean of both raters and orders: 1 for the first slide, -1 for the second."""
    return float(np.mean([np.mean(votes) for votes in pair["votes"].values()]))


def fitted(lacks: Array, first: Array, steps: Array) -> Array:
    """Weights, none below its least, by logistic loss on pairs, a pull to those of damage, and a
    loss on steps of damage that do not cost.

    ``lacks`` has of each pair how much more of each flaw its second slide has, ``first`` whether
    the first is better, ``steps`` how much each flaw grows at each step of damage.
    """
    damage = np.array([DAMAGE.get(name, 0.0) for name in NAMES])
    sign = 2 * first - 1

    def loss(weights: Array) -> tuple[float, Array]:
        margins, apart, costs = (lacks @ weights) * sign, weights - damage, steps @ weights / STEP
        value = np.mean(np.logaddexp(0, -margins)) + PULL * apart @ apart
        value += STEADY * STEP * np.mean(np.logaddexp(0, -costs))
        slope = -(sign / (1 + np.exp(margins))) @ lacks / len(first) + 2 * PULL * apart
        slope -= STEADY * (1 / (1 + np.exp(costs))) @ steps / len(steps)
        return float(value), slope

    bounds = [(LEAST * weight, None) for weight in damage]
    start = np.maximum(damage, 0.01)
    best = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B")
    return np.asarray(best.x, np.float64)


def held_out(
    lacks: Array,
    first: Array,
    decks: Sequence[tuple[str, str]],
    ladders: Sequence[tuple[str, str, Array]],
) -> Array:
    """Of each pair in how many of ``REPEATS`` splits weights that saw neither of its decks agree;
    a pair is tested if one of its decks is held out."""
    every = sorted({deck for pair in decks for deck in pair})
    hits, tests = np.zeros(len(first)), np.zeros(len(first))
    for repeat in range(REPEATS):
        order = np.random.default_rng(repeat).permutation(len(every))
        fold_of = {every[place]: number % FOLDS for number, place in enumerate(order)}
        folds = np.array([[fold_of[a], fold_of[b]] for a, b in decks])
        for fold in range(FOLDS):
            out = (folds == fold).any(axis=1)
            seen = [one for one in ladders if fold_of.get(one[0]) != fold]
            scores = lacks[out] @ fitted(lacks[~out], first[~out], steps_of(seen))
            hits[out] += agreement(scores, first[out])
            tests[out] += 1
    return hits / tests


def steps_of(ladders: Sequence[tuple[str, str, Array]]) -> Array:
    """How much each flaw grows at each step of some ladders."""
    return np.concatenate([np.diff(rungs, axis=0) for _deck, _axis, rungs in ladders])


def steady(weights: Array, ladders: Sequence[tuple[str, str, Array]]) -> str:
    """By axis the share of steps at which the penalty does not fall, and of damaged states with
    more penalty than the sound deck."""
    shares = []
    for axis in dict.fromkeys(axis for _deck, axis, _rungs in ladders):
        costs = [rungs @ weights for _deck, one, rungs in ladders if one == axis]
        rising = np.mean([np.diff(cost) >= 0 for cost in costs])
        worse = np.mean([cost[1:] > cost[0] for cost in costs])
        shares.append(f"{axis} {rising:.2f} and {worse:.2f}")
    return ", ".join(shares)


def agreement(scores: Array, first: Array) -> Array:
    """1 where a score prefers the slide that the raters prefer, 0.5 where it is even."""
    return np.where(scores == 0, 0.5, (scores > 0) == (first > 0))


def interval(hits: Array) -> str:
    """A share and its 95% interval over resampled pairs."""
    picks = np.random.default_rng(0).integers(0, len(hits), (DRAWS, len(hits)))
    low, high = np.quantile(hits[picks].mean(axis=1), [0.025, 0.975])
    return f"{hits.mean():.1%} ({low:.0%} to {high:.0%})"


def between_raters(pairs: Sequence[Mapping[str, Any]]) -> str:
    """How often the raters agree with each other, and each with itself in the other order."""
    means = [[float(np.mean(votes)) for votes in pair["votes"].values()] for pair in pairs]
    both = [(a > 0) == (b > 0) for a, b in means if a and b]
    turned = [len(set(votes)) > 1 for pair in pairs for votes in pair["votes"].values()]
    return (
        f"raters agree on {np.mean(both):.1%} of {len(both)} pairs that both decide; "
        f"another answer in the other order: {np.mean(turned):.1%}"
    )


def main(arguments: Sequence[str]) -> int:
    """Print what agrees with the raters, and with ``--fit`` the weights."""
    slides, pairs = read_data()
    print(f"{len(pairs)} pairs, {len(slides)} slides; {between_raters(pairs)}")
    decided = [pair for pair in pairs if abs(vote(pair)) >= DECIDED]
    first = np.array([float(vote(pair) > 0) for pair in decided])
    ends = [(slides[pair["first"]], slides[pair["second"]]) for pair in decided]

    lacks = np.array([[b["flaws"][name] - a["flaws"][name] for name in NAMES] for a, b in ends])
    decks = [(a["deck"], b["deck"]) for a, b in ends]
    print(f"{len(decided)} pairs decided")
    ladders = read_ladders()
    print(f"fitted, decks held out: {interval(held_out(lacks, first, decks, ladders))}")
    own = {f"{part}.{flaw}": w for part, ws in SLIDE_WEIGHTS.items() for flaw, w in ws.items()}
    now = np.array([own.get(name, 0.0) for name in NAMES])
    print(f"quality as it is, fitted on these pairs: {interval(agreement(lacks @ now, first))}")
    damage = np.array([DAMAGE.get(name, 0.0) for name in NAMES])
    print(f"weights of damage alone: {interval(agreement(lacks @ damage, first))}")
    print(f"steps of damage that do not help, states below the sound deck: {steady(now, ladders)}")
    print(f"the same with weights of damage alone: {steady(damage, ladders)}")
    for label, value in BASELINES.items():
        sign = 1.0 if value[0] == "-" else -1.0
        scores = sign * np.array([b[value[1:]] - a[value[1:]] for a, b in ends])
        print(f"{label}: {interval(agreement(scores, first))}")
    if "--fit" in arguments:
        weights = fitted(lacks, first, steps_of(ladders))
        for name, weight in zip(NAMES, weights, strict=True):
            print(f"  {name:20} {SCALE * weight:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
