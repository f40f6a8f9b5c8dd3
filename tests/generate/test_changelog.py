"""The changelog and the fragments that it is made of."""

import re
from datetime import date
from pathlib import Path

import pytest
from generate.changelog import AREAS, OTHER, ROOT, as_list, fragments, main, sections, with_version
from generate.site.reference_pages import changes_page


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A changelog of one version, and three fragments."""
    folder = tmp_path / "changelog.d"
    folder.mkdir()
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\nWords.\n\n## 1.0 (2026-01-02)\n\nOld.\n")
    (folder / "README.md").write_text("# How to write one\n")
    (folder / "score-speed.md").write_text("Faster,\nby half.\n\n- One\n- Two\n")
    (folder / "lint.md").write_text("A rule.\n")
    (folder / "something-else.md").write_text("A thing.\n")
    return tmp_path


def test_a_release_takes_the_fragments_into_the_changelog_by_area(repository: Path) -> None:
    assert main([], root=repository, version="1.1") == 0
    assert (repository / "CHANGELOG.md").read_text() == (
        f"# Changelog\n\nWords.\n\n## 1.1 ({date.today()})\n\n"
        "### Score\n\n- Faster,\n  by half.\n- One\n- Two\n\n"
        "### Lint\n\n- A rule.\n\n### Other\n\n- A thing.\n\n"
        "## 1.0 (2026-01-02)\n\nOld.\n"
    )
    assert [path.name for path in (repository / "changelog.d").iterdir()] == ["README.md"]


def test_the_first_release_begins_a_changelog(repository: Path) -> None:
    (repository / "CHANGELOG.md").unlink()
    assert main([], root=repository, version="1.1") == 0
    text = (repository / "CHANGELOG.md").read_text()
    assert text.startswith("# Changelog\n") and text.endswith("- A thing.\n")


@pytest.mark.parametrize(
    ("version", "said"), [("1.1.dev0", "no version to release"), ("1.0", "has 1.0 already")]
)
def test_a_version_that_cannot_be_released_changes_nothing(
    repository: Path, version: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (repository / "CHANGELOG.md").read_text()
    assert main([], root=repository, version=version) == 1
    assert said in capsys.readouterr().err
    assert (repository / "CHANGELOG.md").read_text() == before
    assert len(fragments(repository / "changelog.d")) == 3


def test_without_fragments_there_is_nothing_to_release(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for note in fragments(repository / "changelog.d"):
        note.unlink()
    assert main([], root=repository, version="1.1") == 1
    assert "nothing is in changelog.d" in capsys.readouterr().err


def test_inner_lists_stay_below_their_item() -> None:
    assert as_list("- One:\n    - a\n    - b\n- Two\n") == "- One:\n    - a\n    - b\n- Two\n"
    assert (
        with_version("# C\n", "1", date(2026, 1, 2), "- x\n") == "# C\n\n## 1 (2026-01-02)\n\n- x\n"
    )


def test_the_readme_of_the_fragments_lists_the_areas() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| (.*) \|$", (ROOT / "changelog.d/README.md").read_text(), re.M
    )
    assert dict(rows) == {word: name for word, name in AREAS.items() if word != "rooms"}
    assert OTHER not in AREAS.values()


def test_the_page_of_changes_has_fragments_and_versions() -> None:
    page = changes_page()
    assert page.startswith("# What is new\n") and "## 0.1.0 (" in page
    told = sections(ROOT / "changelog.d").replace("](docs/", "](")  # from the page's folder
    assert told in page
