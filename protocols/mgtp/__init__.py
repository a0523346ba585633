"""MGTP, the Multiple Games Text Protocol of Taiwan's banqi tournaments; see docs/mgtp.md."""
