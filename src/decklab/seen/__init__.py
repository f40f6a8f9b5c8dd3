"""What of each text and each graphic of a slide an audience sees, and why not the rest."""
