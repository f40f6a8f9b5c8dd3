"""What of a document reaches the slides of a deck that is written without a model."""
