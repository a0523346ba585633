"""The tracker: what a sensor board shows in, legal moves, questions and leds out.

``tracker`` holds a game's ``rules``, its interpreter and its diagnoser (``interpreter``); ``games`` finds them by name;
``settle`` and ``trust`` say what the board shows and whether it can be believed; ``sensor_report``, ``wishes``,
``discrepancies``, ``options`` and ``lights`` are what games share. ``arbiter`` holds the tournament articles.
"""
