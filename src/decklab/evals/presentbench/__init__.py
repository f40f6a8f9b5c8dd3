"""PresentBench (arXiv 2603.07244): decks judged by checklists of yes/no items for each instance."""
