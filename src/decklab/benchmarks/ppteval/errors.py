"""What can be wrong with the benchmark's files."""

from decklab.errors import DecklabError


class DecksMissing(DecklabError):
    """Decks that tasks are about are not there; the text says which and where they come from."""


class FetchFailed(DecklabError):
    """A deck could not be downloaded, or is not the one that was downloaded first."""
