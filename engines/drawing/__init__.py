"""Boards drawn as SVG: one module for reports, pages and pictures, whose results need no font and no other file.

glyphs → svg; the boards themselves are in ``engines.<game>.diagram``.
"""
