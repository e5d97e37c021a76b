"""Every rule of the book that looks at no marks, asked at turns of a game, here and in a file of plain Python: prints how many
rules there are, how often they were asked, and which answers differ."""
from evolve.publish.standalone import standalone
from hanabi.needs import looks_at_marks
from hanabi.rule import BOOK
from hanabi.table import Table
from hanabi.variant import NAMED
from rules.agents import Agent, load

PLAYERS, SEED, EVERY = 3, 5, 4               # a game at this many, asked at each fourth turn

families = {rule.family.name: rule for rule in BOOK.values() if not looks_at_marks(rule.family.function)}
plays = load("piers").rules(PLAYERS)
agent = Agent("all", {f"{PLAYERS}": (*plays, *families.values())})
there: dict = {"__name__": "agent"}
exec(standalone(agent), there)
rows = there["LISTS"][PLAYERS,][len(plays):]
table = Table(NAMED["standard"].at(PLAYERS), [agent.list_at(PLAYERS)], trial=False)
deck, view = there["deal"](SEED, PLAYERS)
asked, different = 0, []
for step in table.steps(SEED, [0] * PLAYERS):
    for (function, values, _, _), rule in zip(rows, families.values(), strict=True) if step.turn % EVERY == 0 else ():
        asked += 1
        if function(view, *values) != rule(step.view.copy()):
            different.append((step.turn, rule.name))
    there["apply"](deck, view, step.move)
print(len(families), asked, different)
