"""The deck of the editing tests, for the editor's."""

from tests.editing.conftest import deck, deck_file, edited  # noqa: F401 - fixtures
