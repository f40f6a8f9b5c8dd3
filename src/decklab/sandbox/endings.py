"""From how a run ended to the outcome or the error that its caller gets."""

import signal
from typing import Any

from decklab.sandbox.errors import (
    CodeFailed,
    Killed,
    OutOfMemory,
    OutputTooLarge,
    ResultNotPlain,
    RunFailed,
    ServiceLimit,
    TimedOut,
)
from decklab.sandbox.guest.wire import NotPlain, decode
from decklab.sandbox.limits import Limits
from decklab.sandbox.outcome import Outcome

__all__ = ["failure", "outcome"]


def outcome(report: bytes, account: dict[str, Any]) -> Outcome:
    """What a report comes to; ``account`` is what `RunFailed` takes.

    The report comes from the process that ran the code, so nothing in it is taken on trust.
    """
    try:
        told = decode(report)
    except NotPlain as error:
        raise ResultNotPlain(str(error), **account) from None
    match told:
        case {"value": value}:
            return Outcome(value, **account)
        case {"unplain": str(detail)}:
            raise ResultNotPlain(detail, **account)
        case {"error": {"type": "MemoryError"}}:
            raise OutOfMemory("it wanted more memory than it may have", **account)
        case {"error": {"type": str(kind), "message": str(message), "traceback": list(lines)}}:
            raise CodeFailed(kind, message, [str(line) for line in lines], **account)
    raise ResultNotPlain("what came back is no report", **account)


def failure(
    why: str, status: int, limits: Limits, seconds: float, account: dict[str, Any]
) -> RunFailed:
    """The error for a run that ended otherwise than with a report."""
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
