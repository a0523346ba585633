"""Rules cores and players. Nothing here knows a protocol."""

# The minor number starts at 20 because Lizzie takes the second part of an unknown engine's version for
# Leela Zero's and refuses anything below 15.
__version__ = "0.20.0"
