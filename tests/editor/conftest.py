"""The deck of the editing tests, for the editor's."""

from tests.editing.conftest import (
    deck,  # noqa: F401 - fixtures
    deck_file,  # noqa: F401 - fixtures
    edited,  # noqa: F401 - fixtures
)
