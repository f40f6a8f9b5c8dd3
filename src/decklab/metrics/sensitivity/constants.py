"""Numbers that sensitivity rests on. Paper: VLM-SlideEval (paper 000)."""

from typing import Final

SCALES: Final = (5, 100)
"""Best score of each scale; the worst is 1 (E.3)."""

PRINTED_POA: Final = {5: 0.95, 100: 0.80}
"""About what the paper's judges reached by scale (section 3, manipulation check)."""

PRINTED_MACE: Final = 0.34
"""The same, overall."""

PERMUTATIONS: Final = 999
"""Ours: the least p that 999 shuffles can give is 0.001, the one that section 4 prints."""

BUCKETS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Ours: upper edges of severity buckets; the first holds clean slides alone, each other one two of
the eleven levels of section 3. Figure 3b shows buckets without naming them."""

LEAST_COMMON: Final = 5
"""Ours: slides that two models must both have rated for a rank correlation; of fewer, one swap
moves it from end to end."""
