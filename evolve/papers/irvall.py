"""Irvall's thesis (2023) and this program, side by side: how many worlds, how much memory, how long.

The thesis holds for a player p its own possible hands w, and in each of them the hands that every partner may have,
all listed (`hanabi.rules.museum.irvall.explicit_model`); `hanabi.knowledge.questions` answers the same questions and lists none. Figures of the thesis
are quoted from docs/kripke.md, sections 6 and 10.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from hanabi.cards import COLOURS
from hanabi.evolve.measure.arena import mean_sem
from hanabi.evolve.measure.knowledge_cost import ANSWERS, QUESTIONS, microseconds, mid_game
from hanabi.evolve.papers.source_differences import differences
from hanabi.game_record import play_one
from hanabi.knowledge.plain_interface import HandKnowledge
from hanabi.lazy import set_answers
from hanabi.moves import NAMES as SEATS
from hanabi.notation import counted
from hanabi.rules.agents import load
from hanabi.rules.museum.irvall.explicit_model import LIMIT, ExplicitModel, needs, table1
from hanabi.rules.museum.irvall.hand_lists import COUNTS, FORMS, STANDARD, count_hands
from hanabi.state import VIEW
from hanabi.table import Table, game_seeds
from hanabi.text.explanation import sight_of, types_row
from hanabi.variant import read_variant

PLAYERS = (2, 3, 4, 5)
TABLE_1 = {2: (65_574, 93_667), 3: (47_666, 83_848), 4: (7_406, 16_316), 5: (6_676, 12_962)}
BLIND = {4: 18_480, 5: 99_455}  # hands of a player who sees nobody's
ROUNDS = "3.82–11.27 GB and 4.5–14.3 s per model (20 first rounds)"
GAMES = dict(mean=14.2, lowest=12, highest=17, games=20)
PLAYED = 5_000  # games per row of ROWS: players, agent, variant
ROWS = (
    *((players, "irvall", "irvall") for players in PLAYERS),
    (5, "irvall", "standard"),
    (5, "irvall-literal", "irvall"),
    (5, "irvall-literal", "standard"),
)
FIVE_GAMES = 57.3 * 60  # seconds for five games, of which 56.9 minutes in the model
LISTED = 300_000_000  # bytes that a model of `ratio` may take


# --- one position, both ways -----------------------------------------------------------------------------------------
def two_ways(
    players: int,
    seed: int,
    turn: int | None = None,
    limit: int = LIMIT,
    progress: Callable[..., None] | None = None,
) -> dict:
    """A position of a game that the agent `irvall` plays, asked of a model that lists all worlds and of the kernels.
    Without `turn` the first position whose model fits into the limit. What the start would need is always counted.
    `progress(what=…)` is told what is at hand.
    """
    variant = read_variant("standard").at(players)
    game = play_one(variant, [load("irvall").at(players)], [0] * players, seed)
    start = needs(sight_of(*game.at(0)), hinted=False)
    if turn is None:
        turn = next(
            (t for t in range(len(game.moves)) if needs(sight_of(*game.at(t))).bytes <= limit),
            len(game.moves),
        )
    table, view = game.at(turn)
    sight, cost = sight_of(table, view), needs(sight_of(table, view))
    found = dict(
        players=players,
        seed=seed,
        turn=turn,
        seat=SEATS[view.me],
        deck=int(view.deck),
        limit=limit,
        start=_cost(start),
        here=_cost(cost),
        fits=cost.bytes <= limit,
    )
    view = view.copy()
    set_answers(view, ANSWERS)
    views = np.zeros(1, VIEW)
    views[0] = view
    tell = progress or _nobody
    tell(what="asking the kernels")
    found["kernel_us"] = microseconds(views, 0, QUESTIONS)
    found["answers"] = _answers(sight, sight)
    if found["fits"]:
        tell(what=f"listing {cost.mine:,} own hands and {sum(cost.nested.values()):,} of others")
        begin = time.thread_time()
        model = ExplicitModel.build(sight, limit=limit)
        found["build_s"] = time.thread_time() - begin
        begin = time.thread_time()
        listed = _answers(sight, model)
        found["ask_s"] = time.thread_time() - begin
        found["model_bytes"], found["same"] = model.bytes, listed == found["answers"]
        found["ratio"] = (found["build_s"] + found["ask_s"]) / found["kernel_us"] * 1e6
    return found


def _nobody(*how, **what):
    """Whom progress is told where nobody asked."""


def _cost(cost):
    return dict(own_hands=cost.mine, nested_hands=sum(cost.nested.values()), bytes=cost.bytes)


def _answers(sight: HandKnowledge, model: HandKnowledge | ExplicitModel) -> dict[str, list[int]]:
    """The possible sets of the own slots, and what the own seat knows that each other seat knows."""
    return {
        SEATS[seat]: model.possible() if seat == sight.me else model.considers(seat)
        for seat in range(len(sight.masks))
    }


def kripke_text(found: dict) -> str:
    """`two_ways` for a terminal."""
    start, here = found["start"], found["here"]
    lines = [
        f"Standard game, {found['players']} players, seed {found['seed']}, played by irvall.",
        (
            f"At the start one model lists {start['own_hands']:,} own hands and"
            f" {start['nested_hands']:,} hands of others in them: {_bytes(start['bytes'])}."
        ),
        "",
        (
            f"Turn {found['turn']}, {found['seat']} is to move, {counted(found['deck'], 'card')} in"
            " the deck."
        ),
        (
            f"The model lists {here['own_hands']:,} own hands and {here['nested_hands']:,} hands of"
            f" others in them: {_bytes(here['bytes'])} to build it."
        ),
    ]
    if found["fits"]:
        lines += [
            (
                f"Listed:  built in {found['build_s']:.3g} s, asked in {found['ask_s']:.3g} s, "
                f"{_bytes(found['model_bytes'])} kept."
            ),
            (
                f"Kernels: {found['kernel_us']:.2f} µs, nothing listed; five exact chances per slot"
                " included."
            ),
            (
                f"{'The same' if found['same'] else 'DIFFERENT'} answers for all {found['players']}"
                f" hands, {found['ratio']:,.0f} times faster."
            ),
        ]
    else:
        lines += [
            (
                f"That is more than the limit of {_bytes(found['limit'])}, so it is not built;"
                " leave --turn out for the first position that fits."
            ),
            f"Kernels: {found['kernel_us']:.2f} µs, nothing listed.",
        ]
    lines += [
        "",
        f"What {found['seat']} knows a card can be (of others: what it knows that they know):",
    ]
    variant, indent = read_variant("standard"), " " * 7
    lines.append(indent + "     ".join(COLOURS[: variant.colours]))
    for name, sets in found["answers"].items():
        lines.append(
            f"  {name}  " + f"\n{indent}".join(types_row(types, variant) for types in sets if types)
        )
    return "\n".join(lines) + "\n"


def _bytes(count):
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} bytes"


# --- the thesis ------------------------------------------------------------------------------------------------------
def first_rounds(players: int, deals: int = 10) -> list[int]:
    """Bytes of the thesis's model of the seat to move, as tables of counts, for some deals before any hint."""
    rng, sizes = random.Random(players), []
    for _ in range(deals):
        deck = read_variant("standard").deck()
        rng.shuffle(deck)
        width = 5 if players < 4 else 4
        hands = [deck[seat * width : seat * width + width] for seat in range(players)]
        sight = HandKnowledge.of([[(1 << 25) - 1] * width] * players, hands, 0, list(STANDARD))
        sizes.append(needs(sight, COUNTS, False).bytes)
    return sizes


def ratio(players: int, positions: int = 12) -> dict:
    """Median times of both on positions from the middle of games, where the model needs at most LISTED bytes."""
    views, sights = mid_game(players, 60)
    listed: list[tuple[float, int]] = []
    agree = True
    for sight in sights:
        if len(listed) == positions or needs(sight).bytes > LISTED:
            continue
        begin = time.thread_time()
        model = ExplicitModel.build(sight)
        answers = _answers(sight, model)
        listed.append((time.thread_time() - begin, model.hands))
        agree &= answers == _answers(sight, sight)
    kernel = microseconds(views, 0, QUESTIONS)
    spent = statistics.median(seconds for seconds, _ in listed) if listed else None
    hands = int(statistics.median(hands for _, hands in listed)) if listed else 0
    return dict(
        players=players,
        positions=len(listed),
        hands=hands,
        explicit_s=spent,
        kernel_us=kernel,
        ratio=spent / kernel * 1e6 if spent else None,
        agree=agree,
    )


def encodings(players: int = 4, limit: int = 50_000_000, positions: int = 60) -> list[dict]:
    """The three encodings of a hand that the thesis discusses, on one position from the middle of a game, the largest that takes
    at most ``limit`` bytes: seconds to list all hands (coded), and to ask them (decoded), bytes kept, the same answers?
    """
    _, sights = mid_game(players, positions)
    sight = max(
        (sight for sight in sights if needs(sight).bytes <= limit),
        key=lambda sight: needs(sight).bytes,
    )
    found, wanted = {}, _answers(sight, sight)
    for form in FORMS * 2:  # the first time it may have to be compiled
        begin = time.thread_time()
        model = ExplicitModel.build(sight, form)
        built = time.thread_time()
        same = _answers(sight, model) == wanted
        found[form] = dict(
            form=form,
            hands=model.hands,
            bytes=model.bytes,
            build_s=built - begin,
            ask_s=time.thread_time() - built,
            same=same,
        )
    return [*found.values()]


def agent(players: int, games: int, spec: str = "irvall", variant: str = "irvall") -> dict:
    """The scores of the thesis's action list with itself, the seconds that five games take, and the lowest and highest of 20
    games: of the first 20, and the medians over all twenties. `off_by`: our mean less the thesis's, in standard errors of a
    mean of 20 games.
    """
    table, seats = (
        Table(read_variant(variant).at(players), [load(spec).at(players)]),
        np.zeros(players, np.int64),
    )
    table.play(game_seeds(1, 1), seats)
    seeds = game_seeds(2023, games)
    begin = time.thread_time()
    score = table.play(seeds, seats)["score"]
    spent = time.thread_time() - begin
    twenties = score[: games // 20 * 20].reshape(-1, 20)
    mean, sem = map(float, mean_sem(score))
    return dict(
        agent=spec,
        variant=variant,
        players=players,
        games=games,
        mean=mean,
        sem=sem,
        off_by=(mean - GAMES["mean"]) / float(score.std() / GAMES["games"] ** 0.5),
        first=(int(twenties[0].min()), int(twenties[0].max())),
        median=(float(np.median(twenties.min(axis=1))), float(np.median(twenties.max(axis=1)))),
        five_games_s=spent / games * 5,
    )


def report(
    games: int | None = None, progress: Callable[..., None] | None = None
) -> tuple[dict, str]:
    """Everything, as data and as text; ``games`` of its agent per row, ``progress`` is told (done, of, what is at hand)."""
    tell = progress or _nobody
    tell(0, 5, "Table 1: hands that are possible at the start")
    sizes = table1()
    data: dict[str, Any] = dict(
        table1={str(p): dict(thesis=TABLE_1[p], ours=sizes[p]) for p in PLAYERS}
    )
    tell(1, 5, "hands of a player who sees nobody's")
    data["blind"] = {
        str(size): dict(thesis=count, ours=count_hands(STANDARD, size))
        for size, count in BLIND.items()
    }
    for done, (name, what, found) in enumerate(
        (
            ("first_rounds", "models before the first hint", first_rounds),
            ("ratio", "positions both ways", ratio),
        ),
        2,
    ):
        data[name] = []
        for place, p in enumerate(PLAYERS):
            tell(done + place / len(PLAYERS), 5, f"{what}, {p} players")
            data[name].append(found(p))
    data["encodings"] = encodings()
    tell(4, 5, "games of its agent")
    data["agent"] = [agent(players, max(games or PLAYED, 20), *whose) for players, *whose in ROWS]
    data["differences"] = differences(row["agent"] for row in data["agent"])
    data["first_rounds"] = dict(zip(map(str, PLAYERS), data["first_rounds"]))
    lines = [
        (
            'Irvall, "Making self-playable agents for the Hanabi card game using Dynamic Epistemic'
            ' Logic" (2023)'
        ),
        "",
        "Hands that a player considers possible at the start, 30 deals (Table 1)",
        "  players   thesis              ours",
    ]
    for p in PLAYERS:
        same = "equal" if TABLE_1[p] == sizes[p] else "DIFFERENT"
        lines.append(f"  {p}         {_span(TABLE_1[p])}{_span(sizes[p])}{same}")
    for size, count in BLIND.items():
        lines.append(
            f"  {size} cards of a full deck: thesis {count:,}, ours"
            f" {data['blind'][str(size)]['ours']:,}"
        )
    lines += ["", f"One model before the first hint, 25 bytes per hand (the thesis: {ROUNDS})"]
    for p in PLAYERS:
        low, high = min(data["first_rounds"][str(p)]), max(data["first_rounds"][str(p)])
        lines.append(
            f"  {p} players: {_bytes(low)} to {_bytes(high)} over"
            f" {len(data['first_rounds'][str(p)])} deals"
        )
    lines += [
        "",
        (
            f"In the middle of a game, where all worlds take at most {_bytes(LISTED)}: listed,"
            " after the hints, and not listed"
        ),
        "  players  positions  hands listed   listed       kernels    ratio",
    ]
    for row in data["ratio"]:
        lines.append(
            f"  {row['players']}        {row['positions']:<10} {row['hands']:<14,} "
            + (
                f"{row['explicit_s']:<9.3g} s  {row['kernel_us']:.2f} µs   {row['ratio']:,.0f}"
                if row["explicit_s"]
                else "none fits"
            )
            + ("" if row["agree"] else "   DIFFERENT ANSWERS")
        )
    lines += [
        "",
        (
            "Its three encodings of a hand, four players, a position with"
            f" {data['encodings'][0]['hands']:,} hands"
        ),
        "  encoding                    kept       listed     asked",
    ]
    says = dict(
        cards="sorted cards, 1 byte each",
        number="number of the hand",
        counts="table of 25 counts (his)",
    )
    for row in data["encodings"]:
        lines.append(
            f"  {says[row['form']]:<27} {_bytes(row['bytes']):<10} {row['build_s']:.3g} s".ljust(52)
            + f"{row['ask_s']:.3g} s"
            + ("" if row["same"] else "   DIFFERENT ANSWERS")
        )
    lines += [
        "",
        (
            f"Its action list with itself, kept. The thesis: mean {GAMES['mean']}, from"
            f" {GAMES['lowest']} to {GAMES['highest']} in {GAMES['games']} games of five players;"
            f" {FIVE_GAMES:,.0f} s for five games."
        ),
        "Its laws, here the variant irvall: 4 lives, no token for a completed firework.",
        (
            "irvall draws among useful hints, as its program does; irvall-literal among all legal"
            " ones."
        ),
        (
            f"{data['agent'][0]['games']:,} games per row; beside their mean the lowest and "
            "highest of the first 20, and the medians of these."
        ),
        "  agent           variant   players  mean ± s.e.   off by  first  median",
    ]
    for row in data["agent"]:
        mean, off_by = (
            f"{row['mean']:.2f} ± {row['sem']:.2f}",
            f"{row['off_by']:+.1f}" if row["players"] == 5 else "",
        )
        first, median = (f"{low:.0f}–{high:.0f}" for low, high in (row["first"], row["median"]))
        lines.append(
            f"  {row['agent']:<15} {row['variant']:<9} {row['players']:<8} {mean:<13} {off_by:>6} "
            f" {first:>5}  {median:>6}"
        )
    five = next(row for row in data["agent"] if row["players"] == 5)
    lines += [
        "Off by: our mean less the thesis's, in standard errors of a mean of 20 games.",
        (
            f"Five games of five players take {five['five_games_s'] * 1e3:.2g} ms, "
            f"{FIVE_GAMES / five['five_games_s']:,.0f} times less than there."
        ),
        *(f"{name} differs from its source: {how}." for name, how in data["differences"]["rows"]),
    ]
    return data, "\n".join(lines) + "\n"


def _span(pair):
    return f"{pair[0]:,}–{pair[1]:,}".ljust(20)
