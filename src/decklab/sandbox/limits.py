"""How much a run may use, what a run that ended well gives, and what can go wrong.

::

    SandboxError
    ├── SandboxUnavailable   the isolation asked for cannot be had here; says what is missing
    ├── CallRefused          raised by a service: what the code asked for will not do
    └── RunFailed            the run gave no result; has what it printed and asked
        ├── CodeFailed       the code raised; kind, message and the lines of the code
        ├── TimedOut         it ran longer than it may
        ├── OutOfMemory      it wanted more memory than it may have
        ├── OutputTooLarge   it printed, returned or left behind more than it may
        ├── Killed           its process ended on its own, without a result
        ├── ResultNotPlain   the result is missing, or no plain data
        └── ServiceLimit     it called services too often, or with too much
"""

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

from decklab.core.errors import DecklabError, Unavailable, one_line
from decklab.sandbox.guest.wire import NotPlain, decode

_MIB = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    """How much one run in a sandbox may use; sizes in bytes.

    The values are ours: several times what checking or editing a deck of a hundred slides takes,
    and little enough that a machine with 4 GiB of memory can run two sandboxes.

    ``seconds`` is clock time without waiting for services; ``cpu_seconds`` processor time of one
    process. ``memory`` is what all processes of the run may hold beyond what the warm process
    already held, and what any one of them may address; it is watched, so a run may exceed it for
    some hundredths of a second before it is ended. ``file`` is the size of one file,
    ``disk`` and ``files`` the size and number of all files in the writable folder.
    ``printed`` bounds stdout and stderr, each; ``result`` the result. ``calls`` is how often
    services may be called, ``call_bytes`` the size of the arguments of all calls together,
    ``answer_bytes`` the size of one answer.
    """

    seconds: float = 30.0
    cpu_seconds: int = 60
    memory: int = 1024 * _MIB
    processes: int = 16
    open_files: int = 128
    file: int = 128 * _MIB
    disk: int = 256 * _MIB
    files: int = 4096
    printed: int = _MIB
    result: int = 8 * _MIB
    calls: int = 20
    call_bytes: int = 64 * _MIB
    answer_bytes: int = _MIB


Plain = None | bool | int | float | str | bytes | list["Plain"] | dict[str, "Plain"]
"""Plain data: what JSON can say (numbers finite, keys text), and bytes."""


@dataclass(frozen=True, slots=True)
class ServiceCall:
    """One call of a service by the code.

    ``args`` and ``kwargs`` are what the untrusted code sent; ``answer`` is what it got,
    or None if the call was ``refused``; ``seconds`` is the time the host took.
    """

    name: str
    args: tuple[Plain, ...]
    kwargs: dict[str, Plain]
    answer: str | None
    refused: str | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run that ended well.

    ``value`` is the result, ``stdout`` and ``stderr`` what was printed, ``seconds`` the time of
    the run without the time spent waiting for services, ``calls`` the services it called.
    """

    value: Plain
    stdout: str
    stderr: str
    seconds: float
    calls: tuple[ServiceCall, ...]


_SHOWN = 500


def _line(text: str) -> str:
    """``text`` on one line of at most 500 characters, control characters spelled out."""
    joined = " ".join(text.split())
    return one_line(joined if len(joined) <= _SHOWN else joined[: _SHOWN - 1] + "…")


class SandboxError(DecklabError):
    """Anything that goes wrong around a sandbox."""

    def __init__(self, detail: str) -> None:
        super().__init__(_line(detail))


class SandboxUnavailable(SandboxError, Unavailable):
    """The isolation asked for cannot be had on this machine; the text says what is missing."""


class CallRefused(SandboxError):
    """Raised by a service whose arguments will not do; the code sees it as a ``ValueError``.

    Any other exception of a service ends the run and reaches the caller of the sandbox as it is:
    a model that cannot be reached must not be caught by the code and turned into a score.
    """


class Account(TypedDict, total=False):
    """Facts of a run that failed."""

    stdout: str
    stderr: str
    seconds: float
    calls: Sequence[ServiceCall]


class RunFailed(SandboxError):
    """A run that gave no result.

    ``stdout`` and ``stderr`` are what it had printed, ``seconds`` how long it ran, ``calls`` the
    services it had called.
    """

    def __init__(self, detail: str, **account: Unpack[Account]) -> None:
        super().__init__(detail)
        self.stdout = account.get("stdout", "")
        self.stderr = account.get("stderr", "")
        self.seconds = account.get("seconds", 0.0)
        self.calls = tuple(account.get("calls", ()))


class CodeFailed(RunFailed):
    """The code raised an exception that it did not catch.

    ``type`` is the name of the exception's class, ``message`` its text, ``traceback`` the lines
    of the code that were being run, outermost first, such as ``line 3, in score: x = y / 0``.
    All of it comes from the code itself, so it may be false.
    """

    def __init__(
        self, type: str, message: str, traceback: Sequence[str] = (), **account: Unpack[Account]
    ) -> None:
        where = f" ({traceback[-1]})" if traceback else ""
        super().__init__(f"{type}: {message}{where}" if message else f"{type}{where}", **account)
        self.type, self.message = type, message
        self.traceback = tuple(traceback)


class TimedOut(RunFailed):
    """The run took longer than it may, on the clock or of processor time."""


class OutOfMemory(RunFailed):
    """The run wanted more memory than it may have."""


class OutputTooLarge(RunFailed):
    """The run printed, returned or left behind more than it may."""


class Killed(RunFailed):
    """The process ended by a signal or an exit, without a result.

    ``status`` is the exit status, or minus the number of the signal.
    """

    def __init__(self, detail: str, *, status: int = 0, **account: Unpack[Account]) -> None:
        super().__init__(detail, **account)
        self.status = status


class ResultNotPlain(RunFailed):
    """The result is missing, is no plain data (``decklab.sandbox.limits.Plain``), or is garbled."""


class ServiceLimit(RunFailed):
    """The run called services more often, or with more bytes, than it may."""


def outcome_of_report(report: bytes, account: dict[str, Any]) -> Outcome:
    """The outcome that a run reported; raises the `RunFailed` if it reported an error.

    ``account`` is what `RunFailed` takes. The report comes from the process that ran the code, so
    anything may be in it.
    """
    try:
        content = decode(report)
    except NotPlain as error:
        raise ResultNotPlain(str(error), **account) from None
    match content:
        case {"value": value}:
            return Outcome(value, **account)
        case {"unplain": str(detail)}:
            raise ResultNotPlain(detail, **account)
        case {"error": {"type": "MemoryError"}}:
            raise OutOfMemory("it wanted more memory than it may have", **account)
        case {"error": {"type": str(kind), "message": str(message), "traceback": list(lines)}}:
            raise CodeFailed(kind, message, [str(line) for line in lines], **account)
    raise ResultNotPlain("what came back is no report", **account)


def error_of_end(
    why: str, status: int, limits: RunLimits, seconds: float, account: dict[str, Any]
) -> RunFailed:
    """The error for a run that ended without a report."""
    if why in ("seconds", "cpu_seconds"):
        bound = f"{seconds:g} s" if why == "seconds" else f"{limits.cpu_seconds} s of processor"
        return TimedOut(f"it ran longer than {bound}", **account)
    if why == "memory":
        return OutOfMemory(f"it held more than {limits.memory} bytes of memory", **account)
    if why in ("printed", "result"):
        most = limits.printed if why == "printed" else limits.result
        said = "it printed" if why == "printed" else "its result has"
        return OutputTooLarge(f"{said} more than {most} bytes", **account)
    if why == "call_bytes":
        most = limits.call_bytes
        return ServiceLimit(f"a call of a service with more than {most} bytes", **account)
    if why == "garbled":
        return ResultNotPlain("what came back is no report", **account)
    if why == "processes":
        detail = f"it had more than {limits.processes} processes"
        return Killed(detail, status=status, **account)
    return Killed(f"its process ended without a result, {_by(status)}", status=status, **account)


def _by(status: int) -> str:
    if status >= 0:
        return f"with status {status}"
    try:
        return f"by {signal.Signals(-status).name}"
    except ValueError:
        return f"by signal {-status}"
