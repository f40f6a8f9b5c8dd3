"""The sources of all tasks as files, in a folder for each task."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from generate.unippt.documents import Sheets, write_document, write_workbook
from generate.unippt.profiles import districts, turbines

TEXTS: Final = Path(__file__).parent / "texts"

_SOURCES: Final[Mapping[str, Mapping[str, str]]] = {
    "water-report": {"water.pdf": "water-core"},
    "wind-farm": {"wind-farm.docx": "wind-core"},
    "dunes": {"dunes.pdf": "dunes"},
    "apples": {"apples.docx": "apples"},
    "night-buses": {
        "operator.md": "buses-operator", "residents.html": "buses-residents",
        "council.docx": "buses-council",
    },
    "school-meals": {"study.pdf": "meals-study", "parents.md": "meals-parents"},
}  # fmt: skip
"""The documents of each task, and the text that each is made of."""

_LONG: Final[Mapping[str, Callable[[], str]]] = {"water-core": districts, "wind-core": turbines}

KITCHENS: Final[Sheets] = {
    "Meals": [
        ["Kitchen", "Schools", "Meals a day", "Share without meat"],
        ["North", 5, 1180, 0.38],
        ["Centre", 4, 1050, 0.42],
        ["South", 3, 670, 0.47],
    ],
    "Costs": [
        ["Item", "Cents per meal 2024", "Cents per meal 2025"],
        ["Food", 168, 181],
        ["Staff", 214, 239],
        ["Energy", 41, 38],
        ["Transport", 37, 42],
    ],
    "Waste": [
        ["Month", "Kilograms a day 2024", "Kilograms a day 2025"],
        ["March", 402, 311],
        ["May", 388, 296],
        ["October", 415, 322],
        ["December", 421, 330],
    ],
    "Notes": [
        ["Note"],
        ["The three kitchens cook 2,900 school meals a day"],
        ["Waste counts plates and pots together, so it is higher than what the institute weighed"],
        ["A meal cost 5.00 euros in 2025, of which parents pay 4.40 euros"],
        ["Regional farms delivered 46% of the vegetables in 2025, 29% in 2024"],
    ],
}


def pack_sources(folder: Path) -> None:
    """Write the sources of each task into a folder of its name."""
    for task, files in _SOURCES.items():
        for name, text in files.items():
            words = (TEXTS / f"{text}.md").read_text(encoding="utf-8")
            more = _LONG[text]() if text in _LONG else ""
            write_document(f"{words.strip()}\n\n{more}".strip(), folder / task / name)
    write_workbook(KITCHENS, folder / "school-meals" / "kitchens.xlsx")
