"""The rows of checked data of the variants, computed again: one module a game.

Each module has ``KINDS``: the name of a kind of rows → a function that takes a row and the file it is from (the whole
JSON object) and gives what differs, as a list of texts; empty where all is as the row says.
"""
