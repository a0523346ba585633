"""GTP, the Go Text Protocol, version 2."""
