"""SlidesGen-Bench, paper 002: systems that write decks, by content, aesthetics and editability."""
