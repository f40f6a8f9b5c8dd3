"""The Linux calls that Python 3.11 has no names for."""

import ctypes
import os
import resource

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
