"""The main job: decks in, results and reports out, resumable, over several processes."""
