"""Who sits there: the posterior against its slow twin, what it may not see, whom it finds, and the seat that replies."""

import json
import math
import shutil

import numpy as np
import pytest
import slow_partners as twin
import slow_search as slow
from paths import ROOT
from scipy.stats import chisquare
from typed import typed

from docs.generate.partner_tables import TABLES
from hanabi.evolve.measure.attribution import attribute_moves
from hanabi.evolve.measure.tournament import play_games
from hanabi.game import snapshots
from hanabi.game_reader import load as load_game
from hanabi.game_record import play_one
from hanabi.lookahead.look_ahead_player import LookAhead
from hanabi.lookahead.move_probability import chance_of
from hanabi.lookahead.partners import PosteriorTracker, contexts_of, log_likelihood, view_in
from hanabi.lookahead.replay import FACTS_DTYPE
from hanabi.moves import read_move
from hanabi.player import decide
from hanabi.rules.agents import dumps, load, loads, member_specs, pool
from hanabi.state import FACTS_BYTES
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant

MINI, STANDARD = (read_variant(name).at(3) for name in ("mini", "standard"))
PAPER = pool("cig2018-paper")
LISTS = [agent.at(3) for agent in PAPER]


def mixed_game(names, seed, variant=MINI):
    """(state, view) before each move of a game of named agents, and after the last one."""
    return snapshots(Table(variant, [load(name).at(3) for name in names]).steps(seed, range(3)))


# --- chances ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["sample", "internal", "legal-random", "irvall-literal"])
def test_exact_chances_are_those_of_many_samples(name):
    """Asked with other random words a list does each move as often as it should; irvall.tell_random throws twice."""
    table, rng, spread = Table(STANDARD, [load(name).at(3)]), np.random.default_rng(3), 0
    rows, length, otherwise = table.rows, table.lengths[0], table.otherwise[0]
    for _, view in snapshots(table.steps(2, [0] * 3))[1:20:6]:
        many = 1500
        made = []
        for word in rng.integers(0, 2**63, many):
            view.word, view.asked = word, 0
            made.append(int(decide(rows, 0, length, otherwise, view)[1]))
        chances = {move: chance_of(rows, 0, length, otherwise, view, move) for move in set(made)}
        assert sum(chances.values()) == pytest.approx(1)
        spread = max(spread, len(chances))
        if len(chances) > 1:
            cells = [(made.count(move), many * chance) for move, chance in chances.items()]
            assert chisquare(*np.array(cells).T).pvalue > 1e-4
    assert spread > 2


# --- the posterior ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "names", [("piers", "sample", "internal"), ("legal-random", "iggi", "flawed")]
)
def test_the_posterior_is_its_slow_twin(names):
    """Taken in all at once or turn by turn, and by the twin: the same to the last bit; as a peeping twin has it, another."""
    game = mixed_game(names, 4)[:10]
    state, view = game[-1]
    contexts = contexts_of(MINI, LISTS)
    for me in (0, 2):
        views = [view for _, view in game if view.me == me]
        last = int(views[-1].turn)
        slowly, watch = (PosteriorTracker(contexts, 3, 0.001) for _ in range(2))
        for seen in views:
            slowly.update(seen)
        watch.update(views[-1])
        want = twin.logs(LISTS, MINI, game[: last + 1], me, 3, 0.001)
        assert (slowly.logs == want).all() and (watch.logs == want).all() and want.any()
        assert (twin.logs(LISTS, MINI, game[: last + 1], me, 3, 0.001, peek=True) != want).any()


def test_a_move_counts_by_its_chance_and_one_of_twenty_slips():
    """The twin above uses this function, so it would not see a fault in it."""
    assert log_likelihood(0.3, 0.1) == pytest.approx(math.log(0.9 * 0.3 + 0.1 / 20))
    assert log_likelihood(0.0, 0.5) == pytest.approx(math.log(0.5 / 20)) != math.log(0.5)


def exchanged(game, me, turn, rng):
    """The same game up to a turn, but that the seat held another hand that fits, and another deck lies there."""
    state, view = game[turn]
    drawn = [int(card) for card in state.deck[: state.cards - view.deck]]
    slots, hands = slow.hands_of(view, view.mask[me])
    for slot, card in zip(slots, list(hands)[rng.integers(len(hands))]):
        drawn[int(view.born[me, slot])] = card
    rest = MINI.deck()
    for card in drawn:
        rest.remove(card)
    table = Table(MINI, [LISTS[0]], drawn + rng.permutation(rest).tolist())
    return snapshots(table.replay(int(state.seed), [0] * 3, slow.moves_of(view)))


def test_neither_my_hand_nor_the_deck_changes_the_posterior_or_the_move(table_of_two):
    player, rng, differ = (
        load(f"partners:{table_of_two},hands=4").at(3),
        np.random.default_rng(1),
        0,
    )
    for seed in (1, 2):
        game = mixed_game(("piers", "iggi", "piers"), seed)
        for turn in (6, 12):
            found = []
            for world in (game[: turn + 1], exchanged(game, 0, turn, rng)):
                _, view = world[-1]
                mine = view.copy()
                mine.word = 1  # the seed of the deal is another where the deck is given
                sitting = player.join(MINI, 0, (player,) * 3)
                move = sitting.move(mine)
                found.append(
                    (
                        move,
                        sitting.tracker.logs.tolist(),
                        twin.logs(LISTS[3:4], MINI, world, 0, 1, 0.001, peek=True).tolist(),
                    )
                )
            assert found[0][:2] == found[1][:2]
            differ += found[0][2] != found[1][2]
    assert differ  # the fault: a posterior that looks at the true hand


@pytest.mark.parametrize("name", ["sample", "internal", "van-den-bergh", "piers"])
def test_partners_are_found_out(name):
    """Two copies of an agent beside me: at the end of most games both are taken for what they are."""
    place, found, contexts = (
        member_specs("cig2018-paper").index(name),
        [],
        contexts_of(STANDARD, LISTS),
    )
    for seed in game_seeds(3, 2):
        game = snapshots(
            Table(STANDARD, [load("mixed-situational-2018").at(3), LISTS[place]]).steps(
                int(seed), [0, 1, 1]
            )
        )
        watch = PosteriorTracker(contexts, 8, 0.001)
        watch.update([view for _, view in game if view.me == 0][-1])
        found += [watch.posterior()[seat, place] for seat in (1, 2)]
        assert watch.posterior(alike=True)[1, place] > 0.95
    assert np.median(found) > 0.95


# --- the seat that replies -------------------------------------------------------------------------------------------
TWO = """
pool = "two"

[scores]
piers = { piers = {2 = 17, 3 = 17}, legal-random = {2 = 2, 3 = 2} }
careful = { piers = {2 = 9, 3 = 9}, legal-random = {2 = 3, 3 = 3} }

[partners.piers.rules]
2-5 = ["cig2018.play_safe_card", "cig2018.tell_anyone_about_useful", "cig2018.discard_oldest_first", "cig2018.tell_randomly"]

[partners.legal-random.rules]
2-5 = ["cig2018.legal_random"]

[replies.piers.rules]
2-5 = ["cig2018.play_safe_card", "cig2018.tell_anyone_about_useful", "cig2018.discard_oldest_first"]

[replies.careful.rules]
2-5 = ["cig2018.play_safe_card", "cig2018.discard_oldest_first", "cig2018.tell_randomly"]
"""


@pytest.fixture(scope="module")
def table_of_two(tmp_path_factory):
    """The file of a response table."""
    file = tmp_path_factory.mktemp("table") / "two.toml"
    file.write_text(TWO, encoding="utf-8")
    return file


def test_it_follows_the_reply_to_whom_it_takes_them_for(table_of_two):
    """To nobody in particular the best on average; once it knows, the reply to them."""
    player = load(f"partners:{table_of_two},hands=8").at(3)
    assert (
        player.follows.name == "piers"
        and player.best_reply([0.2, 0.8]) == 0
        and player.best_reply([0.05, 0.95]) == 1
    )
    for name, reply in (("legal-random", "careful"), ("piers", "piers")):
        partner = next(one for one in player.pool if one.name == name)
        last = list(Table(MINI, [player, partner]).steps(5, [0, 1, 1]))[-4:]
        step = next(step for step in reversed(last) if step.seat == 0)
        assert step.reason.startswith(f"for {name} ") and step.reason.split(": ")[1] in [
            *(rule.name for one in player.replies if one.name == reply for rule in one.rules),
            "otherwise",
        ]


@pytest.mark.parametrize(
    "alike, first, second, reply, taken",
    [
        (
            0,
            (-50, 0),
            (-50, 0),
            "careful",
            "for legal-random 100%",
        ),  # with its own seat, of which it knows nothing: piers
        (0, (0, -50), (-1.5, 0), "piers", "for piers and legal-random 82%"),
        (0, (0, -50), (-0.5, 0), "piers", "for anybody"),
        (1, (-1, 0), (0, -3), "piers", "for piers 88%"),
    ],
)
def test_it_replies_to_its_partners_and_not_to_its_own_seat(
    alike, first, second, reply, taken, table_of_two, monkeypatch
):
    player = load(f"partners:{table_of_two},alike={alike}").at(3)
    sitting, (_, view) = (
        player.join(MINI, 0, (player,) * 3),
        mixed_game(("piers", "piers", "piers"), 1)[0],
    )
    assert [one.name for one in player.pool] == ["piers", "legal-random"]
    monkeypatch.setattr(sitting.tracker, "update", lambda view: [])
    sitting.tracker.turn, sitting.tracker.logs = 3, np.array([(0, 0), first, second], float)
    seat, _, says = sitting.replying_searcher(view)
    assert (seat.player.follows.name, says) == (reply, taken)
    sitting.tracker.turn = 0
    assert sitting.replying_searcher(view)[2] == "for anybody", "no move was judged yet"


def test_rooms_are_kept_but_not_without_end(table_of_two, monkeypatch):
    monkeypatch.setattr("hanabi.lookahead.partners.CONTEXTS", 2)
    player = load(f"partners:{table_of_two}").at(3)
    one, other = player.pool
    kept = player.context(MINI, [one, one, one])
    assert (
        player.context(MINI, [one, one, one]) is kept is not player.context(MINI, [other, one, one])
    )
    for seated in ([one, other, one], [one, one, other], [other, other, one]):
        player.context(MINI, seated)
        assert len(player.contexts) <= 3


def test_what_it_sees_in_its_room_is_what_it_sees(table_of_two):
    player = load(f"partners:{table_of_two}").at(3)
    for _, view in mixed_game(("piers", "iggi", "piers"), 1)[1::5]:
        mine = view_in(player.context(MINI, [player.replies[0]] * 3), view)
        one, other = (record.tobytes()[:FACTS_BYTES] for record in (view, mine))
        assert np.frombuffer(one, FACTS_DTYPE) == np.frombuffer(other, FACTS_DTYPE)


def test_it_thinks_ahead_with_whom_it_takes_them_for(table_of_two):
    """The same games for any number of workers."""
    spec = f"partners:{table_of_two},hands=4,rollouts=40"
    one, two = (play_games(spec, 3, 5, "piers", variant="mini", jobs=jobs) for jobs in (1, 2))
    assert one.equals(two)
    player = load(spec).at(3)
    game = play_one(MINI, [player, load("piers").at(3)], [0, 1, 1], 3)
    assert any(reason.startswith("for piers ") and ": ahead: +" in reason for reason in game.rules)
    assert (MINI, id(player.replies[0]), id(player.pool[0]), id(player.pool[0])) in player.contexts


def test_asked_in_a_written_game_it_does_what_it_did(table_of_two, tmp_path):
    spec = f"partners:{table_of_two},hands=8"
    assert (
        typed("show", spec, "legal-random", "-o", "g.toml", "--no-pager", folder=tmp_path)[0] == 0
    )
    game = load_game(tmp_path / "g.toml")
    for turn in range(0, min(12, len(game.moves)), 4):
        code, out, err = typed("ask", spec, "g.toml", "--turn", turn, "--json", folder=tmp_path)
        data = json.loads(out)
        assert (code, err, data["rule"]) == (0, "", game.rules[turn]) and read_move(
            data["move"]
        ) == game.moves[turn]


def test_what_it_thought_is_told(table_of_two, tmp_path):
    """Whom it takes its partner for, what it tried, and the move that it made; by show, again of the written game, and by ask."""
    shutil.copy(
        table_of_two, tmp_path
    )  # a game's text holds names of some length only, and paths may be long
    spec = "partners:two.toml,hands=4,rollouts=40"
    words = "--search", "--no-pager", "--turns", "2-6"
    code, out, err = typed(
        "show", spec, "piers", "--seed", 4, *words, "-o", "g.toml", folder=tmp_path
    )
    assert (
        (code, err) == (0, "")
        and "= It takes its partners for " in out
        and "= Its list wants " in out
        and "= Slot 1: " in out
    )
    assert typed("show", "g.toml", *words, folder=tmp_path)[1] == out
    game = load_game(tmp_path / "g.toml")
    for turn in (2, 6):
        data = json.loads(
            typed("ask", spec, "g.toml", "--turn", turn, "--json", folder=tmp_path)[1]
        )
        assert (
            data["thought"]["taken"].startswith("for ") and data["move"] == data["thought"]["move"]
        )
        assert read_move(data["move"]) == game.moves[turn] and data["rule"] == game.rules[turn]
    assert (
        "It takes its partners for "
        in typed("ask", spec, "g.toml", "--turn", 2, folder=tmp_path)[1]
    )
    code, _, err = typed("show", f"partners:{table_of_two}", "piers", "--search", folder=tmp_path)
    assert code == 2 and "no search that can be shown" in err


def test_settings_read_back(table_of_two, monkeypatch):
    far = load(f"partners:{table_of_two.parent}/{'../' * 20}{table_of_two},hands=8")
    assert loads(dumps(far)).name == far.name and len(far.name) == 80 and far.name.endswith("…")
    monkeypatch.chdir(table_of_two.parent)
    table_of_two = "two.toml"
    agent = load(f"partners:{table_of_two},hands=8,rollouts=20,z=2")
    assert (
        loads(dumps(agent)).at(3).settings == agent.at(3).settings
        and loads(dumps(agent)).hash == agent.hash
    )
    assert load(agent.name) == agent and agent.name.endswith("hands=8,rollouts=20,z=2")
    assert (
        agent.kind.settings.search == LookAhead(rollouts=20, z=2)
        and load(f"partners:{table_of_two}").kind.settings.search is None
        and load(f"partners:{table_of_two},doubt=0.1").name.endswith(",belief=filter")
    )
    assert agent.hash != load(f"partners:{table_of_two},hands=9,rollouts=20,z=2").hash


@pytest.mark.parametrize(
    "spec, says",
    [
        (
            "partners:nobody",
            "no response table for the pool 'nobody': there is one for cig2018-paper, map-2p; `hanabi evolve --preset response",
        ),
        ("partners:", "pool='' should be a pool"),
        (
            "partners:cig2018-paper,hand=3",
            "partners: no key 'hand' (did you mean 'hands'?); the keys are hands, slip, outside, alike, rollouts",
        ),
        (
            "partners:cig2018-paper,hands=0",
            "partners: hands=0 should be a whole number from 1 to 256",
        ),
        ("partners:cig2018-paper,hands", "partners: 'hands' should be key=value, such as hands=32"),
        ("partners:cig2018-paper,seats=one", "partners: no key 'seats'"),
        ("partners:cig2018-paper,belief=x", "search: belief='x' should be one of"),
        (
            "search:partners:cig2018-paper",
            "recognises its partners: write partners:cig2018-paper,rollouts=300",
        ),
    ],
)
def test_errors_teach(spec, says):
    with pytest.raises(ValueError) as error:
        load(spec)
    assert says in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    "old, new, says",
    [
        ('pool = "two"', "", "pool should be text: is this a response table?"),
        (
            "legal-random = {2 = 2, 3 = 2} }",
            "iggi = [1] }",
            "scores.piers.legal-random should be mean points by player count",
        ),
        (
            "cig2018.legal_random",
            "cig2018.nothing",
            "partners.legal-random: rules.2-5, rule 1: no rule 'cig2018.nothing'",
        ),
    ],
)
def test_a_wrong_table_is_told(old, new, says, tmp_path):
    (tmp_path / "t.toml").write_text(TWO.replace(old, new), encoding="utf-8")
    code, out, err = typed("show", "partners:t.toml", folder=tmp_path)
    assert (code, out) == (2, "") and says in err and err.count("\n") == 1


# --- who played like whom --------------------------------------------------------------------------------------------
def test_who_played_like_whom(tmp_path):
    assert (
        typed(
            "show",
            "iggi",
            "legal-random",
            "sample",
            "--seed",
            3,
            "-o",
            "g.toml",
            "--no-pager",
            folder=tmp_path,
        )[0]
        == 0
    )
    code, out, err = typed("behave", "--who", "g.toml", folder=tmp_path)
    assert (
        (code, err) == (0, "")
        and "Ann played like iggi (" in out
        and "Bob played like legal-random (" in out
    )
    data = json.loads(
        typed("behave", "--who", "g.toml", "--json", "--seen-by", "Bob", folder=tmp_path)[1]
    )
    assert {one["seat"] for one in data["moves"]} == {"Ann", "Cal"} and data["seen_by"] == "Bob"
    assert all(sum(one["shares"].values()) == pytest.approx(1, abs=1e-4) for one in data["moves"])
    game = load_game(tmp_path / "g.toml")
    found = attribute_moves(game, PAPER)
    assert [one.move for one in found.moves] == list(game.moves)[: len(found.moves)]
    for one in found.of(0):  # its own list makes all of its moves
        assert one.chances[0] > 0
    first = found.certain_from(0)
    assert all(one.shares[0] >= 0.95 for one in found.of(0) if one.turn >= first.turn)
    before = [one for one in found.of(0) if one.turn < first.turn]
    assert not before or before[-1].shares[0] < 0.95


@pytest.mark.parametrize(
    "words, says",
    [
        (("behave", "--who", "g.toml", "--seen-by", "Zoe"), "no such seat"),
        (
            ("behave", "--who", "g.toml", "--seen-by", "Eve"),
            "Eve does not sit at this table: Ann, Bob do",
        ),
        (("behave", "--who", "g.toml", "--pool", "nobody"), "no pool or agent 'nobody'"),
        (("behave", "--who", "g.toml", "--pool", "piers", "--pool", "piers"), "name each once"),
        (("behave", "--who", "none.toml"), "cannot read none.toml"),
    ],
)
def test_who_teaches(words, says, tmp_path):
    (tmp_path / "g.toml").write_text(
        'variant = "standard"\nplayers = 2\nseed = 1\nmoves = ["play 0"]\n'
    )
    code, out, err = typed(*words, folder=tmp_path)
    assert (code, out) == (2, "") and says in err and err.count("\n") == 1


def test_the_tables_of_the_page_are_made_of_the_data():
    rows = json.loads((ROOT / "docs/data/partners.json").read_text(encoding="utf-8"))["results"]
    other = [row | {"value": row["value"] + 1} for row in rows]
    for name, make in TABLES.items():
        assert make(rows).startswith("| ") and (name == "wrong" or make(other) != make(rows))
