"""The inside of a run: it executes the code, and reports its result or its failure."""

import errno
import linecache
import sys
import threading
import traceback
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .wire import NotPlain, decode, encode, read_frame, send

_SHOWN_TEXT = 2000
_SHOWN_LINES = 20

Request = dict[str, Any]
"""``code``, ``globals``, ``result`` (name or None) and ``call`` (function, args, kwargs; or
None): what the host wants run."""


def define(code: str, name: str, values: Mapping[str, Any]) -> types.ModuleType:
    """Run ``code`` as the module ``name`` with ``values`` as its first globals."""
    module = types.ModuleType(name)
    module.__dict__.update(values)
    sys.modules[name] = module
    file = _file(name)
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    exec(compile(code, file, "exec"), module.__dict__)
    return module


def _file(name: str) -> str:
    return f"<{name.strip('_')}>"


def execute(
    request: Request, prelude: Mapping[str, Any], services: Sequence[str], report: int, answer: int
) -> None:
    """Run the code of ``request`` and send the report."""
    lock = threading.Lock()
    callable_by_name = {name: service(name, report, answer, lock) for name in services}
    vars(sys.modules["prelude"]).update(callable_by_name)  # for what the prelude defined
    values = {**prelude, **callable_by_name, **request["globals"]}
    payload = _report(request, values)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    send(report, b"V", payload)


def _report(request: Request, values: Mapping[str, Any]) -> bytes:
    name = "code" if request["call"] else "__main__"
    try:
        return encode({"value": _value(request, define(request["code"], name, values).__dict__)})
    except NotPlain as error:
        return encode({"unplain": str(error)[:_SHOWN_TEXT]})
    # Whatever the code raises, SystemExit and its own kinds included, is its outcome.
    except BaseException as error:  # noqa: BLE001
        if isinstance(error, OSError) and error.errno == errno.ENOMEM:
            error = MemoryError()  # how mmap says it
        return encode({"error": describe(error, _file(name))})


def _value(request: Request, values: Mapping[str, Any]) -> object:
    if request["call"]:
        function, args, kwargs = request["call"]
        if function not in values:
            raise NameError(f"the code defines no {function!r}")
        return values[function](*args, **kwargs)
    if request["result"] is None:
        return None
    if request["result"] not in values:
        raise NotPlain(f"the code set no {request['result']!r}")
    return values[request["result"]]


def describe(error: BaseException, file: str) -> dict[str, Any]:
    """An exception as plain data: its type, its message, and the lines of ``file`` it passed."""
    text = "".join(traceback.format_exception_only(error)).strip()
    kind = type(error).__name__
    message = text.partition(f"{kind}: ")[2] if f"{kind}: " in text else ""
    lines = [
        f"line {frame.lineno}, in {frame.name}: {frame.line}"[:_SHOWN_TEXT]
        for frame in traceback.extract_tb(error.__traceback__, limit=-200)
        if frame.filename == file
    ]
    if isinstance(error, SyntaxError) and error.filename == file:
        message, shown = str(error.msg), (error.text or "").strip()
        lines.append(f"line {error.lineno}: {shown}"[:_SHOWN_TEXT])
    return {
        "type": kind[:_SHOWN_TEXT],
        "message": message[:_SHOWN_TEXT],
        "traceback": lines[-_SHOWN_LINES:],
    }


def service(name: str, report: int, answer: int, lock: threading.Lock) -> Callable[..., str]:
    """A function that has the host run the service ``name``, and waits for its answer."""

    def ask(*args: object, **kwargs: object) -> str:
        try:
            payload = encode({"name": name, "args": args, "kwargs": kwargs})
        except NotPlain as error:
            raise TypeError(f"{name}: {error}") from None  # the code's mistake, not its result
        with lock:
            send(report, b"C", payload)
            _, payload = read_frame(answer)
        reply = decode(payload)
        if "refused" in reply:
            raise ValueError(reply["refused"])
        return str(reply["answer"])

    ask.__name__ = ask.__qualname__ = name
    return ask
