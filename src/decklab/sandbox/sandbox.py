"""The sandbox as its callers see it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from decklab.sandbox.limits import Limits
from decklab.sandbox.outcome import Outcome, Plain

__all__ = ["INPUT", "WORK", "Isolation", "Sandbox", "Service"]

INPUT = "/input"
"""The folder, inside, of the files that were handed in; read-only."""

WORK = "/work"
"""The one folder, inside, that the code may write to; empty at the start of each run."""

Isolation = Literal["bubblewrap", "process"]
Service = Callable[..., str]


class Sandbox:
    """A warm, shut-off Python that runs one piece of code after another, each in a fresh state.

    Use it as a context manager. ``files`` (name to host file) are copied in once and seen by the
    code, read-only, as ``/input/<name>`` (see `path`). ``services`` are functions that the code
    may call by name, with plain arguments (bytes included); they run on the host, in the thread
    that called `run`, and answer with text. ``prelude`` is code of the *caller* that runs once,
    before any run, with ``data`` (plain) as its globals; what it defines, and the modules it
    makes or imports, is there for every run. It runs before the last privileges are given up, so
    it must not open the files of strangers: let it define objects that do so when used.

    ``isolation`` is ``"bubblewrap"``, or ``"process"``: a plain child process with limits, which
    keeps honest code from harm but does not hold against hostile code. Where bubblewrap cannot be
    had, `SandboxUnavailable` says why; the weaker kind is never chosen by itself.

    One thread at a time may use a sandbox.
    """

    def __init__(
        self,
        *,
        files: Mapping[str, Path] | None = None,
        services: Mapping[str, Service] | None = None,
        prelude: str = "",
        data: Mapping[str, Plain] | None = None,
        limits: Limits | None = None,
        isolation: Isolation = "bubblewrap",
    ) -> None: ...

    def path(self, name: str) -> str:
        """Where the code finds the file handed in under ``name``, such as ``/input/a.pptx``."""
        ...

    def run(
        self,
        code: str,
        *,
        globals: Mapping[str, Plain] | None = None,
        result: str | None = "result",
        seconds: float | None = None,
    ) -> Outcome:
        """Run ``code`` in a fresh state and give the value of its global ``result``.

        ``globals`` are set beforehand, over those of the prelude. With ``result=None`` no value
        is fetched. ``seconds`` takes the place of the limit's for this run.

        Raises a `RunFailed` (`CodeFailed`, `TimedOut`, `OutOfMemory`, `OutputTooLarge`, `Killed`,
        `ResultNotPlain`, `ServiceLimit`), or whatever a service raised.
        """
        ...

    def call(
        self,
        source: str,
        function: str,
        *args: Plain,
        globals: Mapping[str, Plain] | None = None,
        seconds: float | None = None,
        **kwargs: Plain,
    ) -> Outcome:
        """Run ``source``, call the ``function`` it defines, and give what that returns.

        Tuples come back as lists, numpy's numbers as Python's. Raises as `run` does.
        """
        ...

    def collect(self, *names: str) -> dict[str, bytes]:
        """The files the last run left in its writable folder, by path relative to it.

        With ``names``, only those. Links, devices and what lies in ``.tmp`` are left out.
        Raises `OutputTooLarge` above the limits ``disk`` and ``files``.
        """
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def close(self) -> None:
        """End the warm process and everything in it; may be called more than once."""
        ...
