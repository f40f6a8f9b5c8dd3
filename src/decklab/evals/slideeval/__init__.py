"""VLM-SlideEval (paper 000): models and baselines read slides, rate damage and order decks."""
