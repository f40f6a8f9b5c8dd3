"""Effective styles: what every text, area, line and background looks like, and who says so.

``read_styles`` resolves a whole deck; ``Sheets`` with ``read_styled_shape`` one shape at a time,
for readers that walk the shapes themselves. Everything handed out is a frozen dataclass of plain
values; ``Effective`` pairs each value with the place that states it.
"""
