"""One run's process: forked from the warm one, shut off, and only then given the code."""

import os
import resource
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TextIO

from . import seccomp, system  # by dots: inside, this package is not called decklab

_SPARE_PROCESSES = 3
"""Processes of the user that are not the run's: the supervisor and those of bubblewrap."""


class CellFailed(RuntimeError):
    """The process could not be shut off, so the code was not run."""


@dataclass(frozen=True, slots=True)
class Cell:
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


def start(
    body: Callable[[int, int], object],
    *,
    folder: str,
    limits: dict[str, int],
    caged: bool,
    programs: bool = False,
) -> Cell:
    """Fork a process that runs ``body`` with its ends of the report and the answer pipe.

    Its working folder is ``folder``. When ``caged`` it is the first process of a namespace of its
    own, so that it sees no other process and takes all its children with it when it ends. With
    ``programs`` it has a ``/proc`` of that namespace, and the calls that whole programs need.
    """
    report, answer, stdout, stderr, status = (os.pipe() for _ in range(5))
    theirs = (report[1], answer[0], stdout[1], stderr[1], status[1])

    def child() -> NoReturn:
        _shut_off(theirs, folder, limits, caged, programs)
        _leave_after(body, report[1], answer[0])

    first = os.fork()
    if first == 0:
        _first_process(child, status[1], caged)
    for fd in theirs:
        os.close(fd)
    pid = _wait_until_running(first, status[0], caged)
    for fd in (report[0], answer[1], stdout[0], stderr[0]):
        os.set_blocking(fd, False)
    return Cell(pid, os.pidfd_open(pid), report[0], answer[1], stdout[0], stderr[0])


def _first_process(child: Callable[[], NoReturn], status: int, caged: bool) -> NoReturn:
    """Between the supervisor and the run: a new process namespace begins with the next child."""
    try:
        if caged:
            system.unshare(system.CLONE_NEWNS | system.CLONE_NEWPID)
            pid = os.fork()
            if pid:
                os.write(status, b"%d\n" % pid)
                os._exit(0)
        child()
    except OSError as error:
        os.write(status, f"!{error}\n".encode())
    finally:
        os._exit(1)


def _wait_until_running(first: int, status: int, caged: bool) -> int:
    """The run's process id, once it is shut off and about to run the code."""
    with open(status, "rb") as pipe:
        lines = pipe.read().decode().splitlines()
    failures = [line[1:] for line in lines if line.startswith("!")]
    if failures:
        os.waitpid(first, 0)
        raise CellFailed(failures[0])
    if not caged:
        return first
    os.waitpid(first, 0)
    if not lines:
        raise CellFailed("the first process of a run died")
    return int(lines[0])


def _shut_off(
    theirs: tuple[int, ...], folder: str, limits: dict[str, int], caged: bool, programs: bool
) -> None:
    os.setsid()
    addressed = _addressed()
    if caged and programs:
        system.mount_processes("/proc")
    elif caged:
        system.mount_memory("/proc", size=4096, files=2, writable=False)
    else:
        system.die_with_parent()
    _keep_only(theirs)
    os.chdir(folder)
    os.environ.update(HOME=folder, TMPDIR=f"{folder}/.tmp")
    _limit(limits, addressed, caged)
    system.never_dump()
    system.no_new_privileges()
    if caged:
        system.drop_capabilities()
        system.install_filter(seccomp.program(programs=programs))
    os.close(theirs[-1])  # the supervisor takes this for "all shut"


def _addressed() -> int:
    return int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()


def _keep_only(theirs: tuple[int, ...]) -> None:
    """Put the pipes in place of the standard streams and close every other descriptor."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(theirs[2], 1)
    os.dup2(theirs[3], 2)
    last = 3
    for fd in sorted({theirs[0], theirs[1], theirs[4]}):
        os.closerange(last, fd)
        last = fd + 1
    os.closerange(last, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def _limit(limits: dict[str, int], addressed: int, caged: bool) -> None:
    bounds = {
        resource.RLIMIT_AS: addressed + limits["memory"],
        resource.RLIMIT_CPU: limits["cpu_seconds"],
        resource.RLIMIT_FSIZE: limits["file"],
        resource.RLIMIT_NOFILE: limits["open_files"],
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    if caged:  # elsewhere the kernel would count all processes of the user
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
