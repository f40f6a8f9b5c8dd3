"""How an edit compares with the edit that was asked for, without a model.

Companions of the judges of paper 003: recall and precision of changes, preservation, likeness of
pictures. Pure functions of snapshots and pictures; ``Edit`` is what leads from one deck to another.
"""
