"""Criteria trees: load and check them, run their leaves, aggregate, explain."""
