"""HTML documents: their elements as a tree, what of a page is its text, and reading that."""
