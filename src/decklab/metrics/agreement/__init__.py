"""How far scores agree with what people expected of attempts, and with themselves when repeated.

The meta-evaluation of rubrics of paper 001: section 4.1 and tables 1, 3 and 8.
"""

from decklab.metrics.agreement.attempts import Agreement, Attempt, LevelRow, agreement
from decklab.metrics.agreement.levels import LEVELS, Level, level_of
from decklab.metrics.agreement.ranks import kendall_tau_b, spearman_rho
from decklab.metrics.agreement.stability import Stability, stability

__all__ = [
    "LEVELS",
    "Agreement",
    "Attempt",
    "Level",
    "LevelRow",
    "Stability",
    "agreement",
    "kendall_tau_b",
    "level_of",
    "spearman_rho",
    "stability",
]
