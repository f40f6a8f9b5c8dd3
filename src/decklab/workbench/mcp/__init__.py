"""``decklab mcp``: decklab's tools for coding agents, by the Model Context Protocol."""
