from engines.xiangqi.repetition import Verdict


def judge(board, rules="axf", times=3):
    return Verdict(True, times)
