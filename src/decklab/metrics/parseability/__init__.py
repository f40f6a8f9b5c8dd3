"""Parseability: how often a reply fits the schema, by the slide's complexity (paper 000, E.1)."""
