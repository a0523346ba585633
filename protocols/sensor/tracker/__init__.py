"""The tracker: what a sensor board shows in, legal moves, questions and leds out."""
