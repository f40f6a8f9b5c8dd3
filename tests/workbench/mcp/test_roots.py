"""Which paths a server takes: below its folders, links followed, nothing overwritten."""

import os
from pathlib import Path

import pytest

from decklab.core.errors import Unavailable
from decklab.workbench.mcp.roots import PathRefused, Roots


@pytest.fixture
def top(tmp_path: Path) -> Path:
    for name in ("in/sub", "out"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("in/talk.pptx", "in/sub/deep.pptx", "in/.hidden.pptx", "out/secret.pptx"):
        (tmp_path / name).write_bytes(b"deck")
    return tmp_path


@pytest.fixture
def roots(top: Path) -> Roots:
    return Roots([top / "in"])


def test_files_are_named_below_the_root_or_by_their_whole_path(top: Path, roots: Roots) -> None:
    deep = top / "in/sub/deep.pptx"
    names = ("sub/deep.pptx", "./sub/deep.pptx", "sub/../sub/deep.pptx", str(deep))
    assert {roots.file(name) for name in names} == {deep}
    assert roots.shown(deep) == "sub/deep.pptx"
    assert roots.shortened(f"{deep}: broken") == "sub/deep.pptx: broken"
    assert [roots.shown(path) for path in roots.files()] == ["talk.pptx", "sub/deep.pptx"]


@pytest.mark.parametrize(
    "name",
    ["../out/secret.pptx", "sub/../../out/secret.pptx", "{top}/out/secret.pptx", "~/x", "a\0",
     "", "x" * 5000, "link.pptx", "linked/secret.pptx", "circle.pptx", ".hidden.pptx",
     ".git/a.pptx"],
)  # fmt: skip
def test_what_lies_outside_is_refused(top: Path, roots: Roots, name: str) -> None:
    (top / "in/link.pptx").symlink_to(top / "out/secret.pptx")
    (top / "in/linked").symlink_to(top / "out")
    (top / "in/circle.pptx").symlink_to(top / "in/circle.pptx")
    with pytest.raises(PathRefused) as refused:
        roots.file(name.format(top=top))
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 800
    assert {path.name for path in roots.files()} == {"talk.pptx", "deep.pptx"}


def test_a_link_within_the_root_is_followed(top: Path, roots: Roots) -> None:
    (top / "in/again.pptx").symlink_to(top / "in/talk.pptx")
    assert roots.file("again.pptx") == top / "in/talk.pptx"


def test_what_is_no_file_is_said(top: Path, roots: Roots) -> None:
    os.mkfifo(top / "in/pipe.pptx")
    for name, said in (("sub", "is a folder"), ("pipe.pptx", "a pipe"), ("no.pptx", "no file")):
        with pytest.raises(PathRefused, match=said):
            roots.file(name)
    with pytest.raises(PathRefused, match=r"did you mean 'talk\.pptx'"):
        roots.file("tlk.pptx")
    with pytest.raises(PathRefused, match=r"did you mean 'sub/deep\.pptx'"):
        roots.file("deep.pptx")
    with pytest.raises(PathRefused, match="no folder 'nowhere'"):
        roots.folder("nowhere")


def test_a_new_file_takes_no_name_that_is_taken(top: Path, roots: Roots) -> None:
    talk = top / "in/talk.pptx"
    assert roots.new_file("", like=talk, suffix=".pptx") == top / "in/talk.edited.pptx"
    (top / "in/talk.edited.pptx").write_bytes(b"")
    edited = top / "in/talk.edited.pptx"
    assert roots.new_file("", like=edited, suffix=".pptx") == top / "in/talk.edited-2.pptx"
    assert roots.new_file("new/a.pptx", suffix=".pptx") == top / "in/new/a.pptx"
    (top / "in/dangling.pptx").symlink_to(top / "in/nothing.pptx")
    (top / "in/linked").symlink_to(top / "out")
    for name, said in (
        ("talk.pptx", "'talk-2.pptx' is free"), ("a.pdf", "has to end in .pptx"),
        ("../a.pptx", "outside"), ("linked/a.pptx", "outside"), ("sub", "has to end"),
    ):  # fmt: skip
        with pytest.raises(PathRefused, match=said):
            roots.new_file(name, suffix=".pptx")
    # What a dangling link names is free: the file is made there, and the link is not replaced.
    assert roots.new_file("dangling.pptx", suffix=".pptx") == top / "in/nothing.pptx"


def test_several_roots_have_names(top: Path) -> None:
    roots = Roots([top / "in", top / "out", top / "in"])
    assert [roots.shown(path) for path in roots.files()] == [
        "in/talk.pptx", "in/sub/deep.pptx", "out/secret.pptx",
    ]  # fmt: skip
    assert roots.file("out/secret.pptx") == roots.file("secret.pptx") == top / "out/secret.pptx"
    assert roots.new_file("out/a.pptx", suffix=".pptx") == top / "out/a.pptx"
    assert roots.shortened(f"{top}/out/secret.pptx: x") == "out/secret.pptx: x"


def test_roots_have_to_be_folders_with_names_of_their_own(top: Path) -> None:
    with pytest.raises(Unavailable, match="is no folder"):
        Roots([top / "in/talk.pptx"])
    (top / "out/in").mkdir()
    with pytest.raises(Unavailable, match="two folders have one name"):
        Roots([top / "in", top / "out/in"])
