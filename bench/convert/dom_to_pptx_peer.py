"""Run dom-to-pptx 2.1 in Chromium: ``python dom_to_pptx_peer.py CHROMIUM NODE_MODULES DECK OUT``.

It takes the elements of the slides, which must be shown. They are the first that match, and all
are shown for it. It reads pictures beside the page by requests that Chromium forbids to files.
"""

import base64
import sys
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

_SCRIPT: Final = """async () => {
  const names = [".reveal .slides section:not(:has(section))", ".slide, [data-slide]",
    ".slidev-page", "svg[data-marpit-svg] section:not([data-marpit-advanced-background])," +
    "section[data-marpit-advanced-background=content]", "body > section", "section"];
  const lists = names.map((name) => [...document.querySelectorAll(name)]);
  const slides = lists.find((some) => some.length);
  if (!slides) throw new Error("no slides found");
  for (const slide of slides) {
    for (const name of ["active", "present", "bespoke-marp-active"]) slide.classList.add(name);
    if (getComputedStyle(slide).display === "none") slide.style.display = "block";
    slide.style.opacity = 1;
    slide.style.visibility = "visible";
    slide.removeAttribute("hidden");
  }
  const blob = await domToPptx.exportToPptx(slides, {
    fileName: "deck.pptx", skipDownload: true, svgAsVector: true, width: 13.333, height: 7.5 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) {
    text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  }
  return btoa(text);
}"""


def _main(chromium: str, modules: str, deck: str, out: str) -> None:
    bundle = Path(modules, "dom-to-pptx", "dist", "dom-to-pptx.bundle.js")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", "--font-render-hinting=none", "--disable-web-security"],
        )
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(Path(deck).resolve().as_uri(), wait_until="load")
        page.wait_for_timeout(500)
        page.add_script_tag(path=str(bundle))
        deck_bytes = base64.b64decode(page.evaluate(_SCRIPT))
        browser.close()
    Path(out).write_bytes(deck_bytes)


if __name__ == "__main__":
    _main(*sys.argv[1:])
