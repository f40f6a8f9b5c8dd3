"""Agents: programs that edit, write and operate decks. They never see what judges them."""
