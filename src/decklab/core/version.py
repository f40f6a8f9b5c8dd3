"""The version of decklab, which results and pages name."""

from typing import Final

VERSION: Final = "0.2.0.dev0"
