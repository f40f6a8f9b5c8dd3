"""What all tests share: the outside programs and inputs a test may need, or an honest skip."""

import gc
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test, settings
from tests.drawing import SharedOffice
from tests.examples import LONG
from xdist.scheduler import LoadFileScheduling

from decklab.rendering import renderer as renderer_module
from decklab.rendering.office import DECK_SECONDS, Office
from decklab.rendering.renderer import Cache
from decklab.sandbox.limits import SandboxUnavailable
from decklab.sandbox.sandbox import Sandbox

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
DRAWN = ROOT / "build" / "drawn"

# What commands draw is kept from one run of the tests to the next, apart from the user's own.
os.environ["XDG_CACHE_HOME"] = str(DRAWN)

SPLIT = {"tests/cli/test_ending.py", "tests/scoring/test_run.py", "tests/test_docs.py"}
"""Files of long tests that share no costly fixture: their tests go to any process."""

# How long one example takes says more of what else the machine does than of our code.
settings.register_profile("day", deadline=None, max_examples=20, derandomize=True)
settings.register_profile(LONG, deadline=None, max_examples=100)
settings.load_profile("day")


class FileScheduling(LoadFileScheduling):
    """A file's tests go to one process, but for the files of ``SPLIT``."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return nodeid if file in SPLIT else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return FileScheduling(config, log)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--every", type=int, default=1, help="of long tests run every n-th only")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    missing = {
        "office": None if shutil.which("soffice") else "LibreOffice is not installed",
        "chromium": None if shutil.which("chromium") else "Chromium is not installed",
        "shared": None if SHARED.is_dir() else "../shared is not here",
    }
    for item in items:
        tested = getattr(item, "obj", None)
        if tested is not None and is_hypothesis_test(tested):
            item.add_marker("property")
        for marker, reason in missing.items():
            if reason and item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))
    leave_cases_to_the_long_run(items)
    long = [item for item in items if item.get_closest_marker("long")]
    kept = set(long[:: config.getoption("every")])
    config.hook.pytest_deselected(items=[item for item in long if item not in kept])
    items[:] = [item for item in items if item in kept or not item.get_closest_marker("long")]


def leave_cases_to_the_long_run(items: Iterable[pytest.Item]) -> None:
    """Of tests marked ``by_day(count)`` keep so many cases by day, evenly spread; the others are
    ``long``."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("by_day"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for group in cases.values():
        (count,) = next(group[0].iter_markers("by_day")).args
        kept = {place * len(group) // count for place in range(count)}
        for place, item in enumerate(group):
            if place not in kept:
                item.add_marker("long")


def pytest_collection_finish() -> None:
    """Leave what all tests share out of later garbage collections, which some tests ask for."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    gc.unfreeze()


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


@pytest.fixture(scope="session")
def libreoffice() -> Iterator[Callable[[], Office]]:
    """The one LibreOffice of all tests of a process, started when it is first asked for."""
    running: list[Office] = []

    def found() -> Office:
        if not running:
            running.append(Office())
        return running[0]

    yield found
    for one in running:
        one.close()


@pytest.fixture(scope="session")
def office(libreoffice: Callable[[], Office]) -> SharedOffice:
    """LibreOffice, or what it drew before; tests that draw carry the ``office`` marker."""
    return SharedOffice(libreoffice(), Cache(DRAWN / "decklab"))


@pytest.fixture(autouse=True, scope="session")
def one_libreoffice(libreoffice: Callable[[], Office]) -> Iterator[None]:
    """Renderers without an office of their own share one, and what it drew before."""
    path = os.environ["PATH"]

    def shared(*, deadline: float = DECK_SECONDS) -> SharedOffice | Office:
        if os.environ["PATH"] != path:  # a test that says where LibreOffice is, or is not
            return Office(deadline=deadline)
        return SharedOffice(libreoffice(), Cache(DRAWN / "decklab"), deadline)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(renderer_module, "Office", shared)
        yield
