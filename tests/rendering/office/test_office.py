"""LibreOffice itself: isolation, fidelity, and that nothing of it is left behind."""

import fcntl
import http.server
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest
from PIL import Image
from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE

from decklab.core.errors import DecklabError, EncryptedDeck, RenderFailed
from decklab.core.files import sweep_stale_folders
from decklab.rendering import office_process as profile
from decklab.rendering import office_worker as worker_module
from decklab.rendering.office import Office
from decklab.rendering.office_process import Worker, find_installation
from decklab.rendering.opening import open_rendered
from decklab.rendering.pdf import PdfDeck
from decklab.rendering.renderer import Renderer

pytestmark = pytest.mark.office

WriteDeck = Callable[..., Path]


def test_slides_come_out_in_order_with_hidden_ones(office: Office, write_deck: WriteDeck) -> None:
    texts = [(word, 100, 100) for word in ("First", "Second", "Third")]
    path = write_deck(*texts, hidden=1)
    with open_rendered(path, renderer=Renderer(office)) as deck:
        assert [span.text for slide in deck for span in slide.spans] == ["First", "Second", "Third"]
        assert deck.kind == "office"
        assert deck.engine.startswith("LibreOffice ")
        assert deck.slide_size_pt == pytest.approx((960, 540), abs=0.5)
        assert deck.slide(2).image.shape == (720, 1280, 3)


def test_a_deck_without_slides_is_empty_when_that_is_known(
    office: Office, write_deck: WriteDeck
) -> None:
    path = write_deck()
    with open_rendered(path, renderer=Renderer(office)) as deck:
        assert len(deck) == 0
        assert list(deck) == []


@pytest.mark.long
def test_two_workers_draw_the_same_pixels(office: Office, write_deck: WriteDeck) -> None:
    path = write_deck(("Same", 100, 100, 40, "C03010"), ("Pixels", 300, 200, 18, "204060"))
    with Office() as other:
        first, second = office.pdf(path), other.pdf(path)
    with (
        open_rendered(path, renderer=Renderer(_Given(first))) as one,
        open_rendered(path, renderer=Renderer(_Given(second))) as two,
    ):
        for left, right in zip(one, two, strict=True):
            assert left.image.min() < 128
            assert np.array_equal(left.image, right.image)
            assert left.spans == right.spans


class _Given:
    engine = "given"
    options: dict[str, object] = {}  # noqa: RUF012 - never changed

    def __init__(self, content: bytes) -> None:
        self._content = content

    def pdf(self, path: str | Path) -> bytes:
        return self._content

    resaved = pdf


def ink(image: np.ndarray) -> np.ndarray:
    return image.min(axis=2) < 160


@pytest.mark.parametrize(
    ("rotation", "size", "color"), [(0, 24, "000000"), (90, 31.5, "112299"), (30, 18, "7A0000")]
)
def test_spans_hold_all_ink_and_are_tight(
    office: Office, write_deck: WriteDeck, rotation: float, size: float, color: str
) -> None:
    path = write_deck(("Typography", 300, 240, size, color))
    deck = Presentation(str(path))
    deck.slides[0].shapes[0].rotation = rotation
    deck.save(str(path))
    with open_rendered(path, renderer=Renderer(office)) as rendered:
        slide = rendered.slide(1)
    assert "".join(span.text for span in slide.spans) == "Typography"
    assert {span.color for span in slide.spans} == {f"#{color}"}
    assert all(span.size_pt == pytest.approx(size, abs=0.05) for span in slide.spans)
    box = slide.spans[0].box
    for span in slide.spans[1:]:
        box = box.union(span.box)
    rows, columns = np.nonzero(ink(slide.image))
    drawn = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    # Boxes of slanted glyphs are those of their turned rectangles: larger than the ink.
    slack = 2.5 if rotation in (0, 90) else 12
    assert tuple(box.scaled(1280 / 960, 720 / 540)) == pytest.approx(drawn, abs=slack)


def test_bullets_are_no_words(office: Office, tmp_path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.placeholders[1].text = "Point"
    deck.save(str(tmp_path / "bullets.pptx"))
    with open_rendered(tmp_path / "bullets.pptx", renderer=Renderer(office)) as rendered:
        texts = [span.text for span in rendered.slide(1).spans]
    assert texts[-1] == "Point"
    assert not any("\ue000" <= char <= "\uf8ff" for text in texts for char in text)


@pytest.mark.long
def test_a_file_that_is_no_deck_is_refused(office: Office, tmp_path: Path) -> None:
    path = tmp_path / "letter.pptx"
    path.write_text("Dear reader, this is a letter.")
    with pytest.raises(RenderFailed, match=r"letter\.pptx: LibreOffice"):
        office.pdf(path)


def locked_copy(source: Path, target: Path) -> None:
    """Have LibreOffice store a deck with a password."""
    script = target.with_name("locking_worker.py")
    plain = Path(worker_module.__file__).read_text()
    locking = plain.replace(
        'FilterName="impress_pdf_Export"', 'FilterName="impress8", Password="secret"'
    ).replace(", FilterData=typed", "")
    assert locking != plain
    script.write_text(locking)
    worker = Worker(find_installation(), script, isolated=False, memory_limit=2**32)
    try:
        worker.answer(60)
        shutil.copyfile(source, worker.folder / "deck.pptx")
        answer = worker.ask({"source": "deck.pptx", "target": "locked", "export": {}}, 60)
        assert answer["ok"], answer
        shutil.copyfile(worker.folder / "locked", target)
    finally:
        worker.kill()


@pytest.mark.long
def test_a_deck_with_a_password_is_refused_instead_of_hanging(
    office: Office, write_deck: WriteDeck, tmp_path: Path
) -> None:
    path = tmp_path / "locked.odp"
    locked_copy(write_deck(("Secret", 100, 100)), path)
    with pytest.raises(RenderFailed, match="LibreOffice cannot read it"):
        office.pdf(path)
    with pytest.raises(EncryptedDeck, match=r"locked\.odp"):
        open_rendered(path, renderer=Renderer(office))


@pytest.fixture
def listener() -> Iterator[tuple[str, list[str]]]:
    """A loopback web server: its address, and the paths it was asked for."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        do_HEAD = do_OPTIONS = do_PROPFIND = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", asked
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.long
@pytest.mark.parametrize("isolate", [True, False])
def test_linked_pictures_are_never_fetched(
    write_deck: WriteDeck, tmp_path: Path, listener: tuple[str, list[str]], isolate: bool
) -> None:
    address, asked = listener
    path = write_deck(("Text", 100, 100))
    Image.new("RGB", (8, 8)).save(tmp_path / "dot.png")
    deck = Presentation(str(path))
    slide = deck.slides[0]
    picture = slide.shapes.add_picture(str(tmp_path / "dot.png"), 0, 0, 914400, 914400)
    link = slide.part.relate_to(f"{address}/beacon.png", RELATIONSHIP_TYPE.IMAGE, is_external=True)
    blip = picture._element.blipFill.blip
    relation = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
    del blip.attrib[f"{relation}embed"]
    blip.set(f"{relation}link", link)
    deck.save(str(path))
    with (
        Office(isolate=isolate) as office,
        open_rendered(path, renderer=Renderer(office)) as rendered,
    ):
        assert [span.text for span in rendered.slide(1).spans] == ["Text"]
    assert asked == []


_CALL = "vnd.sun.star.script:Standard.M.Main?language=Basic&amp;location=document"
_NAMESPACES = """xmlns:ooo="http://openoffice.org/2004/office"
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0"
 xmlns:dom="http://www.w3.org/2001/xml-events" xmlns:xlink="http://www.w3.org/1999/xlink"
 xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0\""""
_LIBRARY = 'xmlns:library="http://openoffice.org/2000/library"'


def _doctype(root: str, name: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<!DOCTYPE {root} PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "{name}.dtd">\n'
    )


def macro_deck(path: Path, target: Path) -> None:
    """A deck whose Basic macro makes the file ``target`` when the deck is loaded."""
    basic = (
        f"Sub Main\nOpen &quot;{target}&quot; For Output As #1\nPrint #1, 1\nClose #1\nEnd Sub\n"
    )
    parts = {
        "content.xml": f"<office:document-content {_NAMESPACES} office:version='1.2'>"
        "<office:scripts><office:event-listeners><script:event-listener "
        f"script:language='ooo:script' script:event-name='dom:load' xlink:href='{_CALL}' "
        "xlink:type='simple'/></office:event-listeners></office:scripts>"
        "<office:body><office:presentation><draw:page draw:name='p'/>"
        "</office:presentation></office:body></office:document-content>",
        "Basic/script-lc.xml": _doctype("library:libraries", "libraries")
        + f"<library:libraries {_LIBRARY}><library:library "
        "library:name='Standard' library:link='false'/></library:libraries>",
        "Basic/Standard/script-lb.xml": _doctype("library:library", "library")
        + f"<library:library {_LIBRARY} library:name='Standard' "
        "library:readonly='false'><library:element library:name='M'/></library:library>",
        "Basic/Standard/M.xml": _doctype("script:module", "module")
        + "<script:module script:name='M' script:language='StarBasic' "
        f"xmlns:script='http://openoffice.org/2000/script'>{basic}</script:module>",
    }
    kind = "application/vnd.oasis.opendocument.presentation"
    entry = "<manifest:file-entry manifest:full-path='{}' manifest:media-type='{}'/>"
    listed = entry.format("/", kind) + "".join(entry.format(name, "text/xml") for name in parts)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", kind)
        for name, content in parts.items():
            archive.writestr(name, content)
        archive.writestr(
            "META-INF/manifest.xml",
            "<manifest:manifest manifest:version='1.2' xmlns:manifest="
            f"'urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'>{listed}</manifest:manifest>",
        )


def run_macro_deck(folder: Path, *changes: tuple[str, str]) -> bool:
    """Draw the macro deck with a changed worker; returns whether the macro ran."""
    macro_deck(folder / "macro.odp", folder / "ran.txt")
    source = Path(worker_module.__file__).read_text()
    for old, new in (("pages = document", "time.sleep(1); pages = document"), *changes):
        assert old in source
        source = source.replace(old, new)
    (folder / "changed.py").write_text(source)
    with Office(isolate=False, worker=folder / "changed.py") as office:
        assert office.pdf(folder / "macro.odp").startswith(b"%PDF-")
    return (folder / "ran.txt").exists()


SHOWN = ("Hidden=True", "Hidden=False")
EXECUTE = ("NEVER_EXECUTE", "ALWAYS_EXECUTE_NO_WARN")


@pytest.mark.long
@pytest.mark.parametrize("guard", ["hidden", "mode", "settings", "none"])
def test_each_guard_alone_keeps_macros_from_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guard: str
) -> None:
    if guard != "settings":
        rest = tuple(item for item in profile.SETTINGS if "Scripting" not in item[0])
        monkeypatch.setattr(profile, "SETTINGS", rest)
    dropped = [change for name, change in (("hidden", SHOWN), ("mode", EXECUTE)) if guard != name]
    assert run_macro_deck(tmp_path, *dropped) == (guard == "none")


def test_the_cage_is_in_use_where_bubblewrap_works(office: Office) -> None:
    works = subprocess.run(
        ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"], check=False, capture_output=True
    )
    assert office.isolated == (works.returncode == 0)


PARENT = """
import sys, time
from decklab.rendering.office import Office
office = Office(isolate={isolate})
office.pdf({path!r})
print("ready", flush=True)
time.sleep(600)
"""


@pytest.mark.long
@pytest.mark.parametrize("isolate", [True, False])
def test_nothing_outlives_a_killed_parent(
    write_deck: WriteDeck, tmp_path: Path, isolate: bool
) -> None:
    code = PARENT.format(isolate=isolate, path=str(write_deck(("Text", 100, 100))))
    parent = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    try:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"ready\n"
        family = psutil.Process(parent.pid).children(recursive=True)
        names = " ".join(" ".join(process.cmdline()) for process in family)
        assert re.search(r"soffice\.bin", names)
        doors = {Path(str(row.laddr)) for row in family[-1].net_connections("unix") if row.laddr}
        assert doors or isolate  # the cage hides its own
        parent.send_signal(signal.SIGKILL)
        _, alive = psutil.wait_procs(family, timeout=10)
        assert alive == []
        assert not [door for door in doors if door.exists()]
    finally:
        parent.kill()
        parent.communicate()


def test_folders_of_killed_owners_are_swept_and_live_ones_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left, live, foreign = (tmp_path / f"decklab-office-{name}" for name in ("left", "live", "none"))
    for folder in (left, live, foreign):
        folder.mkdir()
    (left / ".decklab-lock").touch()
    with (live / ".decklab-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        sweep_stale_folders()
    assert sorted(path.name[15:] for path in tmp_path.iterdir()) == ["live", "none"]


@pytest.mark.long
@pytest.mark.shared
def test_hostile_decks_end_in_a_deck_or_one_line(office: Office, shared: Path) -> None:
    files = sorted((shared / "decks" / "hostile").glob("*.pptx"))
    assert files
    outcomes = []
    for path in files:
        began = time.monotonic()
        try:
            with open_rendered(path, renderer=Renderer(office), ocr=False) as deck:
                outcomes.append(len(deck))
        except DecklabError as error:
            assert str(path) in str(error)
            assert "\n" not in str(error)
            outcomes.append(-1)
        assert time.monotonic() - began < 60
    assert -1 in outcomes
    assert max(outcomes) > 0


@pytest.mark.by_day(1)
@pytest.mark.parametrize("name", ["talk.pdf", "talk.odp", "talk.png", "talk.html", "talk"])
def test_the_content_of_a_deck_counts_and_not_its_name(
    office: Office, write_deck: WriteDeck, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "other" / name
    path.parent.mkdir()
    path.write_bytes(write_deck(("Text", 1, 1)).read_bytes())
    with PdfDeck(path, office.pdf(path)) as deck:
        assert [span.text for span in deck.slide(1).spans] == ["Text"]
