"""The words that Xiangqi players have for posts, formations and mates: 屏风马, 空头炮 … 马后炮, 铁门栓.

``scene`` is a position as the words look at it; ``posts`` has the words for pieces and formations, ``mates`` and
``mating_pieces`` those for the end of a game, a function a word, in the order of docs/words.md.
"""

from engines.xiangqi.words.mates import MATES, mates_of
from engines.xiangqi.words.posts import POSTS, Post, posts_of
from engines.xiangqi.words.scene import Scene
from engines.xiangqi.words.terms import TERMS

__all__ = ["MATES", "POSTS", "TERMS", "Post", "Scene", "mates_of", "posts_of"]
