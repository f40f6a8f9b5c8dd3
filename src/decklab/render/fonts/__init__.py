"""Fonts: which ones a deck asks for, which ones the machine has, and which ones it draws."""

from decklab.render.fonts.asked import FontUse, asked_fonts
from decklab.render.fonts.installed import font_set_hash, installed_families
from decklab.render.fonts.report import FontReport, Replacement, font_report

__all__ = [
    "FontReport",
    "FontUse",
    "Replacement",
    "asked_fonts",
    "font_report",
    "font_set_hash",
    "installed_families",
]
