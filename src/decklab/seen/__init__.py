"""The parts of each text and graphic of a slide that an audience sees, and why not the rest."""
