"""Makes the documentation site and the pictures on it."""
