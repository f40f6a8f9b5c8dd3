"""What people can choose, by name: the values of options and their defaults.

Rooms take their defaults from here, and so does the command line, which must not load a room to
show its help.
"""

from typing import Final, Literal

MetricVariant = Literal["aim", "printed"]
"""Rows on top of the usual ones. ``aim``: two that agree with Aalto AIM. ``printed``: what paper
002 prints elsewhere for the same measures (table 8's weights, table 10's sigma, eq 17)."""
NoData = Literal["failed", "not_applicable"]
"""What a deck without data graphics gets. The paper does not say: its protocol begins with finding
a chart (I.4.3 step 4), and the systems of its table 5 fail because theirs are drawn or pictures.
``failed``: there is nothing with data to edit; or ``not_applicable``, and evaluation goes on."""
TextGate = Literal["box", "slide"]
"""Where doubled text must stay. ``box``: in its own box, the paper's criterion (I.4.3 step 1).
``slide``: it must wrap and stay on the slide, but may run past the top or bottom of its box."""
Severity = Literal["error", "warning", "info"]
"""How much a finding matters, worst first."""
Axis = Literal["geometry", "text", "style"]
"""What a perturbation damages (paper 000, section 3.3)."""
LadderDraws = Literal["coupled", "independent"]
"""``coupled``: each severity adds to the damage of those below it. ``independent``: each is drawn
anew, as in paper 000."""
Isolation = Literal["bubblewrap", "process"]
"""Kinds of isolation: the real one, and the weak one that must be named to be had."""
EditPaths = Literal["hybrid", "program", "xml"]
"""Which paths an editor may take: the router's choice, or one for everything."""
DamageUse = Literal["auto", "count", "show", "off"]
"""What becomes of damage beside a rubric's task: ``count`` lowers the score, ``show`` only tells,
``auto`` counts where the rubric states what may change."""
PictureFormat = Literal["png", "jpeg", "webp"]

EDIT_ROUNDS: Final = 3
"""Rounds of one edit, the first included. Paper 003, section 5.2 reports that one more pass often
settles what the first left."""
LEAF_SECONDS: Final = 20.0
"""How long one leaf may run, without what it waits for. Ours: published leaves take under a
second on decks of 50 slides."""
NON_CRITICAL_WEIGHT: Final = 0.3
"""The most that non-critical children can take away: lambda of paper 001, section 3.5.2."""
RUBRIC_REPAIRS: Final = 3
"""Rounds of mending that a draft gets; ours."""
SECONDS_A_DECK: Final = 120.0
"""How long drawing one deck may take. Ours."""
AGGREGATION_RULES: Final = ("ppteval", "mind2web2", "mind2web2-strict")
"""How the scores of a rubric tree are joined, by name."""
