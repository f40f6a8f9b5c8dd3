"""The papers as benchmarks, one folder each, with baselines that need no model."""
