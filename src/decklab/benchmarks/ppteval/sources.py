"""Where the decks of the published tasks come from: the list of microsoft/ppteval (MIT)."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

_ARCHIVE: Final = "https://archive.org/download"
_STORE: Final = "https://s3.us.archive.org"

_PLACES: Final = {
    "3.pptx": f"{_ARCHIVE}/16_20210929",
    "4._Pre-Colonial_Filipino_Culture.pptx": f"{_STORE}/AlmonissahArchives_20171223_1426",
    "Accounting Equation.pptx": f"{_ARCHIVE}/accounting-equation",
    "Aircraft_surface.pptx": f"{_ARCHIVE}/AircraftSurface",
    "Drummond_Troilo-Unseen Aspects of Sea Level Rise (final).pptx": (
        f"{_ARCHIVE}/drummondtroilounseenaspectsofsealevelrisefinal"
    ),
    "HSC Careers and Expo FINAL COM MOD.pptx": f"{_ARCHIVE}/humanexperiences_202105",
    "Jean-Nicolas-Louis Durand.pptx": f"{_ARCHIVE}/jeannicolaslouisdurand",
    "Obesity.pptx": f"{_ARCHIVE}/Obesity_201504",
    "Revisiting Classical  Social Experiments [Autosaved].pptx": (
        f"{_ARCHIVE}/revisitingclassicalsocialexperiments"
    ),
    "Worms.pptx": f"{_ARCHIVE}/GTAVC2005",
    "application+layer+slide.pptx": f"{_STORE}/application-layer-slide-pptx-on77",
    "pediatic glasses when to prescribe1.pptx": f"{_ARCHIVE}/pediatric-prep.",
}
_NAMED_OTHERWISE: Final = {"application+layer+slide.pptx": "application+layer+slide.pptx.pptx"}

SOURCES: Final[Mapping[str, str]] = {
    name: f"{place}/{quote(_NAMED_OTHERWISE.get(name, name))}" for name, place in _PLACES.items()
}
"""The twelve decks by file name, each with its address.

The authors had PowerPoint for the web save each deck anew before they used it; these are the decks
as they were uploaded.
"""
