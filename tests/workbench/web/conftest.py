"""Libraries and queues of the workbench."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import uvicorn
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches
from tests.workbench.web.postgres import Postgres
from tests.workbench.web.web_fakes import EVIL, fake_worker

from decklab.core.options import HttpAddress
from decklab.workbench.listening import host_names, listening_socket
from decklab.workbench.web.database import engine_of, open_database
from decklab.workbench.web.evaluate_details import evaluate_jobs
from decklab.workbench.web.evaluate_index import RunIndex
from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.library import Library
from decklab.workbench.web.served_folder import ServedFolder
from decklab.workbench.web.serving import KINDS, Access, Protected, make_app
from decklab.workbench.web.workbench import Workbench
from decklab.workbench.web.worker import worker


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running PostgreSQL; tests that need it are skipped where none is installed."""
    with TemporaryDirectory(prefix="decklab-pg-") as folder:  # its socket needs a short path
        Path(folder).chmod(0o755)
        try:
            server = Postgres(Path(folder) / "server")
        except FileNotFoundError as error:
            pytest.skip(f"{error}: apt-get install postgresql")
        server.start()
        yield server
        server.stop()


@pytest.fixture
def empty_postgres(postgres: Postgres) -> str:
    """The URL of a PostgreSQL database without tables."""
    return postgres.emptied()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'w.sqlite'}"
    return str(request.getfixturevalue("empty_postgres"))


@pytest.fixture
def library(database_url: str, tmp_path: Path) -> Iterator[Library]:
    folder = tmp_path / "bench"
    folder.mkdir()
    sessions = open_database(database_url)
    yield Library(folder, sessions)
    engine_of(sessions).dispose()


@pytest.fixture
def jobs(library: Library) -> Iterator[Jobs]:
    with Jobs(library, KINDS, processes=1, seconds=20, work=fake_worker) as made:
        yield made


@pytest.fixture
def add(library: Library, tmp_path: Path) -> Callable[..., str]:
    """Add a file with some bytes to the library; gives the id of the deck."""

    def added(data: bytes = b"deck", name: str = "talk.pptx") -> str:
        upload = tmp_path / "upload"
        upload.write_bytes(data)
        return library.add(name, upload).id

    return added


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("deck") / f"Plan & {EVIL[:8]}.pptx"
    made = Presentation()
    for title in ("Harbour plan", EVIL, "Costs"):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "Two cranes\nOne quay"
    made.save(str(path))
    return path


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four slides: a text, a table, a chart, a picture with a box."""
    folder = tmp_path_factory.mktemp("harbour")
    Image.new("RGB", (300, 200), "red").save(folder / "red.png")
    prs = Presentation()
    prs.slide_width, prs.slide_height = Inches(13.333), Inches(7.5)
    slides = [prs.slides.add_slide(prs.slide_layouts[1 if not n else 5]) for n in range(4)]
    for slide, title in zip(slides, ("Harbour plan", "Costs", "Numbers", "Pictures"), strict=True):
        slide.shapes.title.text = title
    slides[0].placeholders[1].text = "Two cranes\nOne quay"
    box = Inches(1), Inches(2), Inches(8), Inches(3)
    table = slides[1].shapes.add_table(2, 2, *box).table
    for row in range(2):
        for column in range(2):
            table.cell(row, column).text = f"r{row}c{column}"
    data = CategoryChartData()
    data.categories = ["North", "South"]
    data.add_series("2026", (3, 4))
    slides[2].shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *box, data)
    slides[3].shapes.add_picture(str(folder / "red.png"), Inches(1), Inches(2))
    slides[3].shapes.add_shape(1, Inches(7), Inches(2), Inches(3), Inches(1))
    prs.save(str(folder / "harbour.pptx"))
    return folder / "harbour.pptx"


@contextmanager
def serving(
    state: Path, folder: Path | None = None, runs: Path | None = None
) -> Iterator[tuple[str, Workbench]]:
    """A workbench on the loopback: its address, and what it does."""
    sessions = open_database(f"sqlite:///{state / 'w.sqlite'}")
    address, index = HttpAddress(port=0), RunIndex([runs] if runs else ())
    with (
        listening_socket(address, "") as listener,
        Jobs(Library(state, sessions), {**KINDS, **evaluate_jobs(index)}, work=worker) as jobs,
    ):
        port = listener.getsockname()[1]
        shown = ServedFolder(folder, jobs.library) if folder else None
        bench = Workbench(jobs.library, jobs, runs=index, folder=shown)
        app = Protected(make_app(bench), Access(frozenset(host_names(address, port))))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield f"http://127.0.0.1:{port}", bench
        server.should_exit = True
        thread.join()
    engine_of(sessions).dispose()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Workbench]]:
    """The workbench on the loopback: its address, and what it does."""
    with serving(tmp_path_factory.mktemp("bench")) as bench:
        yield bench


@pytest.fixture
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        yield browser.new_page(viewport={"width": 1300, "height": 900})
        browser.close()
