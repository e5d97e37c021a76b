"""Moves of Hanabi as events that change a model of a position.

    state = start(2, 2, deck(3, (3, 2, 1)), hands=[[R1, B2], [G1, G1]])
    model = worlds(state)
    model = tell(model, 1, "G")
    model.truth("K0 K1 colour(1,0,G)")

A hint is a public announcement, a play or discard makes a card public and takes it from the hand,
a draw is an event that all except the drawer see. Source: docs/explanations/exact-knowledge.md §4.
"""

from collections.abc import Iterable
from dataclasses import replace

from hanabi.logic.evaluation import column, state_of
from hanabi.logic.formulas import Atom, all_of
from hanabi.logic.kripke import Action, Event, Model
from hanabi.logic.logic_state import LogicState
from hanabi.moves import NO_CARD, TYPES, card_text


def tell(model: Model, seat: int, clue: str, touched: Iterable[int] | None = None) -> Model:
    """Give a hint of a colour (R) or a rank (3): publicly announce which slots it touches.

    `touched` may be left out where the state holds the true hand. Nothing is inferred from the
    choice of the hint.
    """
    state = state_of(model)
    slots = [slot for _, slot in state.slots([seat])]
    touched = set(state.touched(seat, clue) if touched is None else touched)
    if not touched or not touched <= set(slots):
        raise ValueError(
            f"hint {clue} to seat {seat} touches slots {sorted(touched)}: it must touch some of "
            f"{slots}"
        )
    spoken = all_of(
        fact if slot in touched else ~fact
        for slot, fact in zip(slots, state.hint_facts(seat, clue))
    )
    return _after(model.announce(spoken), state.after_hint(seat, clue, touched))


def play(model: Model, seat: int, slot: int, card: int | None = None) -> Model:
    """Play a card: all see it, and it moves from the hand to its firework or the discards."""
    return _reveal(model, seat, slot, card, played=True)


def discard(model: Model, seat: int, slot: int, card: int | None = None) -> Model:
    """Discard a card: all see what it is, and it leaves the hand."""
    return _reveal(model, seat, slot, card, played=False)


def draw(model: Model, seat: int, slot: int, card: int = NO_CARD) -> Model:
    """Draw a card into a free slot of a seat.

    One event per card type that may still be in the deck; every agent except the drawer
    distinguishes them. `card` is the card truly drawn, for the next state; a model without the
    drawer among its agents needs it, because all its agents see the card.
    """
    state = state_of(model)
    if (seat, slot) in state.slots([seat]) or slot not in range(len(state.masks[seat])):
        raise ValueError(f"seat {seat} slot {slot} is not a free slot")
    drawn = range(TYPES) if seat in model.agents else [card]
    if drawn == [NO_CARD]:
        raise ValueError(
            f"seat {seat} is no agent of this model, so the others see its card: say which it is"
        )
    events = tuple(
        Event(f"draw {card_text(c)}", Atom("left", (card_text(c),)), {column(seat, slot): c})
        for c in drawn
        if state.copies[c]
    )
    apart = tuple(range(len(events)))
    action = Action(
        events, {agent: apart if agent != seat else (0,) * len(events) for agent in model.agents}
    )
    return _after(model.update(action), state.after_draw(seat, slot, card))


def _reveal(model: Model, seat: int, slot: int, card: int | None, played: bool) -> Model:
    state = state_of(model)
    if (seat, slot) not in state.slots([seat]):
        raise ValueError(f"seat {seat} has no card in slot {slot}")
    card = state.hands[seat][slot] if card is None else card
    if card < 0:
        raise ValueError(
            f"the state does not say which card seat {seat} has in slot {slot}: give it"
        )
    event = Event(
        "reveal",
        Atom("card", (seat, slot + state.first_slot, card_text(card))),
        {column(seat, slot): NO_CARD},
    )
    action = Action((event,), {agent: (0,) for agent in model.agents})
    return _after(model.update(action), state.after_removal(seat, slot, card, played))


def _after(model: Model, state: LogicState) -> Model:
    if not len(model):
        raise ValueError("this cannot happen: in none of the model's worlds")
    return replace(model, meaning=state)
