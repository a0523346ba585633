"""UGF and UGI, the records and reviews of PandaNet (パンダネット), read.

``[Header]`` has facts (``Name=value``), ``[Data]`` the moves: a point of two letters, ``B1`` or ``W1``, the number of
the move (0 for handicap stones), seconds. The first letter is the column from the left, the second the row, from below
where ``CoordinateType=IGS``, else from above; what is off the board (``YA``) is a pass. ``[ReviewNode]`` has the tree
of a review: ``NODE,number,colour,x,y``, number 1 the root, variations in blocks set in behind ``VARIATION,``;
``[ReviewComment]`` has comments behind ``.Comment,number``.
"""

from __future__ import annotations

import re

from engines.go.records import sgf
from engines.go.records.trees import Grown, sgf_point

_SECTION = re.compile(r"\s*\[(\w+)\]\s*")
_HEADER = re.compile(r"^\s*\[Header\]", re.MULTILINE | re.IGNORECASE)
_TELLS = re.compile(r"^\s*(?:Ver=(?:UGF|REVIEW)|\[Data\]|CoordinateType=|Hdcp=)", re.MULTILINE | re.IGNORECASE)
_RULES = {"JPN": "Japanese", "CHN": "Chinese", "CHI": "Chinese", "ING": "GOE", "KOR": "Korean", "AGA": "AGA"}
_NODE = re.compile(r"(\s*)NODE,(\d{1,6}),([012]),(\d{1,3}),(\d{1,3})")


def is_ugf(text: str) -> bool:
    """Whether a text is a UGF record."""
    return _HEADER.search(text[:2000]) is not None and _TELLS.search(text) is not None


def read_ugf(text: str) -> sgf.Tree:
    """The game as SGF, with its review's variations and comments."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        match = _SECTION.fullmatch(line)
        if match:
            lines = sections.setdefault(match[1].lower(), [])
        elif line.strip():
            lines.append(line)
    header = {
        name.strip().lower(): value.strip()
        for name, sign, value in (line.partition("=") for line in sections.get("header", []))
        if sign
    }
    size = re.match(r"\d{1,2}", header.get("size", ""))
    side = int(size.group()) if size and 1 <= int(size.group()) <= 25 else 19
    grown = Grown(side, side)
    below = header.get("coordinatetype", "").upper() == "IGS"
    _facts(grown, header)
    nodes = _play(grown, sections.get("data", []), side, below)
    _review(grown, sections.get("reviewnode", []), nodes, side, below)
    _comments(sections.get("reviewcomment", []), nodes)
    return grown.tree


def _facts(grown: Grown, header: dict[str, str]) -> None:
    for name, player, rank in (("playerb", "PB", "BR"), ("playerw", "PW", "WR")):
        parts = header.get(name, "").split(",")
        grown.text(player, parts[0])
        grown.text(rank, parts[1] if len(parts) > 1 else "")
    handicap, _, komi = header.get("hdcp", "").partition(",")
    if handicap.strip().isdecimal() and int(handicap) >= 2:
        grown.text("HA", f"{int(handicap)}")
    if re.fullmatch(r"\s*-?\d{1,3}(\.\d+)?\s*", komi):
        grown.text("KM", f"{float(komi):g}")
    rules = header.get("rule", header.get("rules", ""))
    grown.text("RU", _RULES.get(rules.upper(), rules))
    day = re.match(r"(\d{4})/(\d{1,2})/(\d{1,2})", header.get("date", ""))
    if day:
        grown.text("DT", f"{day[1]}-{int(day[2]):02}-{int(day[3]):02}")
    grown.text("CP", header.get("copyright", ""))
    grown.text("PC", header.get("place", ""))
    grown.text("EV", header.get("title", "").strip(","))
    grown.text("GC", header.get("comment", ""))
    winner, _, margin = header.get("winner", "").partition(",")
    if winner[:1].upper() in ("B", "W"):
        margin = margin.strip().upper()
        points = re.fullmatch(r"\d+(?:\.\d+)?", margin)
        grown.text("RE", f"{winner[:1].upper()}+{f'{float(margin):g}' if points else margin[:1]}")


def _play(grown: Grown, lines: list[str], side: int, below: bool) -> dict[int, sgf.Tree]:
    """The moves; gives the nodes by their numbers in the review, which counts the root as 1."""
    nodes = {1: grown.tree}
    for line in lines:
        parts = [part.strip() for part in line.split(",")]
        if len(parts) < 2 or len(parts[0]) != 2 or parts[1][:1].upper() not in ("B", "W"):
            continue
        color, point = parts[1][0].upper(), parts[0].upper()
        x, y = ord(point[0]) - 65, ord(point[1]) - 65
        place = sgf_point(x, side - 1 - y if below else y, side, side)
        number = int(parts[2]) if len(parts) > 2 and parts[2].isdecimal() and len(parts[2]) < 7 else None
        if number == 0:
            if place:
                grown.setup("A" + color, [place])
            continue
        grown.move(color, place)
        if number is not None:
            nodes.setdefault(number + 1, grown.last)
    return nodes


def _review(grown: Grown, lines: list[str], nodes: dict[int, sgf.Tree], side: int, below: bool) -> None:
    """The variations: each block goes on from the node before it, set in more deeply than that."""
    above: list[tuple[int, sgf.Tree]] = []  # nodes by how deep they are set in
    for line in lines:
        match = _NODE.match(line)
        if match is None:
            continue
        depth, number, color = len(match[1]), int(match[2]), int(match[3])
        while above and above[-1][0] > depth:
            above.pop()
        parent = above[-1][1] if above else grown.tree
        node = nodes.get(number)
        if node is None:
            if color == 0:
                continue
            x, y = int(match[4]) - 1, int(match[5]) - 1
            place = sgf_point(x, side - 1 - y if below else y, side, side)
            node = grown.branch(parent, "B" if color == 1 else "W", place)
            nodes[number] = node
        if above and above[-1][0] == depth:
            above[-1] = (depth, node)
        else:
            above.append((depth, node))


def _comments(lines: list[str], nodes: dict[int, sgf.Tree]) -> None:
    said: dict[int, list[str]] = {}
    at: list[str] | None = None
    for line in lines:
        match = re.match(r"\.Comment,(\d{1,6})", line)
        if match:
            at = said.setdefault(int(match[1]), [])
        elif at is not None:
            at.append(line.strip())
    for number, texts in said.items():
        node = nodes.get(number)
        if node is not None and texts:
            node.nodes[0].properties["C"] = [sgf.escaped("\n".join(texts))]
