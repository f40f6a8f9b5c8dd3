"""Speed budgets, measured side by side in one run."""
