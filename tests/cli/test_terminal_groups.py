"""The groups of commands: what help shows of a command is what the command says itself."""

import inspect
import subprocess
import sys

import pytest
from typer.main import get_group
from typer.testing import CliRunner

from decklab import cli
from decklab.cli import bench

HEAVY = ("numpy", "cv2", "scipy", "lxml", "pptx", "jinja2", "pyarrow", "PIL", "inspect_ai")


@pytest.mark.parametrize(("app", "count"), [(cli.app, 31), (bench.app, 16)], ids=["all", "bench"])
def test_help_says_of_each_command_what_its_docstring_begins_with(app, count):
    shown = " ".join(CliRunner().invoke(app, ["--help"], env={"COLUMNS": "300"}).output.split())
    group = get_group(app)
    context = group.context_class(group)
    for name in group.list_commands(context):
        _, command, _ = group.resolve_command(context, [name])
        says = (inspect.getdoc(command.callback) or "").split("\n\n")[0]
        assert f"│ {name} {' '.join(says.split())} │" in shown, name
    assert len(group.list_commands(context)) == count


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
