"""UCI as Xiangqi engines speak it."""
