"""The built-in player of jieqi and fanqi."""
