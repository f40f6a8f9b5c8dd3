"""Rules of layout, content and accessibility: pure functions of elements and drawn pages."""
