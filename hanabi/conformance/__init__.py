"""The one check that every rule goes through, over one sample of reachable states.

``examine(rules, sample(), source)`` plays every rule in every state, in one compiled loop, and again in plain Python in
a process with HANABI_PLAIN=1, and returns what it found, by the name of the rule. The faults it knows:

    does not compile          numba's first line of complaint is given
    raised, illegal           an exception; a move that is not legal (NOTHING always is)
    forfeits                  FORFEIT from a rule whose name does not begin with ``cig2018.``
    changes facts             the facts of the view are not the same bytes afterwards
    not repeatable            another move from the same bytes
    keeps state               another move when the rule has already run in this turn
    depends on the memo       another move when old answers lie in a memo where nothing is asked
    spoils the memo           another rule, itself in order, moves otherwise after this one
    peeks                     another move where only hidden cards are different
    machine code differs      plain Python makes another move
"""
import functools
import os
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import rules.conventions  # noqa: F401       the conventions that the sample is played by
from hanabi.conventions.register import find_convention, keep_marks
from hanabi.game import FACTS_BYTES, VIEW, apply, deal, is_legal, new_state
from hanabi.machine import FAULT, compiled
from hanabi.moves import FORFEIT, NOTHING, move_text
from hanabi.record import play_one
from hanabi.rule import ROW, Rule, program, propose
from hanabi.variant import NAMED, Variant
from hanabi.view import fillers_of, set_fillers

FAULTS = ("does not compile", "raised", "illegal", "forfeits", "changes facts", "not repeatable", "keeps state",
          "depends on the memo", "spoils the memo", "peeks", "machine code differs")
UNRULY = ("changes facts", "not repeatable", "keeps state", "depends on the memo")
BIT = {name: 1 << place for place, name in enumerate(FAULTS)}
WORDS, FACT_WORDS = VIEW.itemsize // 8, FACTS_BYTES // 8
MEMO_WORDS = VIEW.fields["fillers"][1] // 8  # where the memo ends
LATE = 5                                     # cards in the deck, at most, in half of the states
PER_COUNT = 52                               # states a player count (and half as many of the small variants)
PAIRED, BY_HAND = 64, 20                     # states for the check of pairs, and for the Python body over compiled helpers
CONVENTIONS = tuple(map(find_convention, (   # what the marks in all states follow, for rules that look at them
    "chop(touched=0.2, critical=0.1, age=-0.02)", "warning(colours=1)", "stall", "identify", "finesse(bluff=1, later=1)",
    "focus(ranks=0)", "order_next", "touched_useful", "no_warning", "played_leaves(all=1)")))
SOURCE = "rules"                             # the module whose rules are the book's


@dataclass(frozen=True)
class Sample:
    """States and, for each, the same state with other hidden cards. ``views`` and ``others``: VIEW records;
    ``changed``: is the mover's own hand really another one; ``late``: are at most LATE cards in the deck; ``places``:
    in which game and turn."""
    views: np.ndarray
    others: np.ndarray
    changed: np.ndarray
    late: np.ndarray
    places: list[str]


def replayed(variant, deck, seed, moves):
    """(table, view) after some moves from a deck; every move must be legal."""
    table, view = new_state(variant, deck)
    keep_marks(view, [CONVENTIONS] * variant.players)
    deal(table, view, np.uint64(seed))
    for move in moves:
        assert is_legal(view, move), "a move of the game is not legal with other hidden cards"
        apply(table, view, move)
    return table, view


def reshuffled(deck, table, view, rng):
    """The deck with the mover's hand and the cards not drawn yet in another order that fits every hint; the hand is
    another one if there is such an order."""
    me, undrawn = view.me, list(range(int(table.cards - view.deck), int(table.cards)))
    own = [slot for slot in range(5) if view.filled[me] >> slot & 1]
    places = [int(view.born[me, slot]) for slot in own]
    masks = [int(view.mask[me, slot]) for slot in own]
    pool = [deck[place] for place in places + undrawn]
    hands = []

    def fill(hand, rest):
        if len(hand) == len(masks):
            hands.append((hand, rest))
            return True
        mask = masks[len(hand)]
        choices = [i for i, card in enumerate(rest) if mask >> card & 1]
        rng.shuffle(choices)
        return any(fill([*hand, rest[i]], rest[:i] + rest[i + 1:]) for i in choices)

    now = [deck[place] for place in places]
    for _ in range(60):
        fill([], rng.sample(pool, len(pool)))
        if hands[-1][0] != now:
            break
    hand, rest = hands[-1]
    other = list(deck)
    for place, card in zip(places + undrawn, hand + rest, strict=True):
        other[place] = card
    return other


def states(variant: Variant, strategies, wanted: int, rng) -> list[tuple]:
    """(deck, seed, moves, cards left) of so many states of a variant, half of them late, each from a game of its own or
    far apart in one; the strategies sit at the table in all mixtures."""
    found = {True: [], False: []}
    size = {True: wanted // 2, False: wanted - wanted // 2}
    while any(len(found[late]) < size[late] for late in found):
        deck, seed = variant.deck(), rng.getrandbits(64)
        rng.shuffle(deck)
        seats = [rng.randrange(len(strategies))] * variant.players if rng.random() < 0.5 else [
            rng.randrange(len(strategies)) for _ in range(variant.players)]
        game = play_one(variant, strategies, seats, seed, deck)
        drawn = np.cumsum([variant.players * variant.hand_size] + [1 <= move < 11 for move in game.moves])
        for late in (True, False):
            turns = [turn for turn in range(len(game.moves)) if (variant.cards - drawn[turn] <= LATE) == late]
            for turn in rng.sample(turns, min(2, len(turns), size[late] - len(found[late]))):
                found[late].append((deck, seed, game.moves[:turn]))
    return found[True] + found[False]


@functools.cache
def sample(leak=None) -> Sample:
    """The states of every check: always the same ones. ``leak`` (table, view), if given, plants a fault in the table:
    it is called on every state before anybody sees it."""
    from small_rules import STRATEGIES
    rng, views, others, changed, late, places = random.Random(2018), [], [], [], [], []
    seated = [(NAMED["standard"].at(players), PER_COUNT) for players in (2, 3, 4, 5)]
    seated += [(NAMED[name], PER_COUNT // 2) for name in ("mini", "two-colour")]
    for variant, wanted in seated:
        for deck, seed, moves in states(variant, STRATEGIES, wanted, rng):
            table, view = replayed(variant, deck, seed, moves)
            other = reshuffled(deck, table, view, rng)
            table_2, view_2 = replayed(variant, other, seed, moves)
            if leak:
                leak(table, view)
                leak(table_2, view_2)
            views.append(view.copy())
            others.append(view_2.copy())
            changed.append((table.hands[view.me] != table_2.hands[view.me]).any())
            late.append(view.deck <= LATE)
            places.append(f"{variant}, {variant.players} players, turn {view.turn} of the game with seed {seed}")
    return Sample(_records(views), _records(others), np.array(changed), np.array(late), places)


def _records(items):
    array = np.zeros(len(items), VIEW)
    for place, item in enumerate(items):
        array[place] = item
    return array


def words(records: np.ndarray) -> np.ndarray:
    """The same memory as (records, WORDS) int64."""
    return records.view(np.int64).reshape(len(records), WORDS)


@compiled
def _alone(rows, views, raw, clean, others, raw_others, moves, faults):
    """Every rule by itself: legal, facts, repeatable, memo, blind. Leaves the views as they were."""
    for s in range(len(views)):
        view = views[s]
        for r in range(len(rows)):
            raw[s] = clean[s]
            move = propose(rows[r], view)
            moves[r, s] = move
            for word in range(FACT_WORDS):
                if raw[s, word] != clean[s, word]:
                    faults[r, s] |= 16       # BIT["changes facts"]; a test holds the numbers here to BIT
                    raw[s, word] = clean[s, word]
                    break
            raw[s, :FACT_WORDS] = clean[s, :FACT_WORDS]
            if move == FAULT:
                faults[r, s] |= 2            # raised
            elif move == FORFEIT:
                faults[r, s] |= 8            # forfeits
            elif move != NOTHING and not is_legal(view, move):
                faults[r, s] |= 4            # illegal
            raw[s, :FACT_WORDS] = clean[s, :FACT_WORDS]
            again = propose(rows[r], view)   # its own memo stands there
            raw[s] = clean[s]
            fresh = propose(rows[r], view)
            if fresh != move:
                faults[r, s] |= 32           # not repeatable
                continue
            if again != move:
                faults[r, s] |= 64           # keeps state
            for old in (-1, 0x123456789, 3):
                raw[s] = clean[s]
                raw[s, FACT_WORDS + 1:MEMO_WORDS] = old
                if propose(rows[r], view) != move:
                    faults[r, s] |= 128      # depends on the memo
            before = raw_others[s].copy()
            if propose(rows[r], others[s]) != move:
                faults[r, s] |= 512          # peeks
            raw_others[s] = before
        raw[s] = clean[s]


@compiled
def _together(rows, views, raw, clean, chosen, order, moves, faults):
    """Every rule after all others (forwards and backwards, nothing cleared), and after each single one in the chosen
    states. ``order``: the places of the rules that are in order by themselves."""
    for s in range(len(views)):
        for backwards in range(2):
            raw[s] = clean[s]
            for i in range(2 * len(order)):
                r = order[(len(order) - 1 - i if backwards else i) % len(order)]
                if propose(rows[r], views[s]) != moves[r, s]:
                    faults[r, s] |= 2048     # somebody before it spoils the memo; pairs say who
    for k in range(len(chosen)):
        s = chosen[k]
        for i in order:
            for j in order:
                raw[s] = clean[s]
                propose(rows[i], views[s])
                if propose(rows[j], views[s]) != moves[j, s]:
                    faults[i, s] |= 256      # spoils the memo
    for s in range(len(views)):
        raw[s] = clean[s]


def _start_plain(rules, chosen, source):
    """Start a process that makes every move in plain Python."""
    folder = tempfile.TemporaryDirectory()
    np.save(Path(folder.name) / "words.npy", words(chosen))
    Path(folder.name, "names.txt").write_text("\n".join(entry.name for entry in rules), encoding="utf-8")
    here = Path(__file__).parent
    path = os.pathsep.join([str(here.parents[1]), str(here)])
    process = subprocess.Popen([sys.executable, "-W", "error", __file__, folder.name, source], text=True,
                               env=os.environ | {"HANABI_PLAIN": "1", "PYTHONPATH": path},
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return process, folder


def _plain_moves(process, folder):
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, f"the plain Python process failed:\n{out}{err}"
    moves = np.load(Path(folder.name) / "moves.npy")
    folder.cleanup()
    return moves


def examine(rules: list[Rule], states: Sample, source: str = SOURCE) -> dict[str, list[str]]:
    """What is wrong with each rule, as lines that begin with one of FAULTS; an empty list for a rule in order.

    ``source``: where the plain process finds the rules: ``rules`` (the book), a module with ``HONEST`` and ``FAULTY``,
    or a rule file (``rules.load_file``)."""
    found = {entry.name: [] for entry in rules}
    good, needed = [], set()
    process, folder = _start_plain(rules, states.views, source)
    for entry in rules:
        try:
            entry.family.address()
            good.append(entry)
            needed |= fillers_of(entry.family.function)
        except Exception as error:           # numba raises many kinds
            found[entry.name].append(f"does not compile: {str(error).strip().splitlines()[0]}")
    views, others = states.views.copy(), states.others.copy()
    for array in (views, others):
        set_fillers(array[0], needed)
        array["fillers"] = array[0]["fillers"]
        words(array)[:, FACT_WORDS:MEMO_WORDS] = 0
    rows = program(good) if good else np.zeros(0, ROW)
    clean = words(views).copy()
    moves, faults = np.zeros((len(good), len(views)), np.int64), np.zeros((len(good), len(views)), np.int64)
    _alone(rows, views, words(views), clean, others, words(others), moves, faults)
    unruly = sum(BIT[name] for name in UNRULY)
    order = np.flatnonzero(~(faults & unruly).any(1)) if len(good) else np.zeros(0, np.int64)
    chosen = np.linspace(0, len(views) - 1, PAIRED).astype(np.int64)
    if len(order):
        _together(rows, views, words(views), clean, chosen, order, moves, faults)
    _by_hand(good, views, words(views), clean, moves, faults)
    plain = _plain_moves(process, folder)
    index = {entry.name: place for place, entry in enumerate(rules)}
    for r, entry in enumerate(good):
        other = plain[index[entry.name]]
        repeats = not (faults[r] & (BIT["not repeatable"] | BIT["changes facts"])).any()
        faults[r][(other != moves[r]) & repeats] |= BIT["machine code differs"]
        if entry.name.startswith("cig2018."):
            faults[r] &= ~BIT["forfeits"]
        for place, fault in enumerate(UNRULY):   # a rule that fails at one of these can fail at what follows from it
            if (faults[r] & BIT[fault]).any():
                faults[r] &= ~sum(BIT[name] for name in (*UNRULY[place + 1:], "peeks"))
        for fault in FAULTS:
            hits = np.flatnonzero(faults[r] & BIT[fault])
            if len(hits):
                first = hits[0]
                move = "an exception" if moves[r, first] == FAULT else move_text(moves[r, first])
                told = f", in plain Python {move_text(other[first])}" if fault == "machine code differs" else ""
                found[entry.name].append(f"{fault}: {move}{told} in {len(hits)} of {len(views)} states, first in "
                                         f"{states.places[first]}")
        if (faults[r] & 2048).any() and not (faults & BIT["spoils the memo"]).any():
            found[entry.name].append("moves otherwise after all other rules, but after no single one")
    return found


def _by_hand(rules, views, raw, clean, moves, faults):
    """The Python body over the compiled helpers, in a few states."""
    for r, entry in enumerate(rules):
        if (faults[r] & (BIT["not repeatable"] | BIT["changes facts"])).any():
            continue
        for s in range(r % 7, len(views), len(views) // BY_HAND):
            raw[s] = clean[s]
            if _outcome(entry, views[s]) != moves[r, s]:
                faults[r, s] |= BIT["machine code differs"]
            raw[s] = clean[s]


def _outcome(entry, view):
    try:
        return entry(view)
    except Exception:                        # whatever a rule raises is a FAULT in machine code too
        return FAULT


class PlainView:
    """A view for plain Python: the same names and NumPy types as the record, but ten times faster to ask."""

    def __init__(self, record):
        for name in VIEW.names:
            setattr(self, name, record[name])


def _plain_view(words, fillers):
    """A state with an empty memo."""
    record = words.copy().view(VIEW)[0]
    record["asked"] = 0
    keep_marks(record, [CONVENTIONS] * int(record["players"]))
    set_fillers(record, fillers)
    return PlainView(record)


def _main(folder, source):
    """Run by HANABI_PLAIN=1: make every move of the rules named in the folder."""
    if source == "rules":
        import rules  # noqa: F401
        from hanabi.rule import BOOK as book
    elif source.endswith(".py"):
        from hanabi.rule import BOOK as book
        from rules import load_file
        load_file(source)
    else:
        module = __import__(source)
        book = {entry.name: entry for entry in [*module.HONEST, *module.FAULTY.values()]}
    names = Path(folder, "names.txt").read_text(encoding="utf-8").splitlines()
    raw = np.load(Path(folder, "words.npy"))
    moves = np.zeros((len(names), len(raw)), np.int64)
    needed = {name: fillers_of(book[name].family.function) for name in names}
    everything = set().union(*needed.values())
    for s in range(len(raw)):
        # the book's rules share a memo, which makes this ten times faster (that they may is checked in machine code);
        # the planted faults would spoil it for each other
        shared = _plain_view(raw[s], everything) if source == "rules" else None
        for r, name in enumerate(names):
            moves[r, s] = _outcome(book[name], shared or _plain_view(raw[s], needed[name]))
    np.save(Path(folder, "moves.npy"), moves)


if __name__ == "__main__":
    _main(*sys.argv[1:])
