"""A Xiangqi engine that plays legal moves at random, at once: `random_uci.py SEED [FAULT=N ...]`.

With die=N it ends itself before its N-th answer, with illegal=N that answer is no legal move, with slow=N that answer
takes two seconds, with twice=N it comes again a little later, with nomove=N it says that there is no move.
"""

import os
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from engines.xiangqi.board import Board
from engines.xiangqi.gametype import read_move
from engines.xiangqi.geometry import move_name

chance = random.Random(int(sys.argv[1]))
faults = {name: int(value) for name, _, value in (word.partition("=") for word in sys.argv[2:])}
board = Board()
answers = 0
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("id name random\nuciok")
    elif words[:1] == ["isready"]:
        print("readyok")
    elif words[:1] == ["position"]:
        at = words.index("moves") if "moves" in words else len(words)
        board = Board() if words[1] == "startpos" else Board(" ".join(words[2:at]))
        for word in words[at + 1 :]:
            board.play(read_move(word))
    elif words[:1] == ["go"]:
        answers += "depth 1" not in line  # the first is asked to find out how ranks are counted
        if answers == faults.get("die"):
            os._exit(3)
        if answers == faults.get("slow"):
            time.sleep(2)
        move = move_name(chance.choice(sorted(board.legal_moves())))
        print(f"info depth 1 score cp {chance.randrange(-30, 30)} nodes 10 pv {move}")
        if answers == faults.get("nomove"):
            print("nobestmove")
        else:
            print("bestmove", "a0a9" if answers == faults.get("illegal") else move)
        if answers == faults.get("twice"):
            sys.stdout.flush()
            time.sleep(0.1)
            print("bestmove", move)
    elif words[:1] == ["quit"]:
        break
    sys.stdout.flush()
