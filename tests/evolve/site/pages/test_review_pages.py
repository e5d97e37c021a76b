"""The review of a game on the site: for games that are over alone, begun once, kept, for guests, too."""

import threading
from dataclasses import replace

import pytest
from tables import play_on, site, table

from hanabi.evolve.lessons.game_review import review_game
from hanabi.evolve.measure.one_game import play_game
from hanabi.evolve.site import game_list
from hanabi.evolve.site.game_list import KEPT, ReviewFolder, review_digest
from hanabi.evolve.workbench import job_queue
from hanabi.evolve.workbench.job_queue import Job
from hanabi.game_record import Game
from hanabi.lookahead.move_values import ReviewSettings

SMALL = ReviewSettings(rollouts=100, worlds=30)
MINI = "mini,players=2"


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(game_list, "SETTINGS", SMALL)


def reviewed(client, path, what="begin", **data):
    """The state of a review, or of another job of its page, once it has ended."""
    answer = client.post(f"{path}/{what}", json=data)
    assert answer.status_code == 202, answer.text
    state = answer.json()
    while not state["ended"]:
        state = client.get(f"{path}/state?job={state['job']}&version={state['version']}").json()
    return state


@pytest.fixture(scope="module")
def game():
    return play_game(["piers"], None, 5, MINI)


def test_a_game_is_reviewed_when_it_is_over_and_the_review_is_kept(tmp_path):
    with site(tmp_path) as (client, found):
        here = table("person", "piers", variant=MINI, path=tmp_path / "game.toml")
        play_on(here, 3)
        path = "/games/game/review"
        for answer in (client.get(path), client.post(f"{path}/begin", json={})):
            assert answer.status_code == 404, "its cards are still hidden"
        play_on(here)
        waiting = client.get(path)
        assert waiting.status_code == 200 and "costs" not in waiting.text
        state = reviewed(client, path)
        assert state["of"] == len(here.moves) and "error" not in state
        text = client.get(path).text
        assert "Ann’s moves that cost most" in text and "every seat follows piers" in text
        assert text.count('Turn 0 on the board"') >= 1, "every move has a row"
        assert f"{here.view.score} of {here.variant.perfect} points" in text
        assert reviewed(client, path).get("kept"), "a second opening computes nothing"
        by = client.get(f"{path}?by=convention").text
        assert "moves that cost most" not in by, "another model is another review"
        for wrong in (client.get(f"{path}?by=x"), client.post(f"{path}/begin", json={"by": "x"})):
            assert wrong.status_code == 422 and "No agent 'x' is here" in wrong.text
        assert client.get("/games/none/review").status_code == 404
        assert client.get(f"{path}/state?job=none").status_code == 404
        assert f'href="{path}"' in client.get("/games/game").text


def test_other_moves_of_a_turn_are_played_on_when_the_game_is_over(tmp_path):
    with site(tmp_path) as (client, found):
        here = table("person", "piers", variant=MINI, path=tmp_path / "game.toml")
        play_on(here, 3)
        path = "/games/game/review"
        assert client.post(f"{path}/moves", json={"turn": 1}).status_code == 404
        play_on(here)
        rows = reviewed(client, path, "moves", turn=1)["rows"]
        assert [one["is_made"] for one in rows] == [True, *[False] * (len(rows) - 1)]
        assert len({one["words"] for one in rows}) == len(rows) > 3 and rows[0]["gain"] == 0
        assert all(0 <= one["points"] <= here.variant.perfect for one in rows)
        assert "No move was made" in reviewed(client, path, "moves", turn=200)["error"]
        for wrong in ({}, {"turn": "1"}, {"turn": True}, {"turn": 1, "by": "x"}):
            assert client.post(f"{path}/moves", json=wrong).status_code == 422
        guest = found.tables.link("game", 0)
        assert reviewed(client, f"{guest}/review", "moves", turn=1)["rows"] == rows


def test_a_guest_reviews_the_game_of_the_own_seat_alone(tmp_path):
    with site(tmp_path, inside=False) as (client, found):
        here = table("person", "piers", variant=MINI, path=tmp_path / "game.toml")
        play_on(here)
        link = found.tables.link("game", 0)
        assert client.get("/games/game/review").status_code == 403
        assert client.get(f"{link[:-2]}xx/review").status_code == 404
        assert client.get(f"{found.tables.link('game', 1)}/review").status_code == 404
        assert "error" not in reviewed(client, f"{link}/review")
        text = client.get(f"{link}/review").text
        assert "Ann’s moves that cost most" in text and "Play on from here" not in text


def test_what_has_no_review_says_so(tmp_path, game):
    (tmp_path / "none.toml").write_text(Game(game.variant, 5).text)
    here = table("person", "piers", variant=MINI)
    play_on(here, 4)
    place = replace(here.position(), history=())
    begun = type(here)(("person", "piers"), place, tmp_path / "late.toml")
    play_on(begun)
    begun.save()
    with site(tmp_path) as (client, found):
        assert reviewed(client, "/games/none/review")["error"] == (
            "the game has no moves to review"
        )
        answer = client.get("/games/late/review")
        assert answer.status_code == 404 and "began from a position" in answer.text


def test_too_many_reviews_are_refused(tmp_path, game, monkeypatch):
    monkeypatch.setattr(job_queue, "JOBS", 0)
    (tmp_path / "game.toml").write_text(game.text)
    with site(tmp_path) as (client, found):
        answer = client.post("/games/game/review/begin", json={})
        assert answer.status_code == 429 and "Too many" in answer.json()["error"]


def test_two_windows_wait_for_one_review_that_gives_way_to_tables(tmp_path, game, monkeypatch):
    (tmp_path / "game.toml").write_text(game.text)
    looked, go_on = threading.Event(), threading.Event()

    def sleep(seconds):
        looked.set()
        go_on.wait(60)

    with site(tmp_path) as (client, found):
        monkeypatch.setattr(game_list.time, "sleep", sleep)
        monkeypatch.setattr(game_list, "GIVES_WAY", 1_000.0)
        found.tables.running = 1  # as if an agent thought at a table
        job = found.reviews.begin(game, None)
        assert looked.wait(60)
        assert not job.ended and job.state == {}, "no move is reviewed meanwhile"
        assert found.reviews.begin(game, None) is job
        found.tables.running = 0
        go_on.set()
        while not job.ended:
            pass
        assert found.reviews.find(game, None).moves and "error" not in job.state


def test_a_kept_review_reads_back_and_is_never_that_of_another_game(tmp_path, game):
    folder, other = ReviewFolder(tmp_path), play_game(["piers"], None, 6, MINI)
    review = review_game(game, settings=SMALL)
    digest = review_digest(game, None, SMALL)
    folder.keep(review, digest)
    assert folder.find(game, digest) == review
    digests = {
        digest,
        review_digest(other, None, SMALL),
        review_digest(game, "convention", SMALL),
        review_digest(game, None, ReviewSettings(rollouts=101, worlds=30)),
        review_digest(Game(game.variant, game.seed, None, game.moves), None, SMALL),
    }
    assert len(digests) == 5, "a person in a seat is expected to depart more often"
    # a file that lies under the name of another review
    for one, by in ((other, None), (game, "convention")):
        wrong = review_digest(one, by, SMALL)
        (tmp_path / f"{wrong}.json").write_bytes((tmp_path / f"{digest}.json").read_bytes())
        assert folder.find(one, wrong) is None
    for text in ("", "{", '{"digest": 1}', "[" * 10_000):
        (tmp_path / f"{digest}.json").write_text(text)
        assert folder.find(game, digest) is None


def test_old_reviews_are_removed(tmp_path, game):
    for number in range(KEPT):
        (tmp_path / f"{number}.json").write_text("")
    digest = review_digest(game, None, SMALL)
    folder = ReviewFolder(tmp_path)
    folder.keep(review_game(game, settings=SMALL, turns=[0]), digest)
    assert len(list(tmp_path.glob("*.json"))) == KEPT and folder.find(game, digest)


def test_a_job_of_a_page_is_found_while_it_runs():
    queue = job_queue.JobQueue()
    done = threading.Event()

    def steps(job):
        done.wait(60)
        yield

    job = queue.begin(Job("review", "a", steps))
    assert queue.running("review", "a") is job and queue.running("review", "b") is None
    done.set()
    while not job.ended:
        pass
    assert queue.running("review", "a") is None
    queue.close()
