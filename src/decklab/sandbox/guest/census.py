"""What the processes of a run use, read from /proc."""

import os
import resource
from dataclasses import dataclass
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = resource.getpagesize()


@dataclass(frozen=True, slots=True)
class Census:
    """``processes`` below one, the ``memory`` they hold in bytes, and their processor time."""

    processes: int
    memory: int
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class _Process:
    pid: int
    parent: int
    ticks: int
    pages: int


def take(root: int, enough: int) -> Census:
    """Count ``root`` and all its descendants.

    The memory is exact only above ``enough`` bytes: telling apart what processes share takes
    long, and below that a sum that counts it for each of them will do.
    """
    family = _family(root)
    memory = sum(process.pages for process in family) * _PAGE
    if memory > enough:
        memory = sum(map(_proportional, family))
    ticks = sum(process.ticks for process in family)
    return Census(len(family), memory, ticks / _TICK)


def members(root: int) -> list[int]:
    """The process ids of ``root`` and all its descendants, ``root`` first; none if it is gone."""
    return [process.pid for process in _family(root)]


def _family(root: int) -> list[_Process]:
    everybody = [
        process
        for path in Path("/proc").iterdir()
        if path.name.isdigit() and (process := _read(int(path.name))) is not None
    ]
    children: dict[int, list[_Process]] = {}
    for process in everybody:
        children.setdefault(process.parent, []).append(process)
    family = [process for process in everybody if process.pid == root]
    for process in family:  # grows while we go
        family += children.get(process.pid, [])
    return family


def _read(pid: int) -> _Process | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None  # ended meanwhile
    # The name, in brackets, may hold anything; what follows it are numbers (proc(5)).
    fields = text.rpartition(b")")[2].split()
    return _Process(pid, int(fields[1]), sum(map(int, fields[11:15])), int(fields[21]))


def _proportional(process: _Process) -> int:
    """The memory of a process with shared pages divided among those that share them."""
    try:
        lines = Path(f"/proc/{process.pid}/smaps_rollup").read_bytes().splitlines()
    except OSError:
        return process.pages * _PAGE  # not ours to look into
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(b"Pss:"))
