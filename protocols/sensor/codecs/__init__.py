"""What boards say and understand: one codec a board family, and what codecs share."""
