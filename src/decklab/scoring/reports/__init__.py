"""Results as tables, files and pages, for people and programs."""
