"""Attacks on what lies outside: network, files, other processes, privileges."""

from bench.attack_table.attack import ABSENT, DENIED, ON_X86, SYSCALL, Group
from decklab.sandbox.limits import Killed

__all__ = ["GROUPS"]

GROUPS: list[Group] = []

_into = Group("network")
_into.raises(
    "TCP to a server of the host",
    "import socket\nsocket.create_connection(('127.0.0.1', HOST['tcp']), 2).send(b'out')",
    *DENIED,
)
_into.raises(
    "TCP to the host's own address",
    "import socket\nsocket.create_connection((HOST['address'], HOST['tcp']), 2).send(b'out')",
    *DENIED,
)
_into.raises(
    "TCP over IPv6 loopback",
    "import socket\nsocket.socket(socket.AF_INET6).connect(('::1', HOST['tcp']))",
    *DENIED,
)
_into.raises(
    "UDP to the host",
    """
    import socket
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.sendto(b'out', ('127.0.0.1', HOST['udp']))
    """,
    *DENIED,
)
_into.raises(
    "a name lookup", "import socket\nsocket.getaddrinfo('example.com', 80)", "gaierror", *DENIED
)
_into.raises(
    "a web request",
    "import urllib.request as r\nr.urlopen(f\"http://127.0.0.1:{HOST['tcp']}/\", timeout=2)",
    "URLError",
)
_into.raises(
    "a unix socket of the host",
    "import socket\nsocket.socket(socket.AF_UNIX).connect(HOST['unix'])",
    *DENIED,
    *ABSENT,
)
_into.raises(
    "an abstract unix socket of the host",
    "import socket\nsocket.socket(socket.AF_UNIX).connect('\\0' + HOST['abstract'])",
    *DENIED,
    "ConnectionRefusedError",
)
for _family, _arguments in {
    "a raw socket": "socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP",
    "a packet socket": "socket.AF_PACKET, socket.SOCK_RAW",
    "netlink": "socket.AF_NETLINK, socket.SOCK_RAW, 0",
    "a socket to the hypervisor": "40, socket.SOCK_STREAM",
    "a socket to the kernel's ciphers": "38, socket.SOCK_SEQPACKET",
}.items():
    _into.raises(_family, f"import socket\nsocket.socket({_arguments})", *DENIED)
_into.raises(
    "a server of its own", "import socket\nsocket.create_server(('0.0.0.0', 8000))", *DENIED
)
_into.raises(
    "a shell that opens /dev/tcp",
    """
    import subprocess
    line = f"exec 3<>/dev/tcp/127.0.0.1/{HOST['tcp']} && echo out >&3"
    result = subprocess.run(['/bin/bash', '-c', line], stderr=subprocess.DEVNULL).returncode
    """,
    *ABSENT,
)
_into.harmless(
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


GROUPS.append(_into)

_into = Group("reading")
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
    _into.raises(f"open {_file}", f"result = open({_file!r}, 'rb').read(100)", *ABSENT)
_into.raises("a secret of the host's", "result = open(HOST['secret']).read()", *ABSENT)
_into.raises(
    "the repository", "result = open(HOST['repository'] + '/pyproject.toml').read()", *ABSENT
)
_into.raises(
    "the host's folder of temporary files", "result = open(HOST['canary']).read()", *ABSENT
)
_into.harmless(
    "the environment",
    "import os\nresult = sorted(os.environ)",
    lambda value: "DECKLAB_ATTACK_SECRET" not in value and len(value) < 12,
)
_into.harmless(
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
_into.harmless(
    "names: host, user, processes",
    "import os\nresult = [os.uname().nodename, os.getuid(), os.getpid(), os.getppid()]",
    lambda value: value == ["sandbox", 1000, 1, 0],
)
_into.harmless(
    "every file but Python's own, devices, time zones and fonts",
    """
    import os
    ours = ('python', 'packages', 'lib', 'code', 'input', 'work')
    known = tuple(f'/run/decklab/{name}/' for name in ours)
    known += ('/dev/', '/usr/share/zoneinfo/', '/usr/share/fonts/', '/usr/lib/locale/C.utf8/')
    found = [os.path.join(folder, file) for folder, _, files in os.walk('/') for file in files]
    result = [path for path in found if not path.startswith(known)]
    """,
    lambda value: len(value) <= 1 and all("/ld-" in path for path in value),
)
for _place in (
    *("/usr/local", "/usr/src", "/usr/include", "/usr/share/doc", "/usr/bin", "/usr/sbin"),
    *("/etc/ssl", "/etc/localtime", "/var", "/opt", "/home", "/bin", "/run/user", "/mnt"),
):
    _into.raises(f"see {_place}", f"import os\nos.stat({_place!r})", *ABSENT)
_into.harmless(
    "libraries of the interpreter's that are not to be had",
    """
    import os, sys
    result = [
        path for folder in sys.path for name in ('site-packages', 'dist-packages')
        if os.path.isdir(path := os.path.join(folder, name)) and os.listdir(path)
    ]
    """,
    lambda value: value == [],
)
_into.system("a file by its handle", "syscall('open_by_handle_at', -100, 0, 0)")


GROUPS.append(_into)

_into = Group("writing")
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
    _into.raises(f"write {_place}", f"open({_place!r}, 'w').write('x')", *ABSENT, *DENIED)
_into.raises("into the host's folder", "open(HOST['folder'] + '/x', 'w').write('x')", *ABSENT)
_into.raises(
    "into the libraries, for the next run",
    "import pptx\nopen(pptx.__file__, 'a').write('raise SystemExit')",
    *DENIED,
)
_into.raises("change a judged file", "open(HOST['deck'], 'r+b').write(b'x')", *DENIED)
_into.raises("cut a judged file short", "import os\nos.truncate(HOST['deck'], 0)", *DENIED)
_into.raises("delete a judged file", "import os\nos.unlink(HOST['deck'])", *DENIED)
_into.raises(
    "put another in its place",
    "import os\nopen('x', 'w'); os.rename('x', HOST['deck'])",
    "OSError",
    *DENIED,
)
_into.raises("make a judged file writable", "import os\nos.chmod(HOST['deck'], 0o666)", *DENIED)
_into.raises("hard link to a judged file", "import os\nos.link(HOST['deck'], '@work/x')", *DENIED)
_into.raises("hard link to the system", "import os\nos.link(os.__file__, '@work/x')", *DENIED)
_into.raises(
    "write through a symlink",
    "import os\nos.symlink(HOST['deck'], 'x'); open('x', 'r+b').write(b'x')",
    *DENIED,
)
_into.raises("replace /dev/null", "import os\nos.unlink('/dev/null')", *DENIED)
_into.raises(
    "an archive that unpacks to elsewhere",
    """
    import zipfile
    with zipfile.ZipFile('x.zip', 'w') as z: z.writestr('x', 'x')
    open('@work/../../../usr/x', 'w')
    """,
    *DENIED,
)
_into.harmless(
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
_into.harmless(
    "a file larger than its disk, with nothing in it",
    """
    import os
    try: os.truncate(os.open('x', os.O_CREAT | os.O_RDWR), 2**40)
    except OSError as error: result = error.errno
    """,
    lambda value: value == 27,
)


GROUPS.append(_into)

_into = Group("other processes")
_into.harmless(
    "kill everybody",
    "import os\ntry: os.kill(-1, 9)\nexcept OSError: pass\nresult = 'done'",
    lambda value: value == "done",
)
_into.raises("kill the supervisor", "import os\nos.kill(2, 9)", "ProcessLookupError")
_into.harmless(
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
_into.harmless(
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
_into.system("trace", "check(libc.ptrace(16, 2, 0, 0))")
_into.system("let itself be traced", "check(libc.ptrace(0, 0, 0, 0))")
_into.system("read another's memory", "syscall('process_vm_readv', 2, 0, 0, 0, 0, 0)")
_into.system("take another's descriptor", "syscall('pidfd_getfd', 0, 0, 0)")
_into.raises(
    "limits of the supervisor",
    "import resource\nresource.prlimit(2, resource.RLIMIT_CPU, (0, 0))",
    "ProcessLookupError",
    *DENIED,
)
_into.harmless(
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
_into.harmless(
    "a child that holds the pipes",
    """
    import os, time
    if os.fork() == 0:
        time.sleep(60); os._exit(0)
    result = 'left'
    """,
    lambda value: value == "left",
)
_into.ends(
    "a child that stays when its parent goes",
    """
    import os, time
    if os.fork() == 0:
        os.setsid(); time.sleep(60)
    os._exit(5)
    """,
    Killed,
)
_into.harmless(
    "a program left in the background",
    """
    import subprocess, sys
    deaf = 'import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)'
    subprocess.Popen([sys.executable, '-c', deaf], start_new_session=True)
    result = 'left'
    """,
    lambda value: value == "left",
)
_into.harmless(
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


GROUPS.append(_into)

_into = Group("privileges")
_into.harmless(
    "every refused system call",
    SYSCALL
    + """
result = []
for name, number in NUMBERS.items():
    done = libc.syscall(ctypes.c_long(number), 0, 0, 0, 0, 0, 0)
    if done != -1 or ctypes.get_errno() != errno.EPERM: result.append(name)
""",
    lambda value: value == [],
)
_into.system("a new user namespace", "check(libc.unshare(0x10000000))")
_into.system("a new mount namespace", "check(libc.unshare(0x20000))")
_into.system("another's namespace", "check(libc.setns(0, 0))")
_into.system(
    "clone into new namespaces",
    f"""
clone = ctypes.c_long({56 if ON_X86 else 220})
check(libc.syscall(clone, ctypes.c_ulong(0x10000000 | 17), 0, 0, 0, 0))
""",
)
_into.system("clone3 into new namespaces", "check(libc.syscall(ctypes.c_long(435), 0, 0))")
_into.system("mount", "check(libc.mount(b'none', b'@work', b'tmpfs', 0, b''))")
_into.system("mount /proc anew", "check(libc.mount(b'proc', b'@work', b'proc', 0, b''))")
_into.system("make the system writable", "check(libc.mount(b'none', b'/usr', 0, 32 | 4096, 0))")
_into.system("uncover /proc", "check(libc.umount2(b'/proc', 2))")
_into.raises("chroot", "import os\nos.chroot('@work')", *DENIED)
_into.raises(
    "a device of its own",
    "import os, stat\nos.mknod('x', 0o666 | stat.S_IFBLK, os.makedev(254, 0))",
    *DENIED,
)
_into.raises("become root", "import os\nos.setuid(0)", *DENIED)
_into.raises("join a group", "import os\nos.setgroups([0])", *DENIED)
_into.harmless(
    "a setuid program",
    """
    import os, stat
    result = []
    for folder, _, files in os.walk('/'):
        for file in files:
            path = os.path.join(folder, file)
            if os.path.exists(path) and os.stat(path).st_mode & (stat.S_ISUID | stat.S_ISGID):
                result.append(path)
    """,
    lambda value: value == [],
)
_into.raises(
    "a setuid program of its own",
    """
    import os, shutil, subprocess, sys
    shutil.copy(sys.executable, 'own'); os.chmod('own', 0o6755)
    result = subprocess.check_output(['./own', '-c', 'import os; print(os.geteuid())']).decode()
    """,
    *DENIED,
)
_into.harmless(
    "capabilities",
    SYSCALL
    + """
data = (ctypes.c_uint32 * 6)()
check(libc.capget((ctypes.c_uint32 * 2)(0x20080522, 0), data))
result = list(data) + [libc.prctl(39, 0, 0, 0, 0), libc.prctl(21, 0, 0, 0, 0)]
""",
    lambda value: value == [0] * 6 + [1, 2],
)
_into.system(
    "take back the filter", "check(libc.prctl(22, 0, 0, 0, 0)); check(libc.prctl(38, 0, 0, 0, 0))"
)
_into.raises("set the clock", "import time\ntime.clock_settime(time.CLOCK_REALTIME, 0)", *DENIED)
_into.raises("rename the machine", "import socket\nsocket.sethostname('x')", *DENIED)
_into.system("the kernel's keys", "syscall('keyctl', 0, -3, 0)")
_into.system("a program in the kernel", "syscall('bpf', 0, 0, 0)")
_into.system("rings shared with the kernel", "syscall('io_uring_setup', 1, 0)")
_into.system("counters of the processor", "syscall('perf_event_open', 0, 0, -1, -1, 0)")
_into.system("faults handled by itself", "syscall('userfaultfd', 0)")
_into.system("restart the machine", "syscall('reboot', 0xfee1dead, 672274793, 0x1234567)")
_into.harmless(
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
_into.harmless(
    "a core file",
    """
    import os, subprocess, sys
    program = 'import os, resource; unlimited = (resource.RLIM_INFINITY,) * 2'
    program += '; resource.setrlimit(resource.RLIMIT_CORE, unlimited); os.kill(os.getpid(), 11)'
    subprocess.run([sys.executable, '-c', program], stderr=subprocess.DEVNULL)
    result = [name for name in os.listdir('.') if 'core' in name]
    """,
    lambda value: value == [],
)
if ON_X86:
    _MACHINE_CODE = (
        SYSCALL
        + """
import mmap
def machine(code):
    page = mmap.mmap(-1, 4096, prot=7); page.write(code)
    return ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
"""
    )
    _into.ends(
        "system calls of 32-bit programs",
        _MACHINE_CODE + "machine(b'\\xb8\\x14\\0\\0\\0\\xcd\\x80\\xc3')",
        Killed,
    )
    _into.harmless(
        "system calls of the x32 kind",
        _MACHINE_CODE + "result = machine(b'\\xb8\\x27\\0\\0\\x40\\x0f\\x05\\xc3')",
        lambda value: value in (-1, -38),
    )


GROUPS.append(_into)
