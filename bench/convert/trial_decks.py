"""Build the twenty trial decks: ``python -m bench.convert.trial_decks OUT [--npm FOLDER]``.

``decks/open`` and ``decks/closed`` hold ten each, those in ``closed`` for final tables only. Twelve
are pages as people and models write them. The others are sources: three of reveal.js, three of Marp
and two of Slidev, built where FOLDER has been made by

    npm install reveal.js @marp-team/marp-cli @slidev/cli @slidev/theme-default

and left out otherwise. Slidev builds an application; its slides are walked and saved as one static
page, as a browser's "save page" does. Photographs are drawn.
"""

import argparse
import functools
import http.server
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageFilter
from playwright.sync_api import sync_playwright

DECKS: Final = Path(__file__).with_name("decks")
_SKY_AND_GROUND: Final = {
    "valley": ((1280, 720), (250, 190, 140), (255, 235, 200), (120, 120, 150), (30, 50, 60)),
    "forest": ((800, 800), (120, 180, 230), (220, 240, 250), (90, 140, 90), (20, 60, 30)),
    "dusk": ((900, 600), (40, 40, 90), (200, 120, 130), (80, 50, 90), (15, 10, 30)),
    "mist": ((600, 900), (180, 210, 220), (245, 245, 240), (150, 170, 180), (60, 80, 90)),
}
_SAVE: Final = """() => {
  const css = [...document.styleSheets].flatMap((sheet) => {
    try { return [...sheet.cssRules].map((rule) => rule.cssText); } catch { return []; }
  }).join("\\n");
  document.querySelectorAll("script, link, style, iframe").forEach((element) => element.remove());
  const style = document.createElement("style");
  style.textContent = css;
  document.head.append(style);
  return "<!DOCTYPE html>\\n" + document.documentElement.outerHTML;
}"""


def main(arguments: Sequence[str]) -> int:
    """Build the decks; 1 where some were left out."""
    parser = argparse.ArgumentParser(prog="python -m bench.convert.trial_decks")
    parser.add_argument("out", type=Path)
    parser.add_argument("--npm", type=Path)
    asked = parser.parse_args(arguments)
    left_out = 0
    for source in sorted(DECKS.glob("*/*")):
        if _needs_npm(source) and asked.npm is None:
            print(f"{source.name}: left out, needs --npm")
            left_out += 1
            continue
        out = asked.out / source.parent.name / source.name
        shutil.copytree(source, out)
        _build(out, None if asked.npm is None else asked.npm.absolute())
    return int(left_out > 0)


def _needs_npm(deck: Path) -> bool:
    return deck.name.startswith(("reveal-", "marp-", "slidev-"))


def _build(deck: Path, npm: Path | None) -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in deck.glob("deck.*"))
    for name in _SKY_AND_GROUND:
        if f"{name}.jpg" in text:
            draw_hills(name, deck / f"{name}.jpg")
    if npm is None or not _needs_npm(deck):
        return
    modules = npm / "node_modules"
    if deck.name.startswith("reveal-"):
        _copy_reveal(modules / "reveal.js" / "dist", deck, text)
    elif deck.name.startswith("marp-"):
        marp = [str(modules / ".bin" / "marp"), "--html", "deck.md", "-o", "deck.html"]
        subprocess.run(marp, cwd=deck, check=True)
    else:
        _build_slidev(npm, deck)


def draw_hills(name: str, path: Path) -> None:
    """Draw one of four photographs: hills before a sky."""
    (width, height), *colours = _SKY_AND_GROUND[name]
    above, below, far, near = (np.array(colour, float) for colour in colours)
    rng = np.random.default_rng(1 + list(_SKY_AND_GROUND).index(name))
    down = np.linspace(0, 1, height)[:, None, None]
    image = (1 - down) * above + down * below + np.zeros((height, width, 3))
    x = np.arange(width)
    for layer in range(5):
        waves = np.zeros(width)
        for k in (1, 2, 4, 9):
            waves += np.sin(x * k * rng.uniform(2, 5) / width * 3.1 + rng.uniform(0, 6)) / k
        edge = height * (0.45 + 0.12 * layer + 0.06 * waves)
        image[np.arange(height)[:, None] > edge[None, :]] = far + (near - far) * layer / 4
    grain = rng.normal(0, 5, (height // 2, width // 2)).repeat(2, 0).repeat(2, 1)[..., None]
    pixels = np.clip(image + grain, 0, 255).astype(np.uint8)
    Image.fromarray(pixels).filter(ImageFilter.GaussianBlur(1)).save(path, quality=82)


def _copy_reveal(dist: Path, deck: Path, text: str) -> None:
    for name in re.findall(r'(?:href|src)="([\w/]+\.(?:css|js))"', text):
        target = deck / name
        target.parent.mkdir(exist_ok=True)
        found = next(iter(sorted(dist.rglob(target.name))))
        shutil.copy(found, target)


def _build_slidev(npm: Path, deck: Path) -> None:
    source = npm / f"{deck.name}.md"
    shutil.copy(deck / "deck.md", source)
    (npm / "public").mkdir(exist_ok=True)
    for picture in deck.glob("*.jpg"):
        shutil.copy(picture, npm / "public")
    built = npm / f"{deck.name}-built"
    slidev = [str(npm / "node_modules" / ".bin" / "slidev"), "build", source.name, "--base", "./"]
    subprocess.run([*slidev, "--out", str(built), "--router-mode", "hash"], cwd=npm, check=True)
    with _served(built) as address:
        html = _walked(address, slides=5)
    html = re.sub(r"(url\((?:['\"]|&quot;)?)\.?/(?=\w+\.jpg)", r"\1", html.replace(address, ""))
    (deck / "deck.html").write_text(html, encoding="utf-8")


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def _walked(address: str, *, slides: int) -> str:
    """The page with all its slides; those far from the shown one are dropped, so the middle is."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        for number in [*range(1, slides + 1), slides // 2 + 1]:
            page.goto(f"{address}#/{number}", wait_until="load")
            page.wait_for_timeout(1200)
        page.wait_for_timeout(800)
        html = page.evaluate(_SAVE)
        browser.close()
    return str(html)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
