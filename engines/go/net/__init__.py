"""The Go net: what it sees (``planes``) and what it answers."""
