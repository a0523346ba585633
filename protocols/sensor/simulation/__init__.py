"""Sensor boards without hardware: the device's side of every codec, its noise and its faults.

Everything here takes the time as an argument, so that the same code is a process on a pseudo-terminal
(``scripts/simulate_board.py``) and a thousand games on a virtual clock (``virtual.py``).
"""
