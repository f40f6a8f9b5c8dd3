"""Code that attacks the sandbox, and how each attack must end.

`ATTACKS` is data for ``python -m bench.attacks`` and for the tests: each attack has the code that
is run, and either the error its run must end in or what the value it returns must be. In the code,
``HOST`` is a dictionary of places on the host to go for (see `bench.attack_range`).
"""

import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

from decklab.sandbox import (
    INPUT,
    WORK,
    CodeFailed,
    Killed,
    OutOfMemory,
    OutputTooLarge,
    ResultNotPlain,
    RunFailed,
    ServiceLimit,
    TimedOut,
)
from decklab.sandbox.guest.seccomp import REFUSED

__all__ = ["ATTACKS", "Attack"]

Kinds = tuple[type[RunFailed], ...]


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


ATTACKS: list[Attack] = []
_group = ""

_COLUMN = 0 if platform.machine() == "x86_64" else 1
_NUMBERS = {name: numbers[_COLUMN] for name, numbers in REFUSED.items() if numbers[_COLUMN]}
_SYSCALL = f"""
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
_DENIED = ("PermissionError", "OSError")
_ABSENT = ("FileNotFoundError", "NotADirectoryError")


def _add(name: str, code: str, **expected: Any) -> None:
    places = {"@work": WORK, "@input": INPUT, "@code": f"{WORK}/../code"}
    for sign, place in places.items():
        code = code.replace(sign, place)
    ATTACKS.append(Attack(_group, name.replace("@", "/"), dedent(code).strip(), **expected))


def _raises(name: str, code: str, *exceptions: str) -> None:
    _add(name, code, errors=(CodeFailed,), exceptions=exceptions)


def _ends(name: str, code: str, *errors: type[RunFailed]) -> None:
    _add(name, code, errors=errors)


def _harmless(name: str, code: str, harmless: Callable[[Any], bool]) -> None:
    _add(name, code, harmless=harmless)


def _system(name: str, code: str) -> None:
    _add(name, _SYSCALL + dedent(code), errors=(CodeFailed,), exceptions=_DENIED)


# --------------------------------------------------------------------------- the network
_group = "network"
_raises(
    "TCP to a server of the host",
    "import socket\nsocket.create_connection(('127.0.0.1', HOST['tcp']), 2).send(b'out')",
    *_DENIED,
)
_raises(
    "TCP to the host's own address",
    "import socket\nsocket.create_connection((HOST['address'], HOST['tcp']), 2).send(b'out')",
    *_DENIED,
)
_raises(
    "TCP over IPv6 loopback",
    "import socket\nsocket.socket(socket.AF_INET6).connect(('::1', HOST['tcp']))",
    *_DENIED,
)
_raises(
    "UDP to the host",
    """
    import socket
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.sendto(b'out', ('127.0.0.1', HOST['udp']))
    """,
    *_DENIED,
)
_raises(
    "a name lookup", "import socket\nsocket.getaddrinfo('example.com', 80)", "gaierror", *_DENIED
)
_raises(
    "a web request",
    "import urllib.request as r\nr.urlopen(f\"http://127.0.0.1:{HOST['tcp']}/\", timeout=2)",
    "URLError",
)
_raises(
    "a unix socket of the host",
    "import socket\nsocket.socket(socket.AF_UNIX).connect(HOST['unix'])",
    *_DENIED,
    *_ABSENT,
)
_raises(
    "an abstract unix socket of the host",
    "import socket\nsocket.socket(socket.AF_UNIX).connect('\\0' + HOST['abstract'])",
    *_DENIED,
    "ConnectionRefusedError",
)
for _family, _arguments in {
    "a raw socket": "socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP",
    "a packet socket": "socket.AF_PACKET, socket.SOCK_RAW",
    "netlink": "socket.AF_NETLINK, socket.SOCK_RAW, 0",
    "a socket to the hypervisor": "40, socket.SOCK_STREAM",
    "a socket to the kernel's ciphers": "38, socket.SOCK_SEQPACKET",
}.items():
    _raises(_family, f"import socket\nsocket.socket({_arguments})", *_DENIED)
_raises("a server of its own", "import socket\nsocket.create_server(('0.0.0.0', 8000))", *_DENIED)
_harmless(
    "a shell that opens /dev/tcp",
    """
    import subprocess
    line = f"exec 3<>/dev/tcp/127.0.0.1/{HOST['tcp']} && echo out >&3"
    result = subprocess.run(['/bin/bash', '-c', line], stderr=subprocess.DEVNULL).returncode
    """,
    lambda value: value != 0,
)
_harmless(
    "sockets among inherited descriptors",
    """
    import os, stat
    result = []
    for fd in range(4096):
        try: mode = os.fstat(fd).st_mode
        except OSError: continue
        if not (stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)): result.append([fd, mode])
    """,
    lambda value: value == [],
)

# --------------------------------------------------------------------------- reading
_group = "reading"
for _file in (
    "/etc/shadow",
    "/etc/passwd",
    "/proc/1/environ",
    "/proc/self/environ",
    "/proc/self/maps",
    "/proc/self/mounts",
    "/proc/1/root/etc/shadow",
    "/proc/self/cwd/../etc/shadow",
    "/proc/kcore",
    "/proc/kallsyms",
    "/sys/kernel/security",
    "/sys/class/net/lo/address",
    "/dev/mem",
    "/dev/vda",
    "/dev/sda",
    "/dev/tty",
    "/var/run/docker.sock",
    "/run/systemd/private",
    "/root/.ssh/id_rsa",
    "@input/../etc/shadow",
):
    _raises(f"open {_file}", f"result = open({_file!r}, 'rb').read(100)", *_ABSENT)
_raises("a secret of the host's", "result = open(HOST['secret']).read()", *_ABSENT)
_raises("the repository", "result = open(HOST['repository'] + '/pyproject.toml').read()", *_ABSENT)
_raises("the host's folder of temporary files", "result = open(HOST['canary']).read()", *_ABSENT)
_harmless(
    "the environment",
    "import os\nresult = sorted(os.environ)",
    lambda value: "DECKLAB_ATTACK_SECRET" not in value and len(value) < 12,
)
_harmless(
    "the environment on the stack",
    """
    import ctypes
    environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), 'environ')
    result, i = [], 0
    while environ[i]:
        result.append(environ[i].decode()); i += 1
    """,
    lambda value: not any("SECRET" in line for line in value),
)
_harmless(
    "names: host, user, processes",
    "import os\nresult = [os.uname().nodename, os.getuid(), os.getpid(), os.getppid()]",
    lambda value: value == ["sandbox", 1000, 1, 0],
)
_harmless(
    "every folder outside the system and the interpreter",
    """
    import os, sys
    known = ('/usr', '/lib', '/bin', '/sbin', '/dev', sys.base_prefix)
    result = []
    for folder, below, files in os.walk('/'):
        below[:] = [
            name for name in below
            if not os.path.join(folder, name).startswith(known) and name != 'site-packages'
        ]
        result += [os.path.join(folder, file) for file in files]
    """,
    lambda value: (
        not [
            path
            for path in value
            if not path.startswith(("/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives/"))
            and not path.startswith((INPUT, f"{WORK}/../code", str(Path(WORK).parent / "code")))
        ]
    ),
)
_system("a file by its handle", "syscall('open_by_handle_at', -100, 0, 0)")

# --------------------------------------------------------------------------- writing
_group = "writing"
for _place in (
    "/usr/x",
    "/etc/x",
    "/x",
    "@input/x",
    "/dev/x",
    "/dev/shm/x",
    "@code/guest/x.py",
    "/proc/x",
    "/proc/sysrq-trigger",
    "/proc/sys/kernel/core_pattern",
    "/sys/power/state",
    "/run/x",
    "/var/tmp/x",
):
    _raises(f"write {_place}", f"open({_place!r}, 'w').write('x')", *_ABSENT, *_DENIED)
_raises("into the host's folder", "open(HOST['folder'] + '/x', 'w').write('x')", *_ABSENT)
_raises(
    "into the libraries, for the next run",
    "import pptx\nopen(pptx.__file__, 'a').write('raise SystemExit')",
    *_DENIED,
)
_raises("change a judged file", "open(HOST['deck'], 'r+b').write(b'x')", *_DENIED)
_raises("cut a judged file short", "import os\nos.truncate(HOST['deck'], 0)", *_DENIED)
_raises("delete a judged file", "import os\nos.unlink(HOST['deck'])", *_DENIED)
_raises(
    "put another in its place",
    "import os\nopen('x', 'w'); os.rename('x', HOST['deck'])",
    "OSError",
    *_DENIED,
)
_raises("make a judged file writable", "import os\nos.chmod(HOST['deck'], 0o666)", *_DENIED)
_raises("hard link to a judged file", "import os\nos.link(HOST['deck'], '@work/x')", *_DENIED)
_raises("hard link to the system", "import os\nos.link('/usr/bin/env', '@work/x')", *_DENIED)
_raises(
    "write through a symlink",
    "import os\nos.symlink(HOST['deck'], 'x'); open('x', 'r+b').write(b'x')",
    *_DENIED,
)
_raises("replace /dev/null", "import os\nos.unlink('/dev/null')", *_DENIED)
_raises(
    "an archive that unpacks to elsewhere",
    """
    import zipfile
    with zipfile.ZipFile('x.zip', 'w') as z: z.writestr('x', 'x')
    open('@work/../../../usr/x', 'w')
    """,
    *_DENIED,
)
_harmless(
    "leave links for the host to follow",
    """
    import os
    os.symlink('/etc/passwd', 'passwd'); os.symlink('/', 'all'); os.symlink('..', 'up')
    os.mkfifo('pipe'); open('plain', 'w').write('x')
    os.mkdir('shut'); open('shut/in', 'w'); os.chmod('shut', 0)
    open('a\\nb', 'w'); open(b'\\xff', 'w'); open('..x', 'w')
    result = 'links'
    """,
    lambda value: value == "links",
)
_harmless(
    "a file larger than its disk, with nothing in it",
    """
    import os
    try: os.truncate(os.open('x', os.O_CREAT | os.O_RDWR), 2**40)
    except OSError as error: result = error.errno
    """,
    lambda value: value == 27,
)

# --------------------------------------------------------------------------- resources
_group = "resources"
_raises("fork bomb", "import os\nwhile True: os.fork()", "BlockingIOError")
_add(
    "fork bomb that does not mind",
    """
    import os
    while True:
        try: os.fork()
        except OSError: pass
    """,
    errors=(TimedOut, Killed),
)
_add(
    "thread bomb",
    """
    import threading, time
    while True: threading.Thread(target=time.sleep, args=(60,)).start()
    """,
    errors=(CodeFailed, OutOfMemory, Killed),
    exceptions=("RuntimeError",),
)
_ends("memory in one list", "x = []\nwhile True: x.append(bytearray(2**20))", OutOfMemory)
_ends("memory at one go", "x = bytearray(2**33)", OutOfMemory)
_ends(
    "memory mapped and touched",
    """
    import mmap
    x = []
    while True:
        x.append(mmap.mmap(-1, 2**24)); x[-1].write(b'x' * 2**24)
    """,
    OutOfMemory,
    CodeFailed,
)
_ends(
    "memory in many processes",
    """
    import os, time
    for _ in range(6):
        if os.fork() == 0:
            x = bytearray(b'x') * (120 * 2**20); time.sleep(60)
    time.sleep(60)
    """,
    OutOfMemory,
)
_ends("a number without end", "x = 1\nwhile True: x = x << 10**7", OutOfMemory, TimedOut)
_system("memory in nameless files", "syscall('memfd_create', b'x', 0)")
_system("memory in System V segments", "syscall('shmget', 0, 2**24, 0o1777)")
_raises("disk", "f = open('x', 'wb')\nwhile True: f.write(bytes(2**20))", "OSError")
_raises(
    "disk in many files",
    "i = 0\nwhile True:\n    open(str(i), 'wb').write(bytes(2**20)); i += 1",
    "OSError",
)
_raises("files without end", "i = 0\nwhile True:\n    open(str(i), 'w').close(); i += 1", "OSError")
_raises("folders in folders", "import os\nwhile True: os.mkdir('x'); os.chdir('x')", "OSError")
_raises("descriptors", "x = []\nwhile True: x.append(open('/dev/null'))", "OSError")
_raises("pipes", "import os\nwhile True: os.pipe()", "OSError")
_ends("endless loop", "while True: pass", TimedOut)
_ends("endless sleep", "import time\ntime.sleep(10**6)", TimedOut)
_ends("endless loop in C", "import re\nre.match('(a+)+b', 'a' * 60)", TimedOut)
_ends("endless arithmetic", "x = 3 ** 10**9", TimedOut, OutOfMemory)
_ends(
    "deaf to signals",
    """
    import signal
    for number in range(1, 65):
        try: signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError): pass
    while True: pass
    """,
    TimedOut,
)
_ends(
    "catches everything",
    """
    def spin():
        while True:
            try:
                while True: pass
            except BaseException: pass
    spin()
    """,
    TimedOut,
)
_ends(
    "waits for itself", "import threading\nx = threading.Lock(); x.acquire(); x.acquire()", TimedOut
)
_ends(
    "processor time in children",
    """
    import os
    for _ in range(4):
        if os.fork() == 0:
            while True: pass
    os.wait()
    """,
    TimedOut,
)
_raises(
    "more for itself",
    "import resource\nresource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "ValueError",
)
_raises("to the front of the queue", "import os\nos.nice(-10)", *_DENIED)

# --------------------------------------------------------------------------- output
_group = "output"
_ends("endless print", "while True: print('x' * 1000)", OutputTooLarge)
_ends("endless errors", "import sys\nwhile True: sys.stderr.write('x' * 1000)", OutputTooLarge)
_ends(
    "endless bytes past Python", "import os\nwhile True: os.write(1, bytes(4096))", OutputTooLarge
)
_ends("endless output of a child", "import os\nos.system('yes')", OutputTooLarge)
_ends("a huge result", "result = 'x' * 10**7", OutputTooLarge)
_ends("a result of many parts", "result = list(range(10**5))", OutputTooLarge)
_ends("not a number", "result = float('nan')", ResultNotPlain)
_ends("infinity", "result = [float('inf')]", ResultNotPlain)
_ends("a result within itself", "result = []; result.append(result)", ResultNotPlain)
_ends("a result too deep", "result = []\nfor _ in range(500): result = [result]", ResultNotPlain)
_ends("an object", "result = object()", ResultNotPlain)
_ends("a key that is no text", "result = {1: 2}", ResultNotPlain)
_ends("no result", "pass", ResultNotPlain)
_ends("a huge number", "result = 10**5000", ResultNotPlain, CodeFailed)
_harmless("half a character", "result = '\\ud800'", lambda value: value == "?")
_harmless(
    "a text that lies about itself",
    """
    class Text(str):
        def __str__(self): return 'lie'
        def encode(self, *_): raise KeyboardInterrupt
    result = Text('x')
    """,
    lambda value: value in ("x", "lie"),
)
_ends("bytes that are not", "result = {'__bytes__': '!'}", ResultNotPlain)
_raises(
    "an exception that will not be shown",
    """
    class Shy(Exception):
        def __str__(self): raise SystemExit
        __repr__ = __str__
    raise Shy()
    """,
    "Shy",
)
_raises("an exception with a huge text", "raise ValueError('x' * 10**6)", "ValueError")
_raises(
    "an exception that moves the cursor", "raise ValueError('\\x1b[2J\\n\\rfine')", "ValueError"
)

# --------------------------------------------------------------------------- the report pipe
_group = "report pipe"
_EVERY_PIPE = """
import os, stat, struct
def frame(kind, payload): return struct.pack('>cI', kind, len(payload)) + payload
def everywhere(data):
    for fd in range(3, 128):
        try: os.write(fd, data)
        except OSError: pass
"""
for _name, _data in {
    "garbage": "b'garbage' * 100",
    "a frame without end": "struct.pack('>cI', b'V', 2**32 - 1)",
    "a frame of another kind": "frame(b'D', b'{}')",
    "a report that is no JSON": "frame(b'V', b'{' * 1000)",
    "a report too deep": "frame(b'V', b'[' * 50000)",
    "a report with a huge number": "frame(b'V', b'{\"value\":' + b'9' * 50000 + b'}')",
    "a report with NaN": "frame(b'V', b'{\"value\": NaN}')",
    "a report of nothing": "frame(b'V', b'{}')",
    "a report of an error that is none": "frame(b'V', b'{\"error\": 3}')",
    "a pickle for a report": "frame(b'V', b'cos\\nsystem\\n(S\"touch /tmp/x\"\\ntR.')",
}.items():
    _ends(
        _name,
        f"{_EVERY_PIPE}\neverywhere({_data})\nwhile True: pass",
        ResultNotPlain,
        OutputTooLarge,
    )
_ends("half a frame, then silence", f"{_EVERY_PIPE}\neverywhere(b'V')\nos._exit(0)", Killed)
_ends("close every descriptor", "import os\nos.closerange(0, 4096)", Killed)
_ends(
    "shut out the supervisor",
    """
    import os
    for fd in range(3, 128):
        try: os.close(fd)
        except OSError: pass
    while True: pass
    """,
    TimedOut,
)
_harmless(
    "two reports",
    f"""{_EVERY_PIPE}
everywhere(frame(b'V', b'{{"value": 1}}') * 2)
result = 2""",
    lambda value: value == 1,
)

# --------------------------------------------------------------------------- ending
_group = "ending"
_raises("sys.exit", "import sys\nsys.exit(0)", "SystemExit")
_raises("an interrupt", "raise KeyboardInterrupt", "KeyboardInterrupt")
_raises("an exception of no kind", "class Mine(BaseException): pass\nraise Mine('x')", "Mine")
_ends("os._exit(0)", "import os\nos._exit(0)", Killed)
_ends("os._exit(77)", "import os\nos._exit(77)", Killed)
_ends("abort", "import os\nos.abort()", Killed)
_ends("a null pointer", "import ctypes\nctypes.string_at(0)", Killed)
_raises("recursion", "def f(): f()\nf()", "RecursionError")
_ends(
    "recursion past Python's guard",
    """
    import sys
    sys.setrecursionlimit(10**9)
    class Bottomless:
        def __getattr__(self, name): return getattr(self, name)
    Bottomless().x
    """,
    Killed,
    OutOfMemory,
    CodeFailed,
)
_ends("another program in its place", "import os\nos.execv('/bin/true', ['true'])", Killed)
_harmless(
    "signal itself",
    """
    import os, signal
    for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP): os.kill(os.getpid(), number)
    result = 'alive'
    """,
    lambda value: value == "alive",
)
_raises("code that is none", "def f(:", "SyntaxError")
_raises("code with a null byte", "x = 1\0", "SyntaxError", "ValueError")
_add(
    "code nested without end",
    "(" * 5000 + ")" * 5000,
    errors=(CodeFailed, Killed, OutOfMemory),
    exceptions=("SyntaxError", "MemoryError", "RecursionError"),
)

# --------------------------------------------------------------------------- other processes
_group = "other processes"
_harmless(
    "kill everybody",
    "import os\ntry: os.kill(-1, 9)\nexcept OSError: pass\nresult = 'done'",
    lambda value: value == "done",
)
_raises("kill the supervisor", "import os\nos.kill(2, 9)", "ProcessLookupError")
_harmless(
    "signal every process there could be",
    """
    import os
    result = []
    for pid in range(2, 40000):
        try: os.kill(pid, 9); result.append(pid)
        except ProcessLookupError: pass
    """,
    lambda value: value == [],
)
_harmless(
    "signal its group and its parent",
    """
    import os
    for pid in (0, os.getppid()):
        try: os.kill(pid, 15)
        except OSError: pass
    result = 'done'
    """,
    lambda value: value == "done",
)
_system("trace", "check(libc.ptrace(16, 2, 0, 0))")
_system("let itself be traced", "check(libc.ptrace(0, 0, 0, 0))")
_system("read another's memory", "syscall('process_vm_readv', 2, 0, 0, 0, 0, 0)")
_system("take another's descriptor", "syscall('pidfd_getfd', 0, 0, 0)")
_raises(
    "limits of the supervisor",
    "import resource\nresource.prlimit(2, resource.RLIMIT_CPU, (0, 0))",
    "ProcessLookupError",
    *_DENIED,
)
_harmless(
    "a child that outlives its run",
    """
    import os, time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for fd in range(3): os.close(fd)
            while True: time.sleep(0.01); open('still here', 'w').write('x')
        os._exit(0)
    result = 'left'
    """,
    lambda value: value == "left",
)
_harmless(
    "a child that holds the pipes",
    """
    import os, time
    if os.fork() == 0:
        time.sleep(60); os._exit(0)
    result = 'left'
    """,
    lambda value: value == "left",
)
_ends(
    "a child that stays when its parent goes",
    """
    import os, time
    if os.fork() == 0:
        os.setsid(); time.sleep(60)
    os._exit(5)
    """,
    Killed,
)
_harmless(
    "a shell left in the background",
    """
    import subprocess
    subprocess.Popen(['/bin/sh', '-c', 'trap "" TERM HUP; sleep 60'], start_new_session=True)
    result = 'left'
    """,
    lambda value: value == "left",
)
_harmless(
    "threads, atexit and finalizers",
    """
    import atexit, threading, time
    atexit.register(time.sleep, 60)
    threading.Thread(target=time.sleep, args=(60,)).start()
    class Last:
        def __del__(self): open('last', 'w'); time.sleep(60)
    last = Last()
    result = 'done'
    """,
    lambda value: value == "done",
)

# --------------------------------------------------------------------------- the next run
_group = "next run"
for _name, _code in {
    "other builtins": "import builtins\nbuiltins.len = lambda x: 99\nbuiltins.open = None",
    "another json": "import json\njson.dumps = json.loads = json.dump = None",
    "another exit": "import os\nos._exit = os.fork = os.write = lambda *a: None",
    "modules of its own": "import sys\nsys.modules['pptx'] = sys.modules['re'] = None",
    "an import hook": """
        import sys
        class Hook:
            def find_spec(self, name, path=None, target=None): raise ImportError('mine')
        sys.meta_path.insert(0, Hook())
        """,
    "a path of its own": """
        import sys
        open('numpy.py', 'w').write('boom'); sys.path.insert(0, '@work')
        """,
    "a trace function": "import sys\nsys.settrace(print); sys.setprofile(lambda *a: None)",
    "the supervisor's own code": """
        import sys
        for name, module in list(sys.modules.items()):
            if name.startswith('guest'): vars(module).clear()
        """,
    "the prelude": "SHARED.append('mine')\nSHARED_FUNCTION.__code__ = (lambda: 'mine').__code__",
    "every object there is": """
        import gc
        gc.unfreeze()
        for thing in gc.get_objects():
            if type(thing) is list and len(thing) < 50: thing.clear()
        import os; os._exit(0)
        """,
    "signals, folder, environment": """
        import os, signal
        signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.umask(0o777); os.chdir('/')
        os.environ.clear(); os.environ['LD_PRELOAD'] = '@work/x.so'
        """,
}.items():
    _add(
        _name,
        dedent(_code) + "\nresult = 'done'",
        errors=(Killed, CodeFailed, TimedOut),
        exceptions=("TypeError", "NameError", "AttributeError", "ImportError"),
        harmless=lambda value: value == "done",
    )
_harmless(
    "a pickle for the host",
    """
    import pickle, os
    class Boom:
        def __reduce__(self): return os.system, (f"touch {HOST['folder']}/boom",)
    result = pickle.dumps(Boom())
    """,
    lambda value: isinstance(value, bytes),
)
_harmless(
    "the same pickle inside",
    """
    import pickle, os
    class Boom:
        def __reduce__(self): return os.system, (f"touch {HOST['folder']}/boom 2>/dev/null",)
    result = pickle.loads(pickle.dumps(Boom()))
    """,
    lambda value: value != 0,
)

# --------------------------------------------------------------------------- services
_group = "services"
_ends(
    "calls without end", "while True:\n    try: ask('x')\n    except Exception: pass", ServiceLimit
)
_ends("a huge question", "ask('x' * 10**7)", ServiceLimit)
_ends("many large questions", "for _ in range(3): ask('x' * 30000)", ServiceLimit)
_raises("arguments that do not fit", "ask(1, 2, 3, nonsense=4)", "ValueError")
_raises("arguments that are not plain", "ask(object())", "TypeError")
_raises("arguments within themselves", "x = []; x.append(x); ask(x)", "TypeError")
_raises("what the service refuses", "ask('refuse me')", "ValueError")
_ends(
    "calls from many threads",
    """
    import threading
    for _ in range(6): threading.Thread(target=ask, args=('x',)).start()
    import time; time.sleep(60)
    """,
    ServiceLimit,
)
_harmless(
    "a file of the host by its path",
    "result = ask(HOST['secret'])",
    lambda value: value == "answer",
)
_CALL = _EVERY_PIPE + "import json\n"
_ends(
    "a service there is none of",
    _CALL
    + """
for name in ('__import__', 'eval', 'os.system'):
    everywhere(frame(b'C', json.dumps({'name': name, 'args': ['id'], 'kwargs': {}}).encode()))
while True: pass""",
    TimedOut,
)
_ends(
    "calls that nobody waits for",
    _CALL
    + """
call = json.dumps({'name': 'ask', 'args': ['x'], 'kwargs': {}}).encode()
while True: everywhere(frame(b'C', call))
""",
    ServiceLimit,
    TimedOut,
)
_ends("a call that is none", _CALL + "everywhere(frame(b'C', b'[1]'))\nwhile True: pass", TimedOut)
_ends(
    "a call, then the end",
    _CALL
    + """
everywhere(frame(b'C', json.dumps({'name': 'ask', 'args': ['x'], 'kwargs': {}}).encode()))
os._exit(0)""",
    Killed,
)

# --------------------------------------------------------------------------- privileges
_group = "privileges"
_harmless(
    "every refused system call",
    _SYSCALL
    + """
result = []
for name, number in NUMBERS.items():
    done = libc.syscall(ctypes.c_long(number), 0, 0, 0, 0, 0, 0)
    if done != -1 or ctypes.get_errno() != errno.EPERM: result.append(name)
""",
    lambda value: value == [],
)
_system("a new user namespace", "check(libc.unshare(0x10000000))")
_system("a new mount namespace", "check(libc.unshare(0x20000))")
_system("another's namespace", "check(libc.setns(0, 0))")
_system(
    "clone into new namespaces",
    f"""
clone = ctypes.c_long({56 if _COLUMN == 0 else 220})
check(libc.syscall(clone, ctypes.c_ulong(0x10000000 | 17), 0, 0, 0, 0))
""",
)
_system("clone3 into new namespaces", "check(libc.syscall(ctypes.c_long(435), 0, 0))")
_system("mount", "check(libc.mount(b'none', b'@work', b'tmpfs', 0, b''))")
_system("mount /proc anew", "check(libc.mount(b'proc', b'@work', b'proc', 0, b''))")
_system("make the system writable", "check(libc.mount(b'none', b'/usr', 0, 32 | 4096, 0))")
_system("uncover /proc", "check(libc.umount2(b'/proc', 2))")
_raises("chroot", "import os\nos.chroot('@work')", *_DENIED)
_raises(
    "a device of its own",
    "import os, stat\nos.mknod('x', 0o666 | stat.S_IFBLK, os.makedev(254, 0))",
    *_DENIED,
)
_raises("become root", "import os\nos.setuid(0)", *_DENIED)
_raises("join a group", "import os\nos.setgroups([0])", *_DENIED)
_harmless(
    "a setuid program",
    """
    import os, subprocess
    line = 'su -c id || sudo -n id || mount -t tmpfs x @work'
    said = subprocess.run(['/bin/sh', '-c', line], capture_output=True, stdin=subprocess.DEVNULL)
    result = said.returncode
    """,
    lambda value: value != 0,
)
_raises(
    "a setuid program of its own",
    """
    import os, shutil, subprocess
    shutil.copy('/usr/bin/id', 'id'); os.chmod('id', 0o6755)
    result = subprocess.check_output(['./id', '-u']).decode()
    """,
    *_DENIED,
)
_harmless(
    "capabilities",
    _SYSCALL
    + """
data = (ctypes.c_uint32 * 6)()
check(libc.capget((ctypes.c_uint32 * 2)(0x20080522, 0), data))
result = list(data) + [libc.prctl(39, 0, 0, 0, 0), libc.prctl(21, 0, 0, 0, 0)]
""",
    lambda value: value == [0] * 6 + [1, 2],
)
_system(
    "take back the filter", "check(libc.prctl(22, 0, 0, 0, 0)); check(libc.prctl(38, 0, 0, 0, 0))"
)
_raises("set the clock", "import time\ntime.clock_settime(time.CLOCK_REALTIME, 0)", *_DENIED)
_raises("rename the machine", "import socket\nsocket.sethostname('x')", *_DENIED)
_system("the kernel's keys", "syscall('keyctl', 0, -3, 0)")
_system("a program in the kernel", "syscall('bpf', 0, 0, 0)")
_system("rings shared with the kernel", "syscall('io_uring_setup', 1, 0)")
_system("counters of the processor", "syscall('perf_event_open', 0, 0, -1, -1, 0)")
_system("faults handled by itself", "syscall('userfaultfd', 0)")
_system("restart the machine", "syscall('reboot', 0xfee1dead, 672274793, 0x1234567)")
_harmless(
    "type into a terminal",
    """
    import fcntl, termios
    result = 0
    for fd in range(128):
        try: fcntl.ioctl(fd, termios.TIOCSTI, b'x'); result += 1
        except OSError: pass
    """,
    lambda value: value == 0,
)
_harmless(
    "a core file",
    """
    import os, signal, subprocess
    line = 'ulimit -c unlimited; kill -SEGV $$'
    subprocess.run(['/bin/sh', '-c', line], stderr=subprocess.DEVNULL)
    result = [name for name in os.listdir('.') if 'core' in name]
    """,
    lambda value: value == [],
)
if _COLUMN == 0:
    _MACHINE_CODE = (
        _SYSCALL
        + """
import mmap
def machine(code):
    page = mmap.mmap(-1, 4096, prot=7); page.write(code)
    return ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
"""
    )
    _ends(
        "system calls of 32-bit programs",
        _MACHINE_CODE + "machine(b'\\xb8\\x14\\0\\0\\0\\xcd\\x80\\xc3')",
        Killed,
    )
    _harmless(
        "system calls of the x32 kind",
        _MACHINE_CODE + "result = machine(b'\\xb8\\x27\\0\\0\\x40\\x0f\\x05\\xc3')",
        lambda value: value in (-1, -38),
    )

# --------------------------------------------------------------------------- decks
_group = "decks"
_ENDS_BADLY = (CodeFailed, OutOfMemory, TimedOut, Killed)
for _deck in ("bomb", "laughs", "outside", "traversal", "quadratic", "nested", "cut", "notazip"):
    _add(
        f"a deck of strangers: {_deck}",
        f"""
        from pptx import Presentation
        deck = Presentation('@input/{_deck}.pptx')
        shapes = [shape for slide in deck.slides for shape in slide.shapes]
        result = [shape.text_frame.text[:100] for shape in shapes if shape.has_text_frame]
        """,
        errors=_ENDS_BADLY,
        exceptions=(
            "XMLSyntaxError",
            "PackageNotFoundError",
            "KeyError",
            "BadZipFile",
            "error",
            "ValueError",
            "OSError",
            "AttributeError",
        ),
        harmless=lambda value: isinstance(value, list),
    )
_harmless(
    "unpack a deck that leaves its folder",
    """
    import os, zipfile
    zipfile.ZipFile('@input/traversal.pptx').extractall('out')
    result = sorted(name for name in os.listdir('.') if name not in ('out', '.tmp'))
    """,
    lambda value: value == [],
)
_add(
    "a picture that is a bomb",
    """
    from PIL import Image
    result = Image.open('@input/bomb.png').load() is not None
    """,
    errors=_ENDS_BADLY,
    exceptions=("DecompressionBombError", "OSError"),
)
