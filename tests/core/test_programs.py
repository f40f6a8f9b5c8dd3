"""Other programs: what they print, and that none of them holds us up."""

import sys
import time
from pathlib import Path

from decklab.core.programs import output_of


def test_a_program_gets_its_input_its_folder_and_its_environment(tmp_path: Path) -> None:
    code = "import os, sys; print(sys.stdin.read(), os.getcwd(), os.environ.get('HOME'))"
    command = [sys.executable, "-c", code]
    done = output_of(
        command, 30, environment={"HOME": "nowhere"}, folder=str(tmp_path), given=b"told"
    )
    assert done is not None
    assert done.stdout.decode().split() == ["told", str(tmp_path), "nowhere"]


def test_a_failed_program_tells_its_exit_status() -> None:
    done = output_of([sys.executable, "-c", "import sys; sys.exit('bad')"], 30)
    assert done is not None
    assert (done.returncode, done.stderr.strip()) == (1, b"bad")


def test_a_missing_program_has_no_output() -> None:
    assert output_of(["/nowhere/program"], 30) is None


def test_a_program_that_takes_too_long_is_ended() -> None:
    started = time.monotonic()
    assert output_of([sys.executable, "-c", "import time; time.sleep(60)"], 0.5) is None
    assert time.monotonic() - started < 30
