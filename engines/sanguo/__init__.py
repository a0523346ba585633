"""Sanguo (三国军棋), the three kingdoms: three players with one Xiangqi set, dealt face down in the corners."""
