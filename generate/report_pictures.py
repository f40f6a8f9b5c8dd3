"""Draws the pictures of reports in the docs: ``python -m generate.report_pictures``.

Scores a sample deck, compares another with an edited copy, puts decklab's own baseline to the
samples' slides, and fixes a finding; the top of each page goes to ``docs/images`` as Chromium shows
it.
"""

import json
import subprocess
import sys
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image
from playwright.sync_api import sync_playwright

from decklab.deck.deck import write_samples
from decklab.rendering.html import ARGUMENTS, chromium_program

FOLDER: Final = Path(__file__).parents[1] / "docs" / "images"

EDIT: Final = 'On slide 1, replace "2025 season" with "2026 season"'

_QUALITY: Final = 82

SLIDE: Final = 3
"""The slide of the bad sample whose finding and fix are shown."""

CROP: Final = (540, 120, 340, 400)
"""Left, top, width and height of what is shown of it, in the frame of 960 by 540."""

_FINDING_PAGE: Final = """<!doctype html><meta charset="utf-8"><style>
body { margin: 0; padding: 18px; width: 744px; font: 16px/1.35 "Open Sans", sans-serif; }
p { margin: 0 0 6px; } main { display: flex; gap: 24px; margin-top: 14px; } b { color: #a3261b; }
b.fixed { color: #1b6e3c; } code { font: 14px "DejaVu Sans Mono", monospace; }
figure { margin: 0; } figcaption { margin-bottom: 4px; font-weight: 600; }
</style><p><b>Finding</b> <code>contrast.low</code>, slide %(slide)s: %(message)s</p>
<p><b class="fixed">Fix</b> %(fix)s</p><main>%(pictures)s</main>"""


def decklab(folder: Path, *arguments: str, codes: tuple[int, ...] = (0,)) -> str:
    """What a command of decklab prints in ``folder``; SystemExit with what it said if it fails."""
    command = [sys.executable, "-m", "decklab", *arguments]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode not in codes:
        raise SystemExit(f"decklab {' '.join(arguments)}: {run.stdout}{run.stderr}")
    return run.stdout


def write_reports(folder: Path) -> dict[str, tuple[Path, int, int]]:
    """Make the reports in ``folder``; by name of picture the page, and width and height of what is
    shown of it, in pixels of the page."""
    write_samples(folder / "decks")
    decklab(folder, "score", "decks/bad.pptx", "--out", "scores", "--cache", "cache")
    decklab(folder, "edit", "decks/plain.pptx", "--out", "edited.pptx", EDIT)
    decklab(folder, "diff", "decks/plain.pptx", "edited.pptx", "--html", "changes.html", codes=(1,))
    decklab(folder, "bench", "slideeval-extract", "decks", "--baseline", "--out", "slideeval")
    return {
        "finding": (write_finding(folder), 780, 580),
        "report": (folder / "scores" / "decks" / "bad.html", 1200, 1150),
        "report-diff": (folder / "changes.html", 1100, 1000),
        "report-slideeval": (folder / "slideeval" / "slideeval.html", 1400, 1340),
    }


def write_finding(folder: Path) -> Path:
    """A page with a finding of ``decks/bad.pptx``, its fix, and the slide before and after it."""
    decklab(folder, "lint", "decks/bad.pptx", "--fix", "--out", "fixed.pptx")
    printed = decklab(folder, "lint", "decks/bad.pptx", "--json", codes=(1,))
    found = json.loads(printed)["decks"][0]["findings"]
    finding = next(
        one for one in found if one["rule"] == "contrast.low" and one["message"].startswith('"$')
    )
    figures = []
    for caption, deck in (("before", "decks/bad.pptx"), ("after --fix", "fixed.pptx")):
        decklab(folder, "render", deck, "--out", "slides")
        picture = folder / "slides" / Path(deck).stem / f"slide-{SLIDE:03}.png"
        with Image.open(picture) as slide:
            left, top, width, height = (round(side * slide.width / 960) for side in CROP)
            slide.crop((left, top, left + width, top + height)).save(folder / f"{caption}.png")
        figures.append(
            f"<figure><figcaption>{caption}</figcaption>"
            f'<img src="{caption}.png" width="360"></figure>'
        )
    page = folder / "finding.html"
    page.write_text(
        _FINDING_PAGE
        % {
            "slide": SLIDE,
            "message": escape(finding["message"]),
            "fix": escape(finding["fix"]),
            "pictures": "".join(figures),
        },
        encoding="utf-8",
    )
    return page


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
