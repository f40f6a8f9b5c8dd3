"""What a case of the starter set is made of."""

from dataclasses import dataclass

from generate.pptarena.edits.finding import Edit


@dataclass(frozen=True)
class Recipe:
    """A case as edits of a sample deck."""

    name: str
    deck: str
    """``plain``, ``rich`` or ``bad``: which sample."""
    edit_type: str
    """By the names of table 1, see ``EDIT_TYPES``."""
    prompt: str
    style_target: str
    truth: tuple[Edit, ...]
    """What was asked, one edit an operation."""
    wrong: tuple[Edit, ...]
    """The same kind of thing done where it was not asked."""
    damage: Edit
    """What the collateral attempt spoils besides."""
    partial: tuple[Edit, ...] = ()
    """Part of the truth; empty for its first half."""

    @property
    def half(self) -> tuple[Edit, ...]:
        """The edits of the partial attempt."""
        return self.partial or self.truth[: len(self.truth) // 2]

    def attempt(self, kind: str) -> tuple[Edit, ...]:
        """The edits of a flawed attempt, one of ``starter.ATTEMPTS``; KeyError for another word."""
        return {
            "partial": self.half,
            "wrong-slide": self.wrong,
            "collateral": (*self.truth, self.damage),
        }[kind]
