"""The rich deck, by section: opening, case, system and plan."""
