"""Names that load their module on first use, from a package made for the test."""

import subprocess
import sys

import pytest

PACKAGE = """
from typing import TYPE_CHECKING
from decklab.core.lazy import loaded_on_use

if TYPE_CHECKING:
    from made.tools import hammer as hammer
    from made.tools import saw as cut
    from made.tools import nail

    spike = nail
else:
    __getattr__, __dir__ = loaded_on_use(__name__)
"""


@pytest.fixture
def made(tmp_path):
    """Runs a program beside the package ``made``; its output."""
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "__init__.py").write_text(PACKAGE)
    (tmp_path / "made" / "tools.py").write_text("hammer, saw, nail = 1, 2, 3\n")

    def run(program: str) -> str:
        command = [sys.executable, "-c", f"import sys, made\n{program}"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    return run


def test_a_module_is_loaded_with_the_first_of_its_names(made):
    loaded = "print('made.tools' in sys.modules)"
    assert made(f"{loaded}; made.hammer; {loaded}") == "False\nTrue"


def test_names_are_those_after_as_and_those_assigned_again(made):
    assert made("print(made.hammer, made.cut, made.spike)") == "1 2 3"
    assert made("print([hasattr(made, name) for name in ('saw', 'nail')])") == "[False, False]"
    assert made("from made import cut; print(cut)") == "2"
    assert made("print([n for n in dir(made) if n.islower() and n[0] != '_'])").startswith(
        "['cut', 'hammer', 'loaded_on_use', 'spike'"
    )


def test_a_package_without_a_list_has_no_names(made, tmp_path):
    (tmp_path / "made" / "__init__.py").write_text(
        "from decklab.core.lazy import loaded_on_use\n"
        "__getattr__, __dir__ = loaded_on_use(__name__)\n"
    )
    assert made("print(hasattr(made, 'hammer'), 'hammer' in dir(made))") == "False False"
