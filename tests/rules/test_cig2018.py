"""The rules of 2018 and the living ones beside them.

Legal in every variant, and the scores of the agents of 2018.
"""

import numpy as np
import pytest
from mixed_games import answers, mixed_games

from hanabi.game import is_legal
from hanabi.moves import FORFEIT, NOTHING
from hanabi.rulebook import BOOK, find, program
from hanabi.rules import SETS
from hanabi.table import ListPlayer, Table, game_seeds
from hanabi.variant import Variant, read_variant

OURS = (
    "hanabi.rules.museum.cig2018.play_rules",
    "hanabi.rules.museum.cig2018.discard_rules",
    "hanabi.rules.museum.cig2018.tell_rules",
    "hanabi.rules.museum.cig2018.mistake",
    "hanabi.rules.play",
    "hanabi.rules.discard",
    "hanabi.rules.tell",
)
MIRROR = {  # FIELD §1: kept scores by player count, 5,000 games a cell (evolved 6,000)
    "Piers": ("41,8,46,13,48,38,27,22,34", 17.30, 17.58, 17.11, 16.27),
    "IGGI": ("2,8,13,38,27,39", 16.40, 16.78, 16.13, 15.06),
    "Outer": ("8,38,21,23,34", 14.53, 14.40, 13.14, 12.59),
    "Internal": ("8,38,20,22,34", 11.18, 11.06, 10.21, 9.99),
    "LegalRandom": ("39", 1.24, 1.23, 1.26, 1.26),
    "Flawed": ("8,49,22,38,27,34", 1.48, 1.59, 1.71, 1.79),
    "Sample": ("8,22,34", 6.98, 7.21, 6.87, 7.10),
    "Cautious": ("2,8,13,38,34", 10.55, 16.69, 16.17, 15.18),
    "MirrorOld": (
        "46,8,2,13,25,38,1,36,27,26,12,17,14,11,48,19,15,3,10,33",
        19.36,
        18.95,
        18.18,
        16.99,
    ),
    "MirrorSituational": (
        (
            "68,7,63,8,67,66,52,35,36,51,33,13,54,16,48,37,69,19,4,5,44,61,27,49",
            "63,41,50,7,67,29,32,0,39",
        ),
        20.10,
        19.62,
        19.39,
        18.35,
    ),
    "VanDenBergh": (None, 13.38, 17.47, 17.13, 16.27),
}
FIRST_OF_VAN_DEN_BERGH = [
    "cig2018.if_lives_play_probably_safe_else_safe(chance=0.6)",
    "cig2018.discard_probably_useless(chance=1)",
]


@pytest.mark.parametrize(
    "text",
    [
        "standard",
        "mini",
        "two-colour",
        "colours=6,tokens=3",
        "ranks=1,hand=2",
        "colours=1,hand=1",
        "colours=2,hand=3",
        "colours=2,ranks=2,hand=2,players=2",
        "hand=3,lives=1,tokens=1",
        "ranks=2,copies=13,hand=2,last_round=false",
    ],
)
def test_every_rule_is_legal_in_every_variant(text):
    rules = [rule for rule in BOOK.values() if rule.family.function.__module__ in OURS]
    assert len(rules) > 212
    rows, out = program(rules), np.zeros(len(rules), np.int64)
    for view, _ in mixed_games(24, variant=read_variant(text)):
        answers(rows, view, out)
        for rule, move in zip(rules, out.tolist(), strict=True):
            assert (
                move == NOTHING
                or is_legal(view, move)
                or (move == FORFEIT and rule.name.startswith("cig2018."))
            ), (rule.name, move)


@pytest.mark.parametrize("games", [2500, pytest.param(40000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", MIRROR)
def test_the_agents_of_2018_score_as_measured(name, games):
    """Within 3.5 standard errors of the difference, with the reference's error from our own
    spread.
    """
    text, *expected = MIRROR[name]
    for players, mean in zip(range(2, 6), expected, strict=True):
        if text is None:
            names = FIRST_OF_VAN_DEN_BERGH + [
                SETS["cig2018"][number] for number in (13, 14, 19, 29)
            ]
        else:
            numbers = text if isinstance(text, str) else text[players > 2]
            names = [SETS["cig2018"][int(number)] for number in numbers.split(",")]
        table = Table(Variant(players=players), [ListPlayer(tuple(map(find, names)), "forfeit")])
        scores = table.play(game_seeds(2018, games), np.zeros(players, np.int64))["score"]
        error = (
            scores.std() * (1 / games + 1 / (6000 if name.startswith("Mirror") else 5000)) ** 0.5
        )
        assert abs(scores.mean() - mean) < 3.5 * (error**2 + 0.003**2) ** 0.5, (
            players,
            scores.mean(),
            mean,
        )


def test_the_sets_have_the_published_numbers():
    assert [len(SETS[name]) for name in ("cig2018-old", "cig2018", "cig2018-extended")] == [
        50,
        72,
        105,
    ]
    assert (
        SETS["cig2018"][:50] == SETS["cig2018-old"]
        and SETS["cig2018-extended"][:72] == SETS["cig2018"]
    )
    for names in (SETS["cig2018-extended"], SETS["modern"], SETS["just-hinted-of-the-paper"]):
        assert len(set(names)) == len(names) and all(find(name).name == name for name in names)
