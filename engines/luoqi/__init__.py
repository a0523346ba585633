"""Luoqi (落棋): banqi's board and captures, with the pieces in hand and put on the board face up."""
