"""What an edit raises when it cannot be made."""


class EditError(ValueError):
    """An edit that cannot be made; its text is one line that says why, and what there is."""
