"""The container files name what is there: options of the command line, packages of ``setup``."""

import re
from pathlib import Path

import pytest
import typer

from decklab.cli.serve import app

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("name", ["Containerfile", "compose.yaml"])
def test_every_option_is_one_of_serve(name: str) -> None:
    command = typer.main.get_group(app).commands["serve"]
    known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
    started = re.sub(r"(?s)^.*?(ENTRYPOINT|command:)", "", (ROOT / name).read_text("utf-8"))
    started = started.partition("ports:")[0]
    used = set(re.findall(r"--[a-z-]+", started))
    assert used
    assert used <= known


def test_the_image_has_what_setup_installs_but_for_the_screen_and_the_browser() -> None:
    setup = (ROOT / "scripts/setup").read_text("utf-8")
    wanted = set(re.search(r"(?s)packages=\((.*?)\n\)", setup)[1].split())
    installed = (ROOT / "Containerfile").read_text("utf-8").partition("rm -rf")[0].split()
    assert wanted - set(installed) == {"xvfb", "openbox", "libx11-6", "libxtst6"}
