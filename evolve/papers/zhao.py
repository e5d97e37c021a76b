"""Zhao's dissertation (2022), *AI for a social card game*: his belief search and ours.

His numbers are of games with people. Ours are of games with agents in the person's seat, so no
score of ours can be compared with one of his; the note below each table says so.
"""

from collections.abc import Callable, Sequence
from time import thread_time
from typing import Any

import numpy as np

from hanabi.evolve.measure.arena import mean_sem
from hanabi.evolve.papers.report import register_paper
from hanabi.evolve.papers.zhao_tables import LISTS, games_of, tables, wanted
from hanabi.game import Step, is_legal, told_cards, touched_by
from hanabi.game_reader import read_games
from hanabi.game_record import PERSON, Game
from hanabi.moves import DISCARD, END, PLAY, SLOTS, TELL_COLOUR, TELL_RANK
from hanabi.player import Player, default_move
from hanabi.rules.agents import load
from hanabi.rules.museum.zhao.all_hands import ZHAO, recollect
from hanabi.table import Table, game_seeds
from hanabi.variant import Variant, read_variant
from hanabi.view import random_below

GAMES = 250  # per cell
SEED = 2022


class Modelled(Player):
    """The search's model of its partner as a player, with random choices.

    An idle hint is any that sets a new flag; without one, or without a token, it discards its
    oldest card.
    """

    name = "modelled"
    only_list_questions = True  # reads only facts from a view

    def __init__(self) -> None:
        self.zhao = np.zeros(1, ZHAO)[0]

    def move(self, view: np.record) -> tuple[int, str]:
        """Play a card with flags, each flag twice as likely as a hint; or give a hint."""
        zhao, me = self.zhao, int(view.me)
        recollect(view, zhao)
        colour, rank = int(zhao.colour_told[me]), int(zhao.rank_told[me])
        flagged = [
            slot
            for slot in range(SLOTS)
            for flags in (colour, rank)
            if view.filled[me] & flags & 1 << slot
        ]
        drawn = int(random_below(view, 1, 2 * len(flagged) + 1))
        if drawn:
            return PLAY + flagged[(drawn - 1) // 2], "a card with flags"
        hints = []
        for hint in range(TELL_COLOUR, END):
            told = zhao.colour_told if hint < TELL_RANK else zhao.rank_told
            new = touched_by(view, 1 - me, told_cards(hint)) & ~int(told[1 - me])
            if new and is_legal(view, hint):
                hints.append(hint)
        if hints:
            return hints[int(random_below(view, 2, len(hints)))], "any hint"
        return int(default_move(view)), "no hint is left"


def seated(spec: str, variant: str) -> Player:
    """Return the player of a spec; *evolved* in it is the list that was evolved on a variant."""
    return load(spec.replace("evolved", str(LISTS / f"{variant}.toml"))).at(2)


def cell(variant: str, spec: str, partner: str, games: int) -> dict[str, Any]:
    """Play games of an agent beside a partner, who begins in every second one.

    Returns:
        Scores, how the games ended, the shares of the agent's kinds of moves, and CPU milliseconds
        for a move, the laws of the game included.
    """
    law = read_variant(variant)
    other = (
        Modelled()
        if partner == "modelled"
        else seated(spec if partner == "itself" else partner, variant)
    )
    table = Table(law, [seated(spec, variant), other])
    spent: list[float] = []
    scores: list[int] = []
    lost = useful = 0
    played = np.zeros(3, np.int64)
    # The first game is not counted: it may compile.
    for game, seed in enumerate([0, *map(int, game_seeds(SEED, games))]):
        seats, begun = [game % 2, 1 - game % 2], thread_time()
        for step in table.steps(seed, seats):
            now = thread_time()
            if game and (seats[step.seat] == 0 or partner == "itself"):
                spent.append(now - begun)
                played[_kind(step)] += 1
                useful += _touches_a_play(step)
            begun = thread_time()
        if game:
            scores.append(int(table.view.score))
            lost += int(table.view.lives == 0)
    play, hint, discard = map(float, played / played.sum())
    times = np.array(spent) * 1e3
    return dict(
        variant=variant,
        agent=spec,
        partner=partner,
        **_scored(law, scores, lost),
        play=play,
        hint=hint,
        discard=discard,
        useful=useful / max(1, int(played[1])),
        ms=float(times.mean()),
        least_ms=float(times.min()),
        most_ms=float(times.max()),
    )


def _scored(law: Variant, scores: Sequence[int], lost: int) -> dict[str, Any]:
    """Return the mean of some games, and the shares that are perfect and that lost all lives."""
    mean, sem = map(float, mean_sem(np.array(scores)))
    games = len(scores)
    perfect = scores.count(law.perfect) / games
    return dict(games=games, mean=mean, sem=sem, perfect=perfect, lost=lost / games)


def people_in(source: str) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the scores of people in finished games of two from `hanabi play`.

    Args:
        source: A file or a folder.

    Returns:
        Scores by (variant, partner): the partner is an agent, or "person".

    Raises:
        ValueError: There is no such game.
    """
    found: dict[tuple[str, str], list[Game]] = {}
    for _, game in read_games(source).games:
        if game.end and not game.abandoned and game.variant.seats == 2 and game.people:
            partner = "".join(game.agents) or PERSON
            found.setdefault((str(game.variant), partner), []).append(game)
    if not found:
        raise ValueError(
            f"no finished game of a person and another one in {source}: play some, hanabi play"
            " --text zhao --variant zhao-2"
        )
    return {
        key: _scored(
            games[0].variant,
            [game.score for game in games],
            sum(game.end == "lives" for game in games),
        )
        for key, games in found.items()
    }


def _kind(step: Step) -> int:
    """Return 0 for a play, 1 for a hint, 2 for a discard."""
    if step.move < DISCARD:
        return 0
    return 2 if step.move < TELL_COLOUR else 1


def _touches_a_play(step: Step) -> bool:
    """Return whether a move is a hint that touches a playable card."""
    view, seat = step.view, 1 - step.seat
    return _kind(step) == 1 and any(
        1 << int(card) & told_cards(step.move) & view.playable
        for card in view.hands[seat]
        if card >= 0
    )


def report(
    games: int | None = None, progress: Callable[..., None] | None = None, people: str = ""
) -> dict[str, Any]:
    """Return every table as data; see ``hanabi.evolve.papers.report.Paper``."""
    games, played = games or GAMES, people_in(people) if people else {}
    cells, todo = {}, wanted()
    for done, (variant, spec, partner) in enumerate(todo):
        if progress:
            progress(done, len(todo), f"{spec} beside {partner}, {variant}")
        cells[variant, spec, partner] = cell(variant, spec, partner, games_of(variant, spec, games))
    return dict(
        what="zhao",
        seed=SEED,
        games=games,
        scoring="kept",
        tables=tables(cells, played),
        cells=[*cells.values()],
    )


register_paper("zhao", "Zhao 2022, a dissertation: his belief search", report, has_people=True)
