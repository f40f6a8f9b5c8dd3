"""PPT-Eval, paper 001: editing tasks graded with rubric trees; published, or the starter set."""
