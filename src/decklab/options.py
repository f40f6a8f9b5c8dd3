"""What people can choose, by name: the values of options and their defaults.

Rooms take their defaults from here, and so does the command line, which must not load a room to
show its help.
"""

from typing import Final, Literal, get_args

MetricVariant = Literal["aim", "printed"]
"""Metric variants that ``score`` can add: Aalto AIM's, and those that paper 002 prints elsewhere."""
NoData = Literal["failed", "not_applicable"]
"""What a deck without data graphics gets at the data gate."""
TextGate = Literal["box", "slide"]
"""Where doubled text must stay at the text gate: in its shape's box, or on the slide."""
Severity = Literal["error", "warning", "info"]
"""How much a finding matters, worst first."""
Axis = Literal["geometry", "text", "style"]
"""What a perturbation damages (paper 000, section 3.3)."""
LadderDraws = Literal["coupled", "independent"]
"""``coupled``: each severity adds to the damage of those below it. ``independent``: each is drawn
anew, as in paper 000."""
Isolation = Literal["bubblewrap", "process"]
"""How foreign code is walled off: by bubblewrap, or only by limits on a process."""
EditPaths = Literal["hybrid", "program", "xml"]
"""How a model edits: by a program, by patches of XML, or as it chooses step by step."""
DamageUse = Literal["auto", "count", "show", "off"]
"""What becomes of damage beside a rubric's task: ``count`` lowers the score, ``show`` only tells,
``auto`` counts where the rubric states what may change."""
PictureFormat = Literal["png", "jpeg", "webp"]

EDIT_ROUNDS: Final = 3
"""How often an editor with a model may try. Ours."""
LEAF_SECONDS: Final = 20.0
"""How long one rubric leaf may run. Ours."""
NON_CRITICAL_WEIGHT: Final = 0.3
"""The most that non-critical criteria cost together: PPT-Eval's lambda (paper 001)."""
RUBRIC_REPAIRS: Final = 3
"""How often a model may mend a rubric draft that does not load. Ours."""
SECONDS_A_DECK: Final = 120.0
"""How long drawing one deck may take. Ours."""
AGGREGATION_RULES: Final = ("ppteval", "mind2web2", "mind2web2-strict")
"""How the scores of a rubric tree are joined, by name."""
