"""Effective styles: what every text, area, line and background looks like, and who says so.

``read_styled_shape`` resolves one shape of a sheet. What is handed out are frozen dataclasses of
plain values; ``Effective`` pairs each value with the place that states it.
"""
