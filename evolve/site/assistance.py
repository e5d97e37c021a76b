"""What a table says to a seat, by its help level: what moves meant, what it can know, what an agent would do, why an agent moved.

Nothing here depends on the true cards of the seat that it is said to.
"""

from __future__ import annotations

from dataclasses import replace

from hanabi.cards import STRIDE, TYPES
from hanabi.evolve.measure.one_game import ask
from hanabi.evolve.site.play_table import PERSON, PlayTable
from hanabi.evolve.site.typed_moves import did
from hanabi.moves import FORFEIT, NAMES, read_move
from hanabi.notation import counted
from hanabi.player import OTHERWISE, followed_list
from hanabi.positions.position import HeldCard, Position
from hanabi.rulebook import find
from hanabi.text.explanation import sight_of
from hanabi.text.losses import result_lines
from hanabi.text.transcript import COLOUR_NAMES

FEW = 3  # more types than this are counted, not listed
COPIES = ("none", "one", "two", "three")
TOLD, MEANT, KNOWN, ADVICE = 1, 2, 3, 4  # places in table.LEVELS


def turn_line(table: PlayTable, seat: int) -> str:
    """Whose turn it is, for a seat."""
    view = table.view
    if table.over:
        return "The game is over."
    whose = "Your turn" if table.to_move == seat else f"{NAMES[table.to_move]}'s turn"
    left = f", {counted(int(view.left), 'move')} left" if view.left >= 0 else ""
    return f"{whose}. {counted(int(view.tokens), 'hint token')}, {counted(int(view.lives), 'life', 'lives')}{left}."


def seen(table: PlayTable, seat: int) -> Position:
    """The position as a seat sees it: its own cards ``??``; at help level "none" also without what hints left possible."""
    position = table.position()
    full = sum(1 << card for card in set(table.variant.deck()))
    hands = [
        [
            held and (replace(held, known=False) if owner == seat and not table.over else held)
            for held in hand
        ]
        for owner, hand in enumerate(position.hands)
    ]
    if table.help[seat] < TOLD:
        hands = [
            [
                held and HeldCard(held.card, full, held.touched, held.born, held.known)
                for held in hand
            ]
            for hand in hands
        ]
    object.__setattr__(
        position, "hands", tuple(map(tuple, hands))
    )  # for show: no position that one could play on from
    return position


def can_know(table: PlayTable, seat: int) -> list[str]:
    """A sentence for each slot of a seat: how likely it plays, and what it may be; by logic alone, from what the seat sees."""
    view = table.view
    sight = sight_of(table.table.state, view, seat)
    ways, total, lines = sight.weigh(int(view.playable)), sight.total(), []
    for slot, types in enumerate(sight.possible()):
        if not types:
            continue
        some = [card for card in range(TYPES) if types >> card & 1]
        if len(some) == 1:
            what = f"it is {_card(some[0])}"
        elif len(some) <= FEW:
            listed = [
                f"{_card(card)}, of which {COPIES[sight.pool[card]]} {'is' if sight.pool[card] == 1 else 'are'} out of sight"
                for card in some
            ]
            what = f"it is {'; '.join(listed[:-1])}; or {listed[-1]}"
        else:
            what = f"it is one of {len(some)} cards"
        lines.append(f"Slot {slot} plays with a chance of {percent(ways[slot], total)}: {what}.")
    return lines


def percent(part: int, whole: int) -> str:
    """A chance as a whole per cent; 0 and 100 only where it is certain."""
    if part in (0, whole):
        return "100 %" if part else "0 %"
    return (
        f"{100 * part / whole:.0f} %"
        if 0.01 <= part / whole <= 0.99
        else "<1 %"
        if part < whole / 2
        else ">99 %"
    )


def _card(card):
    return f"{COLOUR_NAMES[card // STRIDE]} {card % STRIDE + 1}"


def adviser(table: PlayTable) -> str:
    """The agent that says what it would do where nobody named one: the first that sits there."""
    return next((spec for spec in table.specs if spec != PERSON), "convention")


def advice(table: PlayTable, spec: str) -> str:
    """What an agent would do in the place of the seat to move, and why, as a sentence."""
    try:
        asked = ask(spec, table.position(), table.played)
    except ValueError as error:
        return f"No advice of {spec}: {error}."
    if asked.problem:
        return f"{asked.agent.name} would do what it may not: {asked.problem}."
    rule = asked.rule.name if asked.rule else OTHERWISE
    number = next((i for i, answer in enumerate(asked.answers, 1) if answer["rule"] == rule), 0)
    return f"{asked.agent.name} would {did(read_move(asked.move), you=True)}, {_by(rule, asked.why, number)}"


def why(table: PlayTable, turn: int) -> str:
    """Why an agent moved as it did at a turn, as a sentence. ValueError, one line, for a turn without such a move."""
    place = turn - table.first_turn
    if not 0 <= place < len(table.moves):
        raise ValueError(f"No move was made at turn {turn}.")
    agent = table.agents[turn % table.variant.seats]
    if agent is None:
        raise ValueError(f"A person moved at turn {turn}: ask {NAMES[turn % table.variant.seats]}.")
    move, reason = table.moves[place], table.reasons[place]
    if move == FORFEIT:
        return f"{agent.name} forfeits: no rule applies, and it has no other way then."
    listed = followed_list(table.players[turn % table.variant.seats]).rules
    number = next((i for i, rule in enumerate(listed, 1) if rule.name == reason), 0)
    return f"{agent.name} {did(move)}, {_by(reason, number=number)}"


def _by(reason, why="", number=0):
    """By which rule, in words."""
    if why or reason.partition(":")[2]:
        return f"for this reason: {why or reason}."
    if reason == OTHERWISE:
        return "since no rule applies: its oldest card, or with all tokens there the first hint."
    try:
        says = find(reason).says
    except ValueError:
        says = reason
    return f"by its rule {number or reason}: {says[:1].lower()}{says[1:]}"


def ended(table: PlayTable) -> list[str]:
    """Score, grade, and what the lost points were lost by, of a game that is over."""
    return [*result_lines(table.view, table.end, table.variant.perfect, table.first_turn)]
