"""The workbench in the browser: a library of decks, edited by requests and looked at side by side.

Papers 002 and 003 come with such pages. Pages and the JSON API call what the command line calls.
"""
