"""The sandbox as its callers see it, and modules of decklab bundled for it.

The host's end of the pipes to the warm process, with deadlines.
"""

import ast
import inspect
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import IO, Any, Self, get_args

from decklab.core.files import Closing, Scratch
from decklab.core.lazy import parse_code
from decklab.core.options import Isolation
from decklab.sandbox import launch
from decklab.sandbox.guest.wire import FrameBuffer, FrameTooLarge, NotPlain, decode, encode, frame
from decklab.sandbox.launch import INPUT, HostAccess
from decklab.sandbox.limits import (
    CallRefused,
    CodeFailed,
    Killed,
    Outcome,
    OutputTooLarge,
    Plain,
    RunLimits,
    SandboxUnavailable,
    ServiceCall,
    ServiceLimit,
    TimedOut,
    error_of_end,
    outcome_of_report,
)

_PRELUDE = """
def _decklab_import(sources):
    import importlib.abc, importlib.util, sys

    class BundleImporter(importlib.abc.InspectLoader, importlib.abc.MetaPathFinder):
        def find_spec(self, name, path=None, target=None):
            if name not in sources:
                return None
            return importlib.util.spec_from_loader(name, self, is_package=self.is_package(name))

        def get_source(self, name):
            return sources[name]

        def is_package(self, name):
            return any(other.startswith(name + ".") for other in sources)

    importer = BundleImporter()
    sys.meta_path.insert(0, importer)
    try:
        for name in sources:
            importlib.import_module(name)
    finally:
        sys.meta_path.remove(importer)


_decklab_import(_decklab_modules)
del _decklab_import, _decklab_modules
"""


def bundle_module(module: str) -> tuple[str, dict[str, Plain]]:
    """``prelude`` and ``data`` of a sandbox in whose runs ``module`` can be imported by its name.

    With it come the modules of decklab that it imports by ``from``; packages that these names only
    pass through are empty there. Other libraries are those of the sandbox. The caller's own code
    may follow this prelude.
    """
    return _PRELUDE, {"_decklab_modules": dict(_sources(module))}


@cache
def _sources(module: str) -> dict[str, str]:
    """Source by module."""
    waiting, sources = [module], dict[str, str]()
    while waiting:
        if (name := waiting.pop()) in sources:
            continue
        spec = find_spec(name)
        source = Path(spec.origin).read_text(encoding="utf-8") if spec and spec.origin else ""
        sources[name] = source
        waiting += _imported(source)
    for name in list(sources):
        parents = name.split(".")[:-1]
        for count in range(1, len(parents) + 1):
            sources.setdefault(".".join(parents[:count]), "")
    return sources


def _imported(source: str) -> list[str]:
    """Modules of ours that a source imports."""
    nodes = (node for node in ast.walk(parse_code(source)) if isinstance(node, ast.ImportFrom))
    names = (node.module or "" for node in nodes)
    return [name for name in names if name.startswith("decklab.")]


_CHUNK = 1 << 20
_PIECE = 1 << 16


class Channel:
    """Frames written to one descriptor and read from another, none longer than ``caps`` by kind."""

    def __init__(self, target: int, source: int, caps: Mapping[bytes, int]) -> None:
        self._target, self._source = target, source
        self._frames = FrameBuffer(dict(caps))
        os.set_blocking(target, False)
        os.set_blocking(source, False)

    def send(self, kind: bytes, payload: bytes, seconds: float) -> None:
        """Write one frame; TimeoutError or BrokenPipeError if the other side does not read."""
        rest = memoryview(frame(kind, payload))
        deadline = time.monotonic() + seconds
        while rest:
            _await(self._target, select.POLLOUT, deadline)
            rest = rest[os.write(self._target, rest[:_PIECE]) :]

    def receive(self, seconds: float) -> tuple[bytes, bytes]:
        """The next frame; TimeoutError after ``seconds``, EOFError if the other side ended."""
        deadline = time.monotonic() + seconds
        while (frame := self._frames.next()) is None:
            _await(self._source, select.POLLIN, deadline)
            if not (data := os.read(self._source, _CHUNK)):
                raise EOFError("the warm process has ended")
            self._frames.feed(data)
        return frame


def _await(fd: int, event: int, deadline: float) -> None:
    poll = select.poll()
    poll.register(fd, event)
    if not poll.poll(1000 * max(0.0, deadline - time.monotonic())):
        raise TimeoutError("the warm process does not answer")


Service = Callable[..., str]
"""A function of the host's that code may call: plain arguments in, text out."""


class TooManyCalls(Exception):
    """The run has called services more than it may; the text says in what way."""


class ServiceCalls:
    """The service calls of one run, answered and counted; ``calls`` is the log, in order."""

    def __init__(self, services: Mapping[str, Service], limits: RunLimits) -> None:
        self._services, self._limits, self._asked, self._bytes = services, limits, 0, 0
        self.calls: list[ServiceCall] = []

    def answer(self, payload: bytes) -> bytes:
        """Run the service that the call in ``payload`` names, and return the reply to send.

        Raises TooManyCalls above the limits, and what a service raises other than CallRefused.
        """
        self._count(payload)
        try:
            name, args, kwargs = _parsed(payload)
        except NotPlain as error:
            return encode({"refused": str(error)})
        began = time.monotonic()
        answer, refused = self._served(name, args, kwargs)
        seconds = time.monotonic() - began
        self.calls.append(ServiceCall(name, tuple(args), kwargs, answer, refused, seconds))
        reply = encode({"refused": refused} if answer is None else {"answer": answer})
        if len(reply) > self._limits.answer_bytes:
            raise TooManyCalls(f"an answer of more than {self._limits.answer_bytes} bytes")
        return reply

    def _count(self, payload: bytes) -> None:
        self._asked += 1
        self._bytes += len(payload)
        if self._asked > self._limits.calls:
            raise TooManyCalls(f"more than {self._limits.calls} calls of services")
        if self._bytes > self._limits.call_bytes:
            raise TooManyCalls(f"more than {self._limits.call_bytes} bytes of calls of services")

    def _served(
        self, name: str, args: list[Any], kwargs: dict[str, Any]
    ) -> tuple[str | None, str | None]:
        if (service := self._services.get(name)) is None:
            return None, f"there is no service {name[:100]!r}"
        try:
            inspect.signature(service).bind(*args, **kwargs)
        except TypeError as error:
            return None, f"{name}: {error}"
        try:
            answer = service(*args, **kwargs)
        except CallRefused as error:
            return None, str(error)
        if not isinstance(answer, str):
            raise TypeError(f"the service {name} answered with no text")
        return answer, None


def _parsed(payload: bytes) -> tuple[str, list[Any], dict[str, Any]]:
    call = decode(payload)
    if not isinstance(call, dict):
        raise NotPlain("no call of a service")
    name, args, kwargs = call.get("name"), call.get("args"), call.get("kwargs")
    if not (isinstance(name, str) and isinstance(args, list) and isinstance(kwargs, dict)):
        raise NotPlain("no call of a service")
    return name, args, kwargs


_START_SECONDS = 60.0
_GRACE_SECONDS = 15.0
"""How much later than the supervisor should have ended a run the host ends the supervisor."""
_STOP_SECONDS = 5.0
_SLACK = 1 << 20


class Sandbox(Closing):
    """An isolated Python that runs one piece of code after another, each in a fresh state.

    Use it as a context manager. ``files`` (name to host file) are copied in when the sandbox
    starts and seen by the code, read-only, at `path`, which is ``/run/decklab/input/<name>`` under
    bubblewrap. ``services`` are functions that the code may call by name, with plain arguments
    (bytes included); they run on the host, in the thread that called `run`, and answer with text.
    ``prelude`` is code of the *caller* that runs once, before any run, with ``data`` (plain) as
    its globals; what it defines, and the modules it makes or imports, is there for every run. It
    runs before the last privileges are given up, so it must not open the files of strangers: let
    it define objects that do so when used.

    ``access`` says what the code has of the host besides; the weaker kind below gives it all that
    the user has in any case.

    ``isolation`` is ``"bubblewrap"``, or ``"process"``: a plain child process with limits, which
    keeps honest code from harm but does not hold against hostile code. Where bubblewrap cannot be
    had, `SandboxUnavailable` says why; the weaker kind is never chosen by itself.

    A sandbox whose warm process was lost starts anew at the next run. One thread at a time may
    use it.
    """

    def __init__(
        self,
        *,
        files: Mapping[str, Path] | None = None,
        services: Mapping[str, Service] | None = None,
        prelude: str = "",
        data: Mapping[str, Plain] | None = None,
        limits: RunLimits | None = None,
        isolation: Isolation = "bubblewrap",
        access: HostAccess | None = None,
    ) -> None:
        if isolation not in get_args(Isolation):
            raise ValueError(f"isolation {isolation!r} is none of {get_args(Isolation)}")
        self._files = {_name(name): Path(file) for name, file in (files or {}).items()}
        self._services = dict(services or {})
        self._prelude = prelude
        self._data = dict(data or {})
        self._limits = limits or RunLimits()
        self._isolated = isolation == "bubblewrap"
        self._access = access or HostAccess()
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: Channel | None = None
        self._scratch: Scratch | None = None
        self._has_run = False

    def __enter__(self) -> Self:
        self._ensure_started()
        return self

    def path(self, name: str) -> str:
        """Where the code finds the file handed in under ``name``.

        Raises KeyError if no file has that name.
        """
        if name not in self._files:
            raise KeyError(name)
        return f"{INPUT}/{name}" if self._isolated else f"{self._plain_folder()}/input/{name}"

    def renew(
        self,
        *,
        files: Mapping[str, Path] | None = None,
        services: Mapping[str, Service] | None = None,
        data: Mapping[str, Plain] | None = None,
    ) -> None:
        """Begin anew with other files, services and data, keeping the warm process.

        Arguments left out are as if they had not been given to the constructor; services must have
        the names they had. The prelude runs again. No later run can tell what was there before.
        Raises as entering does.
        """
        if (services or {}).keys() != self._services.keys():
            raise ValueError("a sandbox that is renewed keeps the names of its services")
        self._files = {_name(name): Path(file) for name, file in (files or {}).items()}
        self._services = dict(services or {})
        self._data = dict(data or {})
        self._has_run = False
        if self._channel is None:
            return
        with self._closed_on_error():
            try:
                kind, payload = self._prepared_anew(self._channel)
            except (EOFError, BrokenPipeError, TimeoutError) as error:
                raise SandboxUnavailable(_cannot(f"renewing it failed: {error}")) from None
            if kind == b"E":
                raise CodeFailed(**decode(payload))

    def run(
        self,
        code: str,
        *,
        globals: Mapping[str, Plain] | None = None,
        result: str | None = "result",
        seconds: float | None = None,
    ) -> Outcome:
        """Run ``code`` in a fresh state and give the value of its global ``result``.

        ``globals`` are set beforehand, over those of the prelude. With ``result=None`` no value
        is fetched. ``seconds`` takes the place of the limit's for this run.

        Raises a `RunFailed` (`CodeFailed`, `TimedOut`, `OutOfMemory`, `OutputTooLarge`, `Killed`,
        `ResultNotPlain`, `ServiceLimit`), or whatever a service raised.
        """
        return self._run(code, globals, seconds, result=result, call=None)

    def call(
        self,
        source: str,
        function: str,
        *args: Plain,
        globals: Mapping[str, Plain] | None = None,
        seconds: float | None = None,
        **kwargs: Plain,
    ) -> Outcome:
        """Run ``source``, call the ``function`` it defines, and give what that returns.

        Tuples come back as lists, numpy's numbers as Python's. Raises as `run` does.
        """
        return self._run(source, globals, seconds, result=None, call=[function, args, kwargs])

    def collect(self, *names: str) -> dict[str, bytes]:
        """The files the last run left in its writable folder, by path relative to it.

        With ``names``, only those of them that are there. Links, devices and what lies in
        ``.tmp`` are left out. Raises `OutputTooLarge` above the limits ``disk`` and ``files``.
        """
        if self._channel is None or not self._has_run:
            return {}
        with self._closed_on_error():
            files = self._collected(self._channel, names)
        if isinstance(files, str):
            raise OutputTooLarge(f"the files left behind: {files}")
        return files

    def close(self) -> None:
        """End the warm process and everything in it; may be called more than once."""
        process, self._process, self._channel = self._process, None, None
        self._has_run = False
        if process is not None:
            _end(process)
        if self._scratch is not None:
            self._scratch.remove()

    def _run(
        self,
        code: str,
        values: Mapping[str, Plain] | None,
        seconds: float | None,
        *,
        result: str | None,
        call: Sequence[object] | None,
    ) -> Outcome:
        allowed = self._limits.seconds if seconds is None else seconds
        request = encode(
            {
                "code": code,
                "globals": dict(values or {}),
                "result": result,
                "call": call,
                "seconds": float(allowed),
            }
        )
        self._has_run = False
        return self._exchanged(self._ensure_started(), request, allowed)

    def _exchanged(self, channel: Channel, request: bytes, seconds: float) -> Outcome:
        """Send ``request`` and answer its calls; return its outcome or raise its error."""
        served = ServiceCalls(self._services, self._limits)
        with self._closed_on_error():
            try:
                channel.send(b"R", request, seconds + _GRACE_SECONDS)
                report, ending, error = self._serve_calls(channel, served, seconds)
            except TimeoutError:
                raise TimedOut(f"it ran longer than {seconds:g} s", calls=served.calls) from None
            except (EOFError, BrokenPipeError, FrameTooLarge):
                raise Killed("the warm process of the sandbox died", calls=served.calls) from None
        self._has_run = True
        account = {key: ending.get(key) for key in ("stdout", "stderr", "seconds")}
        account["calls"] = tuple(served.calls)
        if isinstance(error, TooManyCalls):
            raise ServiceLimit(str(error), **account)  # type: ignore[arg-type]
        if error is not None:
            raise error
        if ending["why"] == "broken":
            self.close()
            raise SandboxUnavailable(_cannot(ending["detail"]))
        if ending["why"] == "report":
            return outcome_of_report(report, account)
        raise error_of_end(ending["why"], ending["status"], self._limits, seconds, account)

    def _serve_calls(
        self, channel: Channel, served: ServiceCalls, seconds: float
    ) -> tuple[bytes, dict[str, Any], BaseException | None]:
        """Answer calls until the run ends; its report, how it ended, our error if that ended it."""
        report, error = b"", None
        while True:
            kind, payload = channel.receive(seconds + _GRACE_SECONDS)
            if kind == b"D":
                return report, decode(payload), error
            if kind == b"V":
                report = payload
                continue
            try:
                reply = served.answer(payload)
            # Not swallowed: the run is ended, then the exception goes on to the caller.
            except Exception as raised:  # noqa: BLE001
                error = raised
                channel.send(b"X", b"", _GRACE_SECONDS)
            else:
                channel.send(b"A", reply, _GRACE_SECONDS)

    def _collected(self, channel: Channel, names: Sequence[str]) -> dict[str, bytes] | str:
        channel.send(b"F", encode(list(names)), _GRACE_SECONDS)
        files: dict[str, bytes] = {}
        path = ""
        while True:
            kind, payload = channel.receive(_GRACE_SECONDS)
            if kind == b"T":
                return payload.decode(errors="replace")
            if kind == b"Z":
                return files
            if kind == b"N":
                path = payload.decode(errors="backslashreplace")
            else:
                files[path] = payload

    def _ensure_started(self) -> Channel:
        """The channel to the warm process, which is started if need be."""
        if self._channel is not None:
            return self._channel
        with self._closed_on_error(), tempfile.TemporaryFile() as complaints:
            channel = self._started(complaints)
            try:
                channel.send(b"S", self._setup(), _START_SECONDS)
                kind, payload = channel.receive(_START_SECONDS)
                if kind == b"K":
                    self._probe(channel)
            except (EOFError, BrokenPipeError, TimeoutError, Killed) as error:
                complaints.seek(0)
                said = complaints.read(1 << 16).decode(errors="replace").strip().splitlines()
                raise SandboxUnavailable(_cannot(said[-1] if said else str(error))) from None
            if kind == b"E":
                raise CodeFailed(**decode(payload))
        self._channel, self._has_run = channel, False
        return channel

    @contextmanager
    def _closed_on_error(self) -> Iterator[None]:
        """Close the sandbox where the block raises: the warm process may be in any state."""
        with ExitStack() as stack:
            stack.callback(self.close)
            yield
            stack.pop_all()

    def _probe(self, channel: Channel) -> None:
        """Run nothing once: what cannot be isolated on this machine shows before any code runs."""
        empty: dict[str, object] = {"code": "", "globals": {}, "result": None, "call": None}
        request = encode({**empty, "seconds": _START_SECONDS})
        self._exchanged(channel, request, _START_SECONDS)

    def _prepared_anew(self, channel: Channel) -> tuple[bytes, bytes]:
        contents: dict[str, Plain] = {}
        if self._isolated:
            contents = {name: file.read_bytes() for name, file in self._files.items()}
        else:
            self._write_inputs(self._plain_folder())
        setup = {"files": contents, "prelude": self._prelude, "data": self._data}
        channel.send(b"P", encode(setup), _START_SECONDS)
        return channel.receive(_START_SECONDS)

    def _started(self, complaints: IO[bytes]) -> Channel:
        with ExitStack() as opened:
            if self._isolated:
                inputs = {
                    name: opened.enter_context(file.open("rb")).fileno()
                    for name, file in self._files.items()
                }
                command = launch.isolated_command(inputs, self._access)
                process = launch.start(command, complaints, list(inputs.values()))
            else:
                self._write_inputs(self._plain_folder())
                process = launch.start(launch.plain_command(), complaints)
        self._process = process
        assert process.stdin is not None and process.stdout is not None
        limits = self._limits
        caps = {
            **dict.fromkeys((b"K", b"E", b"N", b"T", b"Z"), _SLACK),
            b"C": limits.call_bytes,
            b"V": limits.result + _SLACK,
            b"D": 12 * limits.printed + _SLACK,  # two streams, each byte as \u00xx
            b"B": limits.disk,
        }
        return Channel(process.stdin.fileno(), process.stdout.fileno(), caps)

    def _setup(self) -> bytes:
        return encode(
            {
                "limits": asdict(self._limits),
                "isolated": self._isolated,
                "programs": self._access.programs,
                "work": launch.WORK if self._isolated else f"{self._plain_folder()}/work",
                "input": launch.INPUT,
                "services": list(self._services),
                "modules": launch.MODULES,
                "prelude": self._prelude,
                "data": self._data,
            }
        )

    def _plain_folder(self) -> Path:
        """The folder of the weaker kind: files go below ``input``, the code runs in ``work``."""
        if self._scratch is None:
            self._scratch = Scratch("sandbox")
        return self._scratch.folder

    def _write_inputs(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, exist_ok=True)  # callers know its name, so it is used again
        shutil.rmtree(folder / "input", ignore_errors=True)
        for name, file in self._files.items():
            target = folder / "input" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
            target.chmod(0o444)


def check_isolation(isolation: Isolation = "bubblewrap") -> None:
    """Check that a sandbox works on this machine, before work that needs one.

    Raises SandboxUnavailable, which says what is missing. A bubblewrap that worked once is not
    tried again.
    """
    _check_isolation(isolation, shutil.which("bwrap"))


@lru_cache(maxsize=8)
def _check_isolation(isolation: Isolation, _wrapper: str | None) -> None:
    with Sandbox(isolation=isolation):
        pass


def _name(name: str) -> str:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or str(path) != name or name == "." or "\0" in name:
        raise ValueError(f"{name!r} is no plain relative path")
    return name


def _cannot(detail: str) -> str:
    return f"the sandbox cannot be had here: {detail}"


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let the supervisor end by itself, and everything with it; kill it if it does not."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.close()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()
