"""Every rule of the book, asked at turns of a game in which hints mean what any convention says,
here and in a file of plain Python: prints how many rules there are, how often they were asked,
how many sets of types the marks narrowed, and what differs.
"""

import random
from itertools import cycle, product

from hanabi.conditions import read_condition
from hanabi.conventions.fields import MAX_CONVENTIONS
from hanabi.conventions.register import families_for
from hanabi.evolve.reports.standalone import standalone
from hanabi.rulebook import BOOK, Rule
from hanabi.rules.agents import Agent, load
from hanabi.table import Table
from hanabi.variant import NAMED

PLAYERS, SEED, EVERY = 3, 5, 6  # a game at this many, asked at each sixth turn
MARKS = (
    "promised",
    "assumed",
    "pledged",
    "warned",
    "may_answer",
    "awaited",
    "memory",
    "plays",
    "perhaps",
    "ready",
    "expected",
)

rng = random.Random(4)
families = {  # what asks for the rest of its list is refused there
    rule.family.name: rule for rule in BOOK.values() if not rule.family.asks_rest
}
plays = load("convention-2026").list_at(PLAYERS)
guards = cycle(
    map(
        read_condition,
        ("distance >= 2", "touches <= 1", "rank == 1 and next_plays == 0", "spare >= 8"),
    )
)
agreed = tuple(
    Rule(
        family,
        rng.choice([*product(*family.grid.values())]),
        next(guards) if family.stage == "meaning" else None,
    )
    for family in families_for().values()
)
asked, narrowed, different = 0, 0, []


def compare(conventions):
    """Compare every rule here and in the file, in a game by these conventions."""
    global asked, narrowed
    agent = Agent(
        "all",
        {f"{PLAYERS}": (*plays.rules, *families.values())},
        conventions={f"{PLAYERS}": conventions},
        weights={f"{PLAYERS}": dict(plays.weights) | {"finesse": 9.5}},
    )
    there: dict = {"__name__": "agent"}
    exec(standalone(agent), there)
    rows = there["LISTS"][PLAYERS,][len(plays.rules) :]
    table = Table(NAMED["standard"].at(PLAYERS), [agent.list_at(PLAYERS)], trial=False)
    deck, view = there["deal"](SEED, PLAYERS)
    for step in table.steps(SEED, [0] * PLAYERS):
        marks, mine = step.view.marks[0], view.marks[0]
        narrowed += int((marks.assumed[:, :5] != step.view.mask).sum())
        different.extend(
            (step.turn, name) for name in MARKS if marks[name].tolist() != getattr(mine, name)
        )
        for (function, values, _, _), rule in (
            zip(rows, families.values(), strict=True) if step.turn % EVERY == 0 else ()
        ):
            asked += 1
            if function(view, *values) != rule(step.view.copy()):
                different.append((step.turn, rule.name))
        there["apply"](deck, view, step.move)


# Two lists: one has no room for every convention. In the second, chains come first.
compare(agreed[:MAX_CONVENTIONS])
compare(agreed[::-1][:MAX_CONVENTIONS])
print(len(families), asked, narrowed, different)
