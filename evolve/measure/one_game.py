"""One game or one position and the agents in it, named as users name them: play it, say what it meant, ask in it."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hanabi.moves import NAMES, move_text
from hanabi.player import plays_by
from hanabi.position import Position
from hanabi.record import Game, play_one
from hanabi.rule import FAMILIES, WHEN, find
from hanabi.table import answers, decision
from hanabi.variant import read_variant
from hanabi.words.commentary import commentary
from hanabi.words.slots import OWN, Numbering
from rules.agents import NAMED, Agent, load

SEATS = 5                                    # the most agents at a table


def play_game(specs: Sequence[str], players: int | None = None, seed: int = 0, variant: str = "standard") -> Game:
    """The game of a seed that agents play: one with copies of itself, or one at each seat. ValueError, one line, for
    specs that cannot sit at the table."""
    if len(specs) > SEATS:
        raise ValueError(f"{len(specs)} agents: at most {SEATS} sit at a table")
    if len(specs) > 1 and players not in (None, len(specs)):
        raise ValueError(f"{len(specs)} agents for {players} players: name one agent, or one per seat")
    chosen = read_variant(variant)
    seated = chosen.at(len(specs) if len(specs) > 1 else players or chosen.players or 2)
    count = len(specs) if len(specs) > 1 else seated.players or 2
    names = list(dict.fromkeys(specs))
    agents = [load(name) for name in names]
    seats = [names.index(spec) for spec in (specs if len(specs) > 1 else list(specs) * count)]
    if len(specs) == 1 and agents[0].beside:
        agents, seats = [agents[0], agents[0].beside], [int(seat != seed % count) for seat in range(count)]
    return play_one(seated, [agent.at(count) for agent in agents], seats, seed, agents=[agent.name for agent in agents])


def meanings_of(game: Game, specs: Sequence[str], numbering: Numbering = OWN) -> list[list[str]]:
    """What each move of a game came to mean, by the conventions of the agents at its seats: one agent for all, or one
    per seat. ValueError where none of them plays by conventions."""
    players = game.variant.players or len(specs)
    names = list(specs) if len(specs) > 1 else list(specs) * players
    different = list(dict.fromkeys(names))
    seated = [plays_by(load(name).at(players)) for name in different]
    if not any(player.conventions for player in seated):
        raise ValueError(f"{', '.join(different)} play by no conventions: leave --marks out, or show convention")
    return commentary(game, seated, [different.index(name) for name in names], numbering)


def agent_or_rule(spec: str) -> Agent:
    """The agent that a spec means, or one of a single rule."""
    if spec not in NAMED and spec.partition(WHEN)[0].partition("(")[0].strip() in FAMILIES:
        return Agent(spec, {"2-5": (find(spec),)})
    return load(spec)


@dataclass(frozen=True)
class Asked:
    """What an agent does in a position: its ``move``, by a ``rule`` (None where none applied), or what the rule did wrong
    (``problem``); ``answers``: a dict per rule of the agent with rule, says, move, problem, and unasked where its guard does not
    hold."""
    agent: Agent
    seat: str
    move: str
    rule: Any
    problem: str
    answers: list[dict[str, Any]]

    def data(self, every: bool = False) -> dict[str, Any]:
        """As data that JSON can hold; ``every``: with the answers of all rules."""
        return dict(agent=self.agent.name, seat=self.seat, move=None if self.problem else self.move,
                    rule=self.rule.name if self.rule else "otherwise", problem=self.problem,
                    **({"answers": self.answers} if every else {}))


def ask(spec: str, position: Position, played: tuple[Any, ...] | None = None) -> Asked:
    """Ask an agent, or a single rule, for its move in a position. ``played``: as for table.answers."""
    agent = agent_or_rule(spec)
    player = agent.list_at(position.variant.players or 2)
    found = answers(player, position, played)
    rule, move, problem = decision(player, position, found)
    shown = [dict(rule=answer.rule.name, says=answer.rule.says, move=None if answer.problem else move_text(answer.move),
                  problem=answer.problem, **({"unasked": answer.unasked} if answer.unasked else {})) for answer in found]
    return Asked(agent, NAMES[position.me], "" if problem else move_text(move), rule, problem, shown)
