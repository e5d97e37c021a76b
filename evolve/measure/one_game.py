"""One game or one position: play it, comment on it, ask agents for a move."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hanabi.game import Choice, finish, is_over
from hanabi.game_record import Game, play_one
from hanabi.lookahead.look_ahead_player import LookAhead, Searcher
from hanabi.lookahead.partners import Recogniser
from hanabi.lookahead.search_explanation import SearchExplanation, explain_seat
from hanabi.moves import FORFEIT, NAMES, SEATS, move_text
from hanabi.player import Player, choice_of, followed_list
from hanabi.positions.position import Position
from hanabi.rulebook import FAMILIES, WHEN, find
from hanabi.rules.agents import NAMED, Agent, load
from hanabi.shell_command import command
from hanabi.table import Table, answers, decision
from hanabi.text.commentary import commentary
from hanabi.text.move_facts import BY_AGE, Numbering
from hanabi.variant import Variant, read_variant


def play_game(
    specs: Sequence[str], players: int | None = None, seed: int = 0, variant: str = "standard"
) -> Game:
    """Play the game of a seed.

    Args:
        specs: One agent, which plays with copies of itself, or one agent per seat.
        players: The player count. Default: the number of specs, that of the variant, or 2.
        seed: The seed of the deal.
        variant: What is dealt.

    Raises:
        ValueError: These agents cannot play this game.
    """
    if len(specs) > SEATS:
        raise ValueError(f"{len(specs)} agents: at most {SEATS} sit at a table")
    if len(specs) > 1 and players not in (None, len(specs)):
        raise ValueError(
            f"{len(specs)} agents for {players} players: name one agent, or one per seat"
        )
    chosen = read_variant(variant)
    seated = chosen.at(len(specs) if len(specs) > 1 else players or chosen.players or 2)
    count, names = seated.seats, list(dict.fromkeys(specs))
    agents = [load(name) for name in names]
    seats = [names.index(specs[seat % len(specs)]) for seat in range(count)]
    if len(specs) == 1 and agents[0].mirror_partner:
        agents.append(agents[0].mirror_partner)
        seats = [int(seat != seed % count) for seat in range(count)]
    return play_one(
        seated,
        [agent.at(count) for agent in agents],
        seats,
        seed,
        agents=[agent.name for agent in agents],
    )


def meanings_of(game: Game, specs: Sequence[str], numbering: Numbering = BY_AGE) -> list[list[str]]:
    """Return what each move of a game came to mean, by the conventions of the agents.

    Args:
        game: The game.
        specs: One agent for all seats, or one per seat.
        numbering: How slots are numbered in the text.

    Raises:
        ValueError: None of the agents plays by conventions.
    """
    players = game.variant.players or len(specs)
    names = list(specs) if len(specs) > 1 else list(specs) * players
    different = list(dict.fromkeys(names))
    seated = [followed_list(load(name).at(players)) for name in different]
    if not any(player.conventions for player in seated):
        raise ValueError(
            f"{', '.join(different)} play by no conventions: leave --marks out, or show convention"
        )
    return commentary(game, seated, [different.index(name) for name in names], numbering)


def thoughts_of(
    game: Game, specs: Sequence[str]
) -> list[tuple[SearchExplanation, np.record] | None]:
    """Return the search behind each move of a game, and the view it was made from.

    Args:
        game: The game.
        specs: One agent for all seats, or one per seat.

    Returns:
        (explanation, view) per move; None for a seat without a look-ahead player.

    Raises:
        ValueError: No seat has a look-ahead player.
    """
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
            f"{', '.join(agents)} have no search that can be shown: leave --search out, "
            f"or show search:{example}"
        )
    company = tuple(players[name] for name in names)
    sitting = {
        seat: player.join(variant, seat, company)
        for seat, player in enumerate(company)
        if isinstance(player, Searcher | Recogniser) and _searches(player)
    }
    moves = [move for move in game.moves if move != FORFEIT]
    steps = Table(variant, company, game.deck).replay(game.seed, range(count), moves)
    return [
        explain_seat(sitting[step.seat], step.view.copy()) if step.seat in sitting else None
        for step in steps
    ]


def _searches(player):
    """Return whether a player tries every move in sampled worlds."""
    return (
        isinstance(player, Searcher)
        or isinstance(player, Recogniser)
        and player.settings.search is not None
    )


def _thought_at(player, variant, played):
    """Return a look-ahead player's search after a game among copies of itself, and its view."""
    alone = isinstance(player, Searcher) and player.search.seats == "one"
    company = [player.follows if alone else player] * variant.seats
    view = _replayed(player, variant, played).view.copy()
    company[int(view.me)] = player
    return explain_seat(player.join(variant, int(view.me), tuple(company)), view)


def _replayed(player, variant, played):
    """Return a table of copies of a player, at the end of the moves of a game."""
    seed, deck, moves = played
    table = Table(variant, [player], deck)
    finish(table.replay(seed, [0] * variant.seats, moves))
    return table


def replay_choices(
    player: Player, variant: Variant, played: tuple[Any, ...], seat: int
) -> Iterator[tuple[int, Choice]]:
    """Yield (turn, choice) of a player at a seat of a game: at each turn of it, and at the end.

    Args:
        player: A player that is no list; it chooses at each turn, so that it can remember.
        variant: What is dealt.
        played: (seed, deck or None, moves) of the game.
        seat: Its seat; in the others are copies of it.

    Raises:
        PlayerFailedError: It raises, takes too long or makes an illegal move.
    """
    seed, deck, moves = played
    table = Table(variant, [player], deck)
    walk = table.replay(seed, [0] * variant.seats, moves)
    sitting = table.begin((player,) * variant.seats, seat)
    for step in walk:
        if step.seat == seat:
            yield step.turn, choice_of(sitting, step.view, seed, table.state, variant)
    if int(table.view.me) == seat and not is_over(table.view):
        yield len(moves), choice_of(sitting, table.view, seed, table.state, variant)


def choices_by_turn(player: Player, game: Game) -> dict[int, int]:
    """Return the moves of a player that is no list, by turn of a game; see ``replay_choices``."""
    moves = [move for move in game.moves if move != FORFEIT]
    played = game.seed, game.deck and list(game.deck), moves
    return {
        turn: choice.move
        for seat in range(game.variant.seats)
        for turn, choice in replay_choices(player, game.variant, played, seat)
    }


def _chosen(player, variant, played):
    """Return a player's choice after a game.

    Returns:
        (move, reason, every move that it tried, in the form of answers of rules).
    """
    table = _replayed(player, variant, played)
    sitting = table.begin((player,) * variant.seats, int(table.view.me))
    move, why = sitting.move(table.view.copy())
    tried = sitting.tried() if hasattr(sitting, "tried") else []
    return (
        move,
        why,
        [dict(rule=worth, says="", move=move_text(one), problem="") for one, worth in tried],
    )


def agent_or_rule(spec: str) -> Agent:
    """Return the agent that a spec names, or an agent of a single rule."""
    if spec not in NAMED and spec.partition(WHEN)[0].partition("(")[0].strip() in FAMILIES:
        return Agent(spec, {"2-5": (find(spec),)})
    return load(spec)


@dataclass(frozen=True)
class PositionAnswer:
    """What an agent does in a position.

    Attributes:
        agent: The agent.
        seat: The name of its seat.
        move: Its move, "" after a problem.
        rule: The rule that decided; None where none applied.
        problem: What the rule did wrong.
        answers: A dict per rule of the agent: rule, says, move, problem, and unasked where its
            guard does not hold.
        thought: (search, view) of a look-ahead player.
        why: For an agent that infers its partners or its hand: what it infers, and what follows.
        tried: Whether ``answers`` are moves that it compared, with the value of each as the rule.
    """

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
        """Return it as data for JSON; ``every``: with the answers of all rules."""
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
    """Return the move of an agent, or of a single rule, in a position.

    Args:
        spec: The agent or the rule.
        position: The position.
        played: The game that led to it, as for table.answers.

    Raises:
        ValueError: The agent cannot be asked, or needs the game.
    """
    agent = agent_or_rule(spec)
    player = agent.at(position.variant.players or 2)
    if getattr(player, "sees_own_hand", False):
        raise ValueError(
            f"{agent.name} sees its own hand, which a position does not have: see it play, "
            f"{command('hanabi', 'show', agent.name)}"
        )
    if agent.kind and not played:
        raise ValueError(
            "a position does not hold what happened before: ask an agent that looks ahead, "
            "recognises its partners, or estimates its hand in a written game "
            "(hanabi show … -o game.toml, then ask at a turn)"
        )
    listed = followed_list(player)
    found = answers(listed, position, played)
    rule, move, problem = decision(listed, position, found)
    thinking = (
        _thought_at(player, position.variant, played) if _searches(player) and not problem else None
    )
    if thinking:
        move = thinking[0].move
    why, tried = "", []
    if agent.is_python and played:
        *_, (_, choice) = replay_choices(player, position.variant, played, position.me)
        move, why = choice.move, choice.reason
    elif agent.kind and not isinstance(agent.kind, LookAhead):
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
