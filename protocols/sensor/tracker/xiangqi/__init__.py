"""Xiangqi on a sensor board."""
