"""How much a run may use."""

from dataclasses import dataclass

__all__ = ["Limits"]

_MIB = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one run in a sandbox may use; sizes in bytes.

    The values are ours: several times what checking or editing a deck of a hundred slides takes,
    and little enough that a machine with 4 GiB of memory carries two sandboxes.

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
