"""How an edit compares with the edit that was asked for, without a model.

Companions of the judges of paper 003: recall and precision of changes, preservation, likeness of
pictures. Pure functions of snapshots and pictures; ``Edit`` is what leads from one deck to another.
"""

from decklab.metrics.editing.agreement import ChangeAgreement, change_agreement
from decklab.metrics.editing.atoms import Atom, Edit, atoms
from decklab.metrics.editing.likeness import TOLERANCE, alike
from decklab.metrics.editing.pictures import PictureLikeness, color_ssim, picture_likeness
from decklab.metrics.editing.preservation import Preservation, preservation

__all__ = [
    "TOLERANCE",
    "Atom",
    "ChangeAgreement",
    "Edit",
    "PictureLikeness",
    "Preservation",
    "alike",
    "atoms",
    "change_agreement",
    "color_ssim",
    "picture_likeness",
    "preservation",
]
