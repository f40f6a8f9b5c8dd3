"""What collateral attempts spoil: one small thing on a slide that nobody asked about."""

from generate.pptarena.edits.deckwide import hide
from generate.pptarena.edits.finding import Edit
from generate.pptarena.edits.shapes import move, remove
from generate.pptarena.edits.text import color, font_size, paragraph_text

PLAIN: dict[str, Edit] = {
    "plans retold": paragraph_text(6, "Text Placeholder 2", 2, "Replace most of the signs"),
    "help moved": move(7, "Text Placeholder 2", 40, 30),
    "glance recoloured": color(2, "title", "B00020"),
    "footer gone": remove(4, "Footer Placeholder 4"),
    "ridge smaller": font_size(5, "Text Placeholder 3", 9),
}
RICH: dict[str, Edit] = {
    "pathways retold": paragraph_text(5, "Text Placeholder 3", 1, "Savings are not known yet."),
    "cover moved": move(1, "title", 60, -40),
    "network recoloured": color(9, "title", "B00020"),
    "budget gone": remove(12, "Budget per phase"),
    "section smaller": font_size(6, "Text Placeholder 3", 8),
    "backup shown twice": hide(3),
}
BAD: dict[str, Edit] = {
    "promise retold": paragraph_text(2, "TextBox 2", 1, "Why not?"),
    "moat moved": move(6, "TextBox 2", 60, 40),
    "axis gone": remove(3, "TextBox 30"),
}
