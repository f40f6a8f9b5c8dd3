"""Differences in the XML and the other parts of two packages, down to the last attribute.

Comparing snapshots finds what people see; this finds the rest. ``parts`` pairs the parts of two
packages, ``trees`` and ``structures`` compare the XML of a pair, ``claims`` drops the differences
that a reported change explains and marks those that programs make by saving, ``names`` names the
others, and ``remaining`` runs these steps.
"""
