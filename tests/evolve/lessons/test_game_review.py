"""Reviews of games: who is taken to play by what, what is said, a planted blunder, every output."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from bench.review_check import (
    AGENTS,
    BLUNDERERS,
    FOLLOWER,
    GAMES,
    LEAST_BLUNDER,
    LIKE_REVIEWS,
    SEARCHER,
    SECONDS,
    SETTINGS,
    blundered_game,
    continued,
    deck_of,
    found_blunders,
    review_ranking,
)
from datasets import dataset, safetensors
from hidden_card_swaps import deck_with_other_hand
from known_hand import loss_with_hand
from paths import ROOT
from slow_decisions import outcome, play_from
from typed import typed

from hanabi.evolve.analysis.candidates import play_other_moves
from hanabi.evolve.lessons import game_review
from hanabi.evolve.lessons.game_review import (
    FOR_PEOPLE,
    PEOPLE_DOUBT,
    model_of,
    par_sentence,
    percent,
    players_text,
    review_game,
    review_steps,
)
from hanabi.evolve.measure.one_game import ask, play_game
from hanabi.evolve.reports.review_page import review_page, review_values
from hanabi.formats.hanab_live import parse_game, to_json, to_link
from hanabi.game import legal_moves
from hanabi.game_reader import load_game
from hanabi.game_record import Game, play_one
from hanabi.lookahead.move_values import AT_ANY_TIME, NEVER, MoveEvaluator, ReviewSettings
from hanabi.moves import NAMES, is_tell, move_text, slot_of
from hanabi.rules.agents import load
from hanabi.rules.agents.any_book import book_sentence
from hanabi.table import Table
from hanabi.text.move_facts import BY_AGE, move_in_words
from hanabi.variant import read_variant

SMALL = ReviewSettings(rollouts=150, worlds=60)


def blundered_games(spec, players):
    for seed in range(30):
        yield blundered_game(spec, players, seed)


@pytest.fixture(scope="module")
def blundered():
    """(game, turn of its blunder, its review)."""
    game, turn = next(found for found in blundered_games("convention", 2) if found[1] is not None)
    return game, turn, review_game(game, settings=SMALL)


def test_a_planted_blunder_is_among_the_costliest(blundered):
    game, turn, review = blundered
    assert turn in [value.turn for value in review.costliest()]
    assert len(review.moves) == len(game.moves)
    assert all(value.loss > 0 for value in review.mistakes)


def test_sentences_name_the_better_move_and_number_cards_by_age(blundered):
    game, turn, review = blundered
    head, *rest = review.sentences(next(v for v in review.moves if v.turn == turn))
    view = game.at(turn)[1]
    slot = int(slot_of(review.moves[turn].move))
    newest = sorted(view.born[view.me].tolist(), reverse=True)
    number = newest.index(int(view.born[view.me, slot])) + 1
    assert head.startswith(f"Turn {turn}, {NAMES[turn % 2]}: ") and f"slot {number}." in head
    assert any(line.startswith("Better: ") for line in rest)


def test_agents_are_taken_to_play_by_their_lists_and_people_by_piers():
    variant = read_variant("standard").at(3)

    def names(*agents):
        return model_of(Game(variant, 1, agents=agents))[0]

    assert names("convention", "search:piers,late=5", "epistemic") == [
        "convention", "piers", "epistemic",
    ]  # fmt: skip
    assert names("Dana", "Eli", "python:bad.py:X") == [FOR_PEOPLE] * 3
    assert names("Dana", "convention", "") == ["convention"] * 3
    assert model_of(Game(variant, 1), "iggi")[0] == ["iggi"] * 3


def test_only_those_who_search_and_people_may_have_left_their_lists():
    variant = read_variant("standard").at(3)
    names = "convention", "search:piers,late=5,plays=1", "Dana"
    model = model_of(Game(variant, 1, agents=names))
    assert model.departures == [NEVER, (5, 1), AT_ANY_TIME]
    sure = model_of(Game(variant, 1, agents=(*names[:2], "piers")))
    doubts = [one.evaluator(variant, ReviewSettings())._search.doubt for one in (model, sure)]
    assert doubts == [PEOPLE_DOUBT, ReviewSettings().doubt]
    others = "convention", "search:piers,late=x", "search:search:piers"
    assert model_of(Game(variant, 1, agents=others)).departures[1:] == [AT_ANY_TIME] * 2
    by = model_of(Game(variant, 1, agents=names), "convention")
    assert by.departures == [NEVER, AT_ANY_TIME, AT_ANY_TIME]


def test_a_person_named_as_an_agent_is_a_person():
    variant = read_variant("standard").at(2)
    model = model_of(Game(variant, 1, people=("code", "internal")))
    assert model.names == ["piers", "piers"] and model.people == (0, 1)
    assert model.departures == [AT_ANY_TIME] * 2
    mixed = Game(variant, 1, agents=("", "convention"), people=("code", ""))
    assert model_of(mixed).names == ["convention"] * 2 and model_of(mixed).people == (0,)
    assert players_text(mixed.names, variant) == "Ann (code), Bob (convention)"


def test_people_are_doubted_more_than_agents(blundered, monkeypatch):
    """They leave the list that they are taken to follow more often; more doubt than that stays."""
    game, doubts = blundered[0], []

    def evaluator(variant, company, settings, departures):
        doubts.append(settings.doubt)
        raise StopIteration

    monkeypatch.setattr(game_review, "MoveEvaluator", evaluator)
    people = replace(game, agents=("Dana", "Eli"))
    for one, doubt in ((game, 0.1), (people, 0.1), (people, 0.6)):
        with pytest.raises(RuntimeError):
            next(review_steps(one, settings=ReviewSettings(doubt=doubt)))
    assert doubts == [0.1, game_review.PEOPLE_DOUBT, 0.6] and 0.1 < game_review.PEOPLE_DOUBT < 0.6


def test_a_review_begins_with_the_person_beside_agents_in_its_place():
    """Zoe plays as piers does, so it would make the same mistakes; convention makes others."""
    game = play_game(["piers"], 2, 1, "mini,players=2")
    game = Game(game.variant, game.seed, game.deck, game.moves, ("Zoe", "piers"))
    review = review_game(game, settings=SMALL)
    mine = tuple(value.turn for value in review.moves if value.seat == 0 and value.is_mistake)
    assert review.people == review.first_seats == (0,) and review.last_seats == (1,)
    others = review.peers["convention"]
    assert review.peers["piers"] == mine and others != mine
    alike = 0
    for turn in range(0, len(game.moves), 2):
        if ask(
            "convention", game.position(turn), (game.seed, game.deck, game.moves[:turn])
        ).move == move_text(game.moves[turn]):
            alike += 1
            assert (turn in others) == (turn in mine), turn
    assert 0 < alike < 11
    assert review.summary == (
        "Ann: 2 of 11 moves are mistakes (18 %). In the same positions piers would make 2 (18 %) "
        f"and convention would make {len(others)} ({percent(len(others) / 11)})."
    )
    bars, least = review_values(review)["bars"], {"??": 1.0, "?": 0.3, "?!": -1.0}
    assert [bar["who"] for bar in bars] == ["Ann", "Bob"]
    assert bars[0]["says"] == "2 of 11 moves are mistakes (18 %)"
    for seat, bar in enumerate(bars):
        losses = [value.loss for value in review.mistakes if value.seat == seat]
        moves = sum(value.seat == seat for value in review.moves)
        assert [sign for sign, _ in bar["counts"]] == ["", "?!", "?", "??"]
        counts = dict(bar["counts"])
        assert counts.pop("") == moves - len(losses)
        for sign in least:
            above = [one for one in losses if one >= least[sign]]
            assert counts[sign] == len(above), sign
            losses = [one for one in losses if one < least[sign]]
    costliest = [value.turn for value in review.costliest(3, (0,))]
    assert sorted(costliest) == list(mine) and review.mistakes[1].seat == 1
    head = review_page(review).partition("Ann’s moves that cost most")[2].partition("</section>")[0]
    assert [int(one.partition('"')[0]) for one in head.split("#turn=")[1:]] == costliest
    assert model_of(game, None, [0, 1]).people == (0, 1)
    assert model_of(Game(game.variant, 1, agents=("piers", "search:piers,gain=0"))).people == ()
    assert review.par == f"{par_sentence(game)} {book_sentence(game, 0)}"
    alone = review_game(game, settings=SMALL, turns=[0])
    assert alone.par == ""


def test_each_person_is_told_the_book():
    game = play_game(["piers"], 2, 1, "mini,players=2")
    game = Game(game.variant, game.seed, game.deck, game.moves[:1], ("Zoe", "Eli"))
    review = review_game(game, settings=SMALL)
    assert review.par == f"{par_sentence(game)} {book_sentence(game, 0, game.names[0])}", (
        "Eli waits"
    )


def test_a_game_of_people_is_reviewed_alike_from_json_and_link(blundered):
    game = Game(blundered[0].variant, blundered[0].seed, None, blundered[0].moves)
    found = [
        review_game(parse_game(text, "game"), settings=SMALL, turns=[0, 5])
        for text in (to_json(game), to_link(game))
    ]
    assert found[0].data() == found[1].data() and set(found[0].by) == {FOR_PEOPLE}


@pytest.mark.parametrize("variant", ["mini", "two-colour", "colours=6,hand=4"])
def test_variants_are_reviewed(variant):
    game = play_game(["piers"], None, 2, variant)
    review = review_game(game, settings=SMALL, turns=range(0, len(game.moves), 9))
    assert all(0 <= value.value <= game.variant.perfect for value in review.moves)


def test_the_command_writes_json_a_page_and_notes(blundered, tmp_path):
    game, turn, _ = blundered
    (tmp_path / "game.toml").write_text(game.text)
    words = ["review", "game.toml", "--rollouts", "200", "--turns", f"{turn}-{turn + 2}"]
    code, out, err = typed(*words, "--html", "r.html", "--hanab-live", "r.json", folder=tmp_path)
    assert code == 0, err
    assert "every seat follows convention" in out and f"Turn {turn}," in out
    assert " of 3 moves " in out
    assert "costs" in json.dumps(json.loads((tmp_path / "r.json").read_text())["notes"])
    assert f"#turn={turn}" in (tmp_path / "r.html").read_text()
    code, out, err = typed(*words, "--json", folder=tmp_path)
    data = json.loads(out)
    assert code == 0 and [move["turn"] for move in data["moves"]] == [turn, turn + 1, turn + 2]
    assert turn in data["costliest"]
    mistakes = sum(move["mistake"] for move in data["moves"])
    assert data["mistakes"] == mistakes and data["mistake_share"] == round(mistakes / 3, 4)


def test_a_page_escapes_names():
    game = play_game(["piers"], 2, 3)
    game = Game(game.variant, 3, None, game.moves, ("<b>x</b>", "y"))
    text = review_page(review_game(game, settings=SMALL, turns=[0, 1]))
    assert "<b>x</b>" not in text and "&lt;b&gt;x" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["game.toml", "--by", "python:x.py:X"], "x.py"),
        (["game.toml", "--by", "nobody"], "nobody"),
        (["none.toml"], "none.toml"),
        (["https://hanab.live/replay/12345"], "export"),
        (["game.toml", "--turns", "900"], "turns 0 to"),
    ],
)
def test_wrong_words_are_one_line(words, said, tmp_path):
    (tmp_path / "game.toml").write_text(str(play_game(["piers"], 2, 3)))
    code, out, err = typed("review", *words, folder=tmp_path)
    assert code == 2 and not out and said in err and err.count("\n") == 1


def test_the_committed_check_of_reviews_holds():
    """The data that `python tests/bench review-…` wrote: ranks, blunders, search and time."""
    found = json.loads((ROOT / "docs/data/review.json").read_text(encoding="utf-8"))["results"]
    rows = {row["what"]: row for row in found}
    timed = [row for row in found if row["unit"] == SECONDS]
    assert len(timed) == 2 and all(row["value"] < 3 for row in timed)
    counted = [row for row in found if "end the game" not in row["what"] and row not in timed]
    assert all(row["games"] == GAMES for row in counted)
    shares = [rows[f"moves of {spec} that are mistakes"] for spec in AGENTS]
    scores = [rows[f"score of {spec}"]["value"] for spec in AGENTS]
    assert scores == sorted(scores)
    for weaker, stronger in pairwise(shares):
        error = (weaker["error"] ** 2 + stronger["error"] ** 2) ** 0.5
        assert weaker["value"] - stronger["value"] > 3.5 * error
    for what in (SEARCHER, f"{LIKE_REVIEWS} at one seat among {FOLLOWER}"):
        assert rows[f"moves of {what}, by the list that it follows"]["value"] < 0.02
    for spec in BLUNDERERS:
        row = rows[f"blunders in games of {spec} among the three costliest moves"]
        assert row["value"] >= 45 and row["unit"] == "of 50"


@pytest.mark.slow
def test_planted_blunders_are_found():
    assert found_blunders("piers", 10).found >= 9


@pytest.mark.slow
def test_agents_rank_by_mistakes_as_in_tournaments(monkeypatch):
    """The order of shares and of scores is the same, by a margin that 12 games show."""
    monkeypatch.setenv("HANABI_BENCH_GAMES", "12")
    rows = {row["what"]: row for row in review_ranking()}
    shares = [rows[f"moves of {spec} that are mistakes"] for spec in AGENTS]
    scores = [rows[f"score of {spec}"]["value"] for spec in AGENTS]
    assert scores == sorted(scores)
    for weaker, stronger in pairwise(shares):
        error = (weaker["error"] ** 2 + stronger["error"] ** 2) ** 0.5
        assert weaker["value"] - stronger["value"] > 2 * error


def test_a_blunder_really_loses_points(blundered):
    """The measure that knows all hands, against games that are played on move by move."""
    game, turn, _ = blundered
    listed, variant, deck = load("convention").at(2), game.variant, deck_of(game)
    whole = play_game(["convention"], 2, game.seed)
    assert whole.moves[:turn] == game.moves[:turn] and deck_of(whole) == deck
    rng, drawn, lost = np.random.default_rng(1), variant.cards - int(game.at(turn)[1].deck), []
    for _ in range(30):
        shuffled = deck[:drawn] + rng.permutation(deck[drawn:]).tolist()
        ends = [
            continued(game, [*game.moves[:turn], move], listed, shuffled)
            for move in (whole.moves[turn], game.moves[turn])
        ]
        scores = [0 if end.end == "lives" else end.score for end in ends]
        lost.append(scores[0] - scores[1])
    table = Table(variant, [listed] * 2)
    step = next(s for s in table.replay(game.seed, [0, 1], whole.moves) if s.turn == turn)
    hand, moves = step.state.hands[step.seat].tolist(), (game.moves[turn], whole.moves[turn])
    judge = MoveEvaluator(variant, [listed] * 2, SETTINGS)
    loss, error = loss_with_hand(judge, step.view.copy(), hand, *moves)
    assert loss >= LEAST_BLUNDER
    assert abs(loss - np.mean(lost)) < 3.5 * np.hypot(error, np.std(lost) / 30**0.5)
    # against itself nothing is lost, and the other way round as much is gained
    back = loss_with_hand(judge, step.view.copy(), hand, *moves[::-1])
    assert back == pytest.approx((-loss, error))


def test_losses_belong_to_the_seat_that_moved(blundered):
    game, turn, review = blundered
    rows = review.seat_losses()
    assert [value.seat for value in review.moves] == [t % 2 for t in range(len(game.moves))]
    assert [row["moves"] for row in rows] == [len(game.moves[seat::2]) for seat in range(2)]
    seen = [game.at(value.turn)[1].me for value in review.moves]
    assert seen == [value.seat for value in review.moves]
    blunder = review.moves[turn]
    assert blunder.best_value - blunder.value == pytest.approx(blunder.loss, abs=1e-9)
    assert blunder.value < blunder.best_value and blunder.grade == "mistake"
    # what a seat is said to lose is the sum over its own moves
    for seat, row in enumerate(rows):
        mine = [value.loss for value in review.moves if value.seat == seat]
        assert row["mean_loss"] == pytest.approx(sum(mine) / len(mine), abs=1e-4)


def test_a_review_knows_only_what_the_player_saw(blundered):
    """Other hidden cards that fit what the player knows change no number and no sentence."""
    game, turn, _ = blundered
    game = Game(game.variant, 0, tuple(deck_of(game)), game.moves[: turn + 1], game.agents)
    rng, found = np.random.default_rng(1), []
    for deck in (game.deck, *(tuple(deck_with_other_hand(game, turn, rng)) for _ in range(2))):
        one = Game(game.variant, 0, deck, game.moves, game.agents)
        review = review_game(one, settings=SMALL, turns=[turn])
        found.append((review.moves, review.notes))
    assert len({tuple(map(str, one)) for one in found}) == 1


def test_efficiency_counts_cards_played_or_touched_per_hint():
    variant = read_variant("standard").at(2)
    game = play_one(variant, [load("piers").at(2)], [0, 0], 4)
    moves = game.moves[:6]
    review = review_game(Game(variant, 4, None, moves), settings=SMALL, turns=[0])
    state, view = Game(variant, 4, None, moves).at(6)
    touched = sum(
        1
        for seat in range(2)
        for slot in range(5)
        if view.touched[seat] >> slot & 1 and view.mask[seat, slot] & ~view.useless
    )
    hints = sum(bool(is_tell(move)) for move in moves)
    assert hints and review.efficiency == pytest.approx((view.score + touched) / hints)


@pytest.mark.parametrize("name", ["game.toml", "game.json", "game.txt", "game.safetensors"])
def test_a_game_of_each_reader_is_reviewed(name, tmp_path):
    game = play_one(read_variant("standard").at(2), [load("piers").at(2)], [0, 0], 4)
    game = Game(game.variant, 4, None, game.moves)
    texts = {"game.toml": game.text, "game.json": to_json(game), "game.txt": to_link(game)}
    if name in texts:
        (tmp_path / name).write_text(texts[name])
    else:
        (tmp_path / name).write_bytes(safetensors(dataset([game])))
    read = load_game(tmp_path / name)
    review = review_game(read, settings=SMALL, turns=[3])
    assert read.moves == game.moves and set(review.by) == {FOR_PEOPLE}
    assert review.moves[0].move == game.moves[3] and review.moves[0].best_value > 0


def test_a_list_that_forfeits_is_reviewed():
    """Its next seat may have no move, which is said and is no error."""
    game = play_game(["mirror-situational-2018"], 2, 0)
    assert review_game(game, settings=ReviewSettings(rollouts=60, worlds=20)).data()


def test_other_moves_are_played_on_with_the_deal_and_measured_as_in_a_review():
    """The move that was made makes the points of the game; the best one gains what a review says."""
    variant, player = read_variant("standard").at(3), load("piers").list_at(3)
    game = play_game(["piers"], 3, 7)
    settings = ReviewSettings(rollouts=400, worlds=60)
    review = review_game(game, settings=settings)
    value = max(review.moves, key=lambda one: one.loss)
    model = model_of(game)
    rows = [*play_other_moves(game, value.turn, model.lists, model.evaluator(variant, settings))]
    _, view = game.at(value.turn)
    legal = [value.move, *(move for move in legal_moves(view) if move != value.move)]
    assert [one.words for one in rows] == [move_in_words(view, move, BY_AGE) for move in legal]
    assert rows[0][1:] == (True, game.score, 0, 0) and not any(one.is_made for one in rows[1:])
    best = rows[legal.index(value.best)]
    assert best.gain == pytest.approx(value.loss) and best.error == pytest.approx(value.error)
    table = Table(variant, [player])
    for move, row in [*zip(legal, rows)][:6]:
        played = play_from(table, player, game.seed, [*game.moves[: value.turn], move])
        assert row.points == outcome(played)[1]
    with pytest.raises(ValueError, match="No move was made at turn 999"):
        next(play_other_moves(game, 999, model.lists, model.evaluator(variant, settings)))
