"""The converters compared: decklab's, and two others where they are installed beside it."""

import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

DEADLINE_SECONDS: Final = 180.0
PEERS: Final = {
    "html-to-pptx": Path(__file__).with_name("html_to_pptx_peer.py"),
    "dom-to-pptx": Path(__file__).with_name("dom_to_pptx_peer.py"),
}
"""Other converters by name, each with the program of ours that calls it."""


class NotConverted(Exception):
    """A converter gave no deck; the message is the last line that it wrote."""


@dataclass(frozen=True)
class Converter:
    """A converter by name; ``home`` is where a peer is installed: a Python environment for
    html-to-pptx, a folder with ``node_modules`` for dom-to-pptx."""

    name: str
    home: Path | None = None

    def convert(self, deck: Path, out: Path) -> float:
        """Convert an HTML file or a folder of pages; the seconds that it took.

        Raises NotConverted.
        """
        out.parent.mkdir(parents=True, exist_ok=True)
        out.unlink(missing_ok=True)
        started = time.perf_counter()
        try:
            ran = subprocess.run(
                self._command(deck, out), capture_output=True, text=True, check=False,
                timeout=DEADLINE_SECONDS,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise NotConverted(f"not done in {DEADLINE_SECONDS:g} seconds") from None
        if ran.returncode or not out.is_file():
            lines = (ran.stderr.strip() or ran.stdout.strip() or "no message").splitlines()
            raise NotConverted(lines[-1][:200])
        return time.perf_counter() - started

    def _command(self, deck: Path, out: Path) -> Sequence[str]:
        if self.home is None:
            command = [sys.executable, "-m", "decklab", "convert", str(deck), str(out)]
            return [*command, "--scripts"]
        if deck.is_dir():
            raise NotConverted("takes one file, not a folder of pages")
        chromium = shutil.which("chromium") or ""
        script = str(PEERS[self.name])
        if self.name == "html-to-pptx":
            return [str(self.home / "bin" / "python"), script, chromium, str(deck), str(out)]
        modules = self.home / "node_modules"
        return [sys.executable, script, chromium, str(modules), str(deck), str(out)]


def peer(option: str) -> Converter:
    """The converter that ``NAME=PATH`` names; raises ValueError."""
    name, _, home = option.partition("=")
    if name not in PEERS or not home:
        raise ValueError(f"give NAME=PATH, NAME one of {', '.join(PEERS)}: {option}")
    path = Path(home)
    if not path.is_dir():
        raise ValueError(f"{name}: there is no folder {path}")
    return Converter(name, path.absolute())
