import json
from pathlib import Path

import pytest
from tests.board.templates.conftest import made
from typer.testing import CliRunner

from decklab.cli.template import app
from decklab.cli.write import app as write


def test_a_template_is_shown_with_its_uses_and_faults(tmp_path: Path) -> None:
    template = made(tmp_path / "company.pptx")
    done = CliRunner().invoke(app, ["check", str(template)])
    assert done.exit_code == 3  # python-pptx's own template sets pale text
    assert "title only     layout 6: Title Only" in done.stdout
    assert "low-contrast: layout 3" in done.stdout
    done = CliRunner().invoke(app, ["check", str(template), "--json"])
    data = json.loads(done.stdout)
    assert data["chosen"]["body"] == 2 and data["slides"] == 2


def test_a_file_that_is_no_template_is_exit_code_2(tmp_path: Path) -> None:
    path = tmp_path / "notes.pptx"
    path.write_text("nothing")
    done = CliRunner().invoke(app, ["check", str(path)])
    assert done.exit_code == 2 and "notes.pptx" in done.stderr


@pytest.mark.long
def test_write_takes_a_template_and_refuses_what_does_not_go_with_it(tmp_path: Path) -> None:
    template, out = made(tmp_path / "company.pptx"), tmp_path / "talk.pptx"
    source = tmp_path / "report.md"
    source.write_text("# Wells\n\n## Water\n\nThe village has 12 wells. Five of them are dry.\n")
    common = ["--source", str(source), "--template", str(template), "--out", str(out)]
    for more, said in (["--theme", "dark"], "not both"), (["--formats", "html"], "no HTML"):
        done = CliRunner().invoke(write, [*common, *more])
        assert done.exit_code == 2 and said in " ".join(done.stderr.split())
    done = CliRunner().invoke(write, common)
    assert done.exit_code == 0 and out.exists()
    before = template.read_bytes()
    done = CliRunner().invoke(write, [*common[:-1], str(template)])
    assert done.exit_code == 2 and template.read_bytes() == before
