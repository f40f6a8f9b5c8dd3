"""Code of ours that runs inside the sandbox, beside the leaves; it imports nothing of decklab."""
