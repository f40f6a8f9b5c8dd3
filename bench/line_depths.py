"""Measure how far below the baseline LibreOffice ends a line of exact height, by font.

Prints the shares of the size, with how many of the installed families have each. The constant of
src/decklab/board/native/texts.py is from it; run it again when LibreOffice changes:

    .venv/bin/python -m bench.line_depths
"""

import ctypes
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import pypdfium2 as pdfium
from pptx import Presentation
from pptx.oxml import parse_xml
from pptx.util import Emu, Pt
from pypdfium2 import raw

ALIASES = (
    "Arial", "Arial Narrow", "Calibri", "Cambria", "Courier New", "Helvetica", "Times New Roman",
    "Times", "Courier", "Georgia", "Verdana", "Tahoma", "Consolas", "Segoe UI", "Trebuchet MS",
)  # fmt: skip
SAMPLES = (("CJK", "\u4e2d"), ("Arabic", "\u0628"), ("Kufi", "\u0628"), ("Naskh", "\u0628"),
           ("Nastaliq", "\u0628"), ("Hebrew", "\u05d0"), ("Rashi", "\u05d0"))  # fmt: skip
SIZE, LINE, PITCH, ROWS = 20, 60, 72, 7
DECLARED = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'


def families() -> list[str]:
    listed = subprocess.run(
        ["fc-list", "--format", "%{family}\n"], capture_output=True, text=True, check=True
    ).stdout
    names = {name.replace("\\", "") for line in listed.splitlines() for name in line.split(",")}
    return sorted(name for name in names | set(ALIASES) if name and name.isascii())


def sample(family: str) -> str:
    return next((text for word, text in SAMPLES if word in family), "x")


def main() -> int:
    names = families()
    deck = Presentation()
    deck.slide_width, deck.slide_height = Emu(12192000), Emu(6858000)
    for at, family in enumerate(names):
        if at % ROWS == 0:
            slide = deck.slides.add_slide(deck.slide_layouts[6])
        box = slide.shapes.add_textbox(Pt(20), Pt(10 + at % ROWS * PITCH), Pt(400), Pt(LINE))
        body = box.text_frame._txBody
        paragraph = parse_xml(
            f'<a:p {DECLARED}><a:pPr><a:lnSpc><a:spcPts val="{LINE * 100}"/></a:lnSpc></a:pPr><a:r>'
            f'<a:rPr sz="{SIZE * 100}"><a:latin typeface="{family}"/><a:ea typeface="{family}"/>'
            f'<a:cs typeface="{family}"/></a:rPr><a:t>{sample(family)}</a:t></a:r></a:p>'
        )
        body.replace(body.find(paragraph.tag), paragraph)
        frame = box.text_frame
        frame.margin_top = frame.margin_left = frame.margin_bottom = frame.margin_right = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "fonts.pptx")
        deck.save(str(path))
        office = shutil.which("soffice") or "soffice"
        subprocess.run(
            [office, f"-env:UserInstallation=file://{folder}/profile", "--headless",
             "--convert-to", "pdf", "--outdir", folder, str(path)],
            check=True, capture_output=True,
        )  # fmt: skip
        pdf = pdfium.PdfDocument(path.with_suffix(".pdf"))
        known = {}
        for number, page in enumerate(pdf):
            text = page.get_textpage()
            for at in range(text.count_chars()):
                x, y = ctypes.c_double(), ctypes.c_double()
                raw.FPDFText_GetCharOrigin(text, at, x, y)
                down = page.get_height() - y.value
                row = int((down - 10) // PITCH)
                place = number * ROWS + row
                if 0 <= row < ROWS and place < len(names):
                    base = down - 10 - row * PITCH
                    known[names[place]] = round((LINE - base) / SIZE, 3)
    sys.stdout.write(f"{len(known)} of {len(names)} families: {dict(Counter(known.values()))}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
