"""Sensor boards.

``reading``: what a board tells and is told. ``links``: ports and lines. ``codecs``: what board families say on them.
``tracker``: from readings to moves; how a capture is told from a move is in ``tracker/<game>/captures.py``.
``session``: games on boards, and people at boards as players. ``simulation``: hands and boards that are not there.
"""
