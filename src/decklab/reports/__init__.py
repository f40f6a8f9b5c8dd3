"""Results to tables, files and pages: what people and programs get to see of a run."""
