"""Draws the pictures of reports in the docs: ``python -m generate.report_pictures``.

Scores a sample deck, compares another with an edited copy, and puts decklab's own baseline to the
samples' slides; the top of each page goes to ``docs/images`` as Chromium shows it.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image
from playwright.sync_api import sync_playwright

from decklab.deck.samples import write_samples
from decklab.rendering.html import ARGUMENTS, chromium_program

FOLDER: Final = Path(__file__).parents[1] / "docs" / "images"

EDIT: Final = 'On slide 1, replace "2025 season" with "2026 season"'

_QUALITY: Final = 82


def decklab(folder: Path, *arguments: str, codes: tuple[int, ...] = (0,)) -> None:
    """Run a command of decklab in ``folder``; SystemExit with what it said where it fails."""
    command = [sys.executable, "-m", "decklab", *arguments]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode not in codes:
        raise SystemExit(f"decklab {' '.join(arguments)}: {run.stdout}{run.stderr}")


def write_reports(folder: Path) -> dict[str, tuple[Path, int, int]]:
    """Make the reports in ``folder``; by name of picture the page, and width and height of what is
    shown of it, in pixels of the page."""
    write_samples(folder / "decks")
    decklab(folder, "score", "decks/bad.pptx", "--out", "scores", "--cache", "cache")
    decklab(folder, "edit", "decks/plain.pptx", "--out", "edited.pptx", EDIT)
    decklab(folder, "diff", "decks/plain.pptx", "edited.pptx", "--html", "changes.html", codes=(1,))
    decklab(folder, "bench", "slideeval-extract", "decks", "--baseline", "--out", "slideeval")
    return {
        "report": (folder / "scores" / "decks" / "bad.html", 1200, 1150),
        "report-diff": (folder / "changes.html", 1100, 1000),
        "report-slideeval": (folder / "slideeval" / "slideeval.html", 1400, 1340),
    }


def draw(pages: dict[str, tuple[Path, int, int]], folder: Path) -> None:
    """Save the top of each page as WebP in ``folder``, at one and a half times its size."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_program(folder), args=list(ARGUMENTS), chromium_sandbox=False
        )
        for name, (path, width, height) in pages.items():
            view = {"width": width, "height": height}
            page = browser.new_page(viewport=view, device_scale_factor=1.5)  # type: ignore[arg-type]
            page.goto(path.as_uri())
            shot = folder / f"{name}.png"
            page.screenshot(path=shot)
            Image.open(shot).convert("RGB").save(
                FOLDER / f"{name}.webp", quality=_QUALITY, method=6
            )
        browser.close()


def main() -> int:
    """Make the reports and draw them."""
    with TemporaryDirectory(prefix="decklab-reports-") as scratch:
        draw(write_reports(Path(scratch)), Path(scratch))
    return 0


if __name__ == "__main__":
    sys.exit(main())
