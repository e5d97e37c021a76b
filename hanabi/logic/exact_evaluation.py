"""Exact verdicts on formulas that need no worlds, by counting copies.

The formulas are reduced to questions that `hanabi.knowledge` answers exactly. Decided, always at
the true hands:

* facts, and every ~ & | -> of what is decided;
* ``Ki f`` and ``Ki Kj f`` for every plain f (about any hands, with any ~ & | ->). What refutes f is
  a union of *rectangles*, a set of types for each of some slots, and whether cards fit into a
  rectangle is a question of matching slots with cards (docs/explanations/exact-knowledge.md 3.2 and
  3.3);
* ``Ki Mj f`` if f is about one slot of j (3.4);
* ``Mi``, ``E{…}`` and ``D{…}`` by their definitions: ~Ki ~, every Ki, and two seats together see
  every card;
* ``C{…} f`` exactly when the deck is empty; before that "yes" where already an outsider, who sees
  no hand, would know, and "no" where one seat does not know, or does not know that another knows
  (3.5);
* what follows by introspection (Ki Ki f, Ki Mi f, C{i,j} Ki f, parts of an "or" whose truth i can
  tell) and from truth (what is false is not known).

Everything else is left open, above all three and more seats in a row (``K0 K1 K2``), a seat that
comes back (``K0 K1 K0``) and announcements; a Kripke model (`hanabi.logic.evaluation`) decides
these.
"""

from hanabi.knowledge.matching import ALL
from hanabi.logic.formulas import (
    And,
    Announced,
    Atom,
    CommonKnowledge,
    Considers,
    DistributedKnowledge,
    Formula,
    Knows,
    Not,
    Or,
    any_of,
    is_plain,
    pushed,
)
from hanabi.logic.logic_state import LogicState
from hanabi.logic.rectangles import Slots, TooManyRectanglesError
from hanabi.logic.refutation import OPEN, YES, Step, Verdict, all_true


class ExactEvaluator:
    """Decides formulas at the true hands of a state, without building worlds.

    Formulas have their negations pushed inwards (`formulas.pushed`), and their agents and atoms
    exist.
    """

    def __init__(self, state: LogicState) -> None:
        self.state, self.slots = state, Slots(state)
        self.truths: dict[Formula, Verdict] = {}
        self.knowns: dict[tuple[int, Formula], Verdict] = {}

    def verdict(self, formula: Formula) -> Verdict:
        """Decide whether a formula is true."""
        if not self.slots.able:
            return OPEN
        if formula not in self.truths:
            self.truths[formula] = self._verdict(formula)
        return self.truths[formula]

    def _verdict(self, formula: Formula) -> Verdict:
        if is_plain(formula):
            return YES if self.slots.true_here(formula) else Verdict(False, (), formula)
        match formula:
            case And(parts):
                return all_true(map(self.verdict, parts))
            case Or(parts):
                found = [self.verdict(part) for part in parts]
                if any(part.true for part in found):
                    return YES
                if any(part.true is None for part in found):
                    return OPEN
                deep = [verdict for part, verdict in zip(parts, found) if not is_plain(part)]
                return deep[0] if len(deep) == 1 else Verdict(False, (), formula)
            case Knows(agent, part):
                return self.known(agent, part)
            case Considers(agent, part):
                return _opposite(self.known(agent, pushed(part, False)), formula)
            case Not(part):
                return _opposite(self.verdict(part), formula)
            case DistributedKnowledge(group, part):
                return self.known(group[0], part) if len(group) == 1 else self.verdict(part)
            case CommonKnowledge(group, part):
                return self._common(group, part)
            case Announced(fact, _):
                return YES if self.verdict(fact).true is False else OPEN
        return OPEN

    def known(self, agent: int, formula: Formula) -> Verdict:
        """Decide K_agent formula: whether a seat knows it."""
        if (agent, formula) not in self.knowns:
            self.knowns[agent, formula] = self._known(agent, formula)
        return self.knowns[agent, formula]

    def _known(self, agent: int, formula: Formula) -> Verdict:
        if is_plain(formula):
            return self._known_by((agent,), formula)
        if isinstance(formula, And):
            return all_true(self.known(agent, part) for part in formula.parts)
        here = self.verdict(formula)
        if here.true is False:  # what is false is not known: the true world refutes it
            return here.after(Step(agent, self.state.hands[agent]))
        if self.can_tell(agent, formula):
            return here
        match formula:
            case Knows(other, part):
                return self._nested(agent, other, part)
            case Considers(other, part):
                return self._hoped(agent, other, part)
            case Or(parts):
                return self._known_or(agent, parts)
            case DistributedKnowledge(group, part):
                return self.known(agent, Knows(group[0], part) if len(group) == 1 else part)
        return OPEN

    def _known_or(self, agent: int, parts: tuple[Formula, ...]) -> Verdict:
        """Decide K_agent of a disjunction.

        Parts whose truth the agent can tell are true, or can be left out.
        """
        rest = [part for part in parts if not self.can_tell(agent, part)]
        told = [self.verdict(part).true for part in parts if part not in rest]
        if any(told) or any(self.known(agent, part).true for part in rest):
            return YES
        if None in told:
            return OPEN
        plain, deep = (
            [part for part in rest if is_plain(part)],
            [part for part in rest if not is_plain(part)],
        )
        if len(deep) == 1 and not plain:
            return self.known(agent, deep[0])
        if (
            len(deep) == 1
            and isinstance(deep[0], Knows)
            and all(self.can_tell(deep[0].agent, part) for part in plain)
        ):
            return self._nested(agent, deep[0].agent, any_of([*plain, deep[0].part]))
        return OPEN if deep else self.known(agent, any_of(rest))

    def _nested(self, agent: int, other: int, formula: Formula) -> Verdict:
        """K_agent K_other formula, for two different seats."""
        if is_plain(formula):
            return self._known_by((agent, other), formula)
        if isinstance(formula, And):
            return all_true(self._nested(agent, other, part) for part in formula.parts)
        if self.can_tell(other, formula):
            return self.known(agent, formula)
        if isinstance(formula, DistributedKnowledge) and len(formula.group) > 1:
            return self._nested(agent, other, formula.part)
        return OPEN

    def _hoped(self, agent: int, other: int, formula: Formula) -> Verdict:
        """K_agent M_other formula, for two different seats."""
        if self.can_tell(other, formula):
            return self.known(agent, formula)
        if not is_plain(formula):
            return OPEN
        try:
            rectangles = self.slots.rectangles(formula, (agent, other))
        except TooManyRectanglesError:
            return OPEN
        places = {place for rectangle in rectangles for place in rectangle}
        if len(places) != 1 or not all(rectangles) or next(iter(places))[0] != other:
            return OPEN
        ((_, slot),) = places
        excluded = ALL
        for rectangle in rectangles:
            excluded &= ~rectangle[other, slot]
        hand = self.slots.fill_deluded(agent, other, slot, excluded)
        return (
            YES if hand is None else Verdict(False, (Step(agent, hand),), Considers(other, formula))
        )

    def _common(self, group: tuple[int, ...], formula: Formula) -> Verdict:
        """C_group formula."""
        if len(group) == 1:
            return self.known(group[0], formula)
        match formula:
            case And(parts) if not is_plain(formula):
                return all_true(self.verdict(CommonKnowledge(group, part)) for part in parts)
            case Knows(agent, part) if agent in group:
                return self._common(group, part)
            case CommonKnowledge(inner, part) if set(inner) <= set(group):
                return self._common(group, part)
        for seat in group:
            for found in (
                self.known(seat, formula),
                *(self._nested(seat, other, formula) for other in group if other != seat),
            ):
                if found.true is False:
                    return found
        if not is_plain(formula):
            return OPEN
        try:
            refuting = self.slots.rectangles(formula, group, False)
        except TooManyRectanglesError:
            return OPEN
        if self.state.pool.sum() > len(self.state.slots()):
            return (
                OPEN
                if any(self.slots.outsider_fits(group, rectangle) for rectangle in refuting)
                else YES
            )
        for (
            rectangle
        ) in refuting:  # the deck is empty: every hand can be put in another order, each by itself
            hands = {seat: self.slots.fill(seat, rectangle) for seat in group}
            steps = [
                Step(seat, hand)
                for seat, hand in hands.items()
                if hand and hand != self.state.hands[seat]
            ]
            if all(hand is not None for hand in hands.values()):
                return Verdict(False, tuple(steps), formula)
        return YES

    # --- who can tell what
    def can_tell(self, agent: int, formula: Formula) -> bool:
        """Tell whether the agent knows, in every world, if a formula is true."""
        match formula:
            case Atom(name, args):
                return not args or name not in ("duplicate", "left") and args[0] != agent
            case Knows(other, _) | Considers(other, _):
                return other == agent
            case CommonKnowledge(group, _):
                return agent in group
            case DistributedKnowledge(group, part):
                return group == (agent,) if len(group) == 1 else self.can_tell(agent, part)
            case Announced():
                return False
        return all(self.can_tell(agent, part) for part in formula.parts_in())

    def _known_by(self, seats: tuple[int, ...], formula: Formula) -> Verdict:
        """K of the first seat, K of the second, if there are two, of a plain formula."""
        try:
            refuting = self.slots.rectangles(formula, seats, False)
        except TooManyRectanglesError:
            return OPEN
        for rectangle in refuting:
            hands = self.slots.fill_all(seats, rectangle)
            if hands:
                return Verdict(False, tuple(map(Step, seats, hands)), formula)
        return YES


def _opposite(verdict: Verdict, formula: Formula) -> Verdict:
    """Return the verdict on a formula that is true where another is false.

    No single world shows that a formula is considered possible by no one.
    """
    return OPEN if verdict.true is None else Verdict(False, (), formula) if verdict.true else YES
