"""What texts mean as far as a program can tell: numbers, units, changes, negation and opposites."""
