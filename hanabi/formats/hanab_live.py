"""Games of hanab.live: replay links, and JSON with the deciding rules as notes.

``to_link(game)`` and ``to_json(game)`` write, ``parse_game(text)`` reads either. A file holds one
game, or one per line. The site has the standard game with 3 to 6 colours ("suits"). Its hands may
have one card more or less than usual, which a link cannot express. It ends a game when nothing can
be played any more; later moves are left out.

A link holds the number of players, the deck and the actions, two letters each, in base 62::

    https://hanab.live/shared-replay-json/215ahxekoxcwgfpqmyjt-sfkskurqfbiwmlivanua-vcglupnpdhbrd,03gbaf-lbbg,0
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from hanabi import moves as m
from hanabi.cards import COLOURS, STRIDE
from hanabi.files import LIMIT, MEGABYTE, parse_json
from hanabi.game import cards_to_draw, told_cards
from hanabi.game_record import SPEC, Game, follow_actions, is_hopeless
from hanabi.game_source import Entries, Source, is_link
from hanabi.moves import FORFEIT, NAMES
from hanabi.notation import counted
from hanabi.text.transcript import rule_says
from hanabi.variant import NAMED, Variant, shown

NAME = "hanab.live's JSON or link, one game or one per line, .json .jsonl .txt"
ENDINGS = (".json", ".jsonl", ".txt")
SITE = "https://hanab.live/shared-replay-json/"
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LINE = 20  # letters between two hyphens of a link
LONGEST = 2000  # letters of a link; the longest game has about 700
# By name of a game: its number, and our colours in its order (its fifth suit is our purple).
SUITS = {
    "No Variant": (0, "RYGBW"),
    "6 Suits": (1, "RYGBPW"),
    "4 Suits": (15, "RYGB"),
    "3 Suits": (18, "RGB"),
}
PLAYERS = ("Alice", "Bob", "Cathy", "Donald", "Emily")  # the site's names for unnamed players
PLAY, DISCARD, COLOUR, RANK, END = range(5)  # the types of its actions
TERMINATED = 4  # value of an END: a player ended the game
MORE, LESS = "oneExtraCard", "oneLessCard"  # its options for other hands
# its options that do not change the game
WITHOUT_EFFECT = ("variant", "timed", "timeBase", "timePerTurn", "speedrun")
SURROGATE = re.compile("[\ud800-\udfff]")  # JSON can hold it, and no file in UTF-8
LINK = re.compile(
    r"(?:https?://)?(?:www\.)?hanab\.live/(?:shared-)?replay-json/([0-9A-Za-z,-]+)(?:#\d*)?"
)


def to_link(game: Game) -> str:
    """Return the address at which a browser replays a game.

    Raises:
        ValueError: The site has no such variant, or a link cannot express it.
    """
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
    """Return whether the content is a link or begins as a JSON object does."""
    return source.head[:1] == "{" or is_link(source.head)


def read(source: Source) -> Entries:
    """Return the only game, or by number of the line the games of a text with one per line."""
    lines = [
        (number, line.strip())
        for number, line in enumerate(source.text.split("\n"), 1)
        if line.strip()
    ]
    if not lines:
        raise ValueError(f"{source.name} is empty")
    first = lines[0][1]
    one_game_per_line = len(lines) > 1 and (is_link(first) or first[0] + first[-1] == "{}")
    if source.ending == ".jsonl" or one_game_per_line:
        return {number: partial(_parse_limited, line) for number, line in lines}
    return {None: partial(_parse_limited, source.text.strip())}


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
        return from_data(expand(text.strip(), where), where)
    return from_data(parse_json(text, where), where)


def to_data(game: Game, card_notes: Sequence[Mapping[int, str]] = ()) -> dict[str, Any]:
    """Return what ``to_json`` writes, as data."""
    variant = game.variant
    name, options = _site_variant(variant)
    suits = SUITS[name][1]
    state, view = game.at(0)
    deck = [
        int(card) for row in state.hands[: variant.seats, : variant.hand_size] for card in row
    ] + cards_to_draw(state, view)
    notes: list[list[str]] = [[""] * len(deck) for _ in range(variant.seats)]
    actions = []
    for turn, seat, _, view, move, reason, _ in game.steps():
        if is_hopeless(view):
            break
        action, about = site_action(view, move, suits)
        actions.append(action)
        if reason:
            sentence = rule_says(reason)
            note = f"turn {turn + 1}, {reason}" + (f": {sentence}" if sentence else "")
            for place in about:
                notes[seat][place] = " | ".join(filter(None, [notes[seat][place], note]))
    for own, more in zip(notes, card_notes):
        for place, note in more.items():
            own[place] = " | ".join(filter(None, [own[place], note]))
    cards = [
        {"suitIndex": suits.index(COLOURS[card // STRIDE]), "rank": card % STRIDE + 1}
        for card in deck
    ]
    return {
        "players": _players(game),
        "deck": cards,
        "actions": actions,
        "options": {"variant": name} | options,
        "characters": [],
        "id": 0,
        "notes": notes if any(map(any, notes)) else [],
        "seed": "",
    }


def _site_variant(variant: Variant) -> tuple[str, dict[str, bool]]:
    """Return the site's name of a variant, and its options beside the name."""
    usual = dataclasses.replace(variant, hand=None).hand_size
    options = {}
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
    """Return the names of the players: of the seat and, in parentheses, of the agent."""
    return [
        f"{name} ({agent})" if agent else name
        for name, agent in zip(NAMES, game.agents or ("",) * game.variant.seats)
    ]


def suits_of(options: Any) -> str:
    """Return the colours of a game's suits, in the site's order, as our letters.

    Raises:
        ValueError: The game is not played here.
    """
    return _variant(options, 2, "the game")[1]


def site_action(view: np.record, move: int, suits: str) -> tuple[dict[str, int], list[int]]:
    """Return an action of the site, and the places in the deck of the cards concerned.

    Args:
        view: The view of the seat to move.
        move: Its move.
        suits: The suits of the game (``suits_of``).
    """
    if move == FORFEIT:
        return {"type": END, "target": int(view.me), "value": TERMINATED}, []
    if not m.is_tell(move):
        place = int(view.born[view.me, m.slot_of(move)])
        return {"type": PLAY if m.is_play(move) else DISCARD, "target": place}, [place]
    seat, colour = int(m.target_of(move)), int(m.told_colour_of(move))
    told = int(told_cards(move))
    touched = [
        int(view.born[seat, slot])
        for slot in range(view.hand_size)
        if view.filled[seat] >> slot & 1 and told >> int(view.hands[seat, slot]) & 1
    ]
    if colour >= 0:
        return {"type": COLOUR, "target": seat, "value": suits.index(COLOURS[colour])}, touched
    return {"type": RANK, "target": seat, "value": int(m.told_rank_of(move))}, touched


def from_data(data: Any, where: str = "game") -> Game:
    """Return the game that the site's JSON data hold.

    Args:
        data: The data.
        where: Their name in error messages.

    Raises:
        ValueError: The data hold no game, or one that is not played here.
    """
    variant, deck, made, hopeless = _read(data, where)
    if hopeless:
        variant = dataclasses.replace(variant, stop_when_hopeless=True)
    return Game(variant, 0, tuple(deck), tuple(made), _agents(data["players"], where))


def running_game(data: Any, where: str = "game") -> tuple[Variant, list[int], list[int]]:
    """Return the variant, the deck and the moves of a game that is still played on the site.

    Other than a file, it goes on where no card can be played any more until the site ends it.

    Raises:
        ValueError: The data hold no game, or one that is not played here.
    """
    return _read(data, where)[:3]


def _read(data, where):
    """Return (variant, deck, moves, whether they end where no card can be played any more)."""
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
    variant, suits = _variant(options, len(data["players"]), where)
    deck = [_card(card, suits, place, where) for place, card in enumerate(data["deck"])]
    if sorted(deck) != variant.deck():
        raise ValueError(
            f"{where}: the deck is not that of the game: it should have {variant.cards} cards, "
            f"each as often as in {str(variant)!r}"
        )
    move_of = partial(read_action, suits)
    return variant, deck, *follow_actions(variant, deck, data["actions"], move_of, where)


def _variant(options, players, where):
    """Return the variant of the site's options, and its suits as letters of our colours."""
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


def _card(card, suits, place, where):
    """Return the number of a card of the site's deck."""
    fields = card if isinstance(card, dict) else {}
    suit: Any = fields.get("suitIndex")
    rank: Any = fields.get("rank")
    if not _is_within(suit, 0, len(suits) - 1) or not _is_within(rank, 1, STRIDE):
        raise ValueError(
            f"{where}, card {place} of the deck: {shown(card)} should have a suitIndex "
            f"from 0 to {len(suits) - 1} and a rank from 1 to {STRIDE}"
        )
    return STRIDE * COLOURS.index(suits[suit]) + rank - 1


def _is_within(value, low, high):
    """Return whether a value is an integer in a range."""
    return type(value) is int and low <= value <= high


def read_action(suits: str, view: np.record, action: Any, where: str) -> int:
    """Return the move of an action of the site.

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
    if not _is_within(kind, PLAY, END):
        raise ValueError(
            f"{where}: {shown(action)} should have a type from {PLAY} to {END}, a target and, "
            "for a hint, a value"
        )
    if kind == END:
        return FORFEIT
    if kind in (PLAY, DISCARD):
        slots = [
            slot
            for slot in range(view.hand_size)
            if view.filled[view.me] >> slot & 1 and view.born[view.me, slot] == target
        ]
        if type(target) is not int or not slots:
            raise ValueError(
                f"{where}: {NAMES[view.me]} does not hold card {shown(target)} of the deck"
            )
        return int(m.play(slots[0]) if kind == PLAY else m.discard(slots[0]))
    low, high = (0, len(suits) - 1) if kind == COLOUR else (1, STRIDE)
    if not _is_within(target, 0, view.players - 1) or not _is_within(value, low, high):
        raise ValueError(
            f"{where}: {shown(action)} should be a hint for player 0 to {view.players - 1}, "
            f"its value {low} to {high}"
        )
    if kind == COLOUR:
        return int(m.tell_colour(target, COLOURS.index(suits[value])))
    return int(m.tell_rank(target, value))


def _agents(players, where):
    """Return the names of the players, or of the agents in a game that this program wrote.

    Empty if the players have only their default names.
    """
    if any(type(name) is not str or not 0 < len(name) <= SPEC for name in players):
        raise ValueError(f"{where}: players should be names, each of up to {SPEC} letters")
    broken = next(filter(SURROGATE.search, players), None)
    if broken is not None:
        raise ValueError(
            f"{where}: the name {shown(broken)} has half of a surrogate pair, which is not text"
        )
    if tuple(players) in (NAMES[: len(players)], PLAYERS[: len(players)]):
        return ()
    ours = [
        re.fullmatch(rf"{seat} \((.*)\)", name, re.DOTALL) for seat, name in zip(NAMES, players)
    ]
    return tuple(found[1] for found in ours if found) if all(ours) else tuple(players)


def compress(data: dict[str, Any]) -> str:
    """Write the site's data as the text of a link: three parts, a hyphen every 20 letters."""
    ranks = [card["rank"] for card in data["deck"]]
    kinds = [action["type"] for action in data["actions"]] or [0]
    least, most = min(ranks), max(ranks)
    low, high = min(kinds), max(kinds)
    cards = actions = ""
    for card in data["deck"]:
        cards += LETTERS[card["suitIndex"] * (most - least + 1) + card["rank"] - least]
    for action in data["actions"]:
        value = action["value"] + 1 if "value" in action else 0
        actions += LETTERS[value * (high - low + 1) + action["type"] - low]
        actions += LETTERS[action["target"]]
    number, _ = SUITS[data["options"]["variant"]]
    text = f"{len(data['players'])}{least}{most}{cards},{low}{high}{actions},{number}"
    return "-".join(text[at : at + LINE] for at in range(0, len(text), LINE))


def expand(text: str, where: str = "link") -> dict[str, Any]:
    """Return the site's data that a link, or a text by ``compress``, holds.

    Args:
        text: The link or the part of it behind the site's address.
        where: Its name in error messages.

    Raises:
        ValueError: The text is neither.
    """
    if len(text) > LONGEST:
        raise ValueError(
            f"{where}: a link to a game has up to {LONGEST:,} letters, not {len(text):,}"
        )
    found = LINK.fullmatch(text)
    named = re.search(r"replay/(\d{1,12})", text)
    if named and not found:
        raise ValueError(
            f"{where}: such a link names a game and does not hold it; "
            f"save https://hanab.live/export/{named[1]} as a file, and import that"
        )
    parts = re.fullmatch(
        r"([2-6])([1-5])([1-5])(\w{1,90}),([0-4])([0-4])((?:\w\w)*),(\d{1,5})(?:,\w*)?",
        (found[1] if found else text).replace("-", ""),
        re.ASCII,
    )
    if not parts or "_" in parts[0] or parts[2] > parts[3] or parts[5] > parts[6]:
        raise ValueError(
            f"{where}: this is no link to a game of hanab.live; "
            f"one begins with {SITE} and holds the deck and the actions"
        )
    players, least, most, low, high, number = (int(parts[i]) for i in (1, 2, 3, 5, 6, 8))
    name = next((name for name, (known, _) in SUITS.items() if known == number), f"number {number}")
    deck = [divmod(LETTERS.index(letter), most - least + 1) for letter in parts[4]]
    kinds = [divmod(LETTERS.index(letter), high - low + 1) for letter in parts[7][::2]]
    targets = [LETTERS.index(letter) for letter in parts[7][1::2]]
    return {
        "players": list(PLAYERS[:players]) + ["Frank"] * (players - len(PLAYERS)),
        "deck": [{"suitIndex": suit, "rank": rank + least} for suit, rank in deck],
        "actions": [
            {"type": kind + low, "target": target} | ({"value": value - 1} if value else {})
            for (value, kind), target in zip(kinds, targets)
        ],
        "options": {"variant": name},
        "characters": [],
        "id": 0,
        "notes": [],
        "seed": "",
    }
