"""A PostgreSQL server of our own, where Debian's or another is installed: a folder and a socket."""

import os
import shutil
import subprocess
from pathlib import Path

from sqlalchemy import create_engine, text

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
"""Where Debian keeps what is not on the path."""


class Postgres:
    """A server on a socket in ``folder``, which nobody else uses; data does not outlive a crash."""

    def __init__(self, folder: Path) -> None:
        found = shutil.which("initdb") or (str(PROGRAMS[-1]) if PROGRAMS else "")
        if not found:
            raise FileNotFoundError("no PostgreSQL here")
        self._programs, self.folder = Path(found).parent, folder
        folder.mkdir()
        if os.getuid() == 0:  # PostgreSQL does not run as root
            shutil.chown(folder, "postgres")
            self._user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]
        else:
            self._user = []
        self._run("initdb", "--no-sync", "--auth=trust", "--username=decklab", "--encoding=UTF8")

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._user, str(self._programs / program), "-D", str(self.folder / "data")]
        # A file and no pipe: the server keeps it open.
        with (self.folder.parent / f"{program}.log").open("ab") as log:
            subprocess.run(
                [*command, *arguments], check=True, stdout=log, stderr=log, cwd="/", timeout=60
            )

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-c listen_addresses= -c fsync=off -k {self.folder}"
        self._run("pg_ctl", "start", "-w", "-o", options)

    def stop(self) -> None:
        """End it at once, as a crash would; the connections of its users are lost."""
        self._run("pg_ctl", "stop", "-w", "-m", "immediate")

    @property
    def url(self) -> str:
        """Where decklab finds it."""
        return f"postgresql://decklab@/postgres?unix_sock={self.folder}/.s.PGSQL.5432"

    def emptied(self) -> str:
        """The URL of a database without tables."""
        engine = create_engine(self.url.replace(":", "+pg8000:", 1))
        with engine.begin() as connection:
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
        engine.dispose()
        return self.url
