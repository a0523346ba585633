"""A person at the terminal against a player of any game (``qiqiao play``)."""
