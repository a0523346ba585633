"""Jieqi (揭棋) in its two forms and fanqi (翻棋) in its ten: Xiangqi with pieces that lie face down until they move."""
