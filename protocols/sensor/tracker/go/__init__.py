"""Go on a sensor board."""
