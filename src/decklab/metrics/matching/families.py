"""The families of elements: only elements of one family are matched with each other."""

from typing import Literal, get_args

Family = Literal["texts", "rects", "lines", "images", "tables"]
"""A kind of element in the schema of paper 000 (appendices A and B)."""

FAMILIES: tuple[Family, ...] = get_args(Family)
"""All of them, in the schema's order."""
