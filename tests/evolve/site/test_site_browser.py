"""The page where one plays, in a real browser: a game by clicks, a game by keys, two people, a reload in the middle."""
import shutil
import threading
from contextlib import contextmanager

import pytest
from paths import ROOT

from evolve.measure.one_game import play_game
from evolve.site.hall import Hall
from evolve.site.run import listen, server_of
from evolve.site.server import Site
from evolve.site.start import warm
from evolve.site.table import PERSON, PlayTable, new_game
from hanabi.hanab_live import link
from hanabi.record import load
from hanabi.variant import read_variant

pytest.importorskip("selenium")
from browser import _one_browser, browser, browsers  # noqa: E402, F401


@contextmanager
def running(folder, runs):
    """The address of a site without a table."""
    listening, hall = listen("127.0.0.1", 0), Hall(folder)
    host = f"127.0.0.1:{listening.getsockname()[1]}"
    found = Site(hall, runs=runs)
    server = server_of(found, [host])
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://{host}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
        found.close()


@contextmanager
def served(folder, *specs, seed=3, variant="mini"):
    """(address of each person, the table's file) of a table on a server of its own."""
    listening, hall = listen("127.0.0.1", 0), Hall(folder)
    host = f"127.0.0.1:{listening.getsockname()[1]}"
    server = server_of(Site(hall), [host])
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    table = PlayTable(specs, new_game(read_variant(variant), len(specs), seed), folder / "game.toml")
    table.save()
    warm(table)                              # what has to be compiled is compiled before a browser waits for it
    thread.start()
    try:
        yield {seat: f"http://{host}{link}" for seat, link in hall.links(table).items() if specs[seat] == PERSON}, table.path
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
        hall.close()


def ready(window):
    """Wait until it is this window's turn, or the game is over; True where it goes on."""
    return window.wait(lambda b: next((line for line in [b.text("#line")] if line.startswith(("Your turn", "The game is over"))), "")
                       ).startswith("Your turn")


def step(window, act):
    """Do something that makes a move, and wait until the page has heard of it."""
    before = len(window.all("#moves .n"))
    act()
    window.wait(lambda b: len(b.all("#moves .n")) > before)


def test_a_game_by_clicks_with_a_reload_in_the_middle(browser, tmp_path):  # noqa: F811
    with served(tmp_path, PERSON, "piers", variant="mini,players=2") as (links, file):
        browser.open(links[0])
        assert ready(browser)                # a wrong move first: with all tokens nobody discards
        for button in ("[data-mode=discard]", "[data-pick='1']", "#do"):
            browser.find(button).click()
        browser.wait(lambda b: "You cannot discard with 8 hint tokens" in b.text("#wrong"))
        assert load(file).moves == ()
        browser.find("[data-mode=play]").click()

        def play_newest():
            browser.find("[data-key^='card-0-']").click()
            browser.find("#do").click()
        for turn in range(100):
            if not ready(browser):
                break
            step(browser, play_newest)
            if turn == 0 and ready(browser):
                browser.find("[data-why]").click()
                browser.wait(lambda b: "by its rule" in b.text("#moves"))
                browser.open(links[0])
        game = load(file)
        assert game.end and f"{game.score} of 9 points" in browser.text("#line")
        assert browser.text("hanabi-board .score b") == str(game.score)
        assert not browser.all("hanabi-board[table]") and len(browser.all("#moves li")) == len(game.moves)
        assert not [line for line in browser.errors() if "422" not in line]      # the browser notes the wrong move itself


def test_a_game_by_keys_and_all_sizes(browser, tmp_path):  # noqa: F811
    with served(tmp_path, PERSON, "convention", "convention") as (links, file):
        browser.open(links[0])
        assert ready(browser)
        browser.keys("h")
        browser.wait(lambda b: b.ask("document.getElementById('help').selectedIndex") == 2)
        browser.keys(";", "1")
        assert browser.text("#do").startswith("Tell Bob 1s")
        browser.keys(";")
        assert browser.text("#do").startswith("Tell Cal 1s")
        browser.keys("ESCAPE", "a", "0")
        assert len(browser.all(".card.lit")) == 1
        while ready(browser):
            slot = browser.find("[data-key^='card-0-']").get_attribute("data-slot")
            step(browser, lambda slot=slot: browser.keys("a", slot, "ENTER"))
        game = load(file)
        assert game.end and f"{game.score} of 9 points" in browser.text("#line")
        for width in (400, 900, 1400):
            browser.size(width)
            assert not browser.wider_than_the_screen()
        assert not browser.errors()


def test_two_people_in_two_browsers(browser, browsers, tmp_path):  # noqa: F811
    with served(tmp_path, PERSON, PERSON, variant="mini,players=2") as (links, file):
        other = browsers()
        browser.open(links[0])
        other.open(links[1])
        assert ready(browser)
        other.wait(lambda b: b.text("#line").startswith("Ann's turn"))
        other.keys("a")
        assert "It is Ann's turn, not yours" in other.text("#wrong")
        browser.keys("a", "0", "ENTER")
        assert ready(other)
        other.keys("z")
        other.wait(lambda b: "no move of yours" in b.text("#wrong"))
        browser.wait(lambda b: b.text("#line").startswith("Bob's turn"))
        browser.keys("z")
        assert ready(browser) and load(file).moves == ()
        other.wait(lambda b: b.text("#line").startswith("Ann's turn"))


def test_runs_are_sorted_and_set_side_by_side(browser, tmp_path):  # noqa: F811
    for name in ("mirror-cig2018", "mixed-cig2018"):
        shutil.copytree(ROOT / "runs" / "reference" / name, tmp_path / "runs" / name)
    with running(tmp_path / "games", tmp_path / "runs") as address:
        browser.open(f"{address}/runs")
        browser.wait(lambda b: len(b.all("[data-tick]")) == 2)

        def names():
            return [cell.text for cell in browser.all("#table tbody td:nth-child(2)")]
        head = browser.find("[data-key=sort-1]")
        head.click()
        assert names() == ["mirror-cig2018", "mixed-cig2018"] and browser.all("th[aria-sort=ascending]")
        head.send_keys("\n")
        assert names() == ["mixed-cig2018", "mirror-cig2018"] and browser.all("th[aria-sort=descending]")
        browser.find("[data-key=sort-5]").click()
        assert names() == ["mirror-cig2018", "mixed-cig2018"], "numbers as numbers, best first"
        for tick in browser.all("[data-tick]"):
            tick.click()
        assert browser.text("#compare") == "Side by side: 2 runs"
        browser.find("#compare").click()
        browser.wait(lambda b: "/compare" in b.driver.current_url and b.text("h1") == "2 runs")
        assert browser.errors() == []


def test_a_link_becomes_a_game_and_one_plays_on(browser, tmp_path):  # noqa: F811
    game = play_game(["piers"], 3, 5)
    with running(tmp_path / "games", tmp_path) as address:
        browser.open(f"{address}/games")
        browser.find("#bring textarea").send_keys(link(game))
        browser.find("#bring .do").click()
        browser.wait(lambda b: b.all("hanabi-board .card") and b.text("#from").startswith("From turn"))
        assert browser.text("hanabi-board h2").endswith(f"{game.score} of 25 points")
        browser.keys("END")
        browser.wait(lambda b: b.text("#from").startswith("The game is over here"))
        browser.keys("HOME", "ARROW_RIGHT")
        browser.wait(lambda b: b.text("#from") == "From turn 1:")
        browser.find("#go").click()
        browser.wait(lambda b: "/seat/" in b.driver.current_url and b.text("#line").startswith("Your turn"))
        assert len(browser.all("#moves .n")) == 1 and browser.errors() == []
