"""Run html-to-pptx 0.4 in its own Python: ``python html_to_pptx_peer.py CHROMIUM DECK OUT``.

It expects pages of 1920x1080; ours are 1280x720, so its units are set to these, and the window.
"""

import asyncio
import importlib
import sys
from pathlib import Path

from playwright.async_api import async_playwright

converter = importlib.import_module("html_to_pptx.converter")
UNITS = {
    "SLIDE_CANVAS_WIDTH_PX": 1280,
    "SLIDE_CANVAS_HEIGHT_PX": 720,
    "PIXELS_TO_INCHES_X": 13.333 / 1280,
    "PIXELS_TO_INCHES_Y": 7.5 / 720,
    "EMU_PER_CSS_PX": round(13.333 / 1280 * 914_400),
    "CSS_PX_TO_PT": 0.75 * 13.333 / (1280 / 96),
}
for module in [some for name, some in sys.modules.items() if name.startswith("html_to_pptx")]:
    for unit in UNITS.keys() & vars(module).keys():
        setattr(module, unit, UNITS[unit])


async def _main(chromium: str, deck: str, out: str) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--font-render-hinting=none"]
        )
        page = await browser.new_page(
            viewport={"width": 1280, "height": 720}, device_scale_factor=2
        )
        await page.goto(Path(deck).resolve().as_uri(), wait_until="load")
        await page.wait_for_timeout(500)
        measured = await converter.extract_from_page(page)
        await browser.close()
    if not measured:
        sys.exit("no slides found")
    converter.render_pptx(measured).save(out)


asyncio.run(_main(*sys.argv[1:]))
