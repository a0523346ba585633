"""The words of Go in other scripts and in English, by the simplified form."""

from __future__ import annotations

from engines.terms import Term, table

TERMS: dict[str, Term] = table(
    """
    提 提 takes
    打劫 打劫 takes the ko
    征 征 ladder
    接不归 接不歸 connect and die
    叫吃 叫吃 atari
    扑 撲 throw-in
    点 點 placement in the eye space
    紧气 緊氣 fills a liberty
    断 斷 cut
    跨 跨 cross-cut of a knight's move
    挤 擠 wedge
    冲 衝 push through
    双 雙 bamboo joint
    接 接 connection
    渡 渡 crossing under
    虎 虎 tiger's mouth
    刺 刺 peep
    挡 擋 block
    尖顶 尖頂 diagonal bump
    扳 扳 hane
    托 托 attachment from below
    压 壓 press
    碰 碰 contact
    退 退 draw back
    立 立 descent
    爬 爬 crawl
    顶 頂 bump
    长 長 stretch
    并 並 side by side
    挂 掛 approach
    低挂 低掛 low approach
    高挂 高掛 high approach
    缔角 締角 corner enclosure
    夹 夾 pincer
    镇 鎮 cap
    拆一 拆一 one-space extension
    拆二 拆二 two-space extension
    拆三 拆三 three-space extension
    超大飞 超大飛 very large knight's move
    大飞 大飛 large knight's move
    小飞 小飛 small knight's move
    象步飞 象步飛 elephant's move
    关 關 one-space jump
    尖 尖 diagonal move
    """
)
"""What each of ``engines.go.words.ORDER`` is called."""
