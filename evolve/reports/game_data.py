"""A game as the data of a page: what the board (parts/board.js) shows of every turn, as JSON.

``game_data`` knows all cards; ``seen_by`` makes of it what one seat may see, and nothing else. Both
are plain dicts and lists:

``variant`` (text), ``players``, ``colours`` (letters, in the order of the fireworks), ``ranks``,
``copies`` (of each rank), ``hand``, ``tokens``, ``lives`` (at the start), ``perfect``; ``id`` (text
that stands in the address: the seed), ``names`` and ``agents`` (or people) by seat; ``score``,
``end`` (as of a Game, "" while it goes on), ``result`` (a sentence), ``lost`` (a sentence per
firework that stopped), ``lost_at`` (the turn whose move first made a point unreachable, or None);
``lists``: per distinct agent {``agent``, ``rules``: [{``name``, ``says``}], ``otherwise``}, with
``list_of``: by seat its place there, -1 for one that follows no list; ``live``, where hanab.live
shows it ("" before its end, and where the site has no such game); ``head``, the text of the game up
to its moves (game.toml), and ``turns``; ``earlier``, the hints before these (``turn``, ``me``,
``move``). A page may add ``start``, the place in ``turns`` at which the board begins.

A turn: ``turn`` (its number), ``me`` (the seat to move, -1 when the game is over), ``fireworks``
(heights), ``tokens``, ``lives``, ``deck``, ``left`` (moves left once the deck is empty, else -1),
``discards`` ([card, turn], in the order they were thrown), ``playable``, ``useless``, ``critical``
(sets of types), ``hands`` (by seat and slot a card or None), ``move`` (None at the end, and while a
seat thinks).

A card: ``card`` (its number, hanabi/moves.py; None: not to be seen), ``born`` (its place in the
order of drawing, newest is highest), ``touched``; three nested sets of types ``hinted`` ⊇
``promised`` ⊇ ``assumed`` (the last two only where they say more than the one before); ``tag``
(soon, finesse, keep, play, promise, assume, useless, chop; by the marks before the move); what
its holder can know: ``possible`` (a set) and ``chances`` ([plays, useless, last copy], 0 to 1) by
hints alone, ``meant`` ([possible, chances]) where what hints mean changes it; ``known``, where it
was asked for and there is anything: sentences about what it knows by hints alone, and who knows
that.

A move: ``text`` (hanabi/moves.py), ``kind`` (play, discard, tell, forfeit), ``slot`` and ``card``
and ``fits``, or ``to``, ``slots`` and ``colour`` or ``rank``; ``words``, ``means`` (sentences of
``show --marks``), ``hint`` (in a word: promise, warning, …), ``rule`` (name, or the player's own
words), ``place`` (in its list; None where it is of none; the list's length for ``otherwise``),
``says``, ``answers`` ({place: move} of all rules that would move) and ``line``, the move in
game.toml. Slots are the engine's, except in the sentences ``words`` and ``means``, which number
cards by age, as the board does.

A set of types is a whole number with a bit per type, 5 × colour + rank − 1 (30 bits: exact in a
browser).
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from hanabi.conventions.slot_sets import agreed_chop, all_useless
from hanabi.evolve.reports.game_summary import game_words, hint_word
from hanabi.formats.hanab_live import to_link
from hanabi.game import snapshots
from hanabi.game_record import Game
from hanabi.knowledge.plain_interface import HandKnowledge, copies, rows_of
from hanabi.moves import COLOURS, FORFEIT, NAMES, NO_CARD, NOTHING, move_text
from hanabi.notation import quote
from hanabi.player import OTHERWISE, ListPlayer, Player, followed_list
from hanabi.rulebook import program
from hanabi.rules.agents import NAMED, load
from hanabi.table import Table, ask_each
from hanabi.text.commentary import meaning_of
from hanabi.text.explanation import explain, words_of
from hanabi.text.move_facts import facts_of, move_words, rule_says
from hanabi.variant import Variant
from hanabi.view import chop, critical

# keys of others' cards that depend on the viewer's own cards
SECRETS = ("possible", "chances", "meant", "known")
REASONS = "rule", "says", "place", "answers", "line"  # of a move
NOBODY = ListPlayer(())  # an unknown player: no rules, no conventions


def game_data(
    game: Game,
    players: Sequence[Player] = (),
    turns: range | None = None,
    of: Callable[[int], bool] = lambda seat: True,
    others: bool = False,
) -> dict[str, Any]:
    """Return a game as the data of a page (see the module).

    Args:
        game: The game.
        players: The player of each seat, for lists, meanings and answers; () if unknown.
        turns: Only these turns; their data does not depend on the selection.
        of: Returns whether the knowledge of a seat is computed.
        others: Add what other seats know about each card.

    Raises:
        RuleFailedError: A user rule fails.
    """
    variant, sitting = game.variant, list(players) or [NOBODY] * game.variant.seats
    distinct = [one for place, one in enumerate(sitting) if one not in sitting[:place]]
    seats = [distinct.index(player) for player in sitting]
    table = Table(variant, distinct, game.deck)
    moves = [move for move in game.moves if move != FORFEIT]  # only the last one may be one
    states = snapshots(table.replay(game.seed, seats, moves)) or [
        (table.state.copy(), table.view.copy())
    ]
    views = [view for _, view in states]
    lists = [_List(followed_list(player)) for player in distinct]
    log, earlier, rules = TurnLog(), [], game.rules or ("",) * len(game.moves)
    for turn, (state, view) in enumerate(states):
        is_shown = turns is None or turn in turns
        if is_shown:
            at = turn_data((state, view), turn == len(moves) and game.end != "", of)
            if others:
                _add_sentences(at["hands"], explain(state, view, variant))
            log.begin(at)
        if turn == len(game.moves):
            break
        move = game.moves[turn]
        after = view if turn == len(moves) else views[turn + 1]  # a forfeit changes nothing
        has_means = is_shown and move != FORFEIT
        means = meaning_of(view, after, move, sitting) if has_means else []
        made = move_data(move, view, after, means)
        if is_shown:
            at["me"] = int(view.me)  # a forfeit ends the game, and is shown at its end
            answers = lists[seats[int(view.me)]].answers(view, rules[turn])
            made |= reason_data(rules[turn]) | {"line": _line(made["text"], rules[turn])} | answers
        elif made["kind"] == "tell" and not log.turns:
            earlier.append({"turn": turn, "me": int(view.me), "move": made})
        log.add_move(made, turn)
    return frame_data(variant) | {
        "id": str(game.seed),
        "agents": list(game.names),
        "score": game.score,
        "end": game.end,
        **game_words(game, views),
        "lists": [one.data() for one in lists],
        "list_of": [place if lists[place].player.rules else -1 for place in seats],
        "live": live_link(game),
        "head": _head(game),
        "earlier": earlier,
        "turns": log.turns,
    }


class TurnLog:
    """The turns of a game as data of a page, from a game that is played or replayed.

    Attributes:
        turns: Those that began here.
        discards: [card, turn] of the cards that were thrown so far.
    """

    def __init__(self) -> None:
        self.turns: list[dict[str, Any]] = []
        self.discards: list[list[int]] = []

    def begin(self, turn: dict[str, Any]) -> None:
        """Add a turn before its move (``turn_data``)."""
        turn["discards"] = self.discards
        self.turns.append(turn)

    def add_move(self, made: dict[str, Any], turn: int) -> None:
        """Add the move of a turn (``move_data``)."""
        if self.turns and self.turns[-1]["turn"] == turn:
            self.turns[-1] = self.turns[-1] | {"move": made}
        if made["kind"] == "discard" or made.get("fits") is False:
            self.discards = [*self.discards, [made["card"], turn]]


def named_player(name: str, players: int) -> Player:
    """Return the agent of a name, or NOBODY for any other text, such as a person's name."""
    with suppress(ValueError):
        if name in NAMED:
            return load(name).at(players)
    return NOBODY


def frame_data(variant: Variant) -> dict[str, Any]:
    """Return the data of a game that are no turns: of its variant, and nothing of anything else."""
    return {
        "variant": str(variant),
        "players": variant.seats,
        "colours": COLOURS[: variant.colours],
        "ranks": variant.ranks,
        "copies": list(variant.copies),
        "hand": variant.hand_size,
        "tokens": variant.tokens,
        "lives": variant.lives,
        "perfect": variant.perfect,
        "names": list(NAMES[: variant.seats]),
        "id": "",
        "agents": [""] * variant.seats,
        "score": 0,
        "end": "",
        "result": "",
        "lost": [],
        "lost_at": None,
        "lists": [],
        "list_of": [-1] * variant.seats,
        "live": "",
        "head": "",
    }


def live_link(game: Game) -> str:
    """Return the link of a game on hanab.live; "" before its end and if the site cannot show it."""
    try:
        return to_link(game) if game.end else ""
    except ValueError:  # another variant, or cards that nobody wrote down
        return ""


def seen_by(data: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return what one seat may see of ``game_data``.

    It has no card of the seat's own hand (except as moves), no seed and deck, no reasons of moves,
    and no knowledge of others that depends on the seat's cards.
    """
    turns = [seen_turn(turn, seat) for turn in data["turns"]]
    return data | {"id": "", "head": "", "live": "", "lost_at": None, "seat": seat, "turns": turns}


def seen_turn(turn: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return what one seat may see of a turn of ``game_data``."""
    hands = [
        [card and _seen(card, holder == seat) for card in hand]
        for holder, hand in enumerate(turn["hands"])
    ]
    move = turn["move"] and {
        key: value for key, value in turn["move"].items() if key not in REASONS
    }
    return turn | {"hands": hands, "move": move}


def _seen(card, mine):
    """Return a card as a seat sees it."""
    hidden = ("known",) if mine else SECRETS
    return {key: value for key, value in card.items() if key not in hidden} | (
        {"card": None} if mine else {}
    )


class _List:
    """A player's list, and the answers of its rules."""

    def __init__(self, player: ListPlayer) -> None:
        self.player, self.names = player, [rule.name for rule in player.rules]
        self.rows = program(list(player.rules))

    def data(self) -> dict[str, Any]:
        return {
            "agent": self.player.name,
            "otherwise": self.player.otherwise,
            "rules": [{"name": rule.name, "says": rule.says} for rule in self.player.rules],
        }

    def answers(self, view: np.record, made_by: str) -> dict[str, Any]:
        """Return ``place`` and ``answers`` of a move that a rule made."""
        if not self.names:
            return {"place": None, "answers": {}}
        found = {
            str(place): move_text(answer.move)
            for place, answer in enumerate(ask_each(self.player, self.rows, view))
            if answer.move > NOTHING and not answer.problem
        }
        by = (
            self.names.index(made_by)
            if made_by in self.names
            else len(self.names)
            if made_by == OTHERWISE
            else None
        )
        return {"place": by, "answers": found}


def move_data(move: int, view: np.record, after: np.record, means: Sequence[str]) -> dict[str, Any]:
    """Return the public facts of a move and its meaning, with the keys of ``game_data``.

    Args:
        move: The move.
        view: The view before it.
        after: The view after it (the same after a forfeit).
        means: Sentences about its meaning.
    """
    made = facts_of(view, move, after)
    data: dict[str, Any] = {
        "text": move_text(move),
        "words": move_words(view, after, move),
        "kind": made.kind,
        "means": list(means),
        "hint": hint_word(means) if made.kind == "tell" else "",
    }
    if made.kind == "tell":
        told = {"rank": made.rank} if made.rank else {"colour": made.colour}
        return data | {"to": made.owner, **told, "slots": list(made.slots)}
    if made.kind != "forfeit":
        data |= {"slot": made.slots[0], "card": made.card}
    return data | {"fits": made.fits} if made.kind == "play" else data


def _hands(state, view, over, of):
    seats, width = range(int(view.players)), int(view.hand_size)
    chops = {} if over else {seat: _chop(view, seat) for seat in seats}
    pool = view.pool.tolist()
    left = copies(pool)
    masks, cards, born = (
        rows_of(some, len(seats), width) for some in (view.mask, state.hands, view.born)
    )
    filled, touched, list_of = view.filled.tolist(), view.touched.tolist(), view.list_of.tolist()
    table = int(view.playable), int(view.dead), int(view.useless), int(critical(view))
    marks = {
        which: _Marks(view, view.marks[which], width)
        for which in set(list_of[: len(seats)])
        if view.lists and which >= 0
    }
    hands = []
    for seat in seats:
        mine = marks.get(list_of[seat]) if view.lists else None
        hand: list[dict[str, Any] | None] = [None] * width
        for slot in range(width):
            if filled[seat] >> slot & 1:
                hinted = masks[seat][slot]
                promised, assumed = (
                    (mine.promised[seat][slot], mine.assumed[seat][slot])
                    if mine
                    else (hinted, hinted)
                )
                tag = _tag(
                    mine,
                    (seat, slot),
                    [types & pool[0] for types in (hinted, promised, assumed)],
                    table,
                ) or ("chop" if chops.get(seat) == slot else "")
                hand[slot] = {
                    "card": cards[seat][slot],
                    "born": born[seat][slot],
                    "touched": bool(touched[seat] >> slot & 1),
                    "hinted": hinted,
                    **({"promised": promised} if promised != hinted else {}),
                    **({"assumed": assumed} if assumed != promised else {}),
                    **({"tag": tag} if tag else {}),
                }
        if of(seat):
            _add_knowledge(hand, (masks, cards, left), seat, table)
        hands.append(hand)
    return hands


class _Marks:
    """The marks before a move as plain numbers: fields of a record are slow to read one by one."""

    def __init__(self, view: np.record, marks: np.record, width: int) -> None:
        seats = int(view.players)
        self.promised = rows_of(marks.promised, seats, width)
        self.assumed = rows_of(marks.assumed, seats, width)
        self.warned, self.awaited = marks.warned.tolist(), marks.awaited.tolist()
        self.may_answer = marks.may_answer.tolist()


def _tag(marks, place, sets, table):
    """Return the first tag (see the module) that fits a card before a move, without the chop.

    ``sets``: the types that the card may be, by hints, promised, assumed.
    """
    seat, slot = place
    if marks:
        of = {"soon": marks.awaited, "finesse": marks.may_answer, "keep": marks.warned}
        for word, slots in of.items():
            if slots[seat] >> slot & 1:
                return word
    playable, _, useless, _ = table
    for types, word in zip(sets, ("play", "promise", "assume")):
        if types and not types & ~playable:
            return word
    return "useless" if sets[-1] and not sets[-1] & ~useless else ""


def _chop(view, seat):
    """Return the slot that a seat is expected to discard next, or -1."""
    if not view.lists or view.list_of[seat] < 0:
        return int(chop(view, seat))
    mine, view.list = int(view.list), view.list_of[seat]
    marks = view.marks[view.list]
    busy = marks.plays[seat] or all_useless(view, marks.assumed[seat])
    found = -1 if busy else int(agreed_chop(view, seat))
    view.list = mine
    return found


def _add_knowledge(hand, facts, seat, kinds):
    """Add what the holder of a hand can know: exact counts over all deals of its unseen cards.

    ``facts``: the types that hints leave possible, the cards, and the copies of each type that are
    not on the table. ``kinds``: the sets of playable, dead and useless types and of last copies.
    """
    masks, cards, left = facts
    seen = [[NO_CARD] * len(row) if holder == seat else row for holder, row in enumerate(cards)]
    literal = _known(HandKnowledge.of(masks, seen, seat, left), kinds)
    row = [
        card.get("assumed", card.get("promised", card["hinted"])) if card else 0 for card in hand
    ]
    meant = literal
    if row != masks[seat]:
        assumed = [row if holder == seat else mask for holder, mask in enumerate(masks)]
        with suppress(ValueError):  # what is assumed cannot all be true: by hints alone
            meant = _known(HandKnowledge.of(assumed, seen, seat, left), kinds)
    for slot, card in enumerate(hand):
        if card:
            card["possible"], card["chances"] = literal[slot]
            if meant[slot] != literal[slot]:
                card["meant"] = list(meant[slot])


def _add_sentences(hands, slots):
    """Add sentences on what each holder knows by hints alone, and who knows that."""
    for slot in slots:
        if slot.holder.words:
            hands[slot.seat][slot.slot]["known"] = words_of(slot)


def _known(sight, kinds):
    """Return by slot the possible types, and the chances of playable, useless, last copy."""
    (playable, _, useless, last, _), total = sight.weights(*kinds)
    return [
        (types, [_chance(row[slot], total) for row in (playable, useless, last)])
        for slot, types in enumerate(sight.possible())
    ]


def _chance(ways, total):
    """Return a chance; 0 and 1 only if it is certain."""
    return ways / total if ways in (0, total) else min(max(round(ways / total, 4), 0.0001), 0.9999)


def reason_data(rule: str) -> dict[str, Any]:
    """Return why a move was made, as in ``game_data``, without a place in a list."""
    return {"rule": rule, "says": rule_says(rule), "place": None, "answers": {}}


def _line(move, rule):
    return f"  [{quote(move)}, {quote(rule)}]," if rule else f"  {quote(move)},"


def _head(game):
    """Return the text of a game before its moves, without the score, which fits any part of it."""
    start = Game(game.variant, game.seed, game.deck, (), game.agents, people=game.people)
    return "\n".join(
        line for line in str(start).splitlines() if not line.startswith("score = ") and line != "]"
    )


def turn_data(
    records: tuple[np.record, np.record], over: bool, of: Callable[[int], bool]
) -> dict[str, Any]:
    """Return a turn of a running game as in ``game_data``, without discards and its move.

    Args:
        records: The state and the view of the table.
        over: Whether the game is over.
        of: Returns whether the knowledge of a seat is computed.
    """
    state, view = records
    return {
        "turn": int(view.turn),
        "me": -1 if over else int(view.me),
        "fireworks": [int(rank) for rank in view.fireworks[: view.colours]],
        "tokens": int(view.tokens),
        "lives": int(view.lives),
        "deck": int(view.deck),
        "left": int(view.left),
        "playable": int(view.playable),
        "useless": int(view.useless),
        "critical": int(critical(view)),
        "hands": _hands(state, view, over, of),
        "move": None,
    }
