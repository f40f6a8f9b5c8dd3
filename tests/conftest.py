"""What all tests share: the outside programs and inputs a test may need, or an honest skip."""

import shutil
from pathlib import Path

import pytest
from hypothesis import settings

from decklab.sandbox.limits import SandboxUnavailable
from decklab.sandbox.sandbox import Sandbox

SHARED = Path(__file__).parents[2] / "shared"

# How long one example takes says more of what else the machine does than of our code.
settings.register_profile("decklab", deadline=None)
settings.load_profile("decklab")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    missing = {
        "office": None if shutil.which("soffice") else "LibreOffice is not installed",
        "chromium": None if shutil.which("chromium") else "Chromium is not installed",
        "shared": None if SHARED.is_dir() else "../shared is not here",
    }
    for item in items:
        for marker, reason in missing.items():
            if reason and item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real decks beside the checkout; use with the ``shared`` marker."""
    if not SHARED.is_dir():
        pytest.skip("../shared is not here")
    return SHARED


@pytest.fixture(scope="session")
def caged() -> None:
    """Skip where bubblewrap cannot be had."""
    try:
        with Sandbox():
            pass
    except SandboxUnavailable as error:
        pytest.skip(str(error))
