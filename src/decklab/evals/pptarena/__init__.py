"""PPTArena (paper 003): cases of edits with their truths, companions, judges, baselines."""
