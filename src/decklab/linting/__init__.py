"""What is wrong with a deck: rules, and the job that applies them to a file."""
