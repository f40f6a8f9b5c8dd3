"""What PowerPoint would want to repair in a package, and what is merely untidy."""

from decklab.ooxml.validity.problems import Problem, Severity
from decklab.ooxml.validity.validating import validate

__all__ = ["Problem", "Severity", "validate"]
