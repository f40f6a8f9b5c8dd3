"""PDF pages: words, reading order, headings, figures and tables."""
