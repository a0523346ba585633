"""What the terminal says to a person who plays, and the words that the person may say, in three languages."""

from __future__ import annotations

from engines.results import Words
from engines.terms import Language

COMMANDS: dict[str, tuple[str, ...]] = {
    "moves": ("?", "？", "moves", "着法", "著法"),
    "hint": ("hint", "提示"),
    "undo": ("undo", "takeback", "悔棋"),
    "draw": ("draw", "求和", "和", "议和", "議和"),
    "resign": ("resign", "认输", "認輸"),
    "save": ("save", "保存", "存"),
    "flip": ("flip", "翻转", "翻轉"),
    "board": ("board", "show", "棋盘", "棋盤"),
    "history": ("history", "棋谱", "棋譜"),
    "clock": ("clock", "棋钟", "棋鐘"),
    "help": ("help", "帮助", "幫助"),
    "quit": ("quit", "exit", "q", "离开", "離開", "退出"),
}
"""What a person may say beside moves, in the order of the help."""

ABOUT: dict[str, Words] = {
    "moves": Words(
        "the legal moves; ? b2 those that begin so",
        "可走的着法；? b2 只列以此开头的",
        "可走的著法；? b2 只列以此開頭的",
    ),
    "hint": Words("what the built-in player would play", "内置棋手会怎么走", "內置棋手會怎麼走"),
    "undo": Words("take your last move back", "悔棋", "悔棋"),
    "draw": Words("offer a draw with your move, or accept one", "求和，或接受求和", "求和，或接受求和"),
    "resign": Words("give the game up", "认输", "認輸"),
    "save": Words("keep the game now; save FILE into a file", "保存棋局；save 文件名", "保存棋局；save 檔名"),
    "flip": Words("turn the board round", "翻转棋盘", "翻轉棋盤"),
    "board": Words("draw the board again", "重画棋盘", "重畫棋盤"),
    "history": Words("the moves so far", "已走的着法", "已走的著法"),
    "clock": Words("the time left", "剩余时间", "剩餘時間"),
    "help": Words("this list", "本说明", "本說明"),
    "quit": Words("leave; the game is kept", "离开，棋局保存", "離開，棋局保存"),
}

TEXTS: dict[str, Words] = {
    "begin": Words(
        "{game}: {seats}. A move, or help.",
        "{game}：{seats}。请走棋，或输入 help。",
        "{game}：{seats}。請走棋，或輸入 help。",
    ),
    "to-move": Words("{side} to move", "{side}走", "{side}走"),
    "move-number": Words("move {number}", "第{number}手", "第{number}手"),
    "played": Words("{side}: {move}", "{side}：{move}", "{side}：{move}"),
    "told": Words("that was {move}", "即 {move}", "即 {move}"),
    "thinks": Words("{name} thinks …", "{name}思考中……", "{name}思考中……"),
    "draw-offered": Words(
        "{side} offers a draw: 'draw' accepts, a move refuses.",
        "{side}求和：输入 draw 接受，走棋即拒绝。",
        "{side}求和：輸入 draw 接受，走棋即拒絕。",
    ),
    "offer-with": Words("Your offer goes with your next move.", "求和将随下一着提出。", "求和將隨下一著提出。"),
    "refused": Words("The offer is not accepted.", "求和未被接受。", "求和未被接受。"),
    "no-undo": Words("There is no move of yours to take back.", "没有可悔的着法。", "沒有可悔的著法。"),
    "shown": Words(
        "What has turned up can't be hidden again: no undo.",
        "已翻开的子不能再盖上：不能悔棋。",
        "已翻開的子不能再蓋上：不能悔棋。",
    ),
    "undone": Words("Taken back: {count}.", "已退回{count}手。", "已退回{count}手。"),
    "no-hint": Words("There is no built-in player to ask.", "没有内置棋手可问。", "沒有內置棋手可問。"),
    "hint": Words("Hint: {move}", "提示：{move}", "提示：{move}"),
    "kept": Words(
        "Kept in {file}; go on with: qiqiao play --resume {file}",
        "已保存于 {file}；继续：qiqiao play --resume {file}",
        "已保存於 {file}；繼續：qiqiao play --resume {file}",
    ),
    "not-kept": Words("It can't be kept: {error}", "无法保存：{error}", "無法保存：{error}"),
    "recorded": Words("Record: {file}", "棋谱：{file}", "棋譜：{file}"),
    "sure": Words(
        "Resign? yes, or anything else to go on.",
        "认输吗？输入 yes 确认，其他继续。",
        "認輸嗎？輸入 yes 確認，其他繼續。",
    ),
    "hand-over": Words(
        "Hand over to {side}, who presses Enter.", "请交给{side}，按回车继续。", "請交給{side}，按回車繼續。"
    ),
    "lay": Words(
        "{side} lays its pieces: their letters in the order of squares from the lower left, or Enter for at random.",
        "{side}布子：按格子次序写出棋子字母，回车则随机。",
        "{side}布子：按格子次序寫出棋子字母，回車則隨機。",
    ),
    "dead": Words(
        "Both have passed. Dead stones? Points (or 'none'), or Enter for the built-in judgement.",
        "双方停着。死子？写出点（或 none），回车由程序判断。",
        "雙方停著。死子？寫出點（或 none），回車由程式判斷。",
    ),
    "small": Words(
        "The window is too small for the board ({needs} needed): moves only.",
        "窗口太小，画不下棋盘（需要 {needs}），只显示着法。",
        "視窗太小，畫不下棋盤（需要 {needs}），只顯示著法。",
    ),
    "wins": Words(
        "{side} wins: {reason} ({result})", "{side}胜：{reason}（{result}）", "{side}勝：{reason}（{result}）"
    ),
    "drawn": Words("Draw: {reason} ({result})", "和棋：{reason}（{result}）", "和棋：{reason}（{result}）"),
    "over": Words("The game is over: {reason} ({result})", "终局：{reason}（{result}）", "終局：{reason}（{result}）"),
    "failed": Words("{name} can't play on: {error}", "{name}无法继续：{error}", "{name}無法繼續：{error}"),
    "none": Words("none", "无", "無"),
    "you": Words("you", "您", "您"),
}
"""The sentences, by a key."""

SIDES: dict[str, Words] = {
    "Red": Words("Red", "红方", "紅方"),
    "Black": Words("Black", "黑方", "黑方"),
    "White": Words("White", "白方", "白方"),
    "First": Words("First", "先手", "先手"),
    "Second": Words("Second", "后手", "後手"),
    "Third": Words("Third", "三手", "三手"),
}
"""Names of sides, by the game's own English ones; one that is not here stays as it is."""


def text_in(words: Words, language: Language) -> str:
    """A text in a language."""
    return {"en": words.english, "zh-Hans": words.simplified, "zh-Hant": words.traditional}[language]


def say(key: str, language: Language, **values: object) -> str:
    """One of the sentences, filled in."""
    return text_in(TEXTS[key], language).format(**values)


def side_name(name: str, language: Language) -> str:
    """A side's name in a language."""
    return text_in(SIDES[name], language) if name in SIDES else name


def command_of(line: str) -> tuple[str, str]:
    """The command that a line says and what stands behind it; ("", the line) for one that says none."""
    word, _, rest = line.strip().partition(" ")
    for name, said in COMMANDS.items():
        if word.lower() in said:
            return name, rest.strip()
    if word[:1] in ("?", "？") and len(word) > 1:
        return "moves", word[1:].strip()
    return "", line.strip()


REASON_WORDS: dict[str, Words] = {
    "mate": Words("checkmate", "将死", "將死"),
    "stalemate": Words("no legal move", "困毙", "困斃"),
    "repetition": Words("repetition", "重复局面", "重複局面"),
    "natural-limit": Words("natural limit", "自然限着", "自然限著"),
    "agreement": Words("draw by agreement", "议和", "議和"),
    "score": Words("count of the board", "数子", "數子"),
    "no-result": Words("endless repetition", "无胜负", "無勝負"),
    "resignation": Words("resignation", "认输", "認輸"),
    "time": Words("time", "超时", "超時"),
    "no-pieces": Words("no pieces left", "棋子被吃尽", "棋子被吃盡"),
    "no-move": Words("no legal action", "无子可动", "無子可動"),
    "no-progress": Words("no turn-up or capture for too long", "长时间无翻无吃", "長時間無翻無吃"),
    "annihilation": Words("the other two are gone", "尽灭两家", "盡滅兩家"),
    "points": Words("points", "得分", "得分"),
}
"""Why a game ends, by the keys of ``Ending.reason``; what is not here is told in English."""
