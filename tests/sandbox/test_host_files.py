"""What an editor sees of the user's files."""

import sys
from pathlib import Path

import pytest

from decklab.core.errors import UnknownName
from decklab.sandbox.host_files import FunctionReference, host_files_of


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "an_agent/__init__.py": "",
        "an_agent/main.py": "import os, a_helper\nfrom another.place import x\n",
        "an_agent/prompts/first.txt": "do it",
        "an_agent/decks/truth.pptx": "a deck among the code",
        "an_agent/template.potx": "a deck beside the code",
        "an_agent/.git/objects": "",
        "a_helper.py": "def late():\n    import a_third\n",
        "a_third.py": "",
        "another/place.py": "",
        "not_imported.py": "",
        "results/index.html": "",
        "results/edited.pptx": "",
        "notes.txt": "",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def shown(places: object) -> set[str]:
    return {str(place).partition("/")[2] for place in places.imports}  # type: ignore[attr-defined]


def test_code_that_is_imported_is_shown_and_nothing_beside_it(project: Path) -> None:
    places = host_files_of(FunctionReference.parse("an_agent.main:edit"))
    assert shown(places) - {"decklab"} == {"an_agent", "a_helper.py", "a_third.py", "another"}
    assert "an_agent" not in sys.modules


def test_decks_among_the_code_are_not(project: Path) -> None:
    editor = FunctionReference.parse("an_agent.main:edit")
    hidden = host_files_of(editor, hidden=[project / "results"]).hidden
    assert {project / "an_agent/decks", project / "an_agent/template.potx",
            project / "an_agent/.git", project / "results"} <= set(hidden)  # fmt: skip


def test_what_the_user_names_is_shown_even_a_deck(project: Path) -> None:
    deck, note = project / "an_agent/template.potx", project / "notes.txt"
    places = host_files_of(FunctionReference.parse("an_agent.main:edit"), files=[deck, note])
    assert deck not in places.hidden
    assert [Path(path).name for path in places.files] == ["template.potx", "notes.txt"]
    assert places.imports[places.files[1].removeprefix("/run/decklab/imports/")] == note


def test_an_editor_may_be_named_by_its_file(project: Path, tmp_path: Path) -> None:
    file = project / "a_helper.py"
    places = host_files_of(FunctionReference.parse(f"{file}:late"))
    assert shown(places) - {"decklab"} == {"a_helper.py", "a_third.py"}
    assert places.file is not None and places.file.endswith("/a_helper.py")


def test_functions_are_known_by_name() -> None:
    assert FunctionReference.of(host_files_of) == FunctionReference(
        "decklab.sandbox.host_files", "host_files_of"
    )
    with pytest.raises(UnknownName, match="no name that another process"):
        FunctionReference.of(lambda deck, instruction: None)
