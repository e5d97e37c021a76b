"""Random formulas."""

from hypothesis import strategies as st

from hanabi.logic.formulas import (
    And,
    Announced,
    Atom,
    CommonKnowledge,
    Considers,
    DistributedKnowledge,
    EverybodyKnows,
    Implies,
    Knows,
    Not,
    Or,
)
from hanabi.logic.logic_state import KINDS, LogicState
from hanabi.moves import card_text


def formulas(agents, atoms, leaves=12):
    """Random formulas over so many agents and over these atoms."""
    agent = st.integers(0, agents - 1)
    group = st.lists(agent, min_size=1, max_size=agents).map(tuple)

    def deeper(part):
        return st.one_of(
            _joined(part),
            st.builds(Knows, agent, part),
            st.builds(Considers, agent, part),
            st.builds(EverybodyKnows, group, part),
            st.builds(CommonKnowledge, group, part),
            st.builds(DistributedKnowledge, group, part),
            st.builds(Announced, part, part),
        )

    return st.recursive(st.sampled_from(atoms), deeper, max_leaves=leaves)


def plain(atoms, leaves=4):
    """Random formulas over these atoms that speak of nobody's knowledge."""
    return st.recursive(st.sampled_from(atoms), _joined, max_leaves=leaves)


def core_formulas(agents, atoms):
    """Random formulas of the fragment that hanabi/logic/exact_evaluation.py decides in every state:
    K_i, K_i K_j and their duals, E and D over plain formulas, and what ~ & | -> make of these.
    """
    inside, agent = plain(atoms), st.integers(0, agents - 1)
    group = st.lists(agent, min_size=1, max_size=agents).map(tuple)
    one = st.one_of(
        st.builds(Knows, agent, inside),
        st.builds(Considers, agent, inside),
        st.builds(EverybodyKnows, group, inside),
        st.builds(DistributedKnowledge, group, inside),
        st.builds(Knows, agent, st.builds(Knows, agent, inside)),
        st.builds(Considers, agent, st.builds(Considers, agent, inside)),
        st.builds(EverybodyKnows, group, st.builds(Knows, agent, inside)),
    )
    return st.recursive(st.one_of(inside, one), _joined, max_leaves=4)


def _joined(part):
    parts = st.one_of(st.just(()), st.lists(part, min_size=2, max_size=3).map(tuple))
    return st.one_of(
        st.builds(Not, part),
        st.builds(And, parts),
        st.builds(Or, parts),
        st.builds(Implies, part, part),
    )


def atoms_of(state: LogicState) -> list[Atom]:
    """Every atom there is in a state."""
    cards = [card_text(card) for card, count in enumerate(state.copies) if count]
    found = [Atom("left", (card,)) for card in cards]
    for seat, hand in enumerate(state.hands):
        for slot in range(len(hand)):
            found += [Atom(name, (seat, slot)) for name in (*KINDS, "duplicate")]
            found += [Atom("card", (seat, slot, card)) for card in cards]
            found += [
                Atom("colour", (seat, slot, colour))
                for colour in sorted({card[0] for card in cards})
            ]
            found += [
                Atom("rank", (seat, slot, int(rank)))
                for rank in sorted({card[1] for card in cards})
            ]
    return found
