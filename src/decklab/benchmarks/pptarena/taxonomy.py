"""The five categories and sixteen edit types of paper 003, table 1."""

CATEGORIES = ("Content", "Layout", "Styling", "Interactivity", "Structure")
"""In the order of table 1."""

EDIT_TYPES: dict[str, str] = {
    "Text & Typography": "Content",
    "Shapes & Drawing": "Content",
    "Images & Pictures": "Content",
    "Tables": "Content",
    "Charts": "Content",
    "SmartArt & Diagrams": "Content",
    "Audio & Video": "Content",
    "Alignment, Distribution, Grid, Grouping, Z-order": "Layout",
    "Slide Layouts & Placeholders": "Layout",
    "Themes & Background": "Styling",
    "Master-level edits": "Styling",
    "Animations": "Interactivity",
    "Slide Transitions": "Interactivity",
    "Hyperlinks": "Interactivity",
    "Slide Management, Numbers, Footers, Notes": "Structure",
    "Comments & Accessibility": "Structure",
}
"""Category of each edit type; the longer names of table 1 are shortened."""


def category_of(edit_type: str) -> str:
    """The category of an edit type; KeyError for a name that table 1 does not have.

    >>> category_of("Hyperlinks")
    'Interactivity'
    """
    return EDIT_TYPES[edit_type]
