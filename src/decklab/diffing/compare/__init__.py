"""Compares two snapshots: one module for each kind of content."""
