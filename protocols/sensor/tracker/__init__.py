"""The tracker: what a sensor board shows in, legal moves, questions and lamps out."""
