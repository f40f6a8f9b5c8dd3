"""One warm sandbox with other files and data, again and again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from decklab.core.options import Isolation
from decklab.sandbox.limits import CodeFailed
from decklab.sandbox.sandbox import Sandbox

READ = "result = [open(path).read(), seen, told()]"
PRELUDE = "seen = [start]\ndef told(): return ask('?')"


@pytest.fixture(params=["bubblewrap", "process"])
def warm(request: pytest.FixtureRequest, caged: None, tmp_path: Path) -> Iterator[Sandbox]:
    isolation: Isolation = request.param
    (tmp_path / "one.txt").write_text("one")
    with Sandbox(
        files={"deck": tmp_path / "one.txt"}, services={"ask": lambda q: "first"},
        prelude=PRELUDE, data={"start": 1}, isolation=isolation,
    ) as made:  # fmt: skip
        yield made


def renew(sandbox: Sandbox, file: Path, said: str, start: int) -> None:
    sandbox.renew(files={"deck": file}, services={"ask": lambda q: said}, data={"start": start})


def test_files_services_and_data_are_the_new_ones(warm: Sandbox, tmp_path: Path) -> None:
    where = {"path": warm.path("deck")}
    assert warm.run(READ, globals=where).value == ["one", [1], "first"]
    for number in (2, 3):
        file = tmp_path / f"{number}.txt"
        file.write_text("long " * 5000 + str(number))
        renew(warm, file, f"answer {number}", number)
        value = warm.run(READ, globals=where).value
        assert value == [file.read_text(), [number], f"answer {number}"]


def test_a_sandbox_that_was_lost_starts_with_the_new_ones(warm: Sandbox, tmp_path: Path) -> None:
    warm.close()
    (tmp_path / "two.txt").write_text("two")
    renew(warm, tmp_path / "two.txt", "again", 2)
    assert warm.run(READ, globals={"path": warm.path("deck")}).value == ["two", [2], "again"]


def test_what_an_earlier_run_left_is_not_handed_out(warm: Sandbox, tmp_path: Path) -> None:
    warm.run("open('left.txt', 'w').write('x')", result=None)
    renew(warm, tmp_path / "one.txt", "", 0)
    assert warm.collect() == {}


@pytest.mark.by_day(2)
@pytest.mark.parametrize(
    "attack",
    [
        "open(path, 'w').write('forged')",
        "import os; os.remove(path)",
        "import os; os.chmod(path, 0o777); open(path, 'w').write('forged')",
        "import os; os.rename('mine', path)",
        "import os; os.symlink('mine', os.path.dirname(path) + '/more')",
        "open(path + '.more', 'w').write('x')",
        "import ctypes; assert ctypes.CDLL(None).umount2(path.rpartition('/')[0].encode(), 2) == 0",
    ],
)
def test_files_handed_in_later_cannot_be_tampered_with(
    caged: None, tmp_path: Path, attack: str
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text(name)
    with Sandbox(files={"deck": tmp_path / "one"}) as sandbox:
        sandbox.renew(files={"deck": tmp_path / "two"})
        where = {"path": sandbox.path("deck")}
        with pytest.raises(CodeFailed):
            sandbox.run(f"open('mine', 'w').close()\n{attack}", globals=where, result=None)
        read = "import os\nresult = [open(path).read(), os.listdir(os.path.dirname(path))]"
        assert sandbox.run(read, globals=where).value == ["two", ["deck"]]


def test_the_names_of_services_stay(warm: Sandbox) -> None:
    with pytest.raises(ValueError, match="names of its services"):
        warm.renew(services={"other": lambda: ""})


def test_a_prelude_that_fails_the_second_time_is_told(caged: None) -> None:
    with Sandbox(prelude="1 / start", data={"start": 1}) as sandbox:
        with pytest.raises(CodeFailed, match="ZeroDivisionError"):
            sandbox.renew(data={"start": 0})
        sandbox.renew(data={"start": 2})
        assert sandbox.run("result = start").value == 2
