"""Sensor boards: links, one codec a board family, the tracker, and the board as a player."""
