"""What callers of the sandbox can count on."""

import os
import pickle
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import venv
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from decklab.sandbox import launch
from decklab.sandbox.launch import packages
from decklab.sandbox.limits import (
    CallRefused,
    CodeFailed,
    Killed,
    OutOfMemory,
    OutputTooLarge,
    Plain,
    ResultNotPlain,
    RunLimits,
    SandboxUnavailable,
    ServiceLimit,
    TimedOut,
)
from decklab.sandbox.sandbox import Sandbox

WEAK: Any = "process"


def test_it_gives_the_value_and_what_was_printed(sandbox: Sandbox) -> None:
    outcome = sandbox.run(
        "import sys\nprint('out'); print('err', file=sys.stderr)\nresult = [x, None, b'\\xff']",
        globals={"x": {"a": b"\x00"}},
    )
    assert outcome.value == [{"a": b"\x00"}, None, b"\xff"]
    assert (outcome.stdout, outcome.stderr) == ("out\n", "err\n")
    assert 0 < outcome.seconds < 20


def test_it_calls_a_function_of_the_code(sandbox: Sandbox) -> None:
    source = "import numpy\ndef f(a, *, b): return 'why', numpy.float32(a / b)\n"
    assert sandbox.call(source, "f", 1, b=4).value == ["why", 0.25]


def test_code_that_is_called_does_not_take_itself_for_a_script(sandbox: Sandbox) -> None:
    source = "def f(): return 'called'\nif __name__ == '__main__': raise SystemExit"
    assert sandbox.call(source, "f").value == "called"
    assert sandbox.run("result = __name__").value == "__main__"


def test_a_function_that_is_not_there_is_the_codes_failure(sandbox: Sandbox) -> None:
    with pytest.raises(CodeFailed, match="defines no 'f'"):
        sandbox.call("x = 1", "f")


def test_no_result_is_fetched_when_none_is_wanted(sandbox: Sandbox) -> None:
    assert sandbox.run("x = object()", result=None).value is None
    assert sandbox.run("x = 3", result="x").value == 3


def test_code_that_ends_its_own_process_is_told_with_its_status(sandbox: Sandbox) -> None:
    with pytest.raises(Killed, match="its process ended without a result, with status 3"):
        sandbox.run("import os\nos._exit(3)")
    assert sandbox.run("result = 1").value == 1


def test_a_failure_names_exception_and_lines(sandbox: Sandbox) -> None:
    code = "def f(x):\n    return 1 / x\nprint('so far')\nf(0)"
    with pytest.raises(CodeFailed) as caught:
        sandbox.run(code)
    error = caught.value
    assert (error.type, error.message) == ("ZeroDivisionError", "division by zero")
    assert error.traceback == ("line 4, in <module>: f(0)", "line 2, in f: return 1 / x")
    assert str(error) == "ZeroDivisionError: division by zero (line 2, in f: return 1 / x)"
    assert error.stdout == "so far\n"


def test_a_syntax_error_names_its_line(sandbox: Sandbox) -> None:
    with pytest.raises(CodeFailed) as caught:
        sandbox.run("x = 1\ny = = 2")
    assert (caught.value.type, caught.value.traceback) == ("SyntaxError", ("line 2: y = = 2",))


def test_errors_cross_process_borders_whole(sandbox: Sandbox) -> None:
    with pytest.raises(CodeFailed) as caught:
        sandbox.run("raise ValueError('no')")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.type, str(again)) == (CodeFailed, "ValueError", str(caught.value))


def test_files_are_copied_in_when_it_starts_and_read_only(sandbox: Sandbox) -> None:
    paths: list[Plain] = [sandbox.path("words.txt"), sandbox.path("below/words.txt")]
    code = "import os\nresult = [[open(p).read(), os.access(p, os.W_OK)] for p in paths]"
    assert sandbox.run(code, globals={"paths": paths}).value == [["some words", False]] * 2
    with pytest.raises(KeyError):
        sandbox.path("other.txt")


@pytest.mark.parametrize("name", ["/a", "../a", "a/../../b", "", ".", "a//b", "a\0b", "a/"])
def test_names_that_leave_the_folder_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no plain relative path"):
        Sandbox(files={name: Path("x")})


def test_a_file_that_is_not_there_says_so(caged: None, tmp_path: Path) -> None:
    with (
        pytest.raises(FileNotFoundError, match=r"gone\.pptx"),
        Sandbox(files={"a": tmp_path / "gone.pptx"}),
    ):
        pass


def test_the_prelude_is_there_for_every_run_as_it_was(sandbox: Sandbox) -> None:
    for _ in range(2):
        value = sandbox.run("seen.append(doubled(2))\nresult = seen").value
        assert value == [{"at": b"\x00\xff"}, 4]


def test_a_prelude_that_fails_is_told_by_its_line(caged: None) -> None:
    with pytest.raises(CodeFailed) as caught, Sandbox(prelude="x = 1\nx.y"):
        pass
    assert caught.value.type == "AttributeError"
    assert caught.value.traceback == ("line 2, in <module>: x.y",)


def test_a_module_of_the_prelude_can_be_imported(caged: None) -> None:
    prelude = "import sys, types\nsys.modules['ours'] = types.SimpleNamespace(answer=42)"
    with Sandbox(prelude=prelude) as made:
        assert made.run("from ours import answer as result").value == 42


def test_nothing_leaks_from_run_to_run(sandbox: Sandbox) -> None:
    sandbox.run("import os\nx = 1\nopen('x', 'w').write('x')\nos.environ['X'] = 'x'", result=None)
    code = "import os\nresult = ['x' in globals(), os.listdir('.'), 'X' in os.environ]"
    assert sandbox.run(code).value == [False, [".tmp"], False]


def test_services_run_on_the_host_and_are_logged(sandbox: Sandbox) -> None:
    outcome = sandbox.run("result = ask('what', temperature=0.1) + ask('how')")
    assert outcome.value == "what at 0.1how at 0.7"
    first, second = outcome.calls
    assert (first.name, first.args, first.kwargs) == ("ask", ("what",), {"temperature": 0.1})
    assert (first.answer, first.refused) == ("what at 0.1", None)
    assert second.answer == "how at 0.7"


def test_bytes_reach_a_service_whole(caged: None) -> None:
    got = []

    def look(prompt: str, pictures: list[bytes]) -> str:
        got.append(pictures)
        return "seen"

    with Sandbox(services={"look": look}) as made:
        assert made.run("result = look('?', [bytes(range(256))])").value == "seen"
    assert got == [[bytes(range(256))]]


@pytest.mark.long
def test_time_waiting_for_a_service_does_not_count(caged: None) -> None:
    def slow() -> str:
        time.sleep(1.2)
        return "late"

    with Sandbox(services={"slow": slow}) as made:
        outcome = made.run("result = slow()", seconds=1)
    assert outcome.value == "late"
    assert outcome.seconds < 1
    assert outcome.calls[0].seconds >= 1.2


def test_what_a_service_raises_reaches_the_caller_past_the_codes_handlers(caged: None) -> None:
    def down() -> str:
        raise ConnectionError("no model")

    with Sandbox(services={"down": down}) as made:
        with pytest.raises(ConnectionError, match="no model"):
            made.run("try: down()\nexcept BaseException: pass\nresult = 0.0")
        assert made.run("result = 1").value == 1


def test_a_refusal_is_for_the_code_to_handle(caged: None) -> None:
    def strict(x: int) -> str:
        raise CallRefused(f"not {x}")

    with Sandbox(services={"strict": strict}) as made:
        code = "try: strict(3)\nexcept ValueError as error: result = str(error)"
        outcome = made.run(code)
    assert outcome.value == "not 3"
    assert outcome.calls[0].refused == "not 3"


def test_too_many_calls_end_the_run(sandbox: Sandbox) -> None:
    with pytest.raises(ServiceLimit, match="more than 3 calls") as caught:
        sandbox.run("for i in range(4): ask(str(i))")
    assert [call.args for call in caught.value.calls] == [("0",), ("1",), ("2",)]


def test_collect_gives_what_the_last_run_left(sandbox: Sandbox) -> None:
    code = "import os\nos.mkdir('a')\nopen('a/b', 'wb').write(b'1')\nopen('c', 'wb').write(b'2')"
    sandbox.run(code + "\nopen('.tmp/d', 'w')", result=None)
    assert sandbox.collect() == {"a/b": b"1", "c": b"2"}
    assert sandbox.collect("c", "nothing") == {"c": b"2"}
    sandbox.run("", result=None)
    assert sandbox.collect() == {}


def test_collect_after_a_failure_gives_what_was_written(sandbox: Sandbox) -> None:
    with pytest.raises(CodeFailed):
        sandbox.run("open('half', 'w').write('x')\n1 / 0")
    assert sandbox.collect() == {"half": b"x"}


def test_python_pptx_edits_a_deck_that_comes_back(caged: None, tmp_path: Path) -> None:
    from pptx import Presentation

    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[0]).shapes.title.text = "before"
    deck.save(str(tmp_path / "in.pptx"))
    with Sandbox(files={"in.pptx": tmp_path / "in.pptx"}) as made:
        code = """
        from pptx import Presentation
        deck = Presentation(path)
        deck.slides[0].shapes.title.text = 'after'
        deck.save('out.pptx')
        """
        made.run(textwrap.dedent(code), globals={"path": made.path("in.pptx")}, result=None)
        (tmp_path / "out.pptx").write_bytes(made.collect("out.pptx")["out.pptx"])
    assert Presentation(str(tmp_path / "out.pptx")).slides[0].shapes.title.text == "after"
    assert Presentation(str(tmp_path / "in.pptx")).slides[0].shapes.title.text == "before"


def test_the_named_libraries_are_there(sandbox: Sandbox) -> None:
    code = """
    import io, numpy, PIL.Image, pptx, lxml.etree
    stream = io.BytesIO()
    PIL.Image.fromarray(numpy.zeros((4, 4), 'uint8')).save(stream, 'PNG')
    result = [PIL.Image.open(stream).size, lxml.etree.tostring(lxml.etree.XML('<a/>'))]
    """
    assert sandbox.run(textwrap.dedent(code)).value == [[4, 4], b"<a/>"]


def test_a_run_of_its_own_length(sandbox: Sandbox) -> None:
    began = time.monotonic()
    with pytest.raises(TimedOut, match=r"longer than 0\.3 s") as caught:
        sandbox.run("print('begun')\nwhile True: pass", seconds=0.3)
    assert time.monotonic() - began < 10
    assert caught.value.stdout == "begun\n"


def test_a_thread_that_ends_does_not_take_the_sandbox_along(caged: None) -> None:
    made = Sandbox()
    thread = threading.Thread(target=made.__enter__)
    thread.start()
    thread.join()
    time.sleep(0.2)
    with made:
        assert made.run("result = 1").value == 1


@pytest.mark.long
def test_a_lost_warm_process_is_told_and_replaced(caged: None) -> None:
    with Sandbox() as made:
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):  # it went with one that was just killed
                if "guest.supervisor" in " ".join(child.cmdline()):
                    child.kill()
        with pytest.raises(Killed, match="warm process"):
            made.run("result = 1")
        assert made.run("result = 2").value == 2


@pytest.mark.long
def test_nothing_is_left_when_the_host_is_killed(caged: None) -> None:
    code = """
    import os, threading
    from decklab.sandbox.sandbox import Sandbox
    with Sandbox() as made:
        threading.Timer(1, os.kill, (os.getpid(), 9)).start()
        made.run("import os, time\\nos.fork()\\nos.setsid\\nprint('x')\\ntime.sleep(60)")
    """
    host = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)])
    inside: set[psutil.Process] = set()
    while host.poll() is None:
        try:
            inside |= set(psutil.Process(host.pid).children(recursive=True))
        except psutil.NoSuchProcess:
            break
        time.sleep(0.02)
    assert host.wait() == -signal.SIGKILL
    assert len(inside) >= 4
    assert psutil.wait_procs(inside, timeout=10)[1] == []


def test_close_ends_everything_and_may_be_repeated(caged: None) -> None:
    before = set(psutil.Process().children(recursive=True))
    made = Sandbox()
    assert made.run("result = 1").value == 1
    made.close()
    made.close()
    assert set(psutil.Process().children(recursive=True)) <= before


def test_without_bubblewrap_it_refuses_and_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxUnavailable, match=r"bwrap is not installed.*isolation='process'"):
        Sandbox().run("result = 1")


def test_without_namespaces_it_refuses_and_gives_the_cause(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    refusing = tmp_path / "bwrap"
    refusing.write_text("#!/bin/sh\necho 'bwrap: No permissions to create namespace' >&2\nexit 1\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(SandboxUnavailable, match="No permissions to create namespace"):
        Sandbox().run("result = 1")


def test_on_a_processor_without_a_filter_it_refuses(
    caged: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "vax")
    with pytest.raises(SandboxUnavailable, match="no system call filter"):
        Sandbox().run("result = 1")


def test_an_isolation_there_is_none_of_is_refused() -> None:
    nothing: Any = "none"
    with pytest.raises(ValueError, match="isolation 'none'"):
        Sandbox(isolation=nothing)


def test_debians_own_python_works_too(caged: None) -> None:
    debian = shutil.which("python3", path="/usr/bin")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    ask = [str(debian), "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    if debian is None or subprocess.check_output(ask, text=True).strip() != version:
        pytest.skip(f"/usr/bin/python3 is no Python {version}, which the libraries here are for")
    folders = [str(Path(launch.__file__).parents[2]), *{str(path.parent) for path in packages()}]
    code = "from decklab.sandbox.sandbox import Sandbox\nprint(Sandbox().run('result = 7').value)"
    done = subprocess.run(
        [debian, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("7\n", "")


@pytest.mark.parametrize("name", ["plain", "Ünï code & spaces"])
def test_it_starts_with_an_environment_below_the_temporary_folder(caged: None, name: str) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        place = Path(folder) / name
        venv.create(place, symlinks=False)
        (site,) = place.glob("lib/python*/site-packages")
        bundled = {path for one in packages() for path in one.parent.glob("*.libs")}
        for package in (Path(launch.__file__).parents[1], *packages(), *bundled):
            (site / package.name).symlink_to(package)
        code = """
        from decklab.sandbox.sandbox import Sandbox
        inside = "import numpy, pptx; result = len(pptx.Presentation().slide_layouts)"
        print(Sandbox().run(inside).value)
        """
        done = subprocess.run(
            [place / "bin" / "python", "-c", textwrap.dedent(code)],
            env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.stdout, done.stderr) == ("11\n", "")


def test_what_is_beside_the_packages_is_not_there(caged: None) -> None:
    code = """
    import importlib.util, os
    names = sorted(os.listdir('/run/decklab/packages'))
    result = [importlib.util.find_spec('decklab') is None, names]
    """
    with Sandbox() as made:
        found = made.run(textwrap.dedent(code)).value
    assert found == [True, sorted(path.name for path in packages())]


class TestTheWeakerKind:
    def test_it_runs_calls_services_and_collects(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("x")
        before = set(psutil.Process().children(recursive=True))
        with Sandbox(
            files={"a": tmp_path / "a"}, services={"ask": str.upper}, isolation=WEAK
        ) as made:
            code = "result = ask(open(path).read())\nopen('left', 'w').write(result)"
            assert made.run(code, globals={"path": made.path("a")}).value == "X"
            assert made.collect() == {"left": b"X"}
            folder = Path(made.path("a")).parents[1]
        assert not folder.exists()
        assert set(psutil.Process().children(recursive=True)) <= before

    def test_it_keeps_its_limits(self) -> None:
        limits = RunLimits(seconds=0.5, memory=2**28, printed=1000, processes=8)
        with Sandbox(limits=limits, isolation=WEAK) as made:
            with pytest.raises(TimedOut):
                made.run("while True: pass")
            with pytest.raises(OutOfMemory):
                made.run("x = bytearray(2**32)")
            with pytest.raises(OutputTooLarge):
                made.run("while True: print('x')")
            with pytest.raises(Killed, match="more than 8 processes"):
                made.run("import os, time\nfor _ in range(5): os.fork()\ntime.sleep(60)")
            with pytest.raises(ResultNotPlain):
                made.run("result = object()")

    def test_a_daemon_goes_with_its_run(self) -> None:
        code = """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(60)
            os._exit(0)
        os.wait()
        result = 1
        """
        with Sandbox(isolation=WEAK) as made:
            warm = len(psutil.Process().children(recursive=True))
            assert made.run(textwrap.dedent(code)).value == 1
            assert len(psutil.Process().children(recursive=True)) == warm

    def test_it_sees_no_variables_of_the_host(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DECKLAB_SECRET", "x")
        with Sandbox(isolation=WEAK) as made:
            assert made.run("import os\nresult = 'DECKLAB_SECRET' in os.environ").value is False
