"""A game turn by turn as data, and games and positions as text."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from hanabi.game import snapshots
from hanabi.game_record import Game
from hanabi.moves import COLOURS, NAMES, card_text, move_text
from hanabi.notation import counted, fireworks_text, mask_text, pile_text
from hanabi.player import OTHERWISE
from hanabi.positions.position import Position
from hanabi.text.explanation import knowledge_data, knowledge_text
from hanabi.text.move_facts import (
    BY_AGE,
    ENGINE,
    Numbering,
    ending_text,
    move_words,
    rule_says,
    rule_text,
)


@dataclass(frozen=True)
class Turn:
    """A turn as plain data for display.

    Attributes:
        hands: By seat the slots in the order of the numbering, each None or {card, told (what
            its hints leave possible, "" for anything), touched, age (cards of the hand that came
            later)}.
        words: The move in plain words.
        rule: The rule that made it, or its player's own reason; "" if unknown.
        says: The rule's sentence; "" if unknown.
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


def replay(game: Game, numbering: Numbering = BY_AGE) -> Iterator[Turn]:
    """Yield every turn of a game, as it was before its move, with the move.

    In `move`, slots are always the engine's.
    """
    rules = game.rules or ("",) * len(game.moves)
    for (before, after), move, rule in zip(
        pairwise(snapshots(game.steps())), game.moves, rules, strict=True
    ):
        yield _turn(
            Position.of(*before, game.variant),
            numbering,
            move_text(move),
            move_words(before[1], after[1], move, numbering),
            rule,
            rule_says(rule),
        )


def _turn(position, numbering, move="", words="", rule="", says=""):
    return Turn(
        position.turn,
        NAMES[position.me],
        fireworks_text(position.fireworks),
        sum(position.fireworks),
        position.tokens,
        position.lives,
        len(position.deck),
        position.left,
        pile_text(position.discards),
        _hands(position, numbering),
        move,
        words,
        rule,
        says,
    )


def _hands(position, numbering):
    hands = {}
    for name, hand in zip(NAMES, position.hands):
        born = [card.born if card else -1 for card in hand]
        hands[name] = [
            card
            and {
                "card": str(card),
                "told": mask_text(card.mask, position.variant),
                "touched": card.touched,
                "age": sum(other > card.born for other in born),
            }
            for card in (hand[slot] for slot in numbering.order(born))
        ]
    return hands


def game_data(
    game: Game,
    meanings: list[list[str]] | None = None,
    turns: range | None = None,
    knowledge: bool = False,
) -> dict:
    """Return the game as data that JSON can hold: the deal, its turns, its end and both scores.

    Slots are the engine's.

    Args:
        game: The game.
        meanings: Sentences of each move (`commentary`), to be added to the turns.
        turns: Only these turns.
        knowledge: Add to each turn what was known of each slot before the move.
    """
    table, view = game.at(len(game.moves))
    meanings = meanings or []
    return {
        "variant": str(game.variant),
        "players": game.variant.seats,
        "seed": game.seed,
        "deck": None if game.deck is None else " ".join(map(card_text, game.deck)),
        "agents": list(game.agents),
        "people": list(game.people),
        "turns": [
            vars(turn)
            | ({"means": meanings[turn.turn]} if turn.turn < len(meanings) else {})
            | (
                {"knowledge": knowledge_data(*game.at(turn.turn), game.variant)}
                if knowledge
                else {}
            )
            for turn in replay(game, ENGINE)
            if turns is None or turn.turn in turns
        ],
        "final": {
            "fireworks": fireworks_text(view.fireworks),
            "tokens": int(view.tokens),
            "lives": int(view.lives),
            "deck": int(view.deck),
            "discards": pile_text(Position.of(table, view, game.variant).discards),
        },
        "end": game.end,
        "ended_by": NAMES[game.stop.seat] if game.stop and game.stop.seat >= 0 else None,
        "abandoned": game.abandoned,
        "score_kept": game.score,
        "score_zero": game.score_zero,
        "perfect": game.variant.perfect,
    }


TOLD = "Beside each card stands what the hints it got leave possible."
ABOUT_FORFEITS = (
    "no rule applied, or a rule of 2018 gave no legal move, and the game ended there. "
    'The points are kept; otherwise = "default" avoids the first.'
)


def _why_forfeited(game: Game) -> str:
    """Return why a game ended with a forfeit, as far as the game tells."""
    reason = game.rules[-1] if game.rules else ""
    if not reason:
        return ABOUT_FORFEITS
    if reason == OTHERWISE:
        return 'no rule applied, and the agent has otherwise = "forfeit". The points are kept.'
    return f"the rule {reason} gave no legal move. The points are kept."


def game_text(
    game: Game,
    width: int = 100,
    meanings: list[list[str]] | None = None,
    numbering: Numbering = BY_AGE,
    turns: range | None = None,
    knowledge: bool = False,
) -> str:
    """Return the game turn by turn, for a terminal of `width` columns (60 at least).

    Each turn: the table, every hand with what hints told about each card, the move in plain words
    and the sentence of the rule that made it.

    Args:
        game: The game.
        width: Columns of the terminal.
        meanings: Sentences of each move (`commentary`), to be added.
        numbering: How slots are numbered.
        turns: Only these turns.
        knowledge: Add what every player knew before each move.
    """
    meanings = meanings or []
    who = [
        f"{name} ({other})" if other and other != name else name
        for name, other in zip(NAMES, game.names)
    ]
    dealt = f"seed {game.seed}" if game.deck is None else "a given deck"
    lines = textwrap.wrap(
        f"{game.variant}, {game.variant.seats} players, {dealt}: {', '.join(who)}", width
    )
    lines += [*_head(numbering, width), ""]
    shown = [turn for turn in replay(game, numbering) if turns is None or turn.turn in turns]
    below = any(_too_wide(turn, width) for turn in shown)
    for turn in shown:
        lines += _turn_lines(game, turn, width, below)
        for note in meanings[turn.turn] if turn.turn < len(meanings) else []:
            lines += textwrap.wrap(note, width, initial_indent="  = ", subsequent_indent="    ")
        lines.append("")
        if knowledge:
            known = knowledge_text(*game.at(turn.turn), game.variant, width, numbering)
            lines += ["Knowledge before this move", "", *known.splitlines(), ""]
    if turns is None or len(game.moves) <= turns.stop:
        kept, zero, perfect = game.score, game.score_zero, game.variant.perfect
        score = f"{kept} of {counted(perfect, 'point')}" + (
            f" ({zero} where {'an unfinished' if game.stop else 'a lost'} game counts zero)"
            if zero != kept
            else ""
        )
        lines += textwrap.wrap(
            f"{'Game over' if game.end else 'So far'}: {ending_text(game)}. {score}.", width
        )
        if game.origin and game.origin.left_out:
            rest = counted(game.origin.left_out, "action")
            lines += textwrap.wrap(f"Left out, as they follow its end: {rest}.", width)
        if game.end == "forfeit":
            lines += textwrap.wrap(f"A forfeit: {_why_forfeited(game)}", width)
    else:
        del lines[-1]
    return "\n".join(lines) + "\n"


def position_text(position: Position, width: int = 100, numbering: Numbering = BY_AGE) -> str:
    """Return a position for a terminal of `width` columns: the table, hands, and hints."""
    variant, turn = position.variant, _turn(position, numbering)
    lines = textwrap.wrap(
        f"{variant}, {variant.seats} players, {NAMES[position.me]} to move.", width
    )
    lines += [*_head(numbering, width), ""]
    return "\n".join(lines + _table_lines(variant, turn, width, _too_wide(turn, width))) + "\n"


def _head(numbering, width):
    return [line for text in (numbering.says, TOLD) for line in textwrap.wrap(text, width)]


def _columns(turn):
    """Return for each slot the width of the longest text about a card's hints."""
    return [
        max(len(card["told"]) if card else 0 for card in cards)
        for cards in zip(*turn.hands.values(), strict=True)
    ]


def _too_wide(turn, width):
    return 5 + sum(5 + column for column in _columns(turn)) > width


def _table_lines(variant, turn, width, below):
    """Return the table and a line for each hand; with `below`, hints have a line of their own."""
    fireworks = dict(part for part in turn.fireworks.split())
    shown = " ".join(letter + fireworks.get(letter, "0") for letter in COLOURS[: variant.colours])
    rest = f"deck {turn.deck}" if turn.deck else f"{counted(turn.left, 'move')} left"
    parts = [f"Turn {turn.turn}", shown, f"tokens {turn.tokens}", f"lives {turn.lives}", rest]
    lines = [line if len(line := "   ".join(parts)) <= width else "  ".join(parts)]
    if turn.discards:
        lines += textwrap.wrap(
            f"discards {turn.discards}", width, initial_indent="  ", subsequent_indent="           "
        )
    for name, hand in turn.hands.items():
        cards, told = (
            [card[what] if card else empty for card in hand]
            for what, empty in (("card", "--"), ("told", ""))
        )
        head = f"{'>' if name == turn.seat else ' '} {name}  "
        if below:
            columns = [max(2, column) for column in _columns(turn)]
            lines += [
                start + "  ".join(map(str.ljust, texts, columns))
                for start, texts in ((head, cards), (" " * 7, told))
            ]
        else:
            lines.append(
                head
                + "  ".join(
                    f"{card} {text:<{column}}"
                    for card, text, column in zip(cards, told, _columns(turn))
                )
            )
    return [line.rstrip() for line in lines if line.strip()]


def _turn_lines(game, turn, width, below):
    lines = _table_lines(game.variant, turn, width, below)
    lines += textwrap.wrap(f"{turn.words}.", width, initial_indent="  ", subsequent_indent="    ")
    if turn.rule:
        lines += textwrap.wrap(
            rule_text(turn.rule),
            width,
            initial_indent="    ",
            subsequent_indent="      ",
        )
    return lines
