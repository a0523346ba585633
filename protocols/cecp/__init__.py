"""CECP, the protocol of xboard and WinBoard, as it is spoken for Xiangqi."""
