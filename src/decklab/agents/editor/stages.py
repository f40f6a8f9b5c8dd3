"""The stages of an edit: told as they begin, timed as they end."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter


class Stages:
    """``seconds`` by stage, and somebody who is told the name of each as it begins."""

    def __init__(self, tell: Callable[[str], None] | None = None) -> None:
        self._tell = tell or (lambda _stage: None)
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Tell that a stage begins, and add what it takes."""
        self._tell(name)
        started = perf_counter()
        try:
            yield
        finally:
            self.add({name: perf_counter() - started})

    def add(self, seconds: Mapping[str, float]) -> None:
        """Add what was timed elsewhere."""
        for name, spent in seconds.items():
            self.seconds[name] = self.seconds.get(name, 0.0) + spent

    def since(self, before: Mapping[str, float]) -> dict[str, float]:
        """What came on top of an earlier copy of ``seconds``."""
        spent = {name: taken - before.get(name, 0.0) for name, taken in self.seconds.items()}
        return {name: taken for name, taken in spent.items() if taken > 0}
