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


def test_files_of_one_name_from_two_folders_are_all_shown(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    named = []
    for folder in ("a", "b", "c"):
        (elsewhere / folder).mkdir()
        (elsewhere / folder / "notes.txt").write_text(folder)
        named.append(elsewhere / folder / "notes.txt")
    places = host_files_of(FunctionReference.parse("an_agent.main:edit"), files=[*named, named[0]])
    seen = [places.imports[path.removeprefix("/run/decklab/imports/")] for path in places.files]
    assert [path.read_text() for path in seen] == ["a", "b", "c"]
    assert {Path(path).name for path in places.files} == {"notes.txt"}


def test_a_file_beside_the_code_is_beside_it_inside_and_another_is_not(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("elsewhere") / "notes.txt"
    other.touch()
    places = host_files_of(
        FunctionReference.parse("an_agent.main:edit"), files=[project / "notes.txt", other]
    )
    beside, apart = places.files
    (code,) = [place for place in places.imports if place.endswith("/an_agent")]
    number = code.partition("/")[0]
    assert beside == f"/run/decklab/imports/{number}/notes.txt"
    assert apart == "/run/decklab/imports/files/notes.txt"


@pytest.mark.parametrize(
    ("source", "shown_too"),
    [
        ("import a_third, a_helper as h\n", {"a_third.py", "a_helper.py"}),
        ("if True:\n    from a_third import x\n", {"a_third.py"}),
        ("from . import a_third\n", set()),
        ("important = 1  # import a_third\n", set()),
        ("import a_third.sub\n", {"a_third.py"}),
    ],
)
def test_what_a_source_imports_is_shown(project: Path, source: str, shown_too: set[str]) -> None:
    (project / "lone.py").write_text(source)
    places = host_files_of(FunctionReference.parse("lone:edit"))
    assert shown(places) - {"decklab", "lone.py"} == shown_too | (
        {"a_third.py"} if "a_helper.py" in shown_too else set()
    )


def test_modules_and_files_that_are_not_there_are_refused(project: Path) -> None:
    for name in ("gone.module:edit", "nothing", str(project / "gone.py") + ":edit"):
        with pytest.raises(UnknownName, match="no editor"):
            FunctionReference.parse(name)
