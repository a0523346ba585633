"""The words that Go players have for moves: 长 立 尖 飞 … 扑 渡 征, each told from the shape that the move makes.

``scene`` is a move on its board; ``taking``, ``cutting``, ``contact`` and ``distance`` have a function a word, by the
groups of docs/words.md; ``words`` puts them in order and says which give way to which; ``terms`` names them in other
scripts and in English.
"""

from engines.go.words.scene import Scene
from engines.go.words.terms import TERMS
from engines.go.words.words import ORDER, words_of

__all__ = ["ORDER", "TERMS", "Scene", "words_of"]
