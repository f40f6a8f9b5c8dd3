"""The diff object of paper 001 that rubric leaves read."""
