"""Start the workbench, and end it in order."""

import os
import sys
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlencode

import uvicorn

from decklab.core.errors import Unavailable
from decklab.core.files import check_folder
from decklab.core.options import HttpAddress
from decklab.core.output_folder import one_run
from decklab.workbench.listening import (
    check_address,
    host_names,
    is_loopback,
    listening_socket,
    names_told,
)
from decklab.workbench.web.app import make_app
from decklab.workbench.web.database import DATABASE, belong, engine_of, open_database
from decklab.workbench.web.evaluate_index import RunIndex
from decklab.workbench.web.evaluate_jobs import evaluate_jobs
from decklab.workbench.web.health import Watched
from decklab.workbench.web.jobs import MEGABYTES, Jobs
from decklab.workbench.web.kinds import KINDS
from decklab.workbench.web.library import Library
from decklab.workbench.web.protection import Access, Protected
from decklab.workbench.web.served_folder import ServedFolder, state_folder
from decklab.workbench.web.workbench import Workbench

_TOKEN = "--token-file FILE or DECKLAB_TOKEN"


def serve_workbench(
    folder: str | Path = ".",
    *,
    state: str | Path | None = None,
    runs: Sequence[str | Path] = (),
    address: HttpAddress | None = None,
    database: str | None = None,
    database_password: str = "",
    model: str | None = None,
    processes: int = 2,
    seconds: float = 600.0,
    megabytes: int = MEGABYTES,
    upload_megabytes: int = 300,
    browser: bool = False,
) -> None:
    """Serve the workbench over the decks below ``folder`` until it is interrupted.

    The files of ``folder`` are never changed. Versions, pictures and findings lie in ``state``,
    which is made if it is missing; by default that is ``state_folder``. ``runs`` are folders below
    which results of decklab's commands lie, to be looked at; they are only read. ``database`` is
    the URL of another database than the one in ``state``, ``database_password`` its password where
    the URL has none. ``model`` is who edits where people choose the model; without one they have
    commands. ``processes`` work at once, each piece of work for ``seconds`` and with ``megabytes``
    of memory at most. ``browser`` opens the page.

    Raises Unavailable for a host beside the loopback without a token, an address that is taken, or
    a database that does not answer, is of another decklab, or belongs to another folder, and a
    state that another workbench uses; OSError where ``folder`` is missing or ``state`` cannot be
    written.
    """
    address = address or HttpAddress(port=0)
    check_address(address, _TOKEN)
    shown = checked_folder(folder)
    place = Path(state) if state is not None else state_folder(shown)
    check_folder(place)
    index = RunIndex([checked_folder(one) for one in runs])
    with _one_workbench(place), listening_socket(address, _TOKEN) as listener:
        port = listener.getsockname()[1]
        sessions = open_database(
            database or f"sqlite:///{place.resolve() / DATABASE}", database_password
        )
        belong(sessions, place)
        jobs = Jobs(
            Library(place, sessions),
            {**KINDS, **evaluate_jobs(index)},
            processes=processes,
            seconds=seconds,
            megabytes=megabytes,
        )
        hosts = {*host_names(address, port), *address.names}  # browsers leave out ports 80 and 443
        access = Access(
            frozenset(name.lower() for name in hosts), address.token, upload_megabytes * 2**20
        )
        served = ServedFolder(shown, jobs.library)
        bench = Workbench(jobs.library, jobs, model, runs=index, folder=served)
        app = Protected(make_app(bench), access)
        watched = Watched(app, jobs)
        opened = _address(address, port)
        print(f"decklab: the workbench is at {_told(opened, address)}", file=sys.stderr, flush=True)  # noqa: T201
        if not is_loopback(address.host):
            print(f"decklab: {names_told(address, port)}", file=sys.stderr, flush=True)  # noqa: T201
        print(f"decklab: versions and pictures are kept in {place}", file=sys.stderr, flush=True)  # noqa: T201
        threading.Thread(target=index.runs, daemon=True).start()  # the first page need not wait
        threading.Thread(target=served.refresh, daemon=True).start()
        if browser:
            threading.Timer(0.5, webbrowser.open, [opened]).start()
        config = uvicorn.Config(
            watched, log_level="warning", access_log=False, timeout_graceful_shutdown=2
        )
        try:
            uvicorn.Server(config).run(sockets=[listener])
        finally:
            jobs.close()
            engine_of(sessions).dispose()


@contextmanager
def _one_workbench(state: Path) -> Iterator[None]:
    """Hold a state folder; raises Unavailable where another workbench has it."""
    with ExitStack() as held:
        try:
            held.enter_context(one_run(state))
        except BlockingIOError as error:
            raise Unavailable(
                f"{state}: another workbench is at work there; open that one, or name another "
                "folder with --state"
            ) from error
        yield


def checked_folder(folder: str | Path) -> Path:
    """A folder that is there; raises FileNotFoundError or NotADirectoryError for another."""
    path = Path(folder)
    with os.scandir(path):
        return path


def _told(opened: str, address: HttpAddress) -> str:
    """The address as it is printed: logs of servers for other machines do not hold the token."""
    if is_loopback(address.host) or not address.token:
        return opened
    return f"{opened.partition('?')[0]} (add ?token= and the token)"


def _address(address: HttpAddress, port: int) -> str:
    """What to open in a browser, with the token where there is one."""
    near = is_loopback(address.host) or address.host == "0.0.0.0"
    host = "127.0.0.1" if near else address.host
    shown = f"[{host}]" if ":" in host else host
    query = f"?{urlencode({'token': address.token})}" if address.token else ""
    return f"http://{shown}:{port}/{query}"
