"""Irvall's thesis (2023) beside this program: numbers of worlds, memory, time, scores.

For a player, the thesis lists its possible hands, and in each of them the possible hands of every
partner (`hanabi.rules.museum.irvall.explicit_model`). `hanabi.knowledge.questions` answers the same
questions and lists none. docs/papers/irvall.md shows the tables.
"""

import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hanabi.evolve.measure.arena import mean_sem
from hanabi.evolve.measure.knowledge_cost import ANSWERS, QUESTIONS, microseconds, mid_game
from hanabi.evolve.papers.irvall_codes import codes_table
from hanabi.evolve.papers.irvall_figures import MINUTES, phases, phases_table, wise_men_table
from hanabi.evolve.papers.report import differences, register_paper
from hanabi.game_record import play_one
from hanabi.knowledge.plain_interface import HandKnowledge
from hanabi.moves import COLOURS, NAMES as SEATS
from hanabi.notation import counted
from hanabi.rules.agents import load
from hanabi.rules.museum.irvall.explicit_model import (
    LIMIT,
    ExplicitModel,
    list_without_keeping,
    needs,
    table1,
)
from hanabi.rules.museum.irvall.hand_lists import COUNTS, FORMS, STANDARD, count_hands
from hanabi.state import VIEW, set_answers
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
CODED = 25  # of that many games, one is used to count the worlds that codes leave
FIVE_GAMES = MINUTES[0] * 60  # seconds
LISTED = 300_000_000  # bytes that a model of `ratio` may take


# One position, both ways


def two_ways(
    players: int,
    seed: int,
    turn: int | None = None,
    limit: int = LIMIT,
    progress: Callable[..., None] | None = None,
) -> dict:
    """Ask a model that lists all worlds, and the kernels, about a position of an irvall game.

    Args:
        players: Player count of the standard game.
        seed: Deal.
        turn: Turn of the game; by default the first whose model fits into the limit.
        limit: Bytes of the model at most; a larger one is not built.
        progress: Called with ``what``.

    Returns:
        Sizes, times and answers of both; those of the start are counted in any case.
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
    tell = progress or (lambda *step, **what: None)
    tell(what="running the kernels")
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


def _cost(cost):
    return dict(own_hands=cost.mine, nested_hands=sum(cost.nested.values()), bytes=cost.bytes)


def _answers(sight: HandKnowledge, model: HandKnowledge | ExplicitModel) -> dict[str, list[int]]:
    """Return the possible sets of the own slots, and what each other seat is known to know."""
    return {
        SEATS[seat]: model.possible() if seat == sight.me else model.considers(seat)
        for seat in range(len(sight.masks))
    }


def kripke_text(found: dict) -> str:
    """Return the result of ``two_ways`` as text for a terminal."""
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
    variant, indent = read_variant("standard"), " " * 7
    lines += [
        "",
        f"What {found['seat']} knows a card can be (of others: what it knows that they know):",
        indent + "     ".join(COLOURS[: variant.colours]),
        *(
            f"  {name}  " + f"\n{indent}".join(types_row(types, variant) for types in sets if types)
            for name, sets in found["answers"].items()
        ),
    ]
    return "\n".join(lines) + "\n"


def _bytes(count):
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} bytes"


# The thesis


def first_rounds(players: int, deals: int = 10) -> list[HandKnowledge]:
    """Return what the seat to move sees, for some deals before any hint."""
    rng, sights, width = random.Random(players), [], 5 if players < 4 else 4
    untold = [[(1 << 25) - 1] * width] * players
    for _ in range(deals):
        deck = read_variant("standard").deck()
        rng.shuffle(deck)
        hands = [deck[seat * width : seat * width + width] for seat in range(players)]
        sights.append(HandKnowledge.of(untold, hands, 0, list(STANDARD)))
    return sights


def listing_seconds(sights: Sequence[HandKnowledge]) -> list[float]:
    """Return the CPU seconds to list the hands of each model before any hint, keeping none."""
    list_without_keeping(HandKnowledge.of([[3], [3]], [[0], [1]], 0, list(STANDARD)))  # compiles
    spent = []
    for sight in sights:
        begin = time.thread_time()
        list_without_keeping(sight)
        spent.append(time.thread_time() - begin)
    return spent


def ratio(players: int, positions: int = 12) -> dict:
    """Return median times of both where the model needs at most LISTED bytes, in mid-game."""
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
    """Measure the three encodings of a hand that the thesis discusses.

    They are measured on one mid-game position, the largest that takes at most ``limit`` bytes.

    Returns:
        Per encoding: hands, bytes, seconds to list (encode) and to ask (decode), and whether the
        answers are the same.
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
    """Play games of the thesis's action list with itself.

    Returns:
        Mean score and standard error; ``off_by``, our mean less the thesis's in standard errors of
        a mean of 20 games; the lowest and highest score of the first 20 games, and the medians of
        these over all twenties; the seconds of five games.
    """
    table = Table(read_variant(variant).at(players), [load(spec).at(players)])
    seats = np.zeros(players, np.int64)
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


def report(games: int | None = None, progress: Callable[..., None] | None = None) -> dict[str, Any]:
    """Return what the thesis reports and what we find, as data with ``tables``.

    Args:
        games: Games of its agent per row; at least 20.
        progress: Called with (done, of, what).
    """
    tell = progress or (lambda *step, **what: None)
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
    data["first_rounds"] = {}
    for place, p in enumerate(PLAYERS):
        tell(2 + place / len(PLAYERS), 5, f"models before the first hint, {p} players")
        sights = first_rounds(p)
        data["first_rounds"][str(p)] = [needs(sight, COUNTS, False).bytes for sight in sights]
    data["first_round_seconds"] = listing_seconds(sights)  # five players, as in the thesis
    data["ratio"] = []
    for place, p in enumerate(PLAYERS):
        tell(3 + place / len(PLAYERS), 5, f"positions both ways, {p} players")
        data["ratio"].append(ratio(p))
    data["encodings"] = encodings()
    data["phases"] = phases()
    tell(4, 5, "games of its agent")
    data["agent"] = [agent(players, max(games or PLAYED, 20), *whose) for players, *whose in ROWS]
    data["tables"] = [
        _hands_table(data),
        _memory_table(data["first_rounds"], data["first_round_seconds"]),
        _ratio_table(data["ratio"]),
        _encodings_table(data["encodings"]),
        phases_table(data["phases"]),
        wise_men_table(),
        _agent_table(data["agent"]),
        codes_table(max((games or PLAYED) // CODED, 20), tell),
        differences(row["agent"] for row in data["agent"]),
    ]
    return data


def _table(name, title, columns, rows, note):
    return dict(name=name, title=title, columns=columns, rows=rows, note=note)


def _hands_table(data):
    """Return the numbers of possible hands, which are exact."""
    rows = [
        [f"{players} players, at the start", _span(row["thesis"]), _span(row["ours"])]
        for players, row in data["table1"].items()
    ]
    rows += [
        [f"{size} cards of a full deck", f"{row['thesis']:,}", f"{row['ours']:,}"]
        for size, row in data["blind"].items()
    ]
    return _table(
        "irvall-hands",
        "Irvall 2023, Table 1: hands that a player considers possible",
        ["of", "thesis", "ours", ""],
        [[*row, "equal" if row[1] == row[2] else "DIFFERENT"] for row in rows],
        "At the start: the fewest and the most in 30 deals.",
    )


def _memory_table(sizes, seconds):
    """Return the memory of the thesis's model before the first hint, and the seconds to list it."""
    times = {"5": [f"{min(seconds):.1f} s", f"{max(seconds):.1f} s"]}
    rows = [
        [
            int(players),
            len(some),
            _bytes(min(some)),
            _bytes(max(some)),
            *times.get(players, ["", ""]),
        ]
        for players, some in sizes.items()
    ]
    return _table(
        "irvall-memory",
        "One model before the first hint, 25 bytes per hand",
        ["players", "deals", "least", "most", "shortest", "longest"],
        rows,
        f"The thesis: {ROUNDS}. Ours in CPU seconds of one core, each hand written over the last,"
        " since the memory is not there.",
    )


def _ratio_table(found):
    """Return the times of listing all worlds and of listing none."""
    rows = []
    for row in found:
        listed = f"{row['explicit_s']:.3g} s" if row["explicit_s"] else "none fits"
        ratio = f"{row['ratio']:,.0f}" if row["ratio"] else ""
        kernels, same = f"{row['kernel_us']:.2f} µs", "same" if row["agree"] else "DIFFERENT"
        rows.append([row["players"], row["positions"], row["hands"], listed, kernels, ratio, same])
    return _table(
        "irvall-ratio",
        f"In the middle of a game, where all worlds take at most {_bytes(LISTED)}",
        ["players", "positions", "hands listed", "listed", "kernels", "ratio", "answers"],
        rows,
        "Listed: after the hints. Kernels: nothing is listed.",
    )


def _encodings_table(found):
    """Return memory and times of the thesis's three encodings of a hand."""
    names = dict(
        cards="sorted cards, 1 byte each",
        number="number of the hand",
        counts="table of 25 counts (the thesis's)",
    )
    rows = []
    for row in found:
        times = [f"{row['build_s']:.3g} s", f"{row['ask_s']:.3g} s"]
        same = "same" if row["same"] else "DIFFERENT"
        rows.append([names[row["form"]], _bytes(row["bytes"]), *times, same])
    return _table(
        "irvall-encodings",
        f"Its three encodings of a hand, four players, {found[0]['hands']:,} hands",
        ["encoding", "kept", "listed", "asked", "answers"],
        rows,
        "",
    )


def _agent_table(found):
    """Return the scores of its action list."""
    rows = []
    for row in found:
        first, median = (f"{low:.0f}–{high:.0f}" for low, high in (row["first"], row["median"]))
        mean = f"{row['mean']:.2f} ± {row['sem']:.2f}"
        off_by = f"{row['off_by']:+.1f}" if row["players"] == 5 else ""
        where = [row["agent"], row["variant"], row["players"]]
        rows.append([*where, mean, off_by, first, median])
    five = next(row["five_games_s"] for row in found if row["players"] == 5)
    return _table(
        "irvall-agent",
        f"Its action list with itself, kept, {found[0]['games']:,} games per row",
        ["agent", "variant", "players", "mean ± s.e.", "off by", "first", "median"],
        rows,
        f"The thesis: mean {GAMES['mean']}, from {GAMES['lowest']} to {GAMES['highest']} in"
        f" {GAMES['games']} games of five players. Off by: our mean less the thesis's, in standard"
        " errors of a mean of 20 games. First: the lowest and highest of the first 20; median: the"
        " medians of these over all twenties. Its laws, here the variant irvall: 4 lives, no token"
        " for a completed firework. irvall draws among useful hints, as its program does;"
        f" irvall-literal among all legal ones. Five games of five players take {five * 1e3:.2g}"
        f" ms, {FIVE_GAMES / five:,.0f} times less than the {FIVE_GAMES:,.0f} s there.",
    )


def _span(pair):
    return f"{pair[0]:,}–{pair[1]:,}"


register_paper("irvall", "Irvall 2023, a thesis: sizes of its models, times, its agent", report)
