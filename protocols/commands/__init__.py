"""The command line: one file a command, and beside them what several share."""
