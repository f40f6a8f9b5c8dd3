"""Fonts: which ones a deck asks for, which ones the machine has, and which ones it draws."""
