"""One game or one position and the agents in it, named as users name them: play it, say what it meant, ask in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hanabi.game import is_over
from hanabi.game_record import Game, play_one
from hanabi.lookahead.explanation import SearchExplanation, explain_seat
from hanabi.lookahead.partners import Recogniser
from hanabi.lookahead.player import Search, Searcher
from hanabi.moves import FORFEIT, NAMES, move_text
from hanabi.player import Player, choice_of, plays_by
from hanabi.positions.position import Position
from hanabi.rulebook import FAMILIES, WHEN, find
from hanabi.rules.agents import NAMED, Agent, load
from hanabi.shell_command import command
from hanabi.steps import Choice
from hanabi.table import Table, answers, decision
from hanabi.text.commentary import commentary
from hanabi.text.slot_numbering import OWN, Numbering
from hanabi.variant import Variant, read_variant

SEATS = 5  # the most agents at a table


def play_game(
    specs: Sequence[str], players: int | None = None, seed: int = 0, variant: str = "standard"
) -> Game:
    """The game of a seed that agents play: one with copies of itself, or one at each seat. ValueError, one line, for
    specs that cannot sit at the table."""
    if len(specs) > SEATS:
        raise ValueError(f"{len(specs)} agents: at most {SEATS} sit at a table")
    if len(specs) > 1 and players not in (None, len(specs)):
        raise ValueError(
            f"{len(specs)} agents for {players} players: name one agent, or one per seat"
        )
    chosen = read_variant(variant)
    seated = chosen.at(len(specs) if len(specs) > 1 else players or chosen.players or 2)
    count = len(specs) if len(specs) > 1 else seated.players or 2
    names = list(dict.fromkeys(specs))
    agents = [load(name) for name in names]
    seats = [names.index(spec) for spec in (specs if len(specs) > 1 else list(specs) * count)]
    if len(specs) == 1 and agents[0].mirror_partner:
        agents, seats = (
            [agents[0], agents[0].mirror_partner],
            [int(seat != seed % count) for seat in range(count)],
        )
    return play_one(
        seated,
        [agent.at(count) for agent in agents],
        seats,
        seed,
        agents=[agent.name for agent in agents],
    )


def meanings_of(game: Game, specs: Sequence[str], numbering: Numbering = OWN) -> list[list[str]]:
    """What each move of a game came to mean, by the conventions of the agents at its seats: one agent for all, or one
    per seat. ValueError where none of them plays by conventions."""
    players = game.variant.players or len(specs)
    names = list(specs) if len(specs) > 1 else list(specs) * players
    different = list(dict.fromkeys(names))
    seated = [plays_by(load(name).at(players)) for name in different]
    if not any(player.conventions for player in seated):
        raise ValueError(
            f"{', '.join(different)} play by no conventions: leave --marks out, or show convention"
        )
    return commentary(game, seated, [different.index(name) for name in names], numbering)


def thoughts_of(
    game: Game, specs: Sequence[str]
) -> list[tuple[SearchExplanation, np.record] | None]:
    """For each move of a game what the seat that made it thought, and what it saw; None for a seat that does not think ahead. One
    agent for all seats, or one per seat. ValueError where nobody does."""
    variant, count = game.variant, game.variant.seats
    names = list(specs) if len(specs) > 1 else list(specs) * count
    agents = {name: load(name) for name in names}
    if len(specs) == 1 and agents[names[0]].mirror_partner:
        one = agents[names[0]]
        names, agents = (
            list(game.agents),
            {agent.name: agent for agent in (one, one.mirror_partner) if agent},
        )
    players = {name: agent.at(count) for name, agent in agents.items()}
    if not any(map(_searches, players.values())):
        example = next(
            (name for name, agent in agents.items() if not agent.kind or agent.kind.wraps_list),
            "piers",
        )
        raise ValueError(
            f"{', '.join(agents)} think nothing ahead that can be shown: leave --search out, or show search:{example}"
        )
    company = tuple(players[name] for name in names)
    sitting = {
        seat: player.join(variant, seat, company)
        for seat, player in enumerate(company)
        if isinstance(player, Searcher | Recogniser) and _searches(player)
    }
    found: list[tuple[SearchExplanation, np.record] | None] = []
    for step in Table(variant, company, game.deck).replay(
        game.seed, range(count), [move for move in game.moves if move != FORFEIT]
    ):
        found.append(
            explain_seat(sitting[step.seat], step.view.copy()) if step.seat in sitting else None
        )
    return found


def _searches(player):
    """Does a player try every move in worlds that may be?"""
    return (
        isinstance(player, Searcher)
        or isinstance(player, Recogniser)
        and player.settings.search is not None
    )


def _thought_at(player, variant, played):
    """What a player that thinks ahead thinks where a game stands, among copies of itself, and what it sees."""
    alone = isinstance(player, Searcher) and player.search.seats == "one"
    company = [player.follows if alone else player] * variant.seats
    view = _replayed(player, variant, played).view.copy()
    company[int(view.me)] = player
    return explain_seat(player.join(variant, int(view.me), tuple(company)), view)


def _replayed(player, variant, played):
    """A table of copies of a player where a game stands."""
    seed, deck, moves = played
    table = Table(variant, [player], deck)
    for _ in table.replay(seed, [0] * variant.seats, moves):
        pass
    return table


def choices_of(
    player: Player, variant: Variant, played: tuple[Any, ...], seat: int
) -> Iterator[tuple[int, Choice]]:
    """Yield (turn, choice) of a player that sits at a seat of a game: at each turn of that seat, and where the game stands.

    Args:
        player: a player that is no list; it is asked at each turn, so that it can remember what it saw.
        variant: what is dealt.
        played: (seed, deck or None, moves) of the game.
        seat: where it sits; the others are taken to be copies of it.

    Raises:
        PlayerFailedError: it raises, takes too long or makes an illegal move.
    """
    seed, deck, moves = played
    table = Table(variant, [player], deck)
    walk = table.replay(seed, [0] * variant.seats, moves)
    sitting = table.begun((player,) * variant.seats, seat)
    for step in walk:
        if step.seat == seat:
            yield step.turn, choice_of(sitting, step.view, seed, table.state, variant)
    if int(table.view.me) == seat and not is_over(table.view):
        yield len(moves), choice_of(sitting, table.view, seed, table.state, variant)


def _chosen(player, variant, played):
    """(the move of a player that follows no list where a game stands, why, every move that it tried as answers of rules)."""
    table = _replayed(player, variant, played)
    sitting = table.begun((player,) * variant.seats, int(table.view.me))
    move, why = sitting.move(table.view.copy())
    tried = sitting.tried() if hasattr(sitting, "tried") else []
    return (
        move,
        why,
        [dict(rule=worth, says="", move=move_text(one), problem="") for one, worth in tried],
    )


def agent_or_rule(spec: str) -> Agent:
    """The agent that a spec means, or one of a single rule."""
    if spec not in NAMED and spec.partition(WHEN)[0].partition("(")[0].strip() in FAMILIES:
        return Agent(spec, {"2-5": (find(spec),)})
    return load(spec)


@dataclass(frozen=True)
class PositionAnswer:
    """What an agent does in a position: its ``move``, by a ``rule`` (None where none applied), or what the rule did wrong
    (``problem``); ``answers``: a dict per rule of the agent with rule, says, move, problem, and unasked where its guard does not
    hold. ``thought``: what it thought, if it thinks ahead, and what it saw. ``why``: whom it takes its partners for, or its cards, and what
    follows, if it finds that out. ``tried``: ``answers`` are moves that it weighed, with what each is worth for a rule."""

    agent: Agent
    seat: str
    move: str
    rule: Any
    problem: str
    answers: list[dict[str, Any]]
    thought: tuple[SearchExplanation, np.record] | None = None
    why: str = ""
    tried: bool = False

    def data(self, every: bool = False) -> dict[str, Any]:
        """As data that JSON can hold; ``every``: with the answers of all rules."""
        return dict(
            agent=self.agent.name,
            seat=self.seat,
            move=None if self.problem else self.move,
            rule=self.why or (self.rule.name if self.rule else "otherwise"),
            problem=self.problem,
            **({"answers": self.answers} if every else {}),
            **({"thought": self.thought[0].data()} if self.thought else {}),
        )


def ask(spec: str, position: Position, played: tuple[Any, ...] | None = None) -> PositionAnswer:
    """Ask an agent, or a single rule, for its move in a position. ``played``: as for table.answers."""
    agent = agent_or_rule(spec)
    player = agent.at(position.variant.players or 2)
    if getattr(player, "sees_own_hand", False):
        raise ValueError(
            f"{agent.name} sees its own hand, which nobody who is asked does: see it play, "
            f"{command('hanabi', 'show', agent.name)}"
        )
    if agent.kind and not played:
        raise ValueError(
            "what happened before does not stand in a position: ask an agent that thinks ahead, finds out who its partners "
            "are, or estimates its hand, in a written game (hanabi show … -o game.toml, then ask at a turn)"
        )
    listed = plays_by(player)
    found = answers(listed, position, played)
    rule, move, problem = decision(listed, position, found)
    thinking = (
        _thought_at(player, position.variant, played) if _searches(player) and not problem else None
    )
    if thinking:
        move = thinking[0].move
    why, tried = "", []
    if agent.is_python and played:
        *_, (_, choice) = choices_of(player, position.variant, played, position.me)
        move, why = choice.move, choice.reason
    elif agent.kind and not isinstance(agent.kind, Search):
        move, why, tried = _chosen(player, position.variant, played)
    shown = tried or [
        dict(
            rule=answer.rule.name,
            says=answer.rule.says,
            move=None if answer.problem else move_text(answer.move),
            problem=answer.problem,
            **({"unasked": answer.unasked} if answer.unasked else {}),
        )
        for answer in found
    ]
    return PositionAnswer(
        agent,
        NAMES[position.me],
        "" if problem else move_text(move),
        rule,
        problem,
        shown,
        thinking,
        why,
        bool(tried),
    )
