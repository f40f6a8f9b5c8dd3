"""What differs between two states of one slide, shape, text, table, chart ..."""
