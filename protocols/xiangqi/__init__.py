"""What UCCI and UCI have in common: positions, options, limits, the session around a player."""
