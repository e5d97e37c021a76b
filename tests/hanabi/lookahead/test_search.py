"""Thinking ahead: the race, its worlds and its rules against a slow twin; what a seat may not see; what it never does."""

import math

import numpy as np
import pytest
import slow_search as slow
from lookahead_positions import made_up, positions, prepared, seat

from hanabi.evolve.measure.tournament import play_games
from hanabi.game import blank, legal_moves
from hanabi.game_record import play_one
from hanabi.lookahead import race
from hanabi.lookahead.belief import fill_belief
from hanabi.lookahead.look_ahead_player import (
    AHEAD,
    ALONE,
    AT_MORE,
    AT_TWO,
    FEW,
    MANY,
    LookAhead,
    Searcher,
    read_search,
)
from hanabi.lookahead.replay import FACTS_DTYPE
from hanabi.lookahead.rollout import imagine, pick_hand, play_out
from hanabi.moves import TELL_COLOUR, is_play, is_tell, slot_of, with_copy
from hanabi.rules.agents import load
from hanabi.state import FACTS_BYTES
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant
from hanabi.view import critical

MINI = read_variant("mini").at(3)
LIST = load("convention-2026").at(3)


def of_the_list(name="convention-2026", variant="standard", players=3, **settings):
    """A searcher over a named list, and that list."""
    listed = load(name).at(players)
    return Searcher(listed, LookAhead(**settings), "thinker"), listed


# --- following the list ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["convention-2026", "piers"])
def test_without_rollouts_it_plays_its_list(name):
    searcher, listed = of_the_list(name, rollouts=0)
    variant = read_variant("standard").at(3)
    for seed in range(2):
        game, other = (
            play_one(variant, [player], [0, 0, 0], seed) for player in (searcher, listed)
        )
        assert game.moves == other.moves and game.rules == other.rules


def test_late_and_plays_are_left_to_the_list():
    """Before its time a searcher follows its list; it searches no plays before the last cards."""
    late = Table(MINI, [Searcher(LIST, LookAhead(late=0, rollouts=40, belief="literal"))])
    ever = Table(
        MINI, [Searcher(LIST, LookAhead(rollouts=60, gain=0.0, z=0.0, belief="literal", plays=2))]
    )
    departed = 0
    for seed in game_seeds(3, 4):
        for table in (late, ever):
            for step in table.steps(int(seed), [0, 0, 0]):
                searched = step.reason.startswith(AHEAD)
                departed += searched
                if searched:
                    listed = LIST.move(step.view.copy())[0]
                    assert step.view.deck <= 2 or not is_play(listed) and not is_play(step.move)
                    assert table is ever or step.view.deck == 0
    assert departed > 1
    plays = [
        int(view.deck)
        for _, view in positions()
        if is_play(LIST.move(view.copy())[0])
        if seat(view, plays=2).searches(view, LIST.move(view.copy())[0])
    ]
    assert set(plays) == {0, 1, 2}


@pytest.mark.parametrize(
    "rollouts, first_look, margin, z",
    [
        (FEW - 1, 6, 2.0, 3.0),
        (FEW, 8, 2.0, 2.0),
        (MANY - 1, 8, 2.0, 2.0),
        (MANY, 8, 2.5, 1.0),
    ],
)
def test_what_hangs_on_the_number_of_rollouts(rollouts, first_look, margin, z):
    numbers = LookAhead(rollouts=rollouts).numbers(3, alone=False)
    assert (numbers.first_look, numbers.margin, numbers.z) == (first_look, margin, z)
    assert LookAhead(rollouts=rollouts, z=0.5).numbers(3, alone=False).z == 0.5


@pytest.mark.parametrize("gain, at_the_end", [(None, 0.05), (0.2, 0.05), (0.01, 0.01)])
def test_with_an_empty_deck_less_is_asked_of_a_departure(gain, at_the_end):
    found, players = {}, [Searcher(LIST, LookAhead(rollouts=40)) for _ in range(3)]
    for _, view in positions():
        context = players[0].join(MINI, int(view.me), tuple(players)).context
        context.configure(LookAhead(rollouts=40, gain=gain), view)
        found.setdefault(int(view.deck) == 0, set()).add(float(context.work.settings.gain))
    assert found == {True: {at_the_end}, False: {AT_MORE.gain if gain is None else gain}}


@pytest.mark.parametrize(
    "settings, players, plays",
    [("", 2, 10), ("", 3, 2), ("", 5, 2), ("seats=one", 2, 90), ("seats=one", 5, 90)],
)
def test_from_which_card_on_plays_are_searched(settings, players, plays):
    """As the settings in docs/guides/lookahead-and-partners.md have it, by how many play."""
    piers, variant = load("piers").at(players), read_variant("standard").at(players)
    searcher, table = Searcher(piers, read_search(settings)), Table(variant, [piers])
    others = (piers if searcher.search.sits_alone else searcher,) * (players - 1)
    asked = {
        int(step.view.deck): searcher.join(
            variant, step.seat, (*others[: step.seat], searcher, *others[step.seat :])
        ).searches(step.view, step.move)
        for seed in game_seeds(1, 3)
        for step in table.steps(int(seed), [0] * players)
        if is_play(step.move)
    }
    assert {deck for deck, searched in asked.items() if searched} == {
        deck for deck in asked if deck <= plays
    }
    assert max(asked) > 10 and min(asked) <= 2


# --- worlds and the race ---------------------------------------------------------------------------------------------
def searched_positions(games=1, most=5):
    """Some positions of mini with several candidates and cards in the deck."""
    found = [(state, view) for state, view in positions(games=games) if view.deck > 0]
    return found[2 :: max(1, len(found) // most)][:most]


@pytest.mark.parametrize("belief, many", [("filter", MANY), ("assumed", MANY), ("filter", 100)])
def test_the_race_is_its_slow_twin(belief, many, monkeypatch):
    """The same worlds give the same scores, the same candidates fall at the same look, the same move is chosen."""
    monkeypatch.setattr("hanabi.lookahead.look_ahead_player.MANY", many)
    numbers, deviated, fell = (
        LookAhead(rollouts=120, belief=belief, gain=0.05, z=0.5).numbers(3, alone=True),
        0,
        0,
    )
    for state, view in searched_positions():
        context, listed, move = made_up(view, rollouts=120, belief=belief, gain=0.05, z=0.5)
        work = context.work
        candidates, start = work.race.moves[: work.race.count].tolist(), slow.first_word(view)
        assert candidates[0] == listed and sorted(candidates) == sorted(
            slow_candidates(view, listed, numbers.plays)
        )

        def score(world, c, state=state, view=view, work=work, start=start, candidates=candidates):
            point, word = slow.word_of(start, world)
            hand = slow.hand_at(work, point)
            return slow.score_after(
                [LIST] * 3, MINI, state, view, hand, slow.deck_of(view, hand, word), candidates[c]
            )

        chosen, dropped, worlds = slow.race(score, len(candidates), numbers, 0.05)
        assert worlds == work.race.worlds and candidates[chosen] == move
        for c in range(len(candidates)):
            assert work.race.played[c] == dropped.get(c, worlds) and bool(
                work.race.is_alive[c]
            ) == (c not in dropped)
        deviated, fell = deviated + (chosen > 0), fell + len(dropped)
    assert fell > 5


def race_of_two(gaps, worlds, **settings):
    """A workspace in which a candidate scored more than the list's move, by these points."""
    work = prepared(positions()[5][1], rollouts=40).work
    for name, value in settings.items():
        work.settings[name] = value
    work.scores[0, : len(gaps)], work.scores[1, : len(gaps)] = 10, 10 + np.array(gaps)
    work.race.count, work.race.worlds = 2, worlds
    work.race.is_alive[:2], work.race.played[:2] = 1, len(gaps)
    work.race.sums[:2] = work.scores[:2, : len(gaps)].sum(axis=1)
    return work


def test_a_departure_needs_a_gain_and_z_standard_errors():
    """6 of 16 worlds gain a point: 0.375 ± 0.140, which is 2.7 standard errors."""
    gaps, mean, error = [1] * 6 + [0] * 10, 0.375, (0.3125 / 16) ** 0.5
    assert 2 * error < mean < 3 * error
    for gain, z, margin, chosen in (
        (0.3, 2.0, 3.0, 1),
        (0.3, 3.0, 2.0, 0),
        (0.37, 2.0, 3.0, 1),
        (0.38, 2.0, 3.0, 0),
    ):
        work = race_of_two(gaps, 16, gain=gain, z=z, margin=margin)
        assert race._choose_by_race(work) == chosen
        assert (work.race.gains[1], work.race.errors[1]) == pytest.approx((mean, error), abs=1e-4)


def test_before_32_worlds_a_candidate_is_dropped_by_a_larger_margin():
    """5 of 16 worlds lose a point: 2.3 standard errors, between margins of 2 and of 2.6."""
    gaps = [-1] * 5 + [0] * 11
    for worlds, left in ((16, 2), (31, 2), (32, 1)):
        work = race_of_two(gaps, worlds, gain=0.0, margin=2.0)
        assert race.drop_candidates(work) == left and work.race.is_alive[1] == left - 1


def slow_candidates(view, listed, plays):
    """Every legal hint, discards of what is neither surely critical nor surely playable, late plays that may fit; the list's move."""
    keep, found = int(critical(view)), {listed}
    for move in legal_moves(view):
        types = (
            int(view.mask[view.me, slot_of(move)] & view.unseen[0]) if move < TELL_COLOUR else -1
        )
        kinds = [1 << card for card in range(30) if types >> card & 1]
        fits = [kind & int(view.playable) for kind in kinds]
        if move >= TELL_COLOUR or (
            view.deck <= plays and any(fits)
            if is_play(move)
            else not all(kind & keep for kind in kinds) and not all(fits)
        ):
            found.add(move)
    return found


def test_the_candidates_are_their_slow_twin():
    """Whatever move the list would make, among them where it leaves a card that is surely playable."""
    left_lying = 0
    for _, view in positions(games=3)[::2]:
        context = prepared(view, rollouts=40)
        plays = LookAhead(rollouts=40).numbers(3, alone=True).plays
        masks = [int(mask) & int(view.unseen[0]) for mask in view.mask[view.me]]
        for listed in (max(legal_moves(view)), LIST.move(view.copy())[0]):
            race.find_candidates(view, listed, context.work)
            found = context.work.race.moves[: context.work.race.count].tolist()
            assert len(found) == len(set(found)) and found[0] == listed
            assert set(found) == slow_candidates(view, listed, plays)
            left_lying += is_tell(listed) and any(
                mask != 0 and mask & ~int(view.playable) == 0 for mask in masks
            )
    assert left_lying > 5


def test_a_world_where_the_last_life_is_lost_counts_nothing():
    """Followers of a hasty list lose their lives: a rollout is worth 0 there, however much was played before."""
    hasty = ("cig2018:8,4,27", "standard,colours=3,hand=3,lives=2")
    company, variant, lost = [load(hasty[0]).at(3)] * 3, read_variant(hasty[1]).at(3), 0
    for state, view in positions(*hasty, games=3)[1::3]:
        context = prepared(view, *hasty, rollouts=0, belief="literal")
        work, (table, now, played) = context.work, context.work.records
        assert fill_belief(work) > 0
        for world in range(3):
            point, word = slow.word_of(slow.first_word(view), world)
            hand = slow.hand_at(work, point)
            imagine(view, work, pick_hand(work.belief, point), np.uint64(word))
            deck = slow.deck_of(view, hand, word)
            for move in legal_moves(view)[:3]:
                found = play_out(work.lists, table, now, work.world, played, move)
                assert found == slow.score_after(company, variant, state, view, hand, deck, move)
                lost += played.lives == 0 and played.score > 0
    assert lost > 5


def test_the_hand_at_a_point_has_a_weight():
    """Hands without a weight are never picked, not even where rounding leads past the last one."""
    work = seat(positions()[3][1], rollouts=0).context.work
    work.belief.count, work.belief.total, work.belief.weights[:6] = 6, 4.0, (0, 1, 0, 3, 0, 0)
    picked = [pick_hand(work.belief, point) for point in (0, 0.24, 0.25, 0.26, 0.9999, 1)]
    assert picked == [1, 1, 3, 3, 3, 3]


def test_an_empty_deck_is_tried_hand_by_hand():
    """With an empty deck the worth of each move is exact: brute force over all hands and moves finds the same."""
    tried = departed = 0
    for state, view in positions(games=4):
        if view.deck > 0 or tried == 6:
            continue
        context, listed, move = made_up(view, belief="literal")
        work, values = context.work, {}
        slots, hands = slow.hands_of(view, view.mask[view.me])
        if not work.belief.is_exact or work.race.count < 2:
            continue
        tried += 1
        for candidate in work.race.moves[: work.race.count].tolist():
            values[candidate] = 0.0
            for hand, ways in hands.items():
                whole = [hand[slots.index(slot)] if slot in slots else -1 for slot in range(5)]
                values[candidate] += ways * slow.score_after(
                    [LIST] * 3, MINI, state, view, whole, slow.deck_of(view, whole, 0), candidate
                )
        values = {candidate: value / sum(hands.values()) for candidate, value in values.items()}
        for c in range(work.race.count):
            assert work.race.gains[c] == pytest.approx(
                values[int(work.race.moves[c])] - values[listed]
            )
        best = max(values.values())
        assert values[move] == pytest.approx(
            best if best >= values[listed] + 0.05 else values[listed]
        )
        departed += move != listed
    assert tried == 6


def test_every_departure_brings_what_is_asked():
    """gain ≥ 0.3 and two standard errors, from the scores themselves; and the list's move is among what was tried."""
    departures = 0
    for players, seed in ((4, 1), (5, 2)):
        variant = read_variant("standard").at(players)
        searcher, _ = of_the_list(players=players, rollouts=200)
        table = Table(variant, [searcher])
        for step in table.steps(seed, [0] * players):
            if step.reason.startswith(AHEAD) and step.view.deck > 0:
                context = next(iter(searcher.contexts.values()))[1]
                work, scores = context.work, context.work.scores.astype(float)
                chosen = work.race.moves[: work.race.count].tolist().index(step.move)
                worlds = min(work.race.played[0], work.race.played[chosen])
                gaps = scores[chosen, :worlds] - scores[0, :worlds]
                error = math.sqrt((gaps.var(ddof=1) + 1 / worlds) / worlds)
                assert gaps.mean() >= 0.3 and gaps.mean() >= 2 * error
                assert work.race.gains[chosen] == pytest.approx(gaps.mean()) and work.race.errors[
                    chosen
                ] == pytest.approx(error)
                departures += 1
    assert departures > 1


# --- what is hidden stays hidden -------------------------------------------------------------------------------------
class Peeking(Searcher):
    """A searcher whose belief is the true hand, and whose deck is the true one."""

    def join(self, variant, seat, company):
        sitting, state = super().join(variant, seat, company), self.state

        class Thief(type(sitting)):
            def move(self, view):
                hand = [int(card) for card in state.hands[view.me]]
                slots = [
                    slot
                    for slot in range(5)
                    if hand[slot] >= 0 and int(view.playable) >> hand[slot] & 1
                ]
                return (1 + slots[0], "I know") if slots else super().move(view)

        return Thief(sitting.player, sitting.context, sitting.search)


def moves_when_swapped(player, most=8):
    """The moves of a player in positions of a game, and in the same with its hand and the deck exchanged among all that fit."""
    table, rng, found = Table(MINI, [player]), np.random.default_rng(5), []
    object.__setattr__(player, "state", table.state)
    sitting = None
    for number, (state, view) in enumerate(positions(games=2)[::3][:most]):
        table.deal(int(state.seed), [0, 0, 0])
        company = (player,) * 3
        moves = []
        for swapped in (False, True):
            for name in state.dtype.names:
                table.state[name] = state[name]
            me = int(view.me)
            if swapped:
                slots, hands = slow.hands_of(view, view.mask[me])
                hand = list(hands)[rng.integers(len(hands))]
                rest = slow.physical(view.unseen)
                for slot, card in zip(slots, hand):
                    table.state.hands[me, slot] = card
                    rest.remove(card)
                table.state.deck[table.state.cards - view.deck : table.state.cards] = (
                    rng.permutation(rest)
                )
            again = view.copy()
            blank(table.state, again)
            again.unseen[:] = view.unseen
            sitting = player.join(MINI, me, company)
            moves.append(sitting.move(again)[0])
        found.append((number, *moves))
    return found


def test_neither_my_hand_nor_the_deck_changes_a_move():
    honest = moves_when_swapped(Searcher(LIST, LookAhead(rollouts=60)))
    assert all(one == other for _, one, other in honest)
    peeking = moves_when_swapped(Peeking(LIST, LookAhead(rollouts=60)))
    assert any(one != other for _, one, other in peeking)  # the test sees a thief


def test_a_search_leaves_the_view_as_it_was():
    for _, view in searched_positions():
        sitting, before = seat(view, rollouts=60), view.copy()
        sitting.context.search(sitting.search, view, sitting.context.listed(before.copy())[1])
        assert view.tobytes() == before.tobytes()


def test_what_it_recalls_is_what_it_sees():
    """The position of today, found by walking through the game with a hand made up, is the one that is seen."""
    for agent, variant in (
        ("convention-2026", "mini"),
        ("convention-2026", "standard"),
        ("piers", "standard"),
    ):
        for _, view in positions(agent, variant, games=1)[1::4]:
            context, _, _ = made_up(view, agent, variant, rollouts=0)
            mine, now = (
                record.tobytes()[:FACTS_BYTES] for record in (view, context.work.records[1])
            )
            assert np.frombuffer(mine, FACTS_DTYPE) == np.frombuffer(now, FACTS_DTYPE)


# --- results ---------------------------------------------------------------------------------------------------------
def test_workers_change_nothing():
    one, four = (
        play_games("search:convention-2026,rollouts=30", 3, 6, variant="mini", jobs=jobs)
        for jobs in (1, 4)
    )
    assert one.equals(four)


def test_one_seat_searches_on_the_same_deals():
    alone = play_games("search:convention-2026,rollouts=30,seats=one", 3, 4, variant="mini", jobs=1)
    listed = play_games("convention-2026", 3, 4, variant="mini", jobs=1)
    assert alone["seed"].equals(listed["seed"])


def moves_of(players, seed):
    """The moves of a small game of some players, by seat."""
    seated = read_variant("standard,colours=3,hand=3").at(len(players))
    return play_one(seated, list(players), list(range(len(players))), seed).moves


def test_of_two_that_lead_the_first_searches_alone():
    """As the first player does beside a list; three that lead search all."""
    listed = load("convention-2026").at(2)
    lead, one, both = (
        Searcher(listed, read_search(f"rollouts=60,particles=8,z=0{seats}"))
        for seats in (",seats=lead", ",seats=one", "")
    )
    games = [
        [moves_of(seats, seed) for seed in range(3)]
        for seats in ((lead, lead), (one, listed), (one, one), (both, both))
    ]
    assert games[0] == games[1] and games[0] != games[2] and games[0] != games[3]
    asleep = Searcher(listed, read_search("rollouts=0,seats=lead"))
    assert moves_of((asleep, lead), 0) == moves_of((listed, one), 0)
    three = [
        Searcher(LIST, read_search(f"rollouts=40,z=0{seats}")) for seats in (",seats=lead", "")
    ]
    assert moves_of(three[:1] * 3, 1) == moves_of(three[1:] * 3, 1)


def test_a_guest_that_searches_among_lists_has_the_settings_of_one_searching_seat():
    """The other seats may search as well: then it has those of all seats."""
    guest, one, all_seats = (
        Searcher(LIST, read_search(f"rollouts=40,particles=8{more}"))
        for more in (",z=0", ",z=0,gain=0.01,plays=90", ",z=0,gain=0.3,plays=2")
    )
    hosts = load("piers").at(3), LIST
    for seed in range(2):
        assert moves_of((guest, *hosts), seed) == moves_of((one, *hosts), seed)
    tables = [
        [moves_of((player, player, LIST), seed) for seed in range(4)]
        for player in (guest, one, all_seats)
    ]
    assert tables[0] == tables[2] != tables[1]


@pytest.mark.parametrize(
    "text, says",
    [
        ("rollouts=-1", "from 0 to 100,000"),
        ("belief=true", "literal, assumed, filter"),
        ("rolouts=3", "did you mean 'rollouts'"),
        ("late=5,late=6", "twice"),
        ("late", "key=value"),
        ("z=much", "should be a number"),
    ],
)
def test_settings_teach(text, says):
    with pytest.raises(ValueError, match=says):
        read_search(text)


def test_settings_read_back():
    for text in ("", "rollouts=100,late=5", "gain=0.5,belief=assumed", "seats=lead"):
        assert str(read_search(text)) == text
    assert [
        read_search(text).numbers(players, alone=False).z
        for text, players in (("rollouts=100", 3), ("rollouts=100,z=1", 3), ("", 2))
    ] == [3, 1, 2]
    assert [
        [
            read_search(f"seats=one,rollouts={rollouts}").numbers(2, alone).z
            for rollouts in (FEW - 1, FEW, MANY - 1, MANY)
        ]
        for alone in (True, False)
    ] == [[3, 1, 1, 1], [3, 2, 2, 1]]
    all_seats = read_search("")
    assert all_seats.numbers(2, alone=False) == AT_TWO
    assert all_seats.numbers(3, alone=False) == all_seats.numbers(5, alone=False) == AT_MORE
    for players, usual in ((2, AT_TWO), (4, AT_MORE)):
        assert all_seats.numbers(players, alone=True) == ALONE._replace(
            rollouts=usual.rollouts, particles=usual.particles
        )
    given = read_search("plays=0,gain=0").numbers(2, alone=False)
    assert given == AT_TWO._replace(gain=0, plays=0)
    for seats in ("one", "lead"):
        search = read_search(f"seats={seats}")
        assert {search.numbers(players, alone=True) for players in (2, 5)} == {ALONE}
        assert search.numbers(2, alone=False) == AT_TWO
    assert read_search("seats=one,gain=0.5").numbers(2, alone=True) == ALONE._replace(gain=0.5)
    assert [
        read_search(f"rollouts={rollouts}").numbers(2, alone=False).margin
        for rollouts in (MANY - 1, MANY)
    ] == [2, 2.5]


def test_a_pool_is_one_copy_per_plane():
    assert slow.physical(with_copy(2, 1 | 2, 2, 0)) == [0, 1, 1, 1]
