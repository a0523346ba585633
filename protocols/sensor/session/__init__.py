"""Games on sensor boards: the board joined to a tracker, a session of games, and people at boards as players."""
