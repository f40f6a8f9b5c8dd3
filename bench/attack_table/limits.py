"""Attacks on the limits and on those who keep them: resources, output, reports, ends."""

from bench.attack_table.attack import DENIED, EVERY_PIPE, Group
from decklab.sandbox.limits import (
    CodeFailed,
    Killed,
    OutOfMemory,
    OutputTooLarge,
    ResultNotPlain,
    TimedOut,
)

__all__ = ["GROUPS"]

GROUPS: list[Group] = []

_into = Group("resources")
_into.raises("fork bomb", "import os\nwhile True: os.fork()", "BlockingIOError")
_into.add(
    "fork bomb that does not mind",
    """
    import os
    while True:
        try: os.fork()
        except OSError: pass
    """,
    errors=(TimedOut, Killed),
)
_into.add(
    "thread bomb",
    """
    import threading, time
    while True: threading.Thread(target=time.sleep, args=(60,)).start()
    """,
    errors=(CodeFailed, OutOfMemory, Killed),
    exceptions=("RuntimeError",),
)
_into.ends("memory in one list", "x = []\nwhile True: x.append(bytearray(2**20))", OutOfMemory)
_into.ends("memory at one go", "x = bytearray(2**33)", OutOfMemory)
_into.ends(
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
_into.ends(
    "memory in many processes",
    """
    import os, time
    for _ in range(6):
        if os.fork() == 0:
            x = bytearray(b'x') * (60 * 2**20); time.sleep(60)
    time.sleep(60)
    """,
    OutOfMemory,
)
_into.ends("a number without end", "x = 1\nwhile True: x = x << 10**7", OutOfMemory, TimedOut)
_into.system("memory in nameless files", "syscall('memfd_create', b'x', 0)")
_into.system("memory in System V segments", "syscall('shmget', 0, 2**24, 0o1777)")
_into.raises("disk", "f = open('x', 'wb')\nwhile True: f.write(bytes(2**20))", "OSError")
_into.raises(
    "disk in many files",
    "i = 0\nwhile True:\n    open(str(i), 'wb').write(bytes(2**20)); i += 1",
    "OSError",
)
_into.raises(
    "files without end", "i = 0\nwhile True:\n    open(str(i), 'w').close(); i += 1", "OSError"
)
_into.raises("folders in folders", "import os\nwhile True: os.mkdir('x'); os.chdir('x')", "OSError")
_into.raises("descriptors", "x = []\nwhile True: x.append(open('/dev/null'))", "OSError")
_into.raises("pipes", "import os\nwhile True: os.pipe()", "OSError")
_into.ends("endless loop", "while True: pass", TimedOut)
_into.ends("endless sleep", "import time\ntime.sleep(10**6)", TimedOut)
_into.ends("endless loop in C", "import re\nre.match('(a+)+b', 'a' * 60)", TimedOut)
_into.ends("endless arithmetic", "x = 3 ** 10**9", TimedOut, OutOfMemory)
_into.ends(
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
_into.ends(
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
_into.ends(
    "waits for itself", "import threading\nx = threading.Lock(); x.acquire(); x.acquire()", TimedOut
)
_into.ends(
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
_into.raises(
    "more for itself",
    "import resource\nresource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "ValueError",
)
_into.raises("to the front of the queue", "import os\nos.nice(-10)", *DENIED)


GROUPS.append(_into)

_into = Group("output")
_into.ends("endless print", "while True: print('x' * 1000)", OutputTooLarge)
_into.ends("endless errors", "import sys\nwhile True: sys.stderr.write('x' * 1000)", OutputTooLarge)
_into.ends(
    "endless bytes past Python", "import os\nwhile True: os.write(1, bytes(4096))", OutputTooLarge
)
_into.ends(
    "endless output of a child",
    "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'while True: print(9 ** 999)'])",
    OutputTooLarge,
)
_into.ends("a huge result", "result = 'x' * 10**7", OutputTooLarge)
_into.ends("a result of many parts", "result = list(range(10**5))", OutputTooLarge)
_into.ends("not a number", "result = float('nan')", ResultNotPlain)
_into.ends("infinity", "result = [float('inf')]", ResultNotPlain)
_into.ends("a result within itself", "result = []; result.append(result)", ResultNotPlain)
_into.ends(
    "a result too deep", "result = []\nfor _ in range(500): result = [result]", ResultNotPlain
)
_into.ends("an object", "result = object()", ResultNotPlain)
_into.ends("a key that is no text", "result = {1: 2}", ResultNotPlain)
_into.ends("no result", "pass", ResultNotPlain)
_into.ends("a huge number", "result = 10**5000", ResultNotPlain, CodeFailed)
_into.harmless("half a character", "result = '\\ud800'", lambda value: value == "?")
_into.harmless(
    "a text that lies about itself",
    """
    class Text(str):
        def __str__(self): return 'lie'
        def encode(self, *_): raise KeyboardInterrupt
    result = Text('x')
    """,
    lambda value: value in ("x", "lie"),
)
_into.ends("bytes that are not", "result = {'__bytes__': '!'}", ResultNotPlain)
_into.raises(
    "an exception that will not be shown",
    """
    class Shy(Exception):
        def __str__(self): raise SystemExit
        __repr__ = __str__
    raise Shy()
    """,
    "Shy",
)
_into.raises("an exception with a huge text", "raise ValueError('x' * 10**6)", "ValueError")
_into.raises(
    "an exception that moves the cursor", "raise ValueError('\\x1b[2J\\n\\rfine')", "ValueError"
)


GROUPS.append(_into)

_into = Group("report pipe")
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
    _into.ends(
        _name,
        f"{EVERY_PIPE}\neverywhere({_data})\nwhile True: pass",
        ResultNotPlain,
        OutputTooLarge,
    )
_into.ends("half a frame, then silence", f"{EVERY_PIPE}\neverywhere(b'V')\nos._exit(0)", Killed)
_into.ends("close every descriptor", "import os\nos.closerange(0, 4096)", Killed)
_into.ends(
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
_into.harmless(
    "two reports",
    f"""{EVERY_PIPE}
everywhere(frame(b'V', b'{{"value": 1}}') * 2)
result = 2""",
    lambda value: value == 1,
)


GROUPS.append(_into)

_into = Group("ending")
_into.raises("sys.exit", "import sys\nsys.exit(0)", "SystemExit")
_into.raises("an interrupt", "raise KeyboardInterrupt", "KeyboardInterrupt")
_into.raises("an exception of no kind", "class Mine(BaseException): pass\nraise Mine('x')", "Mine")
_into.ends("os._exit(0)", "import os\nos._exit(0)", Killed)
_into.ends("os._exit(77)", "import os\nos._exit(77)", Killed)
_into.ends("abort", "import os\nos.abort()", Killed)
_into.ends("a null pointer", "import ctypes\nctypes.string_at(0)", Killed)
_into.raises("recursion", "def f(): f()\nf()", "RecursionError")
_into.ends(
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
_into.ends(
    "another program in its place",
    "import os, sys\nos.execv(sys.executable, ['python', '-c', ''])",
    Killed,
)
_into.harmless(
    "signal itself",
    """
    import os, signal
    for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP): os.kill(os.getpid(), number)
    result = 'alive'
    """,
    lambda value: value == "alive",
)
_into.raises("code that is none", "def f(:", "SyntaxError")
_into.raises("code with a null byte", "x = 1\0", "SyntaxError", "ValueError")
_into.add(
    "code nested without end",
    "(" * 5000 + ")" * 5000,
    errors=(CodeFailed, Killed, OutOfMemory),
    exceptions=("SyntaxError", "MemoryError", "RecursionError"),
)


GROUPS.append(_into)
