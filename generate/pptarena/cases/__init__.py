"""The cases of the starter set by category of table 1, and what harms each deck."""
