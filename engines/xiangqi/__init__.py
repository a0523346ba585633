"""Xiangqi: board, repetition, search, notation, records."""
