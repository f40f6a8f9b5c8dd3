"""The process of one run: forked, shut off from the system, under hard limits.

The namespaces already keep a run from everything outside. A filter of system calls, written as
classic BPF by hand, is a second wall: it takes away the calls through which kernels have been
broken (new namespaces, mounts, bpf, io_uring, userfaultfd, keys), those that hold memory nobody
counts (memfd, System V), sockets, and those that look into other processes. Everything else is let
through; refused calls fail with EPERM.
"""

import ctypes
import os
import platform
import resource
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import NoReturn, TextIO

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
    return [] if number is None else [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERROR | error)]


CLONE_NEWNS = 0x00020000
CLONE_NEWPID = 0x20000000

_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REMOUNT = 1, 2, 4, 8, 32
_MNT_DETACH = 2
_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP = 22
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION_3 = 0x20080522
_SIGKILL = 9

_libc = ctypes.CDLL(None, use_errno=True)


def _check(done: int, what: str) -> None:
    if done != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _prctl(option: int, value: object, what: str) -> None:
    zero = ctypes.c_ulong(0)
    number = ctypes.c_ulong(value) if isinstance(value, int) else value
    _check(_libc.prctl(option, number, zero, zero, zero), what)


def unshare(flags: int) -> None:
    """Leave the namespaces that ``flags`` name for new ones (unshare(2))."""
    _check(_libc.unshare(flags), "new namespaces")


def mount_memory(folder: str, *, size: int, files: int, writable: bool = True) -> None:
    """Lay an empty tmpfs of ``size`` bytes and ``files`` files over ``folder``."""
    flags = _MS_NOSUID | _MS_NODEV | _MS_NOEXEC | (0 if writable else _MS_RDONLY)
    options = f"size={size},nr_inodes={files},mode=0755".encode()
    done = _libc.mount(b"none", os.fsencode(folder), b"tmpfs", ctypes.c_ulong(flags), options)
    _check(done, f"a file system in memory on {folder}")


def mount_processes(folder: str) -> None:
    """Show the processes of the own namespace at ``folder``, as /proc does."""
    flags = ctypes.c_ulong(_MS_NOSUID | _MS_NODEV | _MS_NOEXEC)
    done = _libc.mount(b"proc", os.fsencode(folder), b"proc", flags, None)
    _check(done, f"the processes on {folder}")


def close_memory(folder: str) -> None:
    """Make the file system in memory on ``folder`` read-only."""
    flags = _MS_NOSUID | _MS_NODEV | _MS_NOEXEC | _MS_RDONLY | _MS_REMOUNT
    done = _libc.mount(b"none", os.fsencode(folder), b"tmpfs", ctypes.c_ulong(flags), None)
    _check(done, f"closing {folder}")


def unmount(folder: str) -> None:
    """Take the file system on ``folder`` away, even while in use."""
    _check(_libc.umount2(os.fsencode(folder), _MNT_DETACH), f"unmounting {folder}")


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ends."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1, "adopting orphans")


def die_with_parent() -> None:
    """Be killed when the parent ends."""
    _prctl(_PR_SET_PDEATHSIG, _SIGKILL, "dying with the parent")


def never_dump() -> None:
    """Leave no core file, and let no process of the same user look into this one."""
    _prctl(_PR_SET_DUMPABLE, 0, "no core files")
    # One byte rather than none: only this also stops core files that go to a program.
    resource.setrlimit(resource.RLIMIT_CORE, (1, 1))


def no_new_privileges() -> None:
    """Gain nothing from setuid programs, for good."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1, "no new privileges")


def drop_capabilities() -> None:
    """Give up every capability."""
    clear = ctypes.c_ulong(_PR_CAP_AMBIENT_CLEAR_ALL)
    zero = ctypes.c_ulong(0)
    _check(_libc.prctl(_PR_CAP_AMBIENT, clear, zero, zero, zero), "ambient capabilities")
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    _check(_libc.capset(header, (ctypes.c_uint32 * 6)()), "capabilities")


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def install_filter(program: bytes) -> None:
    """Filter the system calls of this process and its children, for good (seccomp(2))."""
    record = _Program(len(program) // 8, program)
    pointer = ctypes.byref(record)
    zero = ctypes.c_ulong(0)
    mode = ctypes.c_ulong(_SECCOMP_MODE_FILTER)
    _check(_libc.prctl(_PR_SET_SECCOMP, mode, pointer, zero, zero), "the system call filter")


_SPARE_PROCESSES = 3
"""Processes of the user that are not the run's: the supervisor and those of bubblewrap."""


class IsolationFailed(RuntimeError):
    """The process could not be isolated, so the code was not run."""


@dataclass(frozen=True, slots=True)
class RunProcess:
    """A run under way: its process, and our ends of its pipes."""

    pid: int
    pidfd: int
    report: int
    answer: int
    stdout: int
    stderr: int

    def close(self) -> None:
        """Let go of the pipes."""
        for fd in (self.pidfd, self.report, self.answer, self.stdout, self.stderr):
            os.close(fd)


def fork_run(
    body: Callable[[int, int], object],
    *,
    folder: str,
    limits: dict[str, int],
    isolated: bool,
    programs: bool = False,
) -> RunProcess:
    """Fork a process that runs ``body`` with its ends of the report and the answer pipe.

    Its working folder is ``folder``. When ``isolated`` it is the first process of a namespace of
    its own, so that it sees no other process, and all its children end with it. With ``programs``
    it has a ``/proc`` of that namespace, and the calls that whole programs need.
    """
    report, answer, stdout, stderr, status = (os.pipe() for _ in range(5))
    theirs = (report[1], answer[0], stdout[1], stderr[1], status[1])

    def child() -> NoReturn:
        _shut_off(theirs, folder, limits, isolated, programs)
        _leave_after(body, report[1], answer[0])

    if (first := os.fork()) == 0:
        _first_process(child, status[1], isolated)
    for fd in theirs:
        os.close(fd)
    pid = _wait_until_running(first, status[0], isolated)
    for fd in (report[0], answer[1], stdout[0], stderr[0]):
        os.set_blocking(fd, False)
    return RunProcess(pid, os.pidfd_open(pid), report[0], answer[1], stdout[0], stderr[0])


def _first_process(child: Callable[[], NoReturn], status: int, isolated: bool) -> NoReturn:
    """Between the supervisor and the run: a new process namespace begins with the next child."""
    try:
        if isolated:
            unshare(CLONE_NEWNS | CLONE_NEWPID)
            if pid := os.fork():
                os.write(status, b"%d\n" % pid)
                os._exit(0)
        child()
    except OSError as error:
        os.write(status, f"!{error}\n".encode())
    finally:
        os._exit(1)


def _wait_until_running(first: int, status: int, isolated: bool) -> int:
    """The run's process id, once it is shut off and about to run the code."""
    with open(status, "rb") as pipe:
        lines = pipe.read().decode().splitlines()
    if failures := [line[1:] for line in lines if line.startswith("!")]:
        os.waitpid(first, 0)
        raise IsolationFailed(failures[0])
    if not isolated:
        return first
    os.waitpid(first, 0)
    if not lines:
        raise IsolationFailed("the first process of a run died")
    return int(lines[0])


def _shut_off(
    theirs: tuple[int, ...], folder: str, limits: dict[str, int], isolated: bool, programs: bool
) -> None:
    os.setsid()
    addressed = int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()
    if isolated and programs:
        mount_processes("/proc")
    elif isolated:
        mount_memory("/proc", size=4096, files=2, writable=False)
    else:
        die_with_parent()
    _keep_only(theirs)
    os.chdir(folder)
    os.environ.update(HOME=folder, TMPDIR=f"{folder}/.tmp")
    _limit(limits, addressed, isolated)
    never_dump()
    no_new_privileges()
    if isolated:
        drop_capabilities()
        install_filter(program(programs=programs))
    os.close(theirs[-1])  # the supervisor takes this for "all shut"


def _keep_only(theirs: tuple[int, ...]) -> None:
    """Put the pipes in place of the standard streams and close every other descriptor."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(theirs[2], 1)
    os.dup2(theirs[3], 2)
    last = 3
    for fd in sorted({theirs[0], theirs[1], theirs[4]}):
        os.closerange(last, fd)
        last = fd + 1
    os.closerange(last, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def _limit(limits: dict[str, int], addressed: int, isolated: bool) -> None:
    bounds = {
        resource.RLIMIT_AS: addressed + limits["memory"],
        resource.RLIMIT_CPU: limits["cpu_seconds"],
        resource.RLIMIT_FSIZE: limits["file"],
        resource.RLIMIT_NOFILE: limits["open_files"],
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    if isolated:  # elsewhere the kernel would count all processes of the user
        bounds[resource.RLIMIT_NPROC] = limits["processes"] + _SPARE_PROCESSES
    for kind, bound in bounds.items():
        hard = resource.getrlimit(kind)[1]
        least = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(kind, (least, least))


def _leave_after(body: Callable[[int, int], object], report: int, answer: int) -> NoReturn:
    leave = os._exit  # the code may put something else in its place
    try:
        sys.stdout, sys.stderr = _stream(1), _stream(2)
        body(report, answer)
        leave(0)
    finally:
        leave(1)


def _stream(fd: int) -> TextIO:
    return open(fd, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
