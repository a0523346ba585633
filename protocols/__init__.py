"""How the outside speaks to the engines: one package a protocol."""
