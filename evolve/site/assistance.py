"""Help for a seat: what it can know, what an agent would do, and why an agent moved.

Nothing here depends on the true cards of the seat that gets the help.
"""

from dataclasses import replace

from hanabi.cards import COLOUR_NAMES, STRIDE, TYPES
from hanabi.evolve.measure.one_game import ask
from hanabi.evolve.pools.partner_menu import DEFAULT
from hanabi.evolve.site.play_table import PERSON, PlayTable
from hanabi.evolve.site.table_game import TableGame
from hanabi.evolve.site.typed_moves import move_verb
from hanabi.knowledge.plain_interface import sight_of
from hanabi.moves import FORFEIT, NAMES, is_play, is_tell, read_move, slot_of
from hanabi.notation import counted
from hanabi.player import OTHERWISE, followed_list
from hanabi.positions.position import HeldCard, Position
from hanabi.rulebook import find
from hanabi.text.losses import result_lines

FEW = 3  # more types than this are counted, not listed
COPIES = ("none", "one", "two", "three")
TOLD, MEANT, KNOWN, ADVICE = 1, 2, 3, 4  # places in table_game.LEVELS


def turn_line(table: TableGame, seat: int) -> str:
    """Return whose turn it is, for a seat, and the tokens and lives."""
    view = table.view
    if table.over:
        return "The game is over."
    whose = "Your turn" if table.to_move == seat else f"{NAMES[table.to_move]}'s turn"
    counts = [
        counted(int(view.tokens), "hint token"),
        counted(int(view.lives), "life", "lives"),
    ]
    if view.left >= 0:
        counts.append(f"{counted(int(view.left), 'move')} left")
    return f"{whose}. {', '.join(counts)}."


def visible_position(table: PlayTable, seat: int) -> Position:
    """Return the position as a seat sees it: its own cards are unknown.

    At help level "none" it also lacks the types that hints left possible.
    """
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
    # not `replace`, which would check it: this one is only shown, nobody plays on from it
    object.__setattr__(position, "hands", tuple(map(tuple, hands)))
    return position


def can_know(table: PlayTable, seat: int) -> list[str]:
    """Return a sentence for each slot of a seat: its chance to be playable, what it may be.

    The sentences follow by logic from what the seat sees, without conventions.
    """
    view = table.view
    sight = sight_of(table.table.state, view, seat)
    ways, total = sight.weigh(int(view.playable)), sight.total()
    lines = []
    possible_types, born = sight.possible(), view.born[seat].tolist()
    for slot in table.numbering.order(born):
        types = possible_types[slot] if slot < len(possible_types) else 0
        if not types:
            continue
        possible = [card for card in range(TYPES) if types >> card & 1]
        if len(possible) == 1:
            what = _card(possible[0])
        elif len(possible) <= FEW:
            listed = [_card_and_copies(card, sight.pool[card]) for card in possible]
            what = f"{'; '.join(listed[:-1])}; or {listed[-1]}"
        else:
            what = f"one of {len(possible)} cards"
        chance = percent(ways[slot], total)
        number = table.numbering.number(born, slot)
        lines.append(f"Slot {number} plays with a chance of {chance}: it is {what}.")
    return lines


def percent(part: int, whole: int) -> str:
    """Return a chance as a whole per cent; 0 and 100 only if it is certain."""
    if part in (0, whole):
        return "100 %" if part else "0 %"
    if part / whole < 0.01:
        return "<1 %"
    if part / whole > 0.99:
        return ">99 %"
    return f"{100 * part / whole:.0f} %"


def _card(card):
    return f"{COLOUR_NAMES[card // STRIDE]} {card % STRIDE + 1}"


def _card_and_copies(card, copies):
    verb = "is" if copies == 1 else "are"
    return f"{_card(card)}, of which {COPIES[copies]} {verb} out of sight"


def adviser(table: PlayTable) -> str:
    """Return the spec of the agent that gives advice by default: the first one at the table."""
    return next((spec for spec in table.specs if spec != PERSON), DEFAULT)


def advice(table: PlayTable, spec: str) -> str:
    """Return what an agent would do at the seat to move, and why, as a sentence."""
    try:
        asked = ask(spec, table.position(), table.played)
    except ValueError as error:
        return f"No advice of {spec}: {error}."
    if asked.problem:
        return f"{asked.agent.name} would do what it may not: {asked.problem}."
    rule = asked.rule.name if asked.rule else OTHERWISE
    number = next((i for i, answer in enumerate(asked.answers, 1) if answer["rule"] == rule), 0)
    born = table.view.born[table.to_move].tolist()
    verb = move_verb(read_move(asked.move), born, you=True, numbering=table.numbering)
    return f"{asked.agent.name} would {verb}, {_reason(rule, asked.why, number)}"


def why(table: TableGame, turn: int) -> str:
    """Return why an agent made its move at a turn, as a sentence.

    Raises:
        ValueError: No agent moved at this turn. One line.
    """
    place = turn - table.first_turn
    if not 0 <= place < len(table.moves):
        raise ValueError(f"No move was made at turn {turn}.")
    agent = table.agents[turn % table.variant.seats]
    if agent is None:
        raise ValueError(f"A person moved at turn {turn}: ask {NAMES[turn % table.variant.seats]}.")
    move, reason = table.moves[place], table.reasons[place]
    if move == FORFEIT:
        return f"{agent.name} forfeits: no rule applies, and it has no other way then."
    rules = followed_list(table.players[turn % table.variant.seats]).rules
    number = next((i for i, rule in enumerate(rules, 1) if rule.name == reason), 0)
    verb = move_verb(move, table.hands[place], numbering=table.numbering)
    return f"{agent.name} {verb}, {_reason(reason, number=number)}{_chances(table, place, move)}"


def _chances(table, place, move):
    """Return what its maker could know of the card that a move takes, as a sentence."""
    if is_tell(move):
        return ""
    (plays, _, useless, last, _), total = table.knowledge[place].ways(int(slot_of(move)))
    what = f"fits with a chance of {percent(plays, total)}"
    if not is_play(move):
        what = f"is useless with {percent(useless, total)}, a last copy with {percent(last, total)}"
    return f" By hints, their meaning and the cards that all of you see, it {what}."


def _reason(reason, why="", number=0):
    """The rule that decided, or another reason, in words."""
    if why or reason.partition(":")[2]:
        return f"for this reason: {why or reason}."
    if reason == OTHERWISE:
        return "since no rule applies: its oldest card, or with all tokens there the first hint."
    try:
        says = find(reason).says
    except ValueError:
        says = reason
    return f"by its rule {number or reason}: {says[:1].lower()}{says[1:]}"


def final_lines(table: TableGame) -> list[str]:
    """Return the score of a game that is over, and how its points were lost, as sentences."""
    return [*result_lines(table.view, table.end, table.variant.perfect, table.first_turn)]
