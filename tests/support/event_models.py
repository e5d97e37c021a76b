"""Event models: the product update of a Kripke model, and the moves of Hanabi as events.

The slow twin of positions that are rebuilt after a move.

    state = start(2, 2, deck(3, (3, 2, 1)), hands=[[R1, B2], [G1, G1]])
    model = worlds(state)
    model = tell(model, 1, "G")
    model.truth("K0 K1 colour(1,0,G)")

A hint is a public announcement, a play or discard makes a card public and takes it from the hand,
a draw is an event that all except the drawer see. Source: docs/explanations/exact-knowledge.md §4.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from hanabi.logic.evaluation import column, state_of
from hanabi.logic.formulas import Atom, Formula, all_of
from hanabi.logic.kripke import Model
from hanabi.logic.logic_state import LogicState
from hanabi.moves import NO_CARD, TYPES, card_text


@dataclass(frozen=True)
class Event:
    """An event: where it can happen (`pre`), and which columns of facts it sets (`post`).

    A column is set to a constant or to the truth of a formula before the event.
    """

    name: str
    pre: Formula
    post: Mapping[str, int | Formula] = field(default_factory=dict)


@dataclass(frozen=True)
class Action:
    """An event model: events, and one label per event for each agent.

    An agent cannot tell events of equal label apart.
    """

    events: tuple[Event, ...]
    labels: Mapping[int, tuple[int, ...]]

    def __post_init__(self) -> None:
        if not self.events or any(len(row) != len(self.events) for row in self.labels.values()):
            raise ValueError(
                "an action needs events, and for each agent a label for each of the "
                f"{len(self.events)}"
            )


def update(model: Model, action: Action) -> Model:
    """Return the product update: a world for each (world, event) whose precondition holds.

    Worlds are in the order of the events. An agent cannot tell (w,e) from (v,f) apart if
    neither w from v nor e from f. Postconditions are evaluated in the old world.
    """
    missing = set(model.agents) - set(action.labels)
    if missing:
        raise ValueError(f"the action does not say what agents {sorted(missing)} can tell apart")
    kinds = np.array([action.labels[agent] for agent in model.agents], np.int64)
    kinds = kinds.reshape(len(model.agents), len(action.events))
    kinds -= kinds.min(initial=0)
    here = [np.flatnonzero(model.truth(event.pre)) for event in action.events]
    labels = [
        model.labels[:, worlds] * (kinds.max(initial=0) + 1) + kinds[:, [e]]
        for e, worlds in enumerate(here)
    ]
    facts = {name: [column[worlds] for worlds in here] for name, column in model.facts.items()}
    for e, event in enumerate(action.events):
        for name, value in event.post.items():
            if name not in facts:
                raise ValueError(f"event {event.name} changes {name}, which is no fact here")
            set_to = model.truth(value)[here[e]] if isinstance(value, Formula) else value
            facts[name][e] = np.full_like(facts[name][e], set_to)
    return replace(
        model,
        labels=np.concatenate(labels, axis=1),
        facts={name: np.concatenate(parts) for name, parts in facts.items()},
    )


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
    return _after(update(model, action), state.after_draw(seat, slot, card))


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
    return _after(update(model, action), state.after_removal(seat, slot, card, played))


def _after(model: Model, state: LogicState) -> Model:
    if not len(model):
        raise ValueError("this cannot happen: in none of the model's worlds")
    return replace(model, meaning=state)
