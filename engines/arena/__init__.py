"""Matches: refereed games between players, who meets whom, and what the results say.

``referee`` is what a game is to a match, ``go`` and ``xiangqi`` make it so; ``game`` plays one. ``settings`` say what a
match is, ``pairings`` and ``openings`` what its games are, ``match`` plays them and ``journal`` keeps them. The rest is
told from the journal alone: ``table``, ``statistics``, ``sprt``, ``ratings``, ``records``, ``twogtp``, ``report``.

Nothing here knows a protocol or starts a program: players come from a function that is passed in.
"""
