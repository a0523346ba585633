"""UCCI, the universal Chinese chess protocol, version 3.0."""
