"""What a check of a package finds."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["Problem", "Severity"]

Severity = Literal["error", "warning"]
"""``error``: PowerPoint would offer to repair the file, or refuse it. ``warning``: harmless, yet
not as it should be."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a package."""

    rule: str
    """Stable id, such as ``relationship.missing-target``."""
    severity: Severity
    part: str
    """Where: the name of a part, ``""`` for the package as a whole."""
    detail: str
    """One sentence on what was found."""
    fix: str
    """What would mend it, as an instruction."""
