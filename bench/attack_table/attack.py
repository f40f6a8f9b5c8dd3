"""What an attack is, and short ways to write one down.

In the code ``@work``, ``@input`` and ``@code`` stand for the folders inside the sandbox.
"""

import platform
from collections.abc import Callable
from dataclasses import dataclass, field
from textwrap import dedent
from typing import Any

from decklab.sandbox.guest.process import REFUSED
from decklab.sandbox.launch import INPUT, WORK
from decklab.sandbox.limits import CodeFailed, RunFailed

__all__ = ["ABSENT", "DENIED", "EVERY_PIPE", "ON_X86", "SYSCALL", "Attack", "Group"]

Kinds = tuple[type[RunFailed], ...]

ON_X86 = platform.machine() == "x86_64"
_COLUMN = 0 if ON_X86 else 1
_NUMBERS = {name: numbers[_COLUMN] for name, numbers in REFUSED.items() if numbers[_COLUMN]}
SYSCALL = f"""
import ctypes, os, struct, errno
libc = ctypes.CDLL(None, use_errno=True)
NUMBERS = {_NUMBERS!r}
def check(done):
    if done == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return done
def syscall(name, *args):
    return check(libc.syscall(ctypes.c_long(NUMBERS[name]), *args))
"""
DENIED = ("PermissionError", "OSError")
ABSENT = ("FileNotFoundError", "NotADirectoryError")
EVERY_PIPE = """
import os, stat, struct
def frame(kind, payload): return struct.pack('>cI', kind, len(payload)) + payload
def everywhere(data):
    for fd in range(3, 128):
        try: os.write(fd, data)
        except OSError: pass
"""
_PLACES = {"@work": WORK, "@input": INPUT, "@code": WORK.replace("work", "code")}


@dataclass(frozen=True)
class Attack:
    """``code``; the errors it may end in, with the exceptions inside where it is CodeFailed; or
    what its value must satisfy."""

    group: str
    name: str
    code: str
    errors: Kinds = ()
    exceptions: tuple[str, ...] = ()
    harmless: Callable[[Any], bool] | None = None


@dataclass
class Group:
    """Attacks of one kind, in order."""

    name: str
    attacks: list[Attack] = field(default_factory=list)

    def add(self, name: str, code: str, **expected: Any) -> None:
        """An attack with several ends that will do; ``expected`` as `Attack` has it."""
        for sign, place in _PLACES.items():
            code = code.replace(sign, place)
        shown = name.replace("@", "/")
        self.attacks.append(Attack(self.name, shown, dedent(code).strip(), **expected))

    def raises(self, name: str, code: str, *exceptions: str) -> None:
        """An attack on which one of ``exceptions`` must be raised inside."""
        self.add(name, code, errors=(CodeFailed,), exceptions=exceptions)

    def ends(self, name: str, code: str, *errors: type[RunFailed]) -> None:
        """An attack that must end its run in one of ``errors``."""
        self.add(name, code, errors=errors)

    def harmless(self, name: str, code: str, harmless: Callable[[Any], bool]) -> None:
        """An attack whose run must end well, with a value that ``harmless`` is true of."""
        self.add(name, code, harmless=harmless)

    def system(self, name: str, code: str) -> None:
        """An attack by system calls, which must be denied."""
        self.add(name, SYSCALL + dedent(code), errors=(CodeFailed,), exceptions=DENIED)
