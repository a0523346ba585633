"""The words of Xiangqi in other scripts and in English, by the simplified form."""

from __future__ import annotations

from engines.terms import Term, table

TERMS: dict[str, Term] = table(
    """
    反宫马 反宮馬 sandwiched horses
    屏风马 屏風馬 screen horses
    连环马 連環馬 linked horses
    卧槽马 臥槽馬 manger horse
    钓鱼马 釣魚馬 angling horse
    高钓马 高釣馬 high angling horse
    挂角马 掛角馬 palace-corner horse
    盘河马 盤河馬 riverbank horse
    窝心马 窩心馬 horse in the palace heart
    边马 邊馬 edge horse
    空头炮 空頭炮 open cannon
    担杆炮 擔桿炮 shouldered cannons
    沉底炮 沉底炮 bottom cannon
    巡河炮 巡河炮 riverbank cannon
    边炮 邊炮 edge cannon
    花心车 花心車 chariot in the palace heart
    沉底车 沉底車 bottom chariot
    骑河车 騎河車 chariot across the river
    巡河车 巡河車 riverbank chariot
    肋车 肋車 rib chariot
    边车 邊車 edge chariot
    花心兵 花心兵 soldier in the palace heart
    两头蛇 兩頭蛇 two-headed snake
    兄弟兵 兄弟兵 brother soldiers
    底兵 底兵 bottom soldier
    低兵 低兵 low soldier
    过河兵 過河兵 crossed soldier
    高兵 高兵 high soldier
    对头兵 對頭兵 facing soldiers
    羊角士 羊角士 ram's-horn advisors
    山顶帅 山頂帥 general on the hilltop
    光帅 光帥 bare general
    大刀剜心 大刀剜心 great knife to the heart
    小刀剜心 小刀剜心 small knife to the heart
    马后炮 馬後炮 cannon behind the horse
    重炮 重炮 double cannon
    铁门栓 鐵門栓 iron bolt
    天地炮 天地炮 heaven-and-earth cannons
    双车错 雙車錯 alternating chariots
    闷宫 悶宮 smothered palace
    二鬼拍门 二鬼拍門 two ghosts at the gate
    双马饮泉 雙馬飲泉 two horses at the spring
    八角马 八角馬 opposite-corner horse
    白脸将 白臉將 facing generals
    """
)
"""What each of ``POSTS`` and ``MATES`` is called."""
