"""VLM-SlideEval (paper 000): extraction, sensitivity to damage, and ordering."""
