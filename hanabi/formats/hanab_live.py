"""Games of hanab.live: replay links, and JSON with the deciding rules as notes.

``to_link(game)`` and ``to_json(game)`` write, ``parse_game(text)`` reads either. A file holds one
game, one per line, several objects in a row, or an array of games. The site has the standard game
with 3 to 6 colours ("suits"). Its hands may have one card more or less than usual, which a link
cannot express. It ends a game when no needed card can be played any more; our later moves are left
out. What only the site knows is kept and written again: players, id, seed, notes, who began, who
ended the game. Before 2020 any player could begin; the seats are turned so that seat 0 begins.
"""

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from hanabi import moves as m
from hanabi.files import LIMIT, MEGABYTE, parse_json
from hanabi.game import cards_to_draw, told_cards
from hanabi.game_loop import is_hopeless
from hanabi.game_origin import SURROGATE, Origin
from hanabi.game_record import SPEC, Game, Stop, follow_actions
from hanabi.game_source import Entries, Source
from hanabi.moves import COLOURS, FORFEIT, NAMES, STRIDE
from hanabi.notation import counted
from hanabi.replay_link import (
    PLAYERS,
    SITE,
    SUITS,
    begins_array,
    compress,
    expand,
    is_link,
    json_texts,
    lines_of,
)
from hanabi.text.move_facts import facts_of, rule_text
from hanabi.variant import NAMED, Variant, shown

NAME = "hanab.live's JSON or link, one game or several, .json .jsonl .txt"
ENDINGS = (".json", ".jsonl", ".txt")
PLAY, DISCARD, COLOUR, RANK, END, VOTE = range(6)  # the types of its actions
# the reasons of an END by its value; 0 to 2 are ends by the rules
WHY = dict(enumerate(("timeout", "terminated", "speedrun", "idle"), 3))
WHY |= dict(enumerate(("softlock", "all-or-nothing", "softlock", "vote"), 7))
VALUES = {end: value for value, end in WHY.items()}
BY_NOBODY = ("vote", "idle")
MORE, LESS = "oneExtraCard", "oneLessCard"  # its options for other hands
ALL_OR_NOTHING, FIRST = "allOrNothing", "startingPlayer"
WITHOUT_EFFECT = (  # its options without which the same moves make the same game
    *("variant", "timed", "timeBase", "timePerTurn", "speedrun", "cardCycle"),
    *("deckPlays", "emptyClues", ALL_OR_NOTHING, FIRST),
)


def to_link(game: Game) -> str:
    """Return the address at which a browser replays a game.

    Raises:
        ValueError: The site has no such variant, or a link cannot express it.
    """
    if game.origin and game.origin.starting_player:  # a link cannot say who began
        game = dataclasses.replace(game, origin=None)
    data = to_data(game)
    if len(data["options"]) > 1:
        raise ValueError(
            f"a link cannot say that hands have {game.variant.hand_size} cards: "
            "write the game as JSON"
        )
    return SITE + compress(data)


def to_json(game: Game, card_notes: Sequence[Mapping[int, str]] = ()) -> str:
    """Return a game as the JSON text that hanab.live opens.

    The reason for a move is a note of its player, on the card that was moved or on the cards that
    the hint touched.

    Args:
        game: The game.
        card_notes: More notes: by seat, by a card's place in the order of drawing.

    Raises:
        ValueError: The site has no such variant.
    """
    return json.dumps(to_data(game, card_notes), ensure_ascii=False) + "\n"


def matches(source: Source) -> bool:
    """Return whether the content is a link, or begins as a JSON object or an array of them."""
    return source.head[:1] == "{" or begins_array(source.head) or is_link(source.head)


def read(source: Source) -> Entries:
    """Return the games of a text by number, None for the only one.

    The number is that of the line where there is a game per line, else the place from 1.
    """
    lines = lines_of(source.text)
    if not lines:
        raise ValueError(f"{source.name} is empty")
    first = lines[0][1]
    linked = is_link(first) and not begins_array(first)
    one_game_per_line = len(lines) > 1 and (linked or first[0] + first[-1] == "{}")
    if source.ending == ".jsonl" or one_game_per_line:
        return {number: partial(_parse_limited, line) for number, line in lines}
    whole = first if linked else source.text.strip()
    texts = [whole] if linked else json_texts(whole)
    if texts == [whole]:
        return {None: partial(_parse_limited, whole)}
    return {place: partial(_parse_limited, text) for place, text in enumerate(texts, 1)}


def _parse_limited(text, where):
    """Parse the text of one game, of limited length."""
    if len(text) > LIMIT:
        raise ValueError(f"{where} is larger than {LIMIT // MEGABYTE} MB, the limit for one game")
    return parse_game(text, where)


def parse_game(text: str, where: str = "game") -> Game:
    """Parse a link or a JSON text. The game has a deck instead of a seed.

    Args:
        text: The text.
        where: Its name in error messages.

    Raises:
        ValueError: The text is neither, or a game that is not played here.
    """
    if is_link(text):
        return from_data(expand(text, where), where)
    return from_data(parse_json(text, where), where)


def to_data(game: Game, card_notes: Sequence[Mapping[int, str]] = ()) -> dict[str, Any]:
    """Return what ``to_json`` writes, as data."""
    variant, origin = game.variant, game.origin or Origin()
    name, options = _site_variant(variant)
    suits = SUITS[name][1]
    state, view = game.at(0)
    deck = [
        int(card) for row in state.hands[: variant.seats, : variant.hand_size] for card in row
    ] + cards_to_draw(state, view)
    notes: list[list[str]] = [[""] * len(deck) for _ in range(variant.seats)]
    actions = []
    for turn, seat, state, view, move, reason, _ in game.steps():
        if is_hopeless(state, view):
            break
        action, about = site_action(view, move, suits)
        actions.append(action)
        if reason:
            note = f"turn {turn + 1}, {rule_text(reason)}"
            for place in about:
                notes[seat][place] = _joined(notes[seat][place], note)
    if game.stop and game.stop.end in VALUES:
        kind = VOTE if game.stop.end == "vote" else END
        value = VALUES[game.stop.end]
        actions.append({"type": kind, "target": game.stop.seat, "value": value})
    for own, more in zip(notes, card_notes):
        for place, note in more.items():
            own[place] = _joined(own[place], note)
    cards = [
        {"suitIndex": suits.index(COLOURS[card // STRIDE]), "rank": card % STRIDE + 1}
        for card in deck
    ]
    if origin.starting_player:
        options[FIRST] = origin.starting_player
    seats = _Turned(variant, origin.starting_player)
    ours = [seats.by_card(row) for row in seats.by_seat(notes)] if any(map(any, notes)) else []
    return {
        "players": seats.by_seat(_players(game)),
        "deck": seats.by_card(cards),
        "actions": [seats.action(action) for action in actions],
        "options": {"variant": name} | options,
        "characters": [],
        "id": origin.id,
        "notes": [
            [_joined(*notes) for notes in zip_longest(*rows, fillvalue="")]
            for rows in zip_longest(origin.notes, ours, fillvalue=())
        ],
        "seed": origin.seed,
    }


def _joined(*notes):
    """Return the notes on a card as one, in this order."""
    return " | ".join(filter(None, notes))


class _Turned(NamedTuple):
    """Data of a game whose seats, with the cards dealt to them, are moved on by some places.

    What is not well-formed stays as it is: what reads it says what is wrong.
    """

    variant: Variant
    places: int

    def seat(self, old):
        """Return the new seat of a player."""
        seats = self.variant.seats
        return (old + self.places) % seats if _is_within(old, 0, seats - 1) else old

    def card(self, old):
        """Return the new number of a card, by the order of drawing."""
        hand = self.variant.hand_size
        if not _is_within(old, 0, self.variant.seats * hand - 1):
            return old
        return self.seat(old // hand) * hand + old % hand

    def by_seat(self, values: Sequence[Any]) -> list[Any]:
        """Return values by player in the new order."""
        return [values[i] for i in sorted(range(len(values)), key=self.seat)]

    def by_card(self, values: Sequence[Any]) -> list[Any]:
        """Return values by card in the new order."""
        return [values[i] for i in sorted(range(len(values)), key=self.card)]

    def action(self, action: Any) -> Any:
        """Return an action with its new target."""
        if not isinstance(action, dict) or "target" not in action:
            return action
        target = self.card if action.get("type") in (PLAY, DISCARD) else self.seat
        return action | {"target": target(action["target"])}


def _site_variant(variant: Variant) -> tuple[str, dict[str, Any]]:
    """Return the site's name of a variant, and its options beside the name."""
    usual = dataclasses.replace(variant, hand=None).hand_size
    options: dict[str, Any] = {}
    if variant.hand_size != usual:
        options[MORE if variant.hand_size > usual else LESS] = True
    plain = dataclasses.replace(variant, players=None, hand=None, stop_when_hopeless=False)
    for name, (_, suits) in SUITS.items():
        if plain == Variant(colours=len(suits)) and abs(variant.hand_size - usual) <= 1:
            return name, options
    raise ValueError(
        f"hanab.live has no game {str(variant)!r}: it plays the standard game, with 3 to 6 colours "
        "and hands of one card more or less"
    )


def _players(game):
    """Return the names of people, and those of seats with, in parentheses, their agents."""
    nobody = ("",) * game.variant.seats
    return [
        person or (f"{name} ({agent})" if agent else name)
        for name, person, agent in zip(NAMES, game.people or nobody, game.agents or nobody)
    ]


def site_action(view: np.record, move: int, suits: str) -> tuple[dict[str, int], list[int]]:
    """Return an action of the site, and the places in the deck of the cards concerned.

    Args:
        view: The view of the seat to move.
        move: Its move.
        suits: The suits of the game (``variant_of``).
    """
    if move == FORFEIT:
        return {"type": END, "target": int(view.me), "value": VALUES["terminated"]}, []
    made = facts_of(view, move)
    cards = [int(made.born[slot]) for slot in made.slots]
    if made.kind != "tell":
        return {"type": PLAY if made.kind == "play" else DISCARD, "target": cards[0]}, cards
    kind, value = (RANK, made.rank) if made.rank else (COLOUR, suits.index(COLOURS[made.colour]))
    return {"type": kind, "target": made.owner, "value": value}, cards


def from_data(data: Any, where: str = "game") -> Game:
    """Return the game that the site's JSON data hold.

    Args:
        data: The data.
        where: Their name in error messages.

    Raises:
        ValueError: The data hold no game, or one that is not played here.
    """
    if not isinstance(data, dict) or not all(
        isinstance(data.get(key), list) for key in ("players", "deck", "actions")
    ):
        raise ValueError(
            f"{where} is no game of hanab.live: "
            "it should have players, a deck and actions, each a list"
        )
    options = data.get("options") or {}
    if not isinstance(options, dict):
        raise ValueError(f"{where}: options should be named, not {shown(options)}")
    variant, suits = variant_of(options, len(data["players"]), where)
    first = options.get(FIRST) or 0
    if not _is_within(first, 0, variant.seats - 1):
        raise ValueError(
            f"{where}: the option {FIRST} should be a player from 0 to {variant.seats - 1}, "
            f"not {shown(first)}"
        )
    seats = _Turned(variant, -first)
    deck = [
        read_card(card, suits, f"{where}, card {place} of the deck")
        for place, card in enumerate(data["deck"])
    ]
    if sorted(deck) != variant.deck():
        raise ValueError(
            f"{where}: the deck is not that of the game: it should have {variant.cards} cards, "
            f"each as often as in {str(variant)!r}"
        )
    deck, actions = seats.by_card(deck), [seats.action(action) for action in data["actions"]]
    followed = follow_actions(variant, deck, actions, partial(read_action, suits), where)
    known = {key: data[key] for key in ("id", "seed", "notes") if data.get(key)}
    known |= {"starting_player": first, "left_out": len(followed.rest)}
    origin = Origin.from_data(known, where)
    agents, people = _agents(seats.by_seat(data["players"]), where)
    moves, stop = followed.moves, followed.stop
    seat = len(moves) % variant.seats
    if stop == Stop("terminated", seat) and agents and agents[seat]:
        moves, stop = (*moves, FORFEIT), None  # so the forfeit of an agent is written
    game = Game(
        *(variant, 0, tuple(deck), moves, agents),
        people=people,
        stop=stop,
        origin=origin if any(origin) else None,
    )
    if game.end == "deck" and options.get(ALL_OR_NOTHING) and any(map(_is_move, followed.rest)):
        raise ValueError(
            f"{where}, action {len(moves) + 1}: the game goes on without a deck, by the option "
            f"{ALL_OR_NOTHING}, which is not played here"
        )
    return game


def _is_move(action):
    """Return whether an action is a move and not the end."""
    return isinstance(action, dict) and action.get("type") in (PLAY, DISCARD, COLOUR, RANK)


def variant_of(options: dict[str, Any], players: int, where: str) -> tuple[Variant, str]:
    """Return the variant of the site's options, and its suits as letters of our colours.

    Raises:
        ValueError: The game is not played here; the message begins with ``where``.
    """
    name = options.get("variant", "No Variant")
    if type(name) is not str or name not in SUITS:
        raise ValueError(
            f"{where}: the variant {shown(name)} is not played here; there are {', '.join(SUITS)}"
        )
    for option, value in options.items():
        if value and option not in (*WITHOUT_EFFECT, MORE, LESS):
            raise ValueError(
                f"{where}: the option {shown(option)[1:-1]} makes a game that is not played here; "
                f"of the options that change the game {MORE} and {LESS} are"
            )
        if option in (MORE, LESS) and value is not None and type(value) is not bool:
            raise ValueError(
                f"{where}: the option {option} should be true or false, not {shown(value)}"
            )
    if not 2 <= players <= len(NAMES):
        raise ValueError(f"{where}: it has {counted(players, 'player')}; games of 2 to 5 are read")
    suits = SUITS[name][1]
    variant = NAMED["standard"] if len(suits) == 5 else Variant(colours=len(suits))
    more = bool(options.get(MORE)) - bool(options.get(LESS))
    hand = variant.at(players).hand_size + more
    if hand > m.SLOTS:
        raise ValueError(
            f"{where}: the option {MORE} makes hands of {hand} cards; "
            f"hands of up to {m.SLOTS} are played here"
        )
    return dataclasses.replace(variant, hand=hand if more else None).at(players), suits


def read_card(card: Any, suits: str, where: str) -> int:
    """Return the number of a card of the site. Raises ValueError where it is none."""
    fields = card if isinstance(card, dict) else {}
    suit: Any = fields.get("suitIndex")
    rank: Any = fields.get("rank")
    if not _is_within(suit, 0, len(suits) - 1) or not _is_within(rank, 1, STRIDE):
        raise ValueError(
            f"{where}: {shown(card)} should have a suitIndex from 0 to {len(suits) - 1} and a "
            f"rank from 1 to {STRIDE}"
        )
    return STRIDE * COLOURS.index(suits[suit]) + rank - 1


def _is_within(value, low, high):
    """Return whether a value is an integer in a range."""
    return type(value) is int and low <= value <= high


def read_action(suits: str, view: np.record, action: Any, where: str) -> int | Stop:
    """Return what an action of the site is: a move, or the end of the game.

    Args:
        suits: The suits as letters of our colours.
        view: The view of the seat to move.
        action: The action.
        where: Its name in error messages.

    Raises:
        ValueError: It is no action of the site, or needs a card that the seat does not hold.
    """
    fields: dict[str, Any] = action if isinstance(action, dict) else {}
    kind: Any = fields.get("type")
    target: Any = fields.get("target")
    value: Any = fields.get("value")
    if not _is_within(kind, PLAY, VOTE):
        raise ValueError(
            f"{where}: {shown(action)} should have a type from {PLAY} to {VOTE}, a target and, "
            "for a hint, a value"
        )
    if kind in (END, VOTE):
        end = "vote" if kind == VOTE else WHY.get(value, "") if type(value) is int else ""
        named = end not in BY_NOBODY and _is_within(target, 0, view.players - 1)
        return Stop(end, target if named else -1)
    if kind in (PLAY, DISCARD):
        slots = [
            slot
            for slot in range(view.hand_size)
            if view.filled[view.me] >> slot & 1 and view.born[view.me, slot] == target
        ]
        if type(target) is not int or not slots:
            top = view.deck == 1 and target == view.born.max() + 1
            raise ValueError(
                f"{where}: {NAMES[view.me]} does not hold card {shown(target)} of the deck"
                + ("; the option deckPlays, to play it, is not played here" if top else "")
            )
        return int(m.play(slots[0]) if kind == PLAY else m.discard(slots[0]))
    low, high = (0, len(suits) - 1) if kind == COLOUR else (1, STRIDE)
    if not _is_within(target, 0, view.players - 1) or not _is_within(value, low, high):
        raise ValueError(
            f"{where}: {shown(action)} should be a hint for player 0 to {view.players - 1}, "
            f"its value {low} to {high}"
        )
    colour = COLOURS.index(suits[value]) if kind == COLOUR else -1
    move = int(m.tell_rank(target, value) if colour < 0 else m.tell_colour(target, colour))
    if target != view.me and not int(view.held[target]) & int(told_cards(move)):
        raise ValueError(
            f"{where}: this hint touches no card of {NAMES[target]}; the option emptyClues, "
            "to give it, is not played here"
        )
    return move


def _agents(players, where):
    """Return (agents of a game that we wrote, names of people); () for none and default names."""
    if any(type(name) is not str or not 0 < len(name) <= SPEC for name in players):
        raise ValueError(f"{where}: players should be names, each of up to {SPEC} letters")
    broken = next(filter(SURROGATE.search, players), None)
    if broken is not None:
        raise ValueError(
            f"{where}: the name {shown(broken)} has half of a surrogate pair, which is not text"
        )
    if tuple(players) == PLAYERS[: len(players)]:
        return (), ()
    ours = [
        re.fullmatch(rf"{seat} \((.*)\)", name, re.DOTALL) for seat, name in zip(NAMES, players)
    ]
    agents = tuple(found[1] if found else "" for found in ours)
    people = tuple(
        "" if found or name == seat else name for seat, name, found in zip(NAMES, players, ours)
    )
    return agents if any(agents) else (), people if any(people) else ()
