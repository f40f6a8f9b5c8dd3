"""Pages as HTML under a theme, laid out by the browser and written as native slides."""
