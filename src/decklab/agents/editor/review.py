"""The review of an edit: a look at the edited deck by the model, after the checks by program."""

from decklab.models.asking import StrictForm


class Review(StrictForm):
    """What a look at the edited deck found."""

    satisfied: bool
    problems: tuple[str, ...]
    """What still has to be repaired, one instruction each."""
