"""What is found of LibreOffice agrees with what LibreOffice does."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from decklab.core.errors import RendererMissing
from decklab.rendering.office import Office
from decklab.rendering.office_process import Installation, Worker, find_installation

pytestmark = pytest.mark.office

WriteDeck = Callable[..., Path]
SCRIPT = Path(__file__).parents[3] / "src/decklab/rendering/office_worker.py"


@pytest.mark.long
def test_the_build_is_what_libreoffice_marks_an_unmarked_profile_with() -> None:
    found = find_installation()
    unmarked = replace(found, build=None)
    worker = Worker(unmarked, SCRIPT, isolated=False, memory_limit=2**32)
    try:
        assert worker.answer(60)["ready"]
        mark = worker.folder / "profile" / "user" / "extensions" / "buildid"
        assert mark.read_text().strip() == found.build
    finally:
        worker.kill()


@pytest.mark.by_day(1)
@pytest.mark.parametrize("build", [None, "of another LibreOffice"])
def test_a_profile_without_the_right_mark_only_takes_a_second_start(
    build: str | None, write_deck: WriteDeck
) -> None:
    path = write_deck(("Words", 100, 100))
    with Office(installation=replace(find_installation(), build=build)) as office:
        assert office.pdf(path).startswith(b"%PDF-")


@pytest.mark.parametrize(
    "settings", [None, "", "[Version]\n", "buildid=1\n", "[Other]\nbuildid=1\n"]
)
def test_a_build_that_is_not_told_is_none(tmp_path: Path, settings: str | None) -> None:
    found = find_installation()
    program = tmp_path / "soffice"
    program.write_text("#!/bin/sh\necho LibreOffice 1.2.3\n")
    program.chmod(0o755)
    if settings is not None:
        (tmp_path / "versionrc").write_text(settings)
    stranger = find_installation(program, found.python)
    assert stranger == Installation(program, found.python, "LibreOffice 1.2.3", None)


def test_an_installation_found_before_is_not_searched_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = find_installation()
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(RendererMissing):
        _ = Office().engine
    with Office(installation=found) as office:
        assert office.engine == found.version
