"""Whether an audience sees a change."""
