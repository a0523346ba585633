"""What may be typed at a board, in English and in both Chinese scripts."""

from __future__ import annotations

from collections.abc import Mapping

KEYS: Mapping[str, tuple[str, ...]] = {
    "pass": ("弃着", "棄著", "弃权", "棄權", "停一手", "虚手", "虛手", "停着", "停著"),
    "resign": ("认输", "認輸", "投降", "投子", "投子认负", "投子認負", "认负", "認負"),
    "draw": ("提和", "求和", "和棋", "议和", "議和"),
    "undo": ("悔棋",),
    "new": ("新局", "新棋", "新一局", "重新开始", "重新開始", "开局", "開局"),
    "score": ("数子", "數子", "点目", "點目", "数目", "數目", "计分", "計分"),
    "yes": ("y", "是", "好", "对", "對", "同意", "确认", "確認", "确定", "確定"),
    "no": ("n", "否", "不", "不是", "不同意", "取消", "拒绝", "拒絕"),
    "flip": ("翻转", "翻轉", "翻面", "调头", "調頭", "换边", "換邊"),
    "setup": ("摆棋", "擺棋", "摆谱", "擺譜", "摆局", "擺局"),
    "hint": ("提示", "支招", "支着", "支著"),
    "menu": ("help", "?", "菜单", "菜單", "帮助", "幫助"),
}
"""For each key of a board (``protocols.sensor.reading.BUTTONS``) what may be typed for it besides its name."""

OTHERS: Mapping[str, tuple[str, ...]] = {
    "quit": ("exit", "退出", "离开", "離開", "结束", "結束"),
    "board": ("棋盘", "棋盤"),
    "ignore": ("忽略",),
    "heed": ("unignore", "恢复", "恢復"),
}
"""What may be typed that is no key."""

_MEANT = {word: key for table in (KEYS, OTHERS) for key, words in table.items() for word in (key, *words)}

HELP = (
    "pass, resign, draw, undo, new, score, yes, no, flip (turn the board round), setup [COLOUR to move], hint, menu; "
    "a move; ignore POINT or hand (a sensor that is broken), heed POINT; board, quit"
)


def meaning(line: str) -> tuple[str, list[str]]:
    """A typed line as a word of ``KEYS`` or ``OTHERS`` and what comes after it; an empty word for anything else."""
    words = line.split()
    if not words:
        return "board", []
    return _MEANT.get(words[0].lower(), ""), words[1:]
