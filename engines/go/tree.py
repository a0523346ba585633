"""The search tree and its workers: Monte-Carlo tree search with all-moves-as-first statistics (RAVE) and priors.

A worker goes down the tree by the most urgent child, lets the leaf grow children once it has been visited often enough,
finishes the game by a playout, and writes the result into the nodes of its path. Several workers share one tree; they
count a visit on the way down, so that the others look elsewhere meanwhile (virtual loss). Their additions are not
locked: a lost one among thousands does no harm. Only making children takes the lock.

A node's value is ``(1 − β) · mean + β · rave`` with priors counted as visits to the mean, and
``β = r / (r + v + r·v / RAVE_EQUIVALENT)`` for r RAVE visits and v visits (Gelly and Silver, 2007).
"""

import cython

from engines.go.board import Board
from engines.go.playout import Playout, Standstills
from engines.go.priors import Priors
from engines.go.stones import Stones

if cython.compiled:
    from cython.cimports.libc.math import sqrt
    from cython.cimports.libc.stdlib import calloc, free
    from cython.cimports.libc.string import memcpy
else:
    import copy
    import threading
    from math import sqrt

    from engines.go.stones import AREA, BLACK, BORDER, EMPTY, WHITE

    OPEN, EXPANDING, FORBIDDEN = 0, 1, 2
    MAX_PATH = 2048

RAVE_EQUIVALENT = cython.declare(cython.double, 3000.0)
EXPAND_VISITS = cython.declare(cython.int, 4)
SCORE_WEIGHT = cython.declare(cython.double, 0.03)
"""How much of a result is the margin, so that a won game is still played for points and a lost one still fought."""

FEWEST_PLAYOUTS = cython.declare(cython.int, 16)

RAVE_NEARNESS = cython.declare(cython.double, 3.0)
"""A move that follows at once counts for RAVE this much more than one at the end of the playout, which counts once."""

# Priors: visits that count as if they had been made.
PRIOR_EVEN = cython.declare(cython.float, 14.0)
"""Half of them won, for every move."""

PRIOR_KNOWLEDGE = cython.declare(cython.float, 200.0)
"""All of them won, times the square root of the move's share in what the learned weights expect."""

PRIOR_PASS = cython.declare(cython.float, 10.0)


class PlainNode:
    """Stands in for the C structure ``Node`` when this runs uncompiled."""

    def __init__(self) -> None:
        self.wins = self.score = self.score_squares = 0.0
        self.rave_wins = self.rave_visits = self.prior_wins = self.prior_visits = 0.0
        self.visits = self.first_child = 0
        self.children = self.move = self.state = 0


FEWEST_NODES = 2000
"""A smaller tree would be none: even one megabyte holds more."""


def nodes_in(megabytes: cython.longlong) -> cython.longlong:
    """How many nodes a tree of so many megabytes has; sizes are 64 bits wide, for machines of any memory."""
    bytes_each: cython.longlong = 64
    if cython.compiled:
        bytes_each = cython.sizeof(Node)
    return max(FEWEST_NODES, megabytes * 1024 * 1024 // bytes_each)


class Tree:
    """One search's tree over a position; ``megabytes`` bounds its memory, and when that is full leaves stay leaves.

    Raises MemoryError.
    """

    def __cinit__(self, board: Board, color: cython.int, megabytes: cython.longlong):
        self.capacity = nodes_in(megabytes)
        if cython.compiled:
            self.nodes = cython.cast(
                cython.pointer(Node), calloc(cython.cast(cython.size_t, self.capacity), cython.sizeof(Node))
            )
            if self.nodes == cython.NULL:
                raise MemoryError("no memory for the search tree")
        else:
            self.nodes = [PlainNode() for _ in range(4000)]
            self.capacity = 4000
            self.banned = [[0] * AREA for _ in range(3)]
            self.favoured = [0] * AREA
            self.lock = threading.Lock()
            self.territory = self.as_it_stands = self.restricted = self.stop = False
            self.komi, self.limit, self.playouts, self.deepest = 0.0, 0, 0, 0
        self.board = board
        self.width = board.width
        self.height = board.height
        self.start = Stones(board.width, board.height, board.suicide_allowed)
        self.start.copy_position(board.now)
        self.start.list_empties()
        self.color = color
        self.standstills = Standstills()
        self.pass_at_root = True
        self.root = 1
        self.used = 2
        self.max_moves = 3 * board.width * board.height + 20
        turn: cython.int
        point: cython.int
        self.last = 0
        self.before_last = 0
        self.passes = 0
        for turn in range(max(0, board.turns - 2), board.turns):
            self.before_last = self.last
            point = board.turn(turn)[1]
            self.last = board.now.inner[point] if point >= 0 else 0
        if board.turns and board.turn(board.turns - 1)[1] < 0:
            self.passes = 1

    if not cython.compiled:

        def __init__(self, board, color, megabytes):
            self.__cinit__(board, color, megabytes)

    def __dealloc__(self):
        if cython.compiled:
            free(self.nodes)

    def ban(self, color: cython.int, point: cython.int, plies: cython.int) -> None:
        """Keep a colour from a point (−1: from passing) in the first plies of the tree."""
        self.restricted = True
        self.banned[color][self.start.inner[point] if point >= 0 else 0] = plies

    def favour(self, point: cython.int, visits: cython.int) -> None:
        """Have a root move begin with so many more visits, all won; told twice, the last word counts."""
        p: cython.int = self.start.inner[point]
        more: cython.float = visits - self.favoured[p]
        at: cython.longlong = self.child_of(self.root, p)
        if at:
            self.nodes[at].prior_wins += more
            self.nodes[at].prior_visits += more
        self.favoured[p] = visits

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
        if not points:
            for i in range(AREA):
                self.favoured[i] = other.favoured[i]
        self.copy_subtree(other, at)
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
            memcpy(cython.address(self.nodes[1]), cython.address(source.nodes[index]), cython.sizeof(Node))
        self.root = 1
        self.used = 2
        # A copied node's first_child still names its place in the source until its turn comes.
        while done < self.used:
            first = self.nodes[done].first_child
            n = self.nodes[done].children
            self.nodes[done].state = OPEN if self.nodes[done].state == EXPANDING else self.nodes[done].state
            if first:
                if self.used + n > self.capacity // 2:
                    self.nodes[done].first_child = 0
                    self.nodes[done].children = 0
                else:
                    if cython.compiled:
                        memcpy(
                            cython.address(self.nodes[self.used]),
                            cython.address(source.nodes[first]),
                            n * cython.sizeof(Node),
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
        """The root's visited children, most visited first: (point or −1, visits, mean result, mean margin,
        mean of its square, prior).

        Results (0…1) and margins (points) are from the view of the player to move at the root.
        """
        return self._children(self.root, self._prior_sum())

    def _prior_sum(self) -> float:
        total: cython.double = 0.0
        i: cython.int
        first: cython.longlong = self.nodes[self.root].first_child
        for i in range(self.nodes[self.root].children if first else 0):
            total += self.nodes[first + i].prior_wins
        return max(total, 1e-9)

    def _children(self, node: cython.longlong, prior_sum: cython.double) -> list:
        found = []
        i: cython.int
        at: cython.longlong
        first: cython.longlong = self.nodes[node].first_child
        for i in range(self.nodes[node].children if first else 0):
            at = first + i
            if self.nodes[at].state == FORBIDDEN or self.nodes[at].visits < 1:
                continue
            visits = self.nodes[at].visits
            found.append(
                (
                    self.start.outer[self.nodes[at].move] if self.nodes[at].move else -1,
                    visits,
                    self.nodes[at].wins / visits,
                    self.nodes[at].score / visits,
                    self.nodes[at].score_squares / visits,
                    self.nodes[at].prior_wins / prior_sum,
                )
            )
        found.sort(key=lambda row: (-row[1], -row[2], row[0]))
        return found

    def line(self, point: cython.int, longest: cython.int = 20) -> list:
        """The most visited continuation that begins with a root move: points (−1 for a pass) with their visits."""
        found = []
        i: cython.int
        best: cython.longlong
        at: cython.longlong = self.child_of(self.root, self.start.inner[point] if point >= 0 else 0)
        while at and len(found) < longest:
            move: cython.int = self.nodes[at].move
            found.append((self.start.outer[move] if move else -1, self.nodes[at].visits))
            best = 0
            for i in range(self.nodes[at].children if self.nodes[at].first_child else 0):
                n: cython.longlong = self.nodes[at].first_child + i
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
        """Playouts that went through the root, those of an adopted tree included."""
        return self.nodes[self.root].visits

    @property
    def winrate(self) -> float:
        """Mean result (0…1) of the playouts, from the view of the player to move at the root."""
        return 1.0 - self.nodes[self.root].wins / max(1, self.nodes[self.root].visits)

    @property
    def margin(self) -> float:
        """Mean margin (points) of the playouts, from the view of the player to move at the root."""
        return -self.nodes[self.root].score / max(1, self.nodes[self.root].visits)

    @property
    def spread(self) -> float:
        """Standard deviation (points) of the playouts' margins."""
        squares = self.nodes[self.root].score_squares / max(1, self.nodes[self.root].visits)
        return float(max(0.0, squares - self.margin**2) ** 0.5)


class Worker:
    """One thread's part of the search; ``seed`` decides its chance."""

    def __cinit__(self, tree: Tree, seed: cython.ulonglong):
        if not cython.compiled:
            self.path, self.keys, self.owner = [0] * MAX_PATH, [0] * MAX_PATH, [0] * AREA
            self.moves, self.wins, self.visits = [0] * 640, [0.0] * 640, [0.0] * 640
            self.distance, self.queue = [0] * AREA, [0] * AREA
            self.count = 0
            self.after = [0] * (tree.width * tree.height + 1) ** 2
        else:
            size: cython.size_t = tree.width * tree.height + 1
            self.after = cython.cast(cython.pointer(cython.int), calloc(size * size, cython.sizeof(cython.int)))
            if self.after == cython.NULL:
                raise MemoryError("no memory for the search")
        self.tree = tree
        self.playout = Playout(tree.width, tree.height)
        self.priors = Priors()
        self.playout.seed(seed)
        self.playout.hold(tree.standstills)

    if not cython.compiled:

        def __init__(self, tree, seed):
            self.__cinit__(tree, seed)

    def __dealloc__(self):
        if cython.compiled:
            free(self.after)

    def ownership_after(self, point: cython.int) -> list:
        """As ``ownership``, of the playouts that began with a root move (−1: a pass), and at the end their number."""
        points: cython.int = self.tree.start.points
        row: cython.int = (point if point >= 0 else points) * (points + 1)
        i: cython.int
        return [self.after[row + i] for i in range(points + 1)]

    def run(self) -> None:
        """Search until the tree's limit is reached or it is told to stop. Runs without the interpreter lock."""
        going: cython.bint = True
        with cython.nogil:
            while going:
                going = self.simulate()

    def ownership(self) -> list:
        """Per point the sum over this worker's playouts of +1 where Black ended up and −1 where White did."""
        i: cython.int
        return [self.owner[i] for i in range(self.tree.start.points)]

    def simulate(self) -> cython.bint:
        """One playout; False when the search is over."""
        nodes: cython.pointer(Node) = self.tree.nodes
        node: cython.longlong = self.tree.root
        child: cython.longlong
        move: cython.int
        c: cython.int = self.tree.color
        margin: cython.double
        # Even a search that is stopped at once has an answer.
        if self.tree.stop and self.tree.playouts >= FEWEST_PLAYOUTS:
            return False
        if self.tree.limit > 0 and self.tree.playouts >= self.tree.limit:
            return False
        self.tree.playouts += 1
        self.playout.copy_position(self.tree.start)
        for move in range(self.playout.inner_size):
            self.playout.first[move] = EMPTY
        self.playout.last = self.tree.last
        self.playout.before_last = self.tree.before_last
        self.playout.passes = self.tree.passes
        self.playout.moves_played = 0
        self.depth = 0
        self.key_count = 0
        self.path[0] = node
        while True:
            nodes[node].visits += 1
            if self.playout.passes >= 2 or self.depth >= MAX_PATH - 1:
                break
            if nodes[node].first_child == 0:
                if nodes[node].visits < EXPAND_VISITS and self.depth > 0:
                    break
                self.expand(node, c)
                if nodes[node].first_child == 0:
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
            self.playout.note(move, c)
            if self.tree.board.ko_rule != 0:
                self.keys[self.key_count] = self.tree.board.key_of(self.playout.hash, 3 - c)
                self.key_count += 1
            c = 3 - c
            node = child
            self.depth += 1
            self.path[self.depth] = node
        if self.depth > self.tree.deepest:
            self.tree.deepest = self.depth
        margin = self.finish(c)
        self.update(margin, c)
        return True

    def select(self, node: cython.longlong) -> cython.longlong:
        """The most urgent child that is not forbidden; 0 if there is none."""
        nodes: cython.pointer(Node) = self.tree.nodes
        first: cython.longlong = nodes[node].first_child
        i: cython.int
        at: cython.longlong
        best: cython.longlong = 0
        value: cython.double
        best_value: cython.double = -1.0
        v: cython.double
        r: cython.double
        beta: cython.double
        for i in range(nodes[node].children):
            at = first + i
            if nodes[at].state == FORBIDDEN:
                continue
            v = nodes[at].visits + nodes[at].prior_visits
            value = (nodes[at].wins + nodes[at].prior_wins) / v
            r = nodes[at].rave_visits
            if r > 0:
                beta = r / (r + v + r * v / RAVE_EQUIVALENT)
                value = beta * nodes[at].rave_wins / r + (1.0 - beta) * value
            if value > best_value:
                best_value = value
                best = at
        return best

    def repeats(self, move: cython.int, c: cython.int) -> cython.bint:
        """Whether superko forbids a move: its position stood in the game or earlier on this path."""
        key: cython.ulonglong = self.tree.board.key_of(self.playout.hash_after(move, c), 3 - c)
        i: cython.int
        for i in range(self.key_count):
            if self.keys[i] == key:
                return True
        return self.tree.board.seen(key)

    # ------------------------------------------------------------------ growing

    def expand(self, node: cython.longlong, c: cython.int) -> None:
        """Give a node its children, unless memory is full or another worker is at it."""
        nodes: cython.pointer(Node) = self.tree.nodes
        i: cython.int
        p: cython.int
        start: cython.longlong
        banned: cython.bint
        known: cython.float
        with self.tree.lock:
            if nodes[node].state == EXPANDING or nodes[node].first_child != 0:
                return
            nodes[node].state = EXPANDING
        self.made = 0
        self.priors.rate(self.playout, c, self.owner, self.count)
        for i in range(self.priors.count):
            p = self.priors.moves[i]
            if self.tree.restricted and self.depth < self.tree.banned[c][p]:
                continue
            # Where a ko is on, a move that loses may be the threat that wins it.
            if self.playout.holding and self.playout.ko == 0 and self.playout.barred(p, c):
                continue
            known = PRIOR_KNOWLEDGE * cython.cast(cython.float, sqrt(self.priors.weights[i]))
            self.moves[self.made] = p
            self.visits[self.made] = PRIOR_EVEN + known
            self.wins[self.made] = PRIOR_EVEN * cython.cast(cython.float, 0.5) + known
            if self.depth == 0:
                self.visits[self.made] += self.tree.favoured[p]
                self.wins[self.made] += self.tree.favoured[p]
            self.made += 1
        banned = self.tree.restricted and self.depth < self.tree.banned[c][0]
        if not banned and (self.depth > 0 or self.tree.pass_at_root or self.made == 0):
            self.moves[self.made] = 0
            self.visits[self.made] = PRIOR_PASS
            self.wins[self.made] = PRIOR_PASS * 0.3
            self.made += 1
        with self.tree.lock:
            start = self.tree.used
            if self.made > 0 and start + self.made <= self.tree.capacity:
                for i in range(self.made):
                    nodes[start + i].wins = 0.0
                    nodes[start + i].score = 0.0
                    nodes[start + i].score_squares = 0.0
                    nodes[start + i].rave_wins = 0.0
                    nodes[start + i].visits = 0
                    nodes[start + i].rave_visits = 0.0
                    nodes[start + i].first_child = 0
                    nodes[start + i].children = 0
                    nodes[start + i].state = OPEN
                    nodes[start + i].move = self.moves[i]
                    nodes[start + i].prior_wins = self.wins[i]
                    nodes[start + i].prior_visits = self.visits[i]
                self.tree.used += self.made
                nodes[node].children = self.made
                nodes[node].first_child = start
            nodes[node].state = OPEN

    # ------------------------------------------------------------------ results

    def finish(self, c: cython.int) -> cython.double:
        """Play the game out, c to move; return Black's margin in points after komi."""
        nodes: cython.pointer(Node) = self.tree.nodes
        i: cython.int
        area: cython.int
        owner: cython.int
        row: cython.int
        cost: cython.int = 0
        if self.tree.territory:
            # A stone in one's own territory costs a point, one in the opponent's becomes a prisoner. Who moved how
            # often before the root is in the tree's komi; the playout's own moves are left out, as both fill alike.
            for i in range(1, self.depth + 1):
                if nodes[self.path[i]].move != 0:
                    cost += 1 if ((i % 2 == 1) == (self.tree.color == BLACK)) else -1
        if self.playout.passes >= 2 and self.tree.as_it_stands:
            area = self.area_with_regions()
        else:
            self.playout.passes = 0
            area = self.playout.run(c, self.tree.max_moves)
            row = self.playout.points
            if self.depth > 0 and nodes[self.path[1]].move != 0:
                row = self.tree.start.outer[nodes[self.path[1]].move]
            row *= self.playout.points + 1
            for i in range(self.playout.points):
                owner = self.playout.owner_of(self.playout.inner[i])
                if owner == BLACK:
                    self.owner[i] += 1
                    self.after[row + i] += 1
                elif owner == WHITE:
                    self.owner[i] -= 1
                    self.after[row + i] -= 1
            self.after[row + self.playout.points] += 1
            self.count += 1
        return area - cost - self.tree.komi

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
        for i in range(self.playout.inner_size):
            self.distance[i] = 0
        for i in range(self.playout.points):
            p = self.playout.inner[i]
            if self.playout.color[p] != EMPTY:
                result += 1 if self.playout.color[p] == BLACK else -1
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
                    n = self.queue[done] + self.playout.around[k]
                    if self.playout.color[n] == EMPTY:
                        if not self.distance[n]:
                            self.distance[n] = 1
                            self.queue[size] = n
                            size += 1
                    elif self.playout.color[n] != BORDER:
                        reached |= self.playout.color[n]
                done += 1
            if reached == BLACK:
                result += size
            elif reached == WHITE:
                result -= size
        return result

    def update(self, margin: cython.double, c: cython.int) -> None:
        """Write a result into the nodes of the path; c is to move at its end."""
        nodes: cython.pointer(Node) = self.tree.nodes
        i: cython.int
        k: cython.int
        node: cython.longlong
        child: cython.longlong
        first: cython.longlong
        black: cython.double = 1.0 if margin > 0 else (0.0 if margin < 0 else 0.5)
        share: cython.double = margin / self.playout.points
        length: cython.int = self.playout.moves_played
        weight: cython.double
        move: cython.int
        result: cython.double
        if share > 1.0:
            share = 1.0
        elif share < -1.0:
            share = -1.0
        black = (1.0 - SCORE_WEIGHT) * black + SCORE_WEIGHT * (0.5 + 0.5 * share)
        for i in range(self.depth, -1, -1):
            # c is to move at this node; the move that led here was the opponent's.
            node = self.path[i]
            result = black if c == WHITE else 1.0 - black
            nodes[node].wins += result
            nodes[node].score += margin if c == WHITE else -margin
            nodes[node].score_squares += margin * margin
            first = nodes[node].first_child
            if first:
                result = 1.0 - result
                for k in range(nodes[node].children):
                    child = first + k
                    move = nodes[child].move
                    if self.playout.first[move] == c and move != 0:
                        weight = 1.0 + RAVE_NEARNESS * (length - self.playout.when[move]) / (length - i + 1)
                        nodes[child].rave_visits += cython.cast(cython.float, weight)
                        nodes[child].rave_wins += cython.cast(cython.float, weight * result)
            c = 3 - c
