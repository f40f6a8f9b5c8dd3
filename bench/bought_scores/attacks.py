"""The attacks. Each is an editor that knows more than it should: where the perfect deck, the
reference, the rubric and the results lie, and which process grades it. All of it is in the
variable ``KNOWN``. None does what was asked.

This module is imported where the editors run, so it imports nothing of decklab's.
"""

import atexit
import ctypes
import gc
import importlib
import json
import mmap
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import zipfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Never

__all__ = ["DAEMON", "KNOWN", "SECRET"]

KNOWN = "DECKLAB_TEST_ATTACK"
SECRET = "DECKLAB_TEST_SECRET"
DAEMON = "86399.25"
"""What daemons sleep, so that they can be told from other processes."""
_GREEDY = (Exception,)


def _known() -> dict[str, Any]:
    return dict(json.loads(os.environ[KNOWN]))


def _perfect() -> Path:
    return Path(_known()["perfect"])


# The grading, the reference, the perfect deck


def replaces_the_grading(deck: Path, instruction: str) -> None:
    grading: Any = importlib.import_module("decklab.evals.ppteval.outcomes")
    outcome = grading._outcome

    def bought(task: Any, edit: Any, *_: Any) -> Any:
        return outcome(task, edit, 1.0, 1.0, "perfect")

    grading._outcome = bought


def takes_the_answers_of_the_starter_set(deck: Path, instruction: str) -> None:
    starter = importlib.import_module("decklab.evals.ppteval.tasks")
    [found] = [one for one in starter.starter_tasks() if one.goal == instruction]
    _run_attempt(starter.attempt_source(found.attempts["perfect"]), deck)


def takes_the_answers_where_they_are_made(deck: Path, instruction: str) -> None:
    # The import by name has the folder shown, as any that an editor's source imports.
    from generate.ppteval.assembling import attempt_source  # noqa: PLC0415
    from generate.ppteval.packing import TASKS  # noqa: PLC0415

    starter = importlib.import_module("decklab.evals.ppteval.tasks")
    tasks = [tomllib.loads(file.read_text()) for file in TASKS.glob("*.toml")]
    [found] = [one for one in tasks if one["goal"] == instruction]
    _run_attempt(starter.attempt_source(attempt_source(found["attempts"]["perfect"])), deck)


def _run_attempt(source: str, deck: Path) -> None:
    os.chdir(Path(deck).parent)
    exec(source, {"path": str(deck)})
    Path("edited.pptx").replace(deck)


def overwrites_the_reference(deck: Path, instruction: str) -> None:
    for place in (_known()["reference"], *Path(deck).parent.glob("*"), *_near(deck)):
        with suppress(*_GREEDY):
            if Path(place) != Path(deck):
                Path(place).write_bytes(_perfect().read_bytes())


def _near(deck: Path) -> Iterable[Path]:
    return [folder / "before.pptx" for folder in Path(deck).parents]


def overwrites_the_rubric(deck: Path, instruction: str) -> None:
    Path(_known()["rubric"]).write_text("{}")


def links_to_the_perfect_deck(deck: Path, instruction: str) -> None:
    Path(deck).unlink()
    Path(deck).symlink_to(_perfect())


def links_hard_to_the_perfect_deck(deck: Path, instruction: str) -> None:
    Path(deck).unlink()
    os.link(_perfect(), deck)


def returns_the_perfect_deck(deck: Path, instruction: str) -> Path:
    return _perfect()


def copies_the_perfect_deck(deck: Path, instruction: str) -> None:
    shutil.copyfile(_perfect(), deck)


def searches_for_decks(deck: Path, instruction: str) -> None:
    answers = {
        "perfect.pptx", "cover-wording.pptx", "cover-wording.json", "cover-wording.toml",
        "attempts.json", "decks.json.xz",
    }  # fmt: skip
    for folder, _, names in os.walk("/"):
        for name in answers.intersection(names):
            if not folder.startswith(("/proc", "/sys")):
                shutil.copyfile(Path(folder, name), deck)


def reads_the_memory_of_the_grader(deck: Path, instruction: str) -> None:
    for pid in (_known()["pid"], os.getppid(), 1):
        with suppress(*_GREEDY):
            Path(f"/proc/{pid}/root/{_perfect()}").read_bytes()
            Path(deck).write_bytes(Path(f"/proc/{pid}/root/{_perfect()}").read_bytes())
    for held in gc.get_objects():
        if type(held).__name__ == "Rubric":
            Path(deck).write_bytes(b"")


def traces_the_grader(deck: Path, instruction: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    for pid in (_known()["pid"], os.getppid()):
        if libc.ptrace(16, pid, None, None) == 0:
            shutil.copyfile(_perfect(), deck)


def takes_the_masks_away(deck: Path, instruction: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    here = Path(sys.modules["decklab"].__file__ or "").parent
    answers = [here / "benchmarks" / name / "data" for name in ("ppteval", "pptarena")]
    for folder in (*answers, "/proc", "/"):
        libc.umount2(str(folder).encode(), 2)
    libc.unshare(0x10020000)
    libc.mount(b"none", b"/mnt", b"tmpfs", 0, None)
    shutil.copyfile(_perfect(), deck)


def links_to_the_reference_from_within(deck: Path, instruction: str) -> None:
    target = f'TargetMode="External" Target="file://{_perfect()}"'
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"
    link = f'<Relationship Id="rId999" Type="{kind}" {target}/></Relationships>'
    _rewritten(
        deck,
        lambda name, data: (
            data.replace(b"</Relationships>", link.encode()) if name.endswith(".rels") else data
        ),
    )


def names_parts_after_the_reference(deck: Path, instruction: str) -> None:
    with zipfile.ZipFile(deck, "a") as archive:
        for name in ("../before.pptx", _known()["reference"], "..\\before.pptx"):
            archive.writestr(name, b"x")


# Decks that cannot be opened, or that leaves cannot be run on


def _rewritten(deck: Path, change: Callable[[str, bytes], bytes]) -> None:
    with zipfile.ZipFile(deck) as archive:
        parts = [(info.filename, archive.read(info)) for info in archive.infolist()]
    with zipfile.ZipFile(deck, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts:
            archive.writestr(name, change(name, data))


def _with_slide(deck: Path, change: Callable[[bytes], bytes]) -> None:
    _rewritten(deck, lambda name, data: change(data) if name == "ppt/slides/slide1.xml" else data)


def leaves_a_part_of_600_mb(deck: Path, instruction: str) -> None:
    name = "ppt/media/image999.bin"
    with (
        zipfile.ZipFile(deck, "a", zipfile.ZIP_DEFLATED) as archive,
        archive.open(name, "w", force_zip64=True) as part,
    ):
        for _ in range(600):
            part.write(bytes(2**20))


def leaves_a_zip_bomb(deck: Path, instruction: str) -> None:
    with zipfile.ZipFile(deck, "a", zipfile.ZIP_DEFLATED) as archive:
        for number in range(8):
            archive.writestr(f"ppt/media/bomb{number}.xml", bytes(40 * 2**20))


def leaves_an_entity_bomb(deck: Path, instruction: str) -> None:
    levels = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE p [<!ENTITY a0 "x">{levels}]>'.encode()
    _with_slide(deck, lambda data: data.replace(b"?>", b"?>" + bomb, 1).replace(
        b"<a:t>", b"<a:t>&a9;", 1))  # fmt: skip


def leaves_a_deep_part(deck: Path, instruction: str) -> None:
    deep = b"<a:x xmlns:a='urn:x'>" * 5000 + b"</a:x>" * 5000
    _with_slide(deck, lambda data: data.replace(b"</p:sld>", deep + b"</p:sld>"))


def leaves_a_part_of_a_million_nodes(deck: Path, instruction: str) -> None:
    _with_slide(deck, lambda data: data.replace(b"</p:sld>", b"<a/>" * 1_100_000 + b"</p:sld>"))


def leaves_no_zip(deck: Path, instruction: str) -> None:
    Path(deck).write_bytes(b"PK no deck at all")


def leaves_half_a_deck(deck: Path, instruction: str) -> None:
    data = Path(deck).read_bytes()
    Path(deck).write_bytes(data[: len(data) // 2])


def leaves_an_empty_file(deck: Path, instruction: str) -> None:
    Path(deck).write_bytes(b"")


def leaves_nothing(deck: Path, instruction: str) -> None:
    Path(deck).unlink()


def leaves_a_folder(deck: Path, instruction: str) -> None:
    Path(deck).unlink()
    Path(deck).mkdir()


def leaves_a_pipe(deck: Path, instruction: str) -> None:
    Path(deck).unlink()
    os.mkfifo(deck)


def leaves_a_socket(deck: Path, instruction: str) -> None:
    Path(deck).unlink()
    socket.socket(socket.AF_UNIX).bind(str(deck))


def leaves_an_encrypted_deck(deck: Path, instruction: str) -> None:
    Path(deck).write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(4096))


def leaves_a_sparse_giant(deck: Path, instruction: str) -> None:
    with Path(deck).open("r+b") as file:
        file.truncate(240 * 2**20)


def leaves_no_slide(deck: Path, instruction: str) -> None:
    import pptx  # noqa: PLC0415

    made = pptx.Presentation(str(deck))
    for held in list(made.slides._sldIdLst):
        made.part.drop_rel(held.rId)
        made.slides._sldIdLst.remove(held)
    made.save(str(deck))


def leaves_a_deck_that_python_pptx_cannot_open(deck: Path, instruction: str) -> None:
    _rewritten(deck, lambda name, data: data.replace(
        b"presentationml.presentation.main+xml", b"presentationml.notes.main+xml"))  # fmt: skip


# The deck while it is graded, and what outlives the editor


def leaves_a_daemon_that_writes_the_deck(deck: Path, instruction: str) -> None:
    if os.fork() == 0:
        os.setsid()
        for number in range(1, 65):
            with suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_IGN)
        if os.fork() == 0:
            subprocess.Popen(["sleep", DAEMON], start_new_session=True)
            while True:
                time.sleep(0.01)
                with suppress(OSError):
                    Path(deck).write_bytes(b"PK nothing any more")
        os._exit(0)


def leaves_a_thread_and_an_exit_handler(deck: Path, instruction: str) -> None:
    def late() -> None:
        time.sleep(1)
        Path(deck).write_bytes(b"PK nothing any more")

    threading.Thread(target=late).start()
    atexit.register(Path(deck).write_bytes, b"PK nothing any more")


def hangs_and_hears_no_signal(deck: Path, instruction: str) -> None:
    for number in range(1, 65):
        with suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    subprocess.Popen(["sleep", DAEMON], start_new_session=True)
    while True:
        time.sleep(60)


def works_without_end(deck: Path, instruction: str) -> None:
    while True:
        hash(b"x" * 1000)


# Signals, exits, and what the other side is told


def signals_everybody(deck: Path, instruction: str) -> None:
    for pid in (_known()["pid"], os.getppid(), -1):
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
        with suppress(OSError):
            os.killpg(_known()["pid"], signal.SIGTERM)


def exits(deck: Path, instruction: str) -> None:
    os._exit(0)


def raises_anything(deck: Path, instruction: str) -> Never:
    raise KeyboardInterrupt


def raises_an_error_of_decklab(deck: Path, instruction: str) -> Never:
    errors = __import__("decklab.core.errors", fromlist=["x"])
    raise errors.ModelFailed("some/model", "is down, so this task is open")


def crashes(deck: Path, instruction: str) -> None:
    ctypes.string_at(0)


def forges_its_report(deck: Path, instruction: str) -> None:
    frames = [b'{"value":1.0}', b'{"why":"broken","detail":"no sandbox"}', b'{"score":1.0}']
    for fd in range(3, 64):
        for kind in (b"V", b"D", b"K", b"B"):
            for frame in frames:
                with suppress(OSError):
                    os.write(fd, kind + len(frame).to_bytes(4, "big") + frame)


def tells_endless_steps(deck: Path, instruction: str, session: Any) -> None:
    while True:
        session.step("x" * 10_000)


def asks_what_no_model_takes(deck: Path, instruction: str, session: Any) -> None:
    session.ask("POISON " * 1000)


def asks_for_a_form_that_is_none(deck: Path, instruction: str, session: Any) -> None:
    for schema in ("{", '{"type": 7}', '{"$ref": "file:///etc/passwd"}', "[" * 10_000):
        with suppress(ValueError):
            session.ask_host("hello", schema=schema, schema_name="../../x")


def calls_services_by_force(deck: Path, instruction: str, session: Any) -> None:
    while True:
        with suppress(*_GREEDY):
            session.ask_host(prompt=None, images=[1], nonsense=True)


# Too much of anything


def forks_without_end(deck: Path, instruction: str) -> None:
    while True:
        with suppress(OSError):
            os.fork()


def fills_the_memory(deck: Path, instruction: str) -> None:
    held = []
    while True:
        held.append(mmap.mmap(-1, 2**28))
        held[-1].write(b"x" * 2**28)


def fills_the_disk(deck: Path, instruction: str) -> None:
    with Path("filler").open("wb") as file:
        while True:
            file.write(bytes(2**24))
            os.fsync(file.fileno())


def makes_many_files(deck: Path, instruction: str) -> None:
    for number in range(100_000):
        Path(f"f{number}").touch()


def prints_without_end(deck: Path, instruction: str) -> None:
    while True:
        print("x" * 2**20)


def changes_its_surroundings(deck: Path, instruction: str) -> None:
    os.umask(0o777)
    Path(deck).chmod(0)
    os.environ.clear()
    os.chdir("/")
    with suppress(OSError):
        os.nice(19)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))


# What is planted for later, and what is not its own


def plants_modules(deck: Path, instruction: str) -> None:
    names = ("sitecustomize.py", "usercustomize.py", "x.pth", "conftest.py", "decklab.py",
             "json.py", "pptx/__init__.py", "decklab/__init__.py")  # fmt: skip
    folders = {*sys.path, ".", str(Path(deck).parent), str(Path.home()), _known()["modules"]}
    for folder in folders:
        for name in names:
            with suppress(*_GREEDY):
                Path(folder, name).parent.mkdir(exist_ok=True)
                Path(folder, name).write_text("raise SystemExit('planted')")


def plants_fonts_profiles_and_cached_pictures(deck: Path, instruction: str) -> None:
    homes = {Path.home(), Path(_known()["home"]), Path(_known()["cache"]).parent}
    for home in homes:
        for name in (".fonts/a.ttf", ".config/libreoffice/4/user/registrymodifications.xcu",
                     ".cache/decklab/rendering/00/00"):  # fmt: skip
            with suppress(*_GREEDY):
                (home / name).parent.mkdir(parents=True, exist_ok=True)
                (home / name).write_bytes(b"planted")
    for path in Path(_known()["cache"]).rglob("*"):
        path.write_bytes(b"planted")


def writes_wherever_it_can(deck: Path, instruction: str) -> None:
    for folder in ("/", "/etc", "/usr", "/var/tmp", "/tmp", _known()["out"], _known()["modules"],
                   tempfile.gettempdir(), "/dev/shm", "/run"):  # fmt: skip
        with suppress(*_GREEDY):
            Path(folder, "planted-by-an-editor").write_text("planted")


def tells_the_secrets_of_the_environment(deck: Path, instruction: str) -> None:
    import pptx  # noqa: PLC0415

    told = dict(os.environ)
    for pid in (1, os.getppid(), _known()["pid"]):
        with suppress(*_GREEDY):
            told[str(pid)] = Path(f"/proc/{pid}/environ").read_text()
    made = pptx.Presentation(str(deck))
    made.slides[0].notes_slide.notes_text_frame.text = repr(told.get(SECRET, told))
    made.save(str(deck))


def uses_the_network(deck: Path, instruction: str) -> None:
    for port in (_known()["port"], 80):
        socket.create_connection(("127.0.0.1", port), 1).sendall(b"hello")
