"""How much a run may use, and what a run that ended well gives."""

from dataclasses import dataclass

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
    or None where the call was ``refused``; ``seconds`` is the time the host took.
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
