"""Requests that were written from the sample decks alone, by somebody who had not seen the code.

``requests.json`` holds 100 plain requests and 100 with a trap, each with the result that a person
expects. They measure the exact language of ``decklab edit``: do not read them while you work on
it, or they measure nothing any more.
"""
