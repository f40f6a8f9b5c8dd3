"""A filter of system calls, written as classic BPF by hand.

The namespaces already keep a run from everything outside. The filter is a second wall: it takes
away the calls through which kernels have been broken (new namespaces, mounts, bpf, io_uring,
userfaultfd, keys), those that hold memory nobody counts (memfd, System V), sockets, and those that
look into other processes. Everything else is let through; refused calls fail with EPERM.
"""

import platform
import struct
from importlib.resources import files

_EPERM = 1
_ENOSYS = 38
_NEW_NAMESPACES = 0x7E020000
"""The flags of clone(2) that make namespaces."""

_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000
"""On x86_64, calls from this number on are the x32 ABI's, which would slip past the list."""


def _read_refused() -> dict[str, tuple[int | None, int | None]]:
    text = files(__package__).joinpath("seccomp.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {name: (_number(x86_64), _number(aarch64)) for name, x86_64, aarch64 in rows}


def _number(text: str) -> int | None:
    return None if text == "-" else int(text)


REFUSED = _read_refused()
"""Refused calls with their numbers on x86_64 and aarch64; None if there is no such call."""

FOR_PROGRAMS = frozenset(
    ("socket", "socketpair", "memfd_create", "shmget", "shmat", "shmctl", "semget", "semop")
)
"""Calls of the list that whole programs need: event loops, LibreOffice, shared arrays."""

_FAMILIES = (1, 2, 10, 16)
"""Sockets that programs may have: unix, IPv4, IPv6, and netlink, which name lookup asks. Others,
such as those of virtual machines, belong to no network namespace."""

_CLONE = (56, 220)
_CLONE3 = (435, 435)

# Instructions of linux/filter.h: code, jump if true, jump if false, operand.
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000


def known_machine(machine: str | None = None) -> bool:
    """Whether there is a filter for this kind of processor."""
    return (machine or platform.machine()) in _MACHINES


def program(machine: str | None = None, *, programs: bool = False) -> bytes:
    """The filter, as an array of ``struct sock_filter``, for seccomp(2).

    With ``programs`` the calls of ``FOR_PROGRAMS`` are let through, sockets of few families only.
    """
    column, architecture = _MACHINES[machine or platform.machine()]
    lines = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL)]
    lines.append((_LOAD, 0, 0, _NUMBER))
    if column == 0:
        lines += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _ERROR | _EPERM)]
    for name, numbers in REFUSED.items():
        if not (programs and name in FOR_PROGRAMS):
            lines += _refuse(numbers[column], _EPERM)
    # The flags of clone3 lie in memory, where a filter cannot look; without it libc uses clone.
    lines += _refuse(_CLONE3[column], _ENOSYS)
    if programs:
        for name in ("socket", "socketpair"):
            number = REFUSED[name][column]
            assert number is not None, "every machine has sockets"
            lines += _only(number, _FAMILIES)
    lines += [
        (_EQUAL, 0, 3, _CLONE[column]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        (_RETURN, 0, 0, _ERROR | _EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def _only(number: int, first: tuple[int, ...]) -> list[tuple[int, int, int, int]]:
    """Let the call ``number`` through where its first argument is one of ``first``."""
    known = [(_EQUAL, len(first) - index, 0, value) for index, value in enumerate(first)]
    lines = [(_LOAD, 0, 0, _FIRST_ARGUMENT), *known, (_RETURN, 0, 0, _ERROR | _EPERM)]
    lines.append((_RETURN, 0, 0, _ALLOW))
    return [(_EQUAL, 0, len(lines), number), *lines]


def _refuse(number: int | None, error: int) -> list[tuple[int, int, int, int]]:
    if number is None:
        return []
    return [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERROR | error)]
