"""The stages of an edit or of writing a deck: which one is under way, and how long each took."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter

Progress = Callable[[str], None]
"""Called with the name of a stage when the stage begins, such as ``read``, ``edit``, ``check``."""


def silent(_stage: str) -> None:
    """A ``Progress`` that reports to nobody."""


class Stages:
    """Times the stages of work, and reports to ``tell`` when one begins.

    ``seconds`` holds what each stage took, by its name.
    """

    def __init__(self, tell: Progress | None = None) -> None:
        self.tell: Progress = tell or silent
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Report that a stage begins, and time it."""
        self.tell(name)
        with self.timed(name):
            yield

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Add the time of the block to that of a stage, without a report."""
        started = perf_counter()
        try:
            yield
        finally:
            self.add({name: perf_counter() - started})

    def add(self, seconds: Mapping[str, float]) -> None:
        """Add times that were measured elsewhere."""
        for name, spent in seconds.items():
            self.seconds[name] = self.seconds.get(name, 0.0) + spent

    def since(self, before: Mapping[str, float]) -> dict[str, float]:
        """The time by stage since an earlier copy of ``seconds``; stages without any left out."""
        spent = {name: seconds - before.get(name, 0.0) for name, seconds in self.seconds.items()}
        return {name: seconds for name, seconds in spent.items() if seconds > 0}
