"""The search tree over a net: the net judges each new position, and its policy says where to look (PUCT).

A worker goes down by the child with the largest ``Q + c · P · √N / (1 + n)`` (Silver et al., 2017), asks the net about
the position it comes to, gives it children, and writes what the net said into the nodes of its path. Moves not visited
yet count as their parent less the more, the more of the policy has been looked at (first-play urgency). Two passes end
a game: with the count of the board as it stands, or, where dead stones are taken off, with the net's word on who owns
what. ``NetTree`` and ``NetWorker`` are for those who use them what ``engines.go.tree.Tree`` and ``Worker`` are, with
an evaluation for a playout.

Several workers share a tree. The net works without the interpreter lock, everything else with it; a visit whose result
is still to come counts as lost, so that the others look elsewhere (virtual loss).
"""

import time

import cython

from engines.go.board import Board
from engines.go.net.planes import Planes, globals_of
from engines.go.playout import Standstills
from engines.go.stones import Stones

if cython.compiled:
    from cython.cimports.libc.math import exp, log, sqrt, tanh
    from cython.cimports.libc.stdlib import calloc, free
    from cython.cimports.libc.string import memcpy
else:
    import copy
    from math import exp, log, sqrt, tanh

    from engines.go.stones import AREA, BLACK, BORDER, EMPTY, LEGAL, WHITE

    OPEN, EXPANDING, FORBIDDEN = 0, 1, 2
    MAX_PATH = 2048
    PLANES, RECENT = 15, 5

import threading

EXPLORATION = cython.declare(cython.double, 0.6)
"""c at few visits; values are 0…1 …"""

EXPLORATION_GROWTH = cython.declare(cython.double, 0.25)
EXPLORATION_BASE = cython.declare(cython.double, 500.0)
"""… and it grows by this times the logarithm of (N + base) / base."""

URGENCY_LOSS = cython.declare(cython.double, 0.12)
ROOT_URGENCY_LOSS = cython.declare(cython.double, 0.06)
"""How much less than its parent a move not visited yet is taken to be worth when all of the policy has been visited."""

SCORE_WEIGHT = cython.declare(cython.double, 0.06)
"""How much of what is searched for is the lead, so that won games are played for points and lost ones fought."""

FAVOURED_SHARE = cython.declare(cython.float, 0.5)
"""The least share of a root move that was read to be urgent."""

NEGLIGIBLE = cython.declare(cython.float, 0.0004)
"""Below the root, moves with a smaller share are not remembered: there are hundreds."""

FEWEST_EVALUATIONS = cython.declare(cython.int, 4)


class PlainNetNode:
    """Stands in for the C structure ``NetNode`` when this runs uncompiled."""

    def __init__(self) -> None:
        self.wins = self.value = self.score = self.score_squares = self.prior = 0.0
        self.visits = self.away = self.first_child = 0
        self.children = self.move = self.state = 0


FEWEST_NODES = 2000


def nodes_in(megabytes: cython.longlong) -> cython.longlong:
    """How many nodes a tree of so many megabytes has."""
    bytes_each: cython.longlong = 64
    if cython.compiled:
        bytes_each = cython.sizeof(NetNode)
    return max(FEWEST_NODES, megabytes * 1024 * 1024 // bytes_each)


class NetTree:
    """One search's tree over a position; ``megabytes`` bounds its memory, and when that is full leaves stay leaves.
    ``evaluator`` is asked as ``engines.go.net.evaluator.Evaluator``. Raises MemoryError.
    """

    def __cinit__(self, board: Board, color: cython.int, megabytes: cython.longlong, evaluator):
        self.capacity = nodes_in(megabytes)
        if cython.compiled:
            self.nodes = cython.cast(
                cython.pointer(NetNode), calloc(cython.cast(cython.size_t, self.capacity), cython.sizeof(NetNode))
            )
            if self.nodes == cython.NULL:
                raise MemoryError("no memory for the search tree")
        else:
            self.nodes = [PlainNetNode() for _ in range(4000)]
            self.capacity = 4000
            self.banned = [[0] * AREA for _ in range(3)]
            self.favoured = [False] * AREA
            self.recent = [0] * RECENT
            self.territory = self.as_it_stands = self.restricted = self.stop = False
            self.komi, self.limit, self.playouts, self.deepest = 0.0, 0, 0, 0
        self.lock = threading.Lock()
        self.evaluator = evaluator
        self.board = board
        self.width = board.width
        self.height = board.height
        self.start = Stones(board.width, board.height, board.suicide_allowed)
        self.start.copy_position(board.now)
        self.color = color
        self.standstills = Standstills()
        self.pass_at_root = True
        self.all_symmetries = False
        self.center = 0.0
        self.centered = False
        self.root = 1
        self.used = 2
        turn: cython.int
        point: cython.int
        self.passes = 0
        self.recent_count = 0
        for turn in range(board.turns - 1, max(0, board.turns - RECENT) - 1, -1):
            point = board.turn(turn)[1]
            self.recent[self.recent_count] = board.now.inner[point] if point >= 0 else 0
            self.recent_count += 1
        if board.turns and board.turn(board.turns - 1)[1] < 0:
            self.passes = 1

    if not cython.compiled:

        def __init__(self, board, color, megabytes, evaluator):
            self.__cinit__(board, color, megabytes, evaluator)

    def __dealloc__(self):
        if cython.compiled:
            free(self.nodes)

    def ban(self, color: cython.int, point: cython.int, plies: cython.int) -> None:
        """Keep a colour from a point (−1: from passing) in the first plies of the tree."""
        self.restricted = True
        self.banned[color][self.start.inner[point] if point >= 0 else 0] = plies

    def favour(self, point: cython.int, visits: cython.int) -> None:
        """Have a root move looked at whatever the net thinks of it."""
        p: cython.int = self.start.inner[point]
        at: cython.longlong = self.child_of(self.root, p)
        self.favoured[p] = True
        if at:
            self.nodes[at].prior = max(self.nodes[at].prior, FAVOURED_SHARE)

    @property
    def in_ko(self) -> bool:
        """Whether a ko has just been taken, which may not be taken back at once."""
        return self.start.ko != 0

    def bar(self, point: cython.int) -> None:
        """Keep the colour to move from a point at the root."""
        p: cython.int = self.start.inner[point]
        at: cython.longlong = self.child_of(self.root, p)
        if at:
            self.nodes[at].state = FORBIDDEN
        if self.banned[self.color][p] == 0:
            self.ban(self.color, point, 1)

    def child_of(self, node: cython.longlong, move: cython.int) -> cython.longlong:
        """Index of the child that plays an inner point (0: passes), 0 if there is none."""
        i: cython.int
        at: cython.longlong = self.nodes[node].first_child
        if at == 0:
            return 0
        for i in range(self.nodes[node].children):
            if self.nodes[at + i].move == move and self.nodes[at + i].state != FORBIDDEN:
                return at + i
        return 0

    def adopt(self, other, points):
        """Take over what the other tree knows after these moves (points, −1 for a pass); False if it knows nothing."""
        at: cython.longlong = other.root
        point: cython.int
        i: cython.int
        for point in points:
            at = other.child_of(at, other.start.inner[point] if point >= 0 else 0)
            if at == 0:
                return False
        if other.nodes[at].first_child == 0:
            return False
        self.copy_subtree(other, at)
        if self.nodes[1].visits > 0:
            self.center = self.nodes[1].score / self.nodes[1].visits
            self.center = self.center if self.color == WHITE else -self.center
            self.centered = True
        if not points:
            for i in range(self.start.inner_size):
                self.favoured[i] = other.favoured[i]
        return True

    def copy_subtree(self, source, index: cython.longlong) -> cython.int:
        """Copy a node of another tree, with all below it, to this tree's root, level by level."""
        done: cython.longlong = 1
        i: cython.int
        first: cython.longlong
        n: cython.int
        if not cython.compiled:
            self.nodes[1] = copy.copy(source.nodes[index])
        else:
            memcpy(cython.address(self.nodes[1]), cython.address(source.nodes[index]), cython.sizeof(NetNode))
        self.root = 1
        self.used = 2
        while done < self.used:
            first = self.nodes[done].first_child
            n = self.nodes[done].children
            self.nodes[done].state = OPEN if self.nodes[done].state == EXPANDING else self.nodes[done].state
            self.nodes[done].visits -= self.nodes[done].away
            self.nodes[done].away = 0
            if first:
                if self.used + n > self.capacity // 2:
                    self.nodes[done].first_child = 0
                    self.nodes[done].children = 0
                else:
                    if cython.compiled:
                        memcpy(
                            cython.address(self.nodes[self.used]),
                            cython.address(source.nodes[first]),
                            n * cython.sizeof(NetNode),
                        )
                    else:
                        for i in range(n):
                            self.nodes[self.used + i] = copy.copy(source.nodes[first + i])
                    self.nodes[done].first_child = self.used
                    self.used += n
            done += 1
        return 0

    # ------------------------------------------------------------------ what it found

    def candidates(self) -> list:
        """The root's visited children, most visited first: (point or −1, visits, mean winning chance, mean lead,
        mean of its square, the policy's share).

        Chances (0…1) and leads (points) are from the view of the player to move at the root.
        """
        found = []
        i: cython.int
        at: cython.longlong
        visits: cython.int
        total: cython.double = 0.0
        first: cython.longlong = self.nodes[self.root].first_child
        for i in range(self.nodes[self.root].children if first else 0):
            total += self.nodes[first + i].prior
        for i in range(self.nodes[self.root].children if first else 0):
            at = first + i
            visits = self.nodes[at].visits - self.nodes[at].away
            if self.nodes[at].state == FORBIDDEN or visits < 1:
                continue
            found.append(
                (
                    self.start.outer[self.nodes[at].move] if self.nodes[at].move else -1,
                    visits,
                    self.nodes[at].wins / visits,
                    self.nodes[at].score / visits,
                    self.nodes[at].score_squares / visits,
                    self.nodes[at].prior / max(total, 1e-9),
                )
            )
        found.sort(key=lambda row: (-row[1], -row[2], row[0]))
        return found

    def line(self, point: cython.int, longest: cython.int = 20) -> list:
        """The most visited continuation that begins with a root move: points (−1 for a pass) with their visits."""
        found = []
        i: cython.int
        n: cython.longlong
        best: cython.longlong
        at: cython.longlong = self.child_of(self.root, self.start.inner[point] if point >= 0 else 0)
        while at and len(found) < longest:
            move: cython.int = self.nodes[at].move
            found.append((self.start.outer[move] if move else -1, self.nodes[at].visits))
            best = 0
            for i in range(self.nodes[at].children if self.nodes[at].first_child else 0):
                n = self.nodes[at].first_child + i
                if (
                    self.nodes[n].state != FORBIDDEN
                    and self.nodes[n].visits > 0
                    and (best == 0 or self.nodes[n].visits > self.nodes[best].visits)
                ):
                    best = n
            at = best
        return found

    @property
    def visits(self) -> int:
        """Evaluations that went through the root, those of an adopted tree included."""
        return self.nodes[self.root].visits - self.nodes[self.root].away

    @property
    def winrate(self) -> float:
        """Mean winning chance (0…1), from the view of the player to move at the root."""
        return 1.0 - self.nodes[self.root].wins / self.visits if self.visits else 0.5

    @property
    def margin(self) -> float:
        """Mean lead (points), from the view of the player to move at the root."""
        return -self.nodes[self.root].score / max(1, self.visits)

    @property
    def spread(self) -> float:
        """Standard deviation (points) of the leads."""
        squares = self.nodes[self.root].score_squares / max(1, self.visits)
        return float(max(0.0, squares - self.margin**2) ** 0.5)


class NetWorker:
    """One thread's part of the search; ``seed`` decides in which symmetry each position is looked at."""

    def __cinit__(self, tree: NetTree, seed: cython.ulonglong):
        if not cython.compiled:
            self.path, self.keys, self.owner = [0] * MAX_PATH, [0] * MAX_PATH, [0.0] * AREA
            self.moves, self.shares, self.recent = [0] * AREA, [0.0] * AREA, [0] * RECENT
            self.distance, self.queue = [0] * AREA, [0] * AREA
            self.count = 0
            self.after = [0.0] * (tree.width * tree.height + 1) ** 2
        else:
            size: cython.size_t = tree.width * tree.height + 1
            self.after = cython.cast(cython.pointer(cython.float), calloc(size * size, cython.sizeof(cython.float)))
            if self.after == cython.NULL:
                raise MemoryError("no memory for the search")
        self.tree = tree
        self.seed = seed
        self.error: object = None
        self.board = Planes(tree.width, tree.height)
        self.planes = tree.evaluator.buffer(tree.start.points)

    if not cython.compiled:

        def __init__(self, tree, seed):
            self.__cinit__(tree, seed)

    def __dealloc__(self):
        if cython.compiled:
            free(self.after)

    @property
    def failure(self) -> object:
        """The exception that ended the work, None where nothing did."""
        return self.error

    def ownership(self) -> list:
        """Per point the sum over this worker's evaluations of who owns it (1 Black, −1 White)."""
        i: cython.int
        return [self.owner[i] for i in range(self.tree.start.points)]

    def ownership_after(self, point: cython.int) -> list:
        """As ``ownership``, of those that began with a root move (−1: a pass), and at the end their number."""
        points: cython.int = self.tree.start.points
        row: cython.int = (point if point >= 0 else points) * (points + 1)
        i: cython.int
        return [self.after[row + i] for i in range(points + 1)]

    def run(self) -> None:
        """Search until the tree's limit is reached or it is told to stop; whatever goes wrong ends the search and is
        told by ``failure``."""
        try:
            while self.simulate():
                pass
        except Exception as error:
            self.error = error
            self.tree.stop = True

    def simulate(self) -> cython.bint:
        """One evaluation; False when the search is over."""
        nodes: cython.pointer(NetNode) = self.tree.nodes
        node: cython.longlong = self.tree.root
        child: cython.longlong
        move: cython.int
        i: cython.int
        c: cython.int = self.tree.color
        ended: cython.bint = False
        if self.tree.stop and self.tree.playouts >= FEWEST_EVALUATIONS:
            return False
        if self.tree.limit > 0 and self.tree.playouts >= self.tree.limit:
            return False
        self.board.copy_position(self.tree.start)
        self.passes = self.tree.passes
        self.recent_count = self.tree.recent_count
        for i in range(RECENT):
            self.recent[i] = self.tree.recent[i]
        self.depth = 0
        self.key_count = 0
        with self.tree.lock:
            self.tree.playouts += 1
            self.path[0] = node
            while True:
                nodes[node].visits += 1
                nodes[node].away += 1
                if self.passes >= 2 or self.depth >= MAX_PATH - 1 or nodes[node].first_child == 0:
                    break
                child = 0
                move = 0
                while True:
                    child = self.select(node)
                    if child == 0:
                        break
                    move = nodes[child].move
                    if move == 0 or self.tree.board.ko_rule == 0 or not self.repeats(move, c):
                        break
                    nodes[child].state = FORBIDDEN
                if child == 0:
                    break
                self.play(move, c)
                c = 3 - c
                node = child
                self.depth += 1
                self.path[self.depth] = node
            ended = self.passes >= 2
            if not ended and nodes[node].state == EXPANDING and nodes[node].first_child == 0:
                # Another worker asks about this very position: try again when it has its answer.
                self.withdraw()
                ended = True
                node = 0
            elif not ended and nodes[node].first_child == 0:
                nodes[node].state = EXPANDING
        if node == 0:
            time.sleep(0.0001)
            return True
        if self.depth > self.tree.deepest:
            self.tree.deepest = self.depth
        self.judge(node, c, ended)
        return True

    def select(self, node: cython.longlong) -> cython.longlong:
        """The most promising child that is not forbidden; 0 if there is none."""
        nodes: cython.pointer(NetNode) = self.tree.nodes
        first: cython.longlong = nodes[node].first_child
        i: cython.int
        at: cython.longlong
        best: cython.longlong = 0
        n: cython.int = nodes[node].visits - nodes[node].away
        looked: cython.double = 0.0
        value: cython.double
        best_value: cython.double = -1e9
        wide: cython.double
        unseen: cython.double
        # The node's value is for whoever moved there; here the other one chooses.
        unseen = 1.0 - nodes[node].value / n if n > 0 else 0.5
        for i in range(nodes[node].children):
            if nodes[first + i].visits > 0:
                looked += nodes[first + i].prior
        unseen -= (ROOT_URGENCY_LOSS if self.depth == 0 else URGENCY_LOSS) * sqrt(looked)
        wide = EXPLORATION + EXPLORATION_GROWTH * log((nodes[node].visits + EXPLORATION_BASE) / EXPLORATION_BASE)
        wide *= sqrt(nodes[node].visits)
        for i in range(nodes[node].children):
            at = first + i
            if nodes[at].state == FORBIDDEN:
                continue
            # Visits on their way count as lost: they add to the visits, nothing to the sum.
            value = nodes[at].value / nodes[at].visits if nodes[at].visits > 0 else unseen
            value += wide * nodes[at].prior / (1 + nodes[at].visits)
            if value > best_value:
                best_value = value
                best = at
        return best

    def repeats(self, move: cython.int, c: cython.int) -> cython.bint:
        """Whether superko forbids a move: its position stood in the game or earlier on this path."""
        key: cython.ulonglong = self.tree.board.key_of(self.board.hash_after(move, c), 3 - c)
        i: cython.int
        for i in range(self.key_count):
            if self.keys[i] == key:
                return True
        return self.tree.board.seen(key)

    def play(self, move: cython.int, c: cython.int) -> None:
        """Go on by a move (0: a pass)."""
        i: cython.int
        if move:
            self.board.place(move, c, cython.NULL if cython.compiled else None)
            self.passes = 0
        else:
            self.board.ko = 0
            self.passes += 1
        for i in range(RECENT - 1, 0, -1):
            self.recent[i] = self.recent[i - 1]
        self.recent[0] = move
        self.recent_count = min(RECENT, self.recent_count + 1)
        if self.tree.board.ko_rule != 0:
            self.keys[self.key_count] = self.tree.board.key_of(self.board.hash, 3 - c)
            self.key_count += 1

    def withdraw(self) -> None:
        """Take the visit on its way back."""
        i: cython.int
        for i in range(self.depth + 1):
            self.tree.nodes[self.path[i]].visits -= 1
            self.tree.nodes[self.path[i]].away -= 1
        self.tree.playouts -= 1

    # ------------------------------------------------------------------ the net's word

    def judge(self, node: cython.longlong, c: cython.int, ended: cython.bint) -> None:
        """Judge the position that was come to, c to move, and write that into the path."""
        area: cython.int
        margin: cython.double
        black: cython.double
        try:
            if ended and self.tree.as_it_stands:
                margin = self.area_with_regions() - self.tree.komi
                black = 1.0 if margin > 0 else (0.0 if margin < 0 else 0.5)
                with self.tree.lock:
                    self.update(black, margin, c)
                return
            policy, win, lead, owned = self.ask(c, self.depth == 0 and self.tree.all_symmetries)
            with self.tree.lock:
                if ended:
                    area = self.count_area(owned, c)
                    margin = area - self.tree.komi
                    black = 1.0 if margin > 0 else (0.0 if margin < 0 else 0.5)
                else:
                    margin = lead if c == BLACK else -lead
                    black = win if c == BLACK else 1.0 - win
                    if not self.tree.centered:
                        self.tree.center = margin
                        self.tree.centered = True
                    if self.tree.nodes[node].first_child == 0:
                        self.expand(node, c, policy)
                self.add_owner(owned, c)
                self.update(black, margin, c)
        except BaseException:
            with self.tree.lock:
                self.withdraw()
                if not ended:
                    self.tree.nodes[node].state = OPEN
            raise

    def ask(self, c: cython.int, all_symmetries: bool):
        """What the net says of the position with c to move, from its view: by all symmetries in the mean, or by one
        drawn from position and seed.
        """
        lead: cython.double
        mixed: cython.ulonglong
        i: cython.int
        placed: cython.int = 0
        view: cython.float[::1]
        width: cython.int = self.tree.width
        height: cython.int = self.tree.height
        # The tree's komi counts area; under territory rules it holds the stones that were placed before the root.
        lead = self.tree.komi
        if self.tree.territory:
            for i in range(self.board.points):
                if self.tree.start.color[self.tree.start.inner[i]] == BLACK:
                    placed += 1
                elif self.tree.start.color[self.tree.start.inner[i]] == WHITE:
                    placed -= 1
            placed += self.tree.start.prisoners[WHITE] - self.tree.start.prisoners[BLACK]
            lead += self.board.prisoners[WHITE] - self.board.prisoners[BLACK] - placed
        if c == BLACK:
            lead = -lead
        passed: cython.bint = self.passes > 0
        before: cython.bint = self.recent_count > 1 and self.recent[1] == 0
        numbers = globals_of(lead, self.board.points, self.tree.territory, passed, before, self.board.suicide)
        view = self.planes
        self.board.write(
            cython.address(view[0]) if cython.compiled else self.planes,
            c,
            cython.address(self.recent[0]) if cython.compiled else self.recent,
            self.recent_count,
        )
        if not all_symmetries:
            mixed = (self.board.hash ^ self.seed ^ (c * 0x9E3779B97F4A7C15)) & 0xFFFFFFFFFFFFFFFF
            mixed = ((mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
            return self.tree.evaluator.evaluate(self.planes, numbers, width, height, (mixed >> 40) & 7)
        answers = [self.tree.evaluator.evaluate(self.planes, numbers, width, height, turn) for turn in range(8)]
        policy, win, score, owned = (sum(parts) / 8 for parts in zip(*answers, strict=True))
        return policy, win, score, owned

    def expand(self, node: cython.longlong, c: cython.int, policy: object) -> cython.int:
        """Give a node its children, unless memory is full."""
        nodes: cython.pointer(NetNode) = self.tree.nodes
        logits: cython.float[::1]
        i: cython.int
        k: cython.int = 0
        p: cython.int
        y: cython.int
        start: cython.longlong
        root: cython.bint = self.depth == 0
        highest: cython.double = -1e30
        total: cython.double = 0.0
        banned: cython.bint
        logits = policy
        self.made = 0
        for i in range(self.board.points):
            p = self.board.inner[i]
            if self.board.color[p] != EMPTY or self.board.verdict(p, c) != LEGAL:
                continue
            if self.tree.restricted and self.depth < self.tree.banned[c][p]:
                continue
            # Where a ko is on, a move that loses may be the threat that wins it.
            if root and self.board.ko == 0 and self.tree.standstills.corner[c][p]:
                continue
            y = self.tree.height - p // self.board.stride
            self.moves[self.made] = p
            self.shares[self.made] = logits[y * self.tree.width + p % self.board.stride - 1]
            self.made += 1
        banned = self.tree.restricted and self.depth < self.tree.banned[c][0]
        if not banned and (not root or self.tree.pass_at_root or self.made == 0):
            self.moves[self.made] = 0
            self.shares[self.made] = logits[self.board.points]
            self.made += 1
        for i in range(self.made):
            highest = max(highest, self.shares[i])
        for i in range(self.made):
            self.shares[i] = cython.cast(cython.float, exp(self.shares[i] - highest))
            total += self.shares[i]
        for i in range(self.made):
            self.shares[i] = cython.cast(cython.float, self.shares[i] / total)
            if root and self.tree.favoured[self.moves[i]]:
                self.shares[i] = max(self.shares[i], FAVOURED_SHARE)
            if root or self.moves[i] == 0 or self.shares[i] >= NEGLIGIBLE:
                self.moves[k] = self.moves[i]
                self.shares[k] = self.shares[i]
                k += 1
        self.made = k
        start = self.tree.used
        if self.made > 0 and start + self.made <= self.tree.capacity:
            for i in range(self.made):
                nodes[start + i].wins = 0.0
                nodes[start + i].value = 0.0
                nodes[start + i].score = 0.0
                nodes[start + i].score_squares = 0.0
                nodes[start + i].visits = 0
                nodes[start + i].away = 0
                nodes[start + i].first_child = 0
                nodes[start + i].children = 0
                nodes[start + i].state = OPEN
                nodes[start + i].move = self.moves[i]
                nodes[start + i].prior = self.shares[i]
            self.tree.used += self.made
            nodes[node].children = self.made
            nodes[node].first_child = start
        nodes[node].state = OPEN
        return 0

    def add_owner(self, owned: object, c: cython.int) -> None:
        """Add the net's ownership, from c's view, to the sums."""
        view: cython.float[::1]
        i: cython.int
        p: cython.int
        row: cython.int = self.board.points
        sign: cython.float = 1.0 if c == BLACK else -1.0
        mean: cython.float
        view = owned
        if self.depth > 0 and self.tree.nodes[self.path[1]].move != 0:
            row = self.tree.start.outer[self.tree.nodes[self.path[1]].move]
        row *= self.board.points + 1
        for i in range(self.board.points):
            p = self.board.inner[i]
            mean = (
                sign * view[(self.tree.height - p // self.board.stride) * self.tree.width + p % self.board.stride - 1]
            )
            self.owner[i] += mean
            self.after[row + i] += mean
        self.after[row + self.board.points] += 1
        self.count += 1

    def count_area(self, owned: object, c: cython.int) -> cython.int:
        """Black's area less White's by who owns each point for the net; under territory rules less the moves that each
        has made in the tree."""
        view: cython.float[::1]
        i: cython.int
        area: cython.int = 0
        view = owned
        for i in range(self.board.points):
            if view[i] > 0.3:
                area += 1 if c == BLACK else -1
            elif view[i] < -0.3:
                area -= 1 if c == BLACK else -1
        if self.tree.territory:
            for i in range(1, self.depth + 1):
                if self.tree.nodes[self.path[i]].move != 0:
                    area -= 1 if ((i % 2 == 1) == (self.tree.color == BLACK)) else -1
        return area

    def area_with_regions(self) -> cython.int:
        """Black's area less White's with every stone alive, empty regions counted for the one colour they reach."""
        i: cython.int
        k: cython.int
        n: cython.int
        p: cython.int
        done: cython.int
        size: cython.int
        reached: cython.int
        result: cython.int = 0
        for i in range(self.board.inner_size):
            self.distance[i] = 0
        for i in range(self.board.points):
            p = self.board.inner[i]
            if self.board.color[p] != EMPTY:
                result += 1 if self.board.color[p] == BLACK else -1
                continue
            if self.distance[p]:
                continue
            self.distance[p] = 1
            self.queue[0] = p
            size = 1
            done = 0
            reached = 0
            while done < size:
                for k in range(4):
                    n = self.queue[done] + self.board.around[k]
                    if self.board.color[n] == EMPTY:
                        if not self.distance[n]:
                            self.distance[n] = 1
                            self.queue[size] = n
                            size += 1
                    elif self.board.color[n] != BORDER:
                        reached |= self.board.color[n]
                done += 1
            if reached == BLACK:
                result += size
            elif reached == WHITE:
                result -= size
        return result

    def update(self, black: cython.double, margin: cython.double, c: cython.int) -> None:
        """Write Black's chance and lead into the nodes of the path; c is to move at its end."""
        nodes: cython.pointer(NetNode) = self.tree.nodes
        i: cython.int
        node: cython.longlong
        mixed: cython.double
        wide: cython.double = 2.0 * sqrt(self.board.points)
        mixed = (1.0 - SCORE_WEIGHT) * black
        mixed += SCORE_WEIGHT * (0.5 + 0.5 * tanh((margin - self.tree.center) / wide))
        for i in range(self.depth, -1, -1):
            # c is to move at this node; the move that led here was the opponent's.
            node = self.path[i]
            nodes[node].away -= 1
            nodes[node].wins += black if c == WHITE else 1.0 - black
            nodes[node].value += mixed if c == WHITE else 1.0 - mixed
            nodes[node].score += margin if c == WHITE else -margin
            nodes[node].score_squares += margin * margin
            c = 3 - c
