"""Help for a seat: its knowledge, the move of an agent with its reason, and the meaning of a move.

Nothing here depends on the true cards of the seat that gets the help. What a move means to the
partners and what it costs, before a person makes it, is computed from the view of the seat to move,
in which its own cards are hidden, and from marks, which are public. Of the seat's own cards only
the possibilities are used.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from hanabi.backend.bits import lowest
from hanabi.conventions.marks import CONSIDER, expected_discard, read
from hanabi.evolve.measure.one_game import ask
from hanabi.evolve.pools.partner_menu import DEFAULT
from hanabi.evolve.reports.game_data import turn_data
from hanabi.evolve.site.play_table import PERSON, PlayTable
from hanabi.evolve.site.table_game import TableGame, fault_of
from hanabi.game import apply
from hanabi.knowledge.plain_interface import sight_of
from hanabi.moves import (
    COLOUR_NAMES,
    NAMES,
    NO_CARD,
    SLOTS,
    STRIDE,
    TYPES,
    is_play,
    is_tell,
    read_move,
    slot_of,
)
from hanabi.notation import counted, percent
from hanabi.player import OTHERWISE, followed_list
from hanabi.positions.position import Position
from hanabi.rulebook import find
from hanabi.state import View
from hanabi.text.commentary import hooks_of, lists_of, meaning_of
from hanabi.text.move_facts import facts_of, result_lines, verb_of
from hanabi.view import critical, seat_after

FEW = 3  # more types than this are counted, not listed
COPIES = ("none are", "one is", "two are", "three are")
TOLD, MEANT, KNOWN, ADVICE = 1, 2, 3, 4  # places in table_game.LEVELS


def turn_line(table: TableGame, seat: int) -> str:
    """Return whose turn it is, for a seat, and the tokens and lives."""
    view = table.view
    if table.over:
        return "The game is over."
    whose = "Your turn" if table.to_move == seat else f"{NAMES[table.to_move]}'s turn"
    left = f", {counted(int(view.left), 'move')} left" if view.left >= 0 else ""
    tokens = counted(int(view.tokens), "hint token")
    lives = counted(int(view.lives), "life", "lives")
    return f"{whose}. {tokens}, {lives}{left}."


def visible_position(table: PlayTable, seat: int) -> Position:
    """Return the position as a seat sees it: its own cards are unknown.

    At help level "none" it also lacks the types that hints left possible.
    """
    position = table.position()
    every = sum(1 << card for card in set(table.variant.deck()))
    mask: dict[str, Any] = {"mask": every} if table.help[seat] < TOLD else {}
    hidden: dict[str, Any] = {"known": False} if not table.over else {}
    hands = [
        [held and replace(held, **mask, **(hidden if owner == seat else {})) for held in hand]
        for owner, hand in enumerate(position.hands)
    ]
    # built without `replace`, which would check it: this position is only shown
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
            listed = [
                f"{_card(card)}, of which {COPIES[sight.pool[card]]} out of sight"
                for card in possible
            ]
            what = f"{'; '.join(listed[:-1])}; or {listed[-1]}"
        else:
            what = f"one of {len(possible)} cards"
        number, chance = table.numbering.number(born, slot), percent(ways[slot] / total)
        lines.append(f"Slot {number} plays with a chance of {chance}: it is {what}.")
    return lines


def _card(card):
    return f"{COLOUR_NAMES[card // STRIDE]} {card % STRIDE + 1}"


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
    verb = verb_of(facts_of(table.view, read_move(asked.move)), True, table.numbering)
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
    made, reason = table.made[place], table.reasons[place]
    if made.kind == "forfeit":
        return f"{agent.name} forfeits: no rule applies, and it has no other way then."
    rules = followed_list(table.players[turn % table.variant.seats]).rules
    number = next((i for i, rule in enumerate(rules, 1) if rule.name == reason), 0)
    did = f"{agent.name} {verb_of(made, numbering=table.numbering)}"
    return f"{did}, {_reason(reason, number=number)}{_chances(table, place, made)}"


def _chances(table, place, made):
    """Return what its maker could know of the card that a move takes, as a sentence."""
    if made.kind == "tell":
        return ""
    (plays, _, useless, last, _), total = table.knowledge[place].ways(made.slots[0])
    what = f"fits with a chance of {percent(plays / total)}"
    if made.kind == "discard":
        chances = percent(useless / total), percent(last / total)
        what = "is useless with {}, a last copy with {}".format(*chances)
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


# what a tag of game_data says about a card, in a word for the board
GHOSTS = {
    "play": "plays",
    "promise": "plays",
    "assume": "plays",
    "soon": "soon",
    "keep": "keep",
    "useless": "useless",
}
LITERAL = "It means what it says."


class GhostTag(NamedTuple):
    """A tag that a card would get; `wrong` if it is not true of a card that the person sees."""

    seat: int
    slot: int
    tag: str
    wrong: bool


class CardWarning(NamedTuple):
    """A sentence that warns of a move, and the card that it speaks of."""

    text: str
    seat: int
    slot: int


class MovePreview(NamedTuple):
    """What a considered move would mean: sentences, warnings, and new tags of cards."""

    meaning: list[str]
    warnings: list[CardWarning]
    tags: list[GhostTag]

    def data(self) -> dict[str, Any]:
        """Return it as data that JSON can hold."""
        warnings, tags = ([one._asdict() for one in some] for some in self[1:])
        return {"meaning": self.meaning, "warnings": warnings, "tags": tags}


NOTHING_SAID = MovePreview([], [], [])


def preview_move(table: TableGame, seat: int, move: int) -> MovePreview:
    """Return what a move of the seat to move would mean, with all help.

    Raises:
        ValueError: The seat cannot make this move. One line.
    """
    if fault := fault_of(table.view, seat, move):
        raise ValueError(fault)
    if is_tell(move):
        return _hint_preview(table, seat, move)
    view = table.view.copy()
    meaning = meaning_of(view, view, move, table.players, table.numbering)
    return MovePreview(meaning, [*_own_card(table, seat, move), *_unwarned(table, move)], [])


def at_level(preview: MovePreview, level: int) -> MovePreview:
    """Return the part of a preview that a help level shows: from TOLD warnings, from MEANT all."""
    if level >= MEANT:
        return preview
    return MovePreview([], preview.warnings, []) if level >= TOLD else NOTHING_SAID


def _hint_preview(table, seat, move):
    state, after = table.table.state.copy(), table.view.copy()
    before = after.copy()
    apply(state, after, move)
    meaning = meaning_of(before, after, move, table.players, table.numbering)
    tags = _tags_of((state, after))
    new = _new_tags(table, tags, after, before)
    new += _shown_tags(before.copy(), after.copy(), move, table.players)
    warnings = [_wrong_tag(table, before, tag, tags) for tag in new if tag.wrong]
    return MovePreview(meaning or [LITERAL], warnings + _unwarned(table, move), new)


def _tags_of(records):
    """Return by (seat, slot) the tags that marks and hints give to cards."""
    hands = turn_data(records, False, lambda seat: False)["hands"]
    return {
        (seat, slot): GHOSTS[card["tag"]]
        for seat, hand in enumerate(hands)
        for slot, card in enumerate(hand)
        if card and card.get("tag") in GHOSTS
    }


def _new_tags(table, tags, after, before):
    """Return those of the tags after a hint that it adds."""
    old = _tags_of((table.table.state, before))
    awaited = _awaited_types(after)
    found = []
    for (seat, slot), tag in tags.items():
        if tag == old.get((seat, slot)):
            continue
        card, wrong = int(before.hands[seat, slot]), False
        if seat != before.me and (seat, slot) in awaited:
            wrong = not awaited[seat, slot] >> card & 1
        elif seat != before.me:
            wrong = not _is_true(tag, card, before)
            wrong |= tag == "plays" and bool(_played_before(tags, before, seat, slot))
        found.append(GhostTag(seat, slot, tag, wrong))
    return found


def _shown_tags(before, after, move, players):
    """Return tags for the cards that a hint makes others play, as the hooks of conventions say."""
    found = []
    for which, _, conventions in lists_of(before, players):
        before.list = after.list = which
        read(before, CONSIDER - move)
        for shows in hooks_of(conventions, "shows"):
            found += [
                GhostTag(seat, slot, "plays", wrong) for seat, slot, wrong in shows(before, after)
            ]
    return found


def _awaited_types(after):
    """Return by (seat, slot) what a card may be that fits once others played theirs."""
    return {
        (seat, slot): int(marks.assumed[seat, slot])
        for marks in after.marks[: int(after.lists)]
        for seat in range(int(after.players))
        for slot in range(SLOTS)
        if marks.awaited[seat] >> slot & 1
    }


def _played_before(tags, view, seat, slot):
    """Return the names of players who move before a seat and would play a copy of its card."""
    me, card = int(view.me), int(view.hands[seat, slot])
    between = [(me + turns) % view.players for turns in range(1, (seat - me) % view.players)]
    return [
        NAMES[other]
        for (other, theirs), tag in tags.items()
        if tag == "plays" and other in between and int(view.hands[other, theirs]) == card
    ]


def _is_true(tag, card, view):
    """Whether what a tag says is true of a card."""
    below = card - 1 if tag == "soon" and card % STRIDE else card
    if tag in ("plays", "soon"):
        return bool(view.playable >> card & 1 or view.playable >> below & 1)
    return tag != "useless" or bool(view.useless >> card & 1)


def _wrong_tag(table, view, tag, tags):
    """Return the warning about a tag that is not true."""
    card = f"slot {_number(table, tag.seat, tag.slot)}, a {_named(view, tag.seat, tag.slot)}"
    if tag.tag == "useless":
        return CardWarning(
            f"{NAMES[tag.seat]} takes {card}, for useless, and may discard it.", *tag[:2]
        )
    first = _played_before(tags, view, tag.seat, tag.slot)
    if first and view.playable >> int(view.hands[tag.seat, tag.slot]) & 1:
        card += f", and {first[0]} may play the other one first"
    return CardWarning(
        f"{NAMES[tag.seat]} is told to play {card}: that costs {_life(view)}.", *tag[:2]
    )


def _unwarned(table, move):
    """Return warnings about a last copy that the next player may discard after a move."""
    view = table.view.copy()
    following = int(seat_after(view, 1))
    if not view.lists or view.list_of[following] < 0:
        return []
    view.list = view.list_of[following]
    chop = int(expected_discard(view, following))
    read(view, CONSIDER - move)
    card = int(view.hands[following, chop]) if chop >= 0 else NO_CARD
    if not view.readings[0].safe or card == NO_CARD or not critical(view) >> card & 1:
        return []
    named = f"slot {_number(table, following, chop)}, a {_named(view, following, chop)}"
    return [
        CardWarning(
            f"{NAMES[following]} may discard {named}: it is a last copy, and this move is no "
            "warning.",
            following,
            chop,
        )
    ]


def _own_card(table, seat, move):
    """Return warnings about an own card, from what it can be by hints and by what one sees."""
    view: View = table.view
    slot = int(slot_of(move))
    types = sight_of(table.table.state, view, seat).possible()[slot]
    text = ""
    if is_play(move) and not types & int(view.playable):
        text = f"Whatever this card is, it does not fit: playing it costs {_life(view)}."
    elif not is_play(move) and not types & ~int(critical(view)):
        what = "It is" if types & (types - 1) else f"It is {_card(lowest(types))},"
        text = f"{what} a last copy: a discard loses its points for good."
    return [CardWarning(text, seat, slot)] if text else []


def _life(view):
    """Return what a card that does not fit costs."""
    return "a life" if view.lives > 1 else "the last life"


def _number(table, seat, slot):
    return table.numbering.number(table.view.born[seat].tolist(), slot)


def _named(view, seat, slot):
    return _card(int(view.hands[seat, slot]))
