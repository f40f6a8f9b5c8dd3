"""What decklab itself makes of the tasks, without any model: baselines that are worth beating."""
