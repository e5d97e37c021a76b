"""A played game: as text that reads back, turn by turn with what everybody knew, and for people to read.

The text is TOML and names the deal (its seed, or the deck in the order of drawing) and the moves, each with the rule
that made it where that is known; everything else follows::

    variant = "standard"
    players = 3
    seed = 7
    score = 17
    agents = ["piers", "piers", "iggi"]
    moves = [
      ["tell Bob 1", "tell_playable"],
      "play 0",
    ]
"""
from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hanabi import moves as m
from hanabi.cards import COLOURS, card_text
from hanabi.game import (
    HISTORY,
    apply,
    deal,
    event_card,
    event_fits,
    event_slots,
    is_legal,
    is_over,
    legal_moves,
    new_state,
)
from hanabi.moves import FORFEIT, NAMES, move_text, read_move
from hanabi.position import (
    Position,
    fireworks_text,
    good_seed,
    known_keys,
    pile_text,
    quote,
    read_pile,
    seated,
    taken,
    told_text,
)
from hanabi.rule import find
from hanabi.table import ENDS, FAULTED, FORFEITED, RESULT, Strategy, Table, decide, how_it_ended
from hanabi.variant import Variant, parse_toml
from hanabi.words.explain import knowledge_data, knowledge_text

__all__ = ["Game", "Position", "Turn", "game_data", "game_text", "play_one", "position_text", "replay"]
OTHERWISE = "otherwise"                      # what stands for a rule where none applied
COLOUR_NAMES = ("red", "blue", "green", "yellow", "white", "purple")


@dataclass(frozen=True)
class Game:
    """A game of a variant (its players seated), whole or so far. Raises ValueError, in one line, for an illegal one.

    ``deck``: the order of drawing; None where it follows from the seed, which random rules' words come from in any
    case. ``moves``: numbers; a forfeit can only be the last. ``agents``: a name a seat, or empty; ``rules``: the name
    of the rule that made each move ("" unknown, "otherwise" where none applied), or empty.
    """
    variant: Variant
    seed: int = 0
    deck: tuple[int, ...] | None = None
    moves: tuple[int, ...] = ()
    agents: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        wanted_names = {"agents": (self.agents, self.variant.players), "rules": (self.rules, len(self.moves))}
        for what, (given, wanted) in wanted_names.items():
            if given and len(given) != wanted:
                raise ValueError(f"game: {wanted} names of {what} are needed, not {len(given)}")
        _, view = self._at(len(self.moves))
        object.__setattr__(self, "_score", int(view.score))
        object.__setattr__(self, "_end", _end(view, self.moves))

    def _at(self, turn):
        table, view = new_state(self.variant, None if self.deck is None else list(self.deck))
        deal(table, view, np.uint64(self.seed))
        for made, move in enumerate(self.moves[:turn]):
            if move == FORFEIT and made + 1 == len(self.moves) and not is_over(view):
                break
            if is_over(view):
                raise ValueError(f"game, turn {made}: {move_text(move)} is made, but the game is over")
            if not is_legal(view, move):
                legal = ", ".join(map(move_text, legal_moves(view)))
                raise ValueError(f"game, turn {made}: {NAMES[view.me]} cannot {move_text(move)}; legal are {legal}")
            apply(table, view, move)
        return table, view

    def at(self, turn: int) -> tuple[np.record, np.record]:
        """(table, view) after so many moves, the seat to move asked; ValueError where the game has fewer moves."""
        if not 0 <= turn <= len(self.moves):
            raise ValueError(f"this game has turns 0 to {len(self.moves)}, not {turn}")
        return self._at(turn)

    def position(self, turn: int) -> Position:
        """The position after so many moves, as plain data with a text form."""
        return Position.of(*self.at(turn), self.variant)

    @property
    def score(self) -> int:
        """Points on the fireworks, kept when the last life is lost."""
        return self._score

    @property
    def score_zero(self) -> int:
        """The score where a game counts 0 once the last life is lost."""
        return 0 if self.end == "lives" else self.score

    @property
    def end(self) -> str:
        """Why it ended: one of table.ENDS, or "" for a game that is not over."""
        return self._end

    def __str__(self) -> str:
        """The text that reads back."""
        lines = [f"variant = {quote(str(self.variant))}", f"players = {self.variant.players}"]
        if self.seed or self.deck is None:
            lines.append(f"seed = {self.seed}")
        if self.deck is not None:
            lines.append(f'deck = "{" ".join(map(card_text, self.deck))}"')
        lines.append(f"score = {self.score}")
        if self.agents:
            lines.append(f"agents = [{', '.join(map(quote, self.agents))}]")
        lines.append("moves = [")
        for move, rule in zip(self.moves, self.rules or ("",) * len(self.moves)):
            lines.append(f'  ["{move_text(move)}", {quote(rule)}],' if rule else f'  "{move_text(move)}",')
        return "\n".join([*lines, "]"]) + "\n"

    @staticmethod
    def read(text: str, where: str = "game") -> Game:
        """The game that a text holds; ``where`` is what errors call it. ValueError, one line, where it holds none."""
        return Game.from_data(parse_toml(text, where), where)

    @staticmethod
    def from_data(data: dict, where: str = "game") -> Game:
        """The game that the data of a TOML file hold (``variant.read_toml``)."""
        known_keys(data, ("variant", "players", "seed", "deck", "score", "agents", "moves"), where)
        variant = seated(data, where)
        if "seed" not in data and "deck" not in data:
            raise ValueError(f"{where}: give the seed of the deal, or the deck in the order of drawing")
        seed = good_seed(taken(data, "seed", int, 0, where), where)
        deck = taken(data, "deck", str, None, where)
        agents = taken(data, "agents", list, [], where)
        if any(type(name) is not str for name in agents):
            raise ValueError(f"{where}: agents should be names in quotes")
        made = taken(data, "moves", list, [], where)
        if len(made) >= HISTORY:
            raise ValueError(f"{where}: {len(made)} moves are more than any game can have")
        moves, rules = [], []
        for turn, entry in enumerate(made):
            entry = entry if type(entry) is list else [entry]
            if not 1 <= len(entry) <= 2 or any(type(word) is not str for word in entry):
                raise ValueError(f"{where}, turn {turn}: write a move as \"play 0\" or as "
                                 "[\"play 0\", \"name of the rule\"]")
            try:
                moves.append(read_move(entry[0]))
            except ValueError as error:
                raise ValueError(f"{where}, turn {turn}: {error}") from None
            rules.append(entry[1] if len(entry) == 2 else "")
        try:
            game = Game(variant, seed, None if deck is None else tuple(read_pile(deck, "deck")), tuple(moves),
                        tuple(agents), tuple(rules) if any(rules) else ())
        except ValueError as error:
            text = str(error)
            text = text.removeprefix("game") if text.startswith("game") else f": {text}"
            raise ValueError(where + text) from None
        score = taken(data, "score", int, game.score, where)
        if score != game.score:
            raise ValueError(f"{where}: the score is said to be {score}, but these moves make {game.score}")
        return game


def _end(view, moves):
    if moves and moves[-1] == FORFEIT:
        return ENDS[FORFEITED]
    end = how_it_ended(view)
    return ENDS[end] if end >= 0 else ""


def play_one(variant: Variant, strategies: list[Strategy], seats: list[int], seed: int, deck: list[int] | None = None,
             agents: list[str] = ()) -> Game:
    """Play one game, a move at a time, and note the rule that made each move. ``seats`` names the strategy at each seat
    by its place, ``agents`` what they are called, by strategy. Raises table.RuleFault as table.Table does."""
    good_seed(seed, "game")
    table = Table(variant, strategies, deck)
    state, view, made, rules = table.state, table.view, [], []
    table.deal(seed, seats)
    while not is_over(view):
        agent = seats[view.me]
        place, move = decide(table.rows, agent, table.lengths[agent], table.otherwise[agent], view)
        if not is_legal(view, move) and move != FORFEIT:
            result = np.zeros(1, RESULT)[0]
            result.end, result.place, result.turns = FAULTED, place, view.turn
            raise table._fault(seed, seats, result)
        made.append(int(move))
        rules.append(strategies[agent].rules[place].name if place < table.lengths[agent] else OTHERWISE)
        if move == FORFEIT:
            break
        apply(state, view, move)
    return Game(variant, int(seed), None if deck is None else tuple(deck), tuple(made),
                tuple(agents[agent] for agent in seats) if agents else (), tuple(rules))


@dataclass(frozen=True)
class Turn:
    """A turn as a person wants to see it; everything is plain data.

    ``hands``: by seat the slots, each None or {card, told (what its hints leave possible, "" for anything), touched,
    age (how many cards of the hand came later)}. ``words``: the move in plain words. ``rule`` and ``says``: the rule
    that made it and its sentence, "" where they are not known.
    """
    turn: int
    seat: str
    fireworks: str
    score: int
    tokens: int
    lives: int
    deck: int
    left: int
    discards: str
    hands: dict[str, list[dict | None]]
    move: str
    words: str
    rule: str
    says: str


def replay(game: Game) -> Iterator[Turn]:
    """Every turn of a game, as it was before its move, with the move."""
    table, view = game.at(0)
    for turn, move in enumerate(game.moves):
        position = Position.of(table, view, game.variant)
        if move != FORFEIT:
            apply(table, view, move)
        rule = game.rules[turn] if game.rules else ""
        words = f"{NAMES[position.me]} forfeits the game" if move == FORFEIT else _words(position, view, move)
        yield _turn(position, move_text(move), words, rule, _says(rule))


def _turn(position, move="", words="", rule="", says=""):
    return Turn(position.turn, NAMES[position.me], fireworks_text(position.fireworks), sum(position.fireworks),
                position.tokens, position.lives, len(position.deck), position.left, pile_text(position.discards),
                _hands(position), move, words, rule, says)


def _hands(position):
    hands = {}
    for name, hand in zip(NAMES, position.hands):
        order = sorted(card.born for card in hand if card)
        hands[name] = [card and {
            "card": card_text(card.card), "told": told_text(card.mask, position.variant), "touched": card.touched,
            "age": len(order) - 1 - order.index(card.born)} for card in hand]
    return hands


def _words(before, after, move):
    """The move in plain words, from the position before it and the view after it."""
    name, event = NAMES[before.me], int(after.history[before.turn])
    if m.is_tell(move):
        slots = [slot for slot in range(m.SLOTS) if event_slots(event) >> slot & 1]
        colour = m.told_colour_of(move)
        rank = f"a {m.told_rank_of(move)}" if len(slots) == 1 else f"{m.told_rank_of(move)}s"
        what = COLOUR_NAMES[colour] if colour >= 0 else rank
        return (f"{name} tells {NAMES[m.target_of(move)]}: slot{'s' * (len(slots) > 1)} {_list(slots)} "
                f"{'is' if len(slots) == 1 else 'are'} {what}")
    card = event_card(event)
    did = f"{name} {'plays' if m.is_play(move) else 'discards'} {card_text(card)} from slot {m.slot_of(move)}"
    if m.is_discard(move):
        return did
    if event_fits(event):
        return f"{did}: it fits" + (", a token comes back" if after.tokens > before.tokens else "")
    return f"{did}: it does not fit, {'a life' if after.lives else 'the last life'} is lost"


def _list(numbers):
    return " and ".join(filter(None, [", ".join(map(str, numbers[:-1])), str(numbers[-1])]))


def _says(rule):
    if rule == OTHERWISE:
        return "No rule applied."
    try:
        return find(rule).says if rule else ""
    except ValueError:                       # of a user's file that is not loaded now
        return ""


def game_data(game: Game, knowledge: bool = False, meanings: list[list[str]] | None = None) -> dict:
    """The game as data that JSON can hold: how it was dealt, its turns (Turn, as dicts; with `knowledge` also what was
    known of each slot before the move; with `meanings` of commentary.py also these), its end and both scores."""
    table, view = game.at(len(game.moves))
    meanings = meanings or []
    return {
        "variant": str(game.variant), "players": game.variant.players, "seed": game.seed,
        "deck": None if game.deck is None else " ".join(map(card_text, game.deck)), "agents": list(game.agents),
        "turns": [vars(turn) | ({"knowledge": knowledge_data(*game.at(turn.turn), game.variant)} if knowledge else {})
                  | ({"means": meanings[turn.turn]} if turn.turn < len(meanings) else {}) for turn in replay(game)],
        "final": {"fireworks": fireworks_text(view.fireworks), "tokens": int(view.tokens), "lives": int(view.lives),
                  "deck": int(view.deck), "discards": pile_text(Position.of(table, view, game.variant).discards)},
        "end": game.end, "score_kept": game.score, "score_zero": game.score_zero, "perfect": game.variant.perfect,
    }


ENDINGS = {"deck": "the deck ran out", "lives": "the last life is lost", "perfect": "every firework is finished",
           "hopeless": "no card can be played any more", "forfeit": "forfeited", "": "not over yet"}


def game_text(game: Game, width: int = 100, knowledge: bool = False, meanings: list[list[str]] | None = None) -> str:
    """The game turn by turn, for a terminal of so many columns: the table, every hand with what hints told about each
    card, the move in plain words and the sentence of the rule that made it; with `knowledge` what everybody knew; with
    `meanings` (commentary.py) what each move came to mean."""
    meanings = meanings or []
    who = [f"{name} ({agent})" if agent else name
           for name, agent in zip(NAMES, game.agents or ("",) * game.variant.players)]
    dealt = f"seed {game.seed}" if game.deck is None else "a given deck"
    lines = textwrap.wrap(f"{game.variant}, {game.variant.players} players, {dealt}: {', '.join(who)}", width)
    lines += ["Beside each card stands what the hints it got leave possible.", ""]
    for turn in replay(game):
        lines += _turn_lines(game, turn, width)
        for note in meanings[turn.turn] if turn.turn < len(meanings) else []:
            lines += textwrap.wrap(note, width, initial_indent="  = ", subsequent_indent="    ")
        lines.append("")
        if knowledge:
            lines += ["What they knew before this move", ""]
            lines += knowledge_text(*game.at(turn.turn), game.variant, width).splitlines() + [""]
    kept, zero, perfect = game.score, game.score_zero, game.variant.perfect
    score = f"{kept} of {perfect} points" + (f" ({zero} where a lost game counts zero)" if zero != kept else "")
    lines.append(f"{'Game over' if game.end else 'So far'}: {ENDINGS[game.end]}. {score}.")
    return "\n".join(lines) + "\n"


def position_text(position: Position, width: int = 100) -> str:
    """A position for a terminal of so many columns: the table, and every hand with what hints told about each card."""
    variant = position.variant
    lines = textwrap.wrap(f"{variant}, {variant.players} players, {NAMES[position.me]} to move.", width)
    lines += ["Beside each card stands what the hints it got leave possible.", ""]
    return "\n".join(lines + _table_lines(variant, _turn(position), width)) + "\n"


def _table_lines(variant, turn, width):
    fireworks = dict(part for part in turn.fireworks.split())
    shown = " ".join(letter + fireworks.get(letter, "0") for letter in COLOURS[:variant.colours])
    rest = f"deck {turn.deck}" if turn.deck else f"{turn.left} move{'s' * (turn.left != 1)} left"
    lines = [f"Turn {turn.turn}   {shown}   tokens {turn.tokens}   lives {turn.lives}   {rest}"]
    if turn.discards:
        lines += textwrap.wrap(f"discards {turn.discards}", width, initial_indent="  ", subsequent_indent="           ")
    columns = [max((len(hand[slot]["told"]) for hand in turn.hands.values() if hand[slot]), default=0)
               for slot in range(variant.hand_size)]
    for name, hand in turn.hands.items():
        cells = [f"{card['card'] if card else '--'} {card['told'] if card else '':<{column}}"
                 for card, column in zip(hand, columns)]
        lines.append(f"{'>' if name == turn.seat else ' '} {name}  {'  '.join(cells)}".rstrip())
    return lines


def _turn_lines(game, turn, width):
    lines = _table_lines(game.variant, turn, width)
    lines += textwrap.wrap(f"{turn.words}.", width, initial_indent="  ", subsequent_indent="    ")
    if turn.rule:
        lines += textwrap.wrap(f"{turn.rule}: {turn.says}" if turn.says else turn.rule, width,
                               initial_indent="    ", subsequent_indent="      ")
    return lines
