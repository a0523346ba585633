"""All words of a move, the most telling first, those left out that give way to another."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engines.go.words import contact, cutting, distance, taking
from engines.go.words.scene import Scene

RULES: dict[str, tuple[Callable[[Scene], bool], str]] = {
    "提": (taking.takes, ""),
    "打劫": (taking.takes_ko, ""),
    "叫吃": (taking.atari, ""),
    "征": (taking.ladder, ""),
    "接不归": (taking.connect_and_die, ""),
    "扑": (taking.throws_in, ""),
    "紧气": (taking.fills_liberty, ""),
    "点": (taking.in_eye_space, ""),
    "断": (cutting.cuts, ""),
    "挤": (cutting.wedges, ""),
    "冲": (cutting.pushes, ""),
    "跨": (cutting.crosses, ""),
    "刺": (cutting.peeps, ""),
    "双": (cutting.bamboo, ""),
    "接": (cutting.connects, "双"),
    "虎": (cutting.tiger, ""),
    "渡": (cutting.crosses_under, ""),
    "挡": (contact.blocks, ""),
    "顶": (contact.bumps, ""),
    "尖顶": (contact.diagonal_bump, ""),
    "扳": (contact.turns_round, "断 跨 渡 挡 点"),
    "托": (contact.under, "扳 渡 点 挡"),
    "压": (contact.presses, "扳 冲 挤 断 接"),
    "碰": (contact.attaches, "点"),
    "退": (contact.draws_back, ""),
    "并": (contact.side_by_side, ""),
    "立": (contact.descends, "并"),
    "爬": (contact.crawls, ""),
    "长": (contact.lengthens, "立 爬 退 挡 顶 压 冲 挤 断 接 双 并"),
    "挂": (distance.approaches, ""),
    "低挂": (distance.approaches_low, ""),
    "高挂": (distance.approaches_high, ""),
    "缔角": (distance.encloses, ""),
    "夹": (distance.pinches, "挂"),
    "镇": (distance.caps, "挂"),
    "拆一": (partial(distance.extends, between=1), "挂 缔角 夹 虎"),
    "拆二": (partial(distance.extends, between=2), "挂 缔角 夹 虎"),
    "拆三": (partial(distance.extends, between=3), "挂 缔角 夹 虎"),
    "尖": (lambda scene: contact.diagonal_bump(scene) or distance.diagonal(scene), "虎"),
    "小飞": (distance.small_knight, ""),
    "大飞": (distance.large_knight, ""),
    "超大飞": (distance.larger_knight, ""),
    "象步飞": (distance.elephant, ""),
    "关": (distance.jumps, "拆一 虎"),
}
"""Each word's function, and the words where which holds it is not said; those come before it. 尖顶 is 尖 and 顶."""

ORDER = (
    *("打劫", "提", "征", "接不归", "叫吃", "扑", "点"),
    *("断", "跨", "挤", "冲", "双", "接", "渡", "虎", "刺"),
    *("挡", "扳", "尖顶", "托", "压", "碰", "退", "立", "爬", "顶", "紧气", "长", "并"),
    *("挂", "低挂", "高挂", "缔角", "夹", "镇", "拆三", "拆二", "拆一"),
    *("超大飞", "大飞", "小飞", "象步飞", "关", "尖"),
)
"""All words, the most telling first: what a move does, then where it touches, then how far it leaps."""


def words_of(scene: Scene) -> list[str]:
    """The words of a move in simplified Chinese, the most telling first."""
    said: set[str] = set()
    for word, (holds, gives_way) in RULES.items():
        if not said.intersection(gives_way.split()) and holds(scene):
            said.add(word)
    if "尖顶" in said:
        said.add("顶")
    return [word for word in ORDER if word in said]
