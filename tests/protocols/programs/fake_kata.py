"""A GTP engine with KataGo's and Leela Zero's commands and no rules: it writes down what it is told.

``fake_kata.py LOG [WITHOUT,WITHOUT…]``: the commands after LOG are not listed and not known.
"""

import select
import sys

LINES = {
    "kata": "info move D4 visits 12 edgeVisits 12 utility 0.1 winrate 0.56 scoreMean 1.5 scoreStdev 9.25 scoreLead 1.5 "
    "scoreSelfplay 1.6 prior 0.2 lcb 0.5 utilityLcb 0 weight 12 isSymmetryOf Q4 order 0 pv D4 Q16 "
    "info move Q4 visits 3 winrate 0.5 prior 0.1 lcb 0.4 order 1 pv Q4 pass strangeKey 7",
    "lz": "info move D4 visits 12 winrate 5600 prior 2000 lcb 5000 order 0 pv D4 Q16",
}
COMMANDS = [
    "protocol_version",
    "name",
    "version",
    "list_commands",
    "boardsize",
    "rectangular_boardsize",
    "clear_board",
    "komi",
    "play",
    "undo",
    "gg-undo",
    "genmove",
    "reg_genmove",
    "set_free_handicap",
    "set_position",
    "time_settings",
    "time_left",
    "kgs-time_settings",
    "kata-time_settings",
    "kata-set-rules",
    "kata-set-param",
    "kgs-rules",
    "kata-analyze",
    "lz-analyze",
    "kata-genmove_analyze",
    "lz-genmove_analyze",
    "final_status_list",
    "gogui-interrupt",
    "quit",
]
MOVES = ["D4", "Q16", "K10", "C3", "pass"]


def main():
    log = open(sys.argv[1], "a")  # noqa: SIM115 (until the end)
    without = sys.argv[2].split(",") if len(sys.argv) > 2 else []
    commands = [command for command in COMMANDS if command not in without]
    moves = iter(MOVES * 100)

    def say(text):
        sys.stdout.write(text)
        sys.stdout.flush()

    while line := sys.stdin.readline():
        words = line.split()
        if not words or words[0].startswith("#"):
            log.write(line)
            continue
        number = words.pop(0) if words[0].isdigit() else ""
        name = words[0]
        log.write(" ".join(words) + "\n")
        log.flush()
        if name not in commands:
            say(f"?{number} unknown command\n\n")
        elif name in ("kata-analyze", "lz-analyze"):
            if "nonsense" in words:
                say(f"?{number} cannot parse tags\n\n")
                continue
            say(f"={number}\n")
            while not select.select([sys.stdin], [], [], 0.02)[0]:
                say(LINES[name.partition("-")[0]] + "\n")
            say("\n")
        elif name in ("kata-genmove_analyze", "lz-genmove_analyze"):
            say(f"={number}\n{LINES[name.partition('-')[0]]}\nplay {next(moves)}\n\n")
        else:
            texts = {
                "protocol_version": "2",
                "name": "Fake",
                "version": "1.0",
                "list_commands": "\n".join(commands),
                "genmove": next(moves) if name == "genmove" else "",
                "reg_genmove": "C4",
                "final_status_list": "D4",
            }
            say(f"={number} {texts.get(name, '')}\n\n")
            if name == "quit":
                return


if __name__ == "__main__":
    main()
