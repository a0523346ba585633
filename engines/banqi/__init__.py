"""Banqi (暗棋), half chess: pieces face down on 4 × 8 squares."""
