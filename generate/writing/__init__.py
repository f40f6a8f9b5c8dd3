"""The picture of a written deck in the docs, and the report that it is written from."""
