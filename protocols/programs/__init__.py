"""Other programs as players: how one is described, found, run, watched over and tried out."""
