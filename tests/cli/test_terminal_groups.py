"""The tables of commands: what help shows of a command is what the command says itself."""

import subprocess
import sys
from importlib import import_module

import pytest
from typer.main import get_command

from decklab import cli
from decklab.cli import bench

HEAVY = ("numpy", "cv2", "scipy", "lxml", "pptx", "jinja2", "pyarrow", "PIL", "inspect_ai")


def imported(command):
    found = get_command(import_module(f"decklab.cli.{command.module}").app)
    return getattr(found, "commands", {}), found


@pytest.mark.parametrize("table", [cli.COMMANDS, bench.COMMANDS], ids=["decklab", "bench"])
def test_help_says_of_each_command_what_its_docstring_begins_with(table):
    for name, command in table.items():
        among, alone = imported(command)
        documented = among.get(name, alone).help.split("\n\n")[0]
        assert command.help == " ".join(documented.split()), name


@pytest.mark.parametrize(
    "words", [["--help"], ["bench", "--help"], ["bench", "slideeval-extract", "--help"], ["nosuch"]]
)
def test_help_and_an_unknown_command_load_nothing_heavy(words):
    program = (
        "import sys\nfrom decklab.cli import app\n"
        f"try: app({words!r})\nexcept SystemExit: pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
