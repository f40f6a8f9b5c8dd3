"""A filter of system calls, written as classic BPF by hand.

The namespaces already keep a run from everything outside. The filter is a second wall: it takes
away the calls through which kernels have been broken (new namespaces, mounts, bpf, io_uring,
userfaultfd, keys), those that hold memory nobody counts (memfd, System V), sockets, and those that
look into other processes. Everything else is let through; what is refused fails with EPERM.
"""

import platform
import struct

_EPERM = 1
_ENOSYS = 38
_NEW_NAMESPACES = 0x7E020000
"""The flags of clone(2) that make namespaces."""

_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000
"""On x86_64, calls from this number on are the x32 ABI's, which would slip past the list."""

REFUSED: dict[str, tuple[int | None, int | None]] = {
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "process_madvise": (440, 440),
    # keys, and machinery of the kernel
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_setup": (206, 0),
    # file systems and namespaces
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    # sockets, and memory that belongs to no process
    "socket": (41, 198),
    "socketpair": (53, 199),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "semop": (65, 193),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "mq_open": (240, 180),
    # the machine
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "personality": (135, 92),
    "acct": (163, 89),
    "syslog": (103, 116),
    "lookup_dcookie": (212, 18),
    "vhangup": (153, 58),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "uselib": (134, None),
    "ustat": (136, None),
    "sysfs": (139, None),
}
"""Refused calls with their numbers on x86_64 and aarch64 (Linux, asm/unistd)."""

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
    known = [(_EQUAL, len(first) - place, 0, value) for place, value in enumerate(first)]
    lines = [(_LOAD, 0, 0, _FIRST_ARGUMENT), *known, (_RETURN, 0, 0, _ERROR | _EPERM)]
    lines.append((_RETURN, 0, 0, _ALLOW))
    return [(_EQUAL, 0, len(lines), number), *lines]


def _refuse(number: int | None, error: int) -> list[tuple[int, int, int, int]]:
    if number is None:
        return []
    return [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERROR | error)]
