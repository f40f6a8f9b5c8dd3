"""A process whose threads wait for ever ends all the same."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from decklab.core import programs as ending

WAITING = """
import subprocess, sys, threading, time
from decklab.core import programs as ending
from decklab.core.files import Scratch

ending.CLEANING_SECONDS = 0.5
silent = threading.Event()
asleep = "import time; time.sleep(600)"
with ending.ended_by_signals():
    scratch = Scratch("waiting")
    threading.Thread(target=silent.wait).start()
    subprocess.Popen([sys.executable, "-c", {deaf!r} + asleep])
    print("at work", flush=True)
    {main}
"""
DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
CASES = {
    "a thread waits": "silent.wait()",
    "a library takes the descriptor": "import signal; signal.set_wakeup_fd(-1); silent.wait()",
    "the cleaning up waits": "exec('try: silent.wait()\\nfinally: silent.wait()')",
    "a C library is busy": "import hashlib; hashlib.pbkdf2_hmac('sha256', b'', b'', 2**31 - 1)",
}


@pytest.mark.by_day(1)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda one: one.name)
@pytest.mark.parametrize("case", CASES)
def test_a_signal_ends_it_with_all_processes_below_and_scratch_folders(
    case: str, number: signal.Signals, tmp_path: Path
) -> None:
    code = WAITING.format(deaf=DEAF if case == "a thread waits" else "", main=CASES[case])
    own = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        ["env", "--default-signal=INT", sys.executable, "-c", code],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=own,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            process.stdout.readline()
            assert list(tmp_path.iterdir()) != []
            time.sleep(0.3)
            below = psutil.Process(process.pid).children(recursive=True)
            process.send_signal(number)
            assert process.wait(timeout=8) == ending.STOPPED
        finally:
            process.kill()
        assert len(below) == 1
        assert psutil.wait_procs(below, timeout=2)[1] == []
        assert list(tmp_path.iterdir()) == []


def test_a_second_signal_does_not_stop_the_cleaning_up() -> None:
    code = """
import os, signal
from decklab.core import programs as ending

with ending.ended_by_signals():
    try:
        os.kill(os.getpid(), signal.SIGTERM)
    finally:
        os.kill(os.getpid(), signal.SIGINT)
        print("cleaned", flush=True)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=30
    )
    assert done.stdout == "cleaned\n"
    assert done.stderr.splitlines()[-1] == "KeyboardInterrupt"
    assert "another exception" not in done.stderr


def test_a_signal_while_an_object_goes_ends_it_too() -> None:
    code = """
import os, signal, time
from decklab.core import programs as ending

class Going:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(10**6):
            pass

with ending.ended_by_signals():
    try:
        Going()
        time.sleep(3)
        print("still here", flush=True)
    finally:
        print("cleaned", flush=True)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=30
    )
    assert done.stdout == "cleaned\n"
    assert "Exception ignored" not in done.stderr


def test_an_ignored_signal_stays_ignored_and_all_is_as_before_after_the_block() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with ending.ended_by_signals():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        assert signal.set_wakeup_fd(-1) == -1
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    ("caught", "code"),
    [("raise SystemExit(3)", 3), ("raise", -signal.SIGINT)],
    ids=["exit", "none"],
)
def test_the_exit_code_holds_where_the_signal_came_in_a_string_that_python_ran(
    caught: str, code: int, tmp_path: Path
) -> None:
    (tmp_path / "stopped.py").write_text(
        "import os, signal\n"
        "from decklab.core.programs import ended_by_signals\n\n"
        "with ended_by_signals():\n"
        "    try:\n"
        "        exec('os.kill(os.getpid(), signal.SIGTERM); [0 for _ in range(9)]')\n"
        "    except KeyboardInterrupt:\n"
        f"        {caught}\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "stopped"], cwd=tmp_path, check=False, capture_output=True,
        timeout=30,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
