"""``uct:SPEC``: tree search in worlds without hidden cards, the baseline of Zhao's summary.

A world fixes my hand, by what hints alone say, and the deck; every imagined seat knows all cards.
So a hint is never worth more than the time that it passes: what it tells is known there already.

In each world a tree of moves grows by one position per playout:

1. go down by the bandits' bound while every move of a position was tried;
2. try one untried move;
3. play by a list to the end of the game;
4. add the points to all positions on the way.
"""

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from hanabi.agent_kind import AgentKind, Settings, agent_kind
from hanabi.authoring import (
    END,
    HISTORY,
    PLAY,
    View,
    apply,
    below,
    compiled,
    is_legal,
    is_over,
    mix,
)
from hanabi.lookahead.belief import fill_belief
from hanabi.lookahead.look_ahead_player import (
    FROM_HINTS,
    LookaheadContext,
    SeatedPlayer,
    SelfModelFollower,
)
from hanabi.lookahead.race import prepare
from hanabi.lookahead.rollout import begin_world, imagine, pick_hand, play_on
from hanabi.lookahead.workspace import GOLDEN, OF_WORLDS, Workspace, uniform, word_for
from hanabi.player import ListPlayer, Player
from hanabi.variant import Variant

OF_TREES = np.uint64(0xA0761D6478BD642F)  # a random stream
NODE = np.dtype(
    (
        np.record,
        [
            ("visits", "i8"),
            ("points", "f8"),
            ("next", "i4", END),  # the node after each move, 0 for none
        ],
    )
)


class Forest(NamedTuple):
    """Memory of tree searches, and the sums of the latest one over its worlds."""

    nodes: np.ndarray  # NODE (playouts + 1,): one tree
    path: np.ndarray  # int64: the nodes of one playout
    visits: np.ndarray  # float64 by move
    points: np.ndarray  # float64 by move


@compiled
def find_untried(nodes: np.ndarray, node: int, view: View, n: int) -> tuple[int, int]:
    """Return (number of untried legal moves of a node, the n-th of them)."""
    count, move = 0, 0
    for other in range(PLAY, END):
        if nodes[node].next[other] == 0 and is_legal(view, other):
            move = other if count == n else move
            count += 1
    return count, move


@compiled
def best_by_bound(nodes: np.ndarray, node: int, c: float) -> int:
    """Return the move with the highest mean plus c √(ln N / n), the first of equal ones."""
    best, most, total = 0, -1.0, math.log(nodes[node].visits)
    for move in range(PLAY, END):
        child = nodes[node].next[move]
        if child:
            n = nodes[child].visits
            bound = nodes[child].points / n + c * math.sqrt(total / n)
            if bound > most:
                best, most = move, bound
    return best


@compiled
def clear_node(node: np.record) -> None:
    """Make a node one without visits and moves."""
    node.visits, node.points = 0, 0.0
    for move in range(END):
        node.next[move] = 0


@compiled
def grow_tree(work: Workspace, forest: Forest, used: int, c: float, word: np.uint64) -> int:
    """Make one playout from the root, which is the position in ``records.spare``.

    Args:
        work: the workspace, with a world set up.
        forest: its nodes and path.
        used: number of nodes in use.
        c: constant of the bandits' bound.
        word: random word that the untried move follows from.

    Returns:
        The number of nodes in use afterwards.
    """
    state, _, view = work.records
    nodes, path = forest.nodes, forest.path
    node, depth, is_new = 0, 1, False
    path[0] = 0
    while not is_new and not is_over(view):
        count, _ = find_untried(nodes, node, view, -1)
        is_new = count > 0
        if is_new:
            _, move = find_untried(nodes, node, view, below(word, count))
            clear_node(nodes[used])
            nodes[node].next[move] = used
            used += 1
        else:
            move = best_by_bound(nodes, node, c)
        node = nodes[node].next[move]
        apply(state, view, move)
        path[depth] = node
        depth += 1
    if not is_over(view):
        play_on(state, view, work.lists, 0, 0)
    points = view.score if view.lives > 0 else 0
    for place in range(depth):
        nodes[path[place]].visits += 1
        nodes[path[place]].points += points
    return used


@compiled
def grow_trees(
    view: View, work: Workspace, forest: Forest, worlds: int, playouts: int, c: float
) -> None:
    """Grow a tree in each of some worlds, and sum visits and points by move.

    Args:
        view: what the seat to move sees.
        work: the workspace, with a filled belief.
        forest: memory; ``visits`` and ``points`` are filled in.
        worlds: number of worlds.
        playouts: playouts in each.
        c: constant of the bandits' bound.
    """
    state, now, spare = work.records
    start = word_for(view.word, OF_WORLDS)
    for move in range(END):
        forest.visits[move] = forest.points[move] = 0.0
    for world in range(worlds):
        word = start + np.uint64(world) * GOLDEN
        imagine(view, work, pick_hand(work.belief, uniform(word)), mix(word))
        clear_node(forest.nodes[0])
        used = 1
        counter = mix(word ^ OF_TREES)
        for _ in range(playouts):
            counter += GOLDEN
            begin_world(state, now, work.world, spare)
            used = grow_tree(work, forest, used, c, mix(counter))
        for move in range(PLAY, END):
            child = forest.nodes[0].next[move]
            if child:
                forest.visits[move] += forest.nodes[child].visits
                forest.points[move] += forest.nodes[child].points


DIFFERS = (
    "Zhao states the bandits' bound, the four steps and worlds that fix what is hidden, and builds "
    "none; worlds, playouts, the constant, and a list for the playouts (uct:legal-random: his "
    "random moves) are chosen here"
)


@agent_kind("uct")
@dataclass(frozen=True)
class Uct(Settings, AgentKind):
    """Settings of tree search in fixed worlds (UCT).

    Attributes:
        worlds: worlds per move.
        playouts: games to the end in each world.
        c: constant of the bandits' bound, in points: how much an uncertain move is favoured.
    """

    worlds: int = 10
    playouts: int = 100
    c: float = 0.3

    phrase = "searches for its moves"
    spec_help = "uct:SPEC is tree search by the playouts of a list"
    example = "worlds=10"
    source = "UCT in determinised worlds, as Zhao 2022 states it"
    ranges = {"worlds": (1, 1000), "playouts": (1, 100_000), "c": (0, 100)}
    real = ("c",)

    def describe(self, has_list: bool) -> str:
        """Return a sentence on what an agent of this kind does."""
        return (
            f"It grows a tree of moves in each of {self.worlds} worlds in which nothing is hidden, "
            f"{self.playouts} games to the end by this list in each, and makes the move that was "
            "tried most."
        )

    def differs(self, has_list: bool) -> str:
        """Return where it differs from its source, in one line."""
        return DIFFERS

    def check(self, name: str, lists: dict[str, Any]) -> None:
        """Raise ValueError where there is no list for the playouts."""
        if not lists:
            raise ValueError(
                'uct needs a list of rules for its playouts: "2-5" = ["…"] below [rules]'
            )

    def make_player(self, players: int, name: str, listed: ListPlayer) -> "TreeSearcher":
        """Return the player."""
        return TreeSearcher(listed, self, name)


@dataclass(frozen=True)
class TreeSearcher(SelfModelFollower):
    """A player that searches trees, with a list for the playouts."""

    kind: Uct = field(default_factory=Uct)

    def join(
        self, variant: Variant, seat: int, company: tuple[Player, ...]
    ) -> "SeatedTreeSearcher":
        """Return its object for a game."""
        return SeatedTreeSearcher(self, self.context(variant))


class SeatedTreeSearcher(SeatedPlayer):
    """A tree searcher at a table, with the memory for its trees."""

    def __init__(self, player: TreeSearcher, context: LookaheadContext) -> None:
        self.player, self.context, self.name = player, context, player.name
        self.forest = Forest(
            nodes=np.zeros(player.kind.playouts + 1, NODE),
            path=np.zeros(HISTORY + 1, np.int64),
            visits=np.zeros(END),
            points=np.zeros(END),
        )

    def move(self, view: np.record) -> tuple[int, str]:
        """Return the move tried most, of equals the one with more points, and how often."""
        context, kind = self.context, self.player.kind
        place, listed = context.listed(view)
        context.configure(FROM_HINTS, view)
        prepare(view, listed, context.work)
        if context.work.own.filled == 0 or fill_belief(context.work) == 0:
            return listed, self.player.follows.reason(place)
        grow_trees(view, context.work, self.forest, kind.worlds, kind.playouts, float(kind.c))
        return self.tried()[0]

    def tried(self) -> list[tuple[int, str]]:
        """Return the moves of the last decision, the most tried first, and their results."""
        times, points = self.forest.visits, self.forest.points
        total = times.sum()
        moves = sorted(
            np.flatnonzero(times).tolist(), key=lambda move: (-times[move], -points[move])
        )
        return [
            (
                move,
                f"tried {times[move] / total:.0%} of {int(total):,} times, "
                f"{points[move] / times[move]:.2f} points on average",
            )
            for move in moves
        ]
