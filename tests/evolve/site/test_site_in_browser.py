"""The page where one plays, in a real browser: whole games by clicks and by keys with each kind of
agent, two people, a reload in the middle, an agent that thinks.
"""

import shutil
import threading

import pytest
from browser import VIEWS
from paths import ROOT
from served import by_clicks, by_keys, ready, serving, step
from tiny import tiny

from hanabi.evolve import evolve
from hanabi.evolve.ga.run_folder import RunState
from hanabi.evolve.measure.one_game import play_game
from hanabi.evolve.site import play_table as tables, tournament_results
from hanabi.evolve.site.pages.tournament import TournamentPages
from hanabi.evolve.site.play_table import PERSON
from hanabi.formats.hanab_live import to_link
from hanabi.game_reader import load

pytest.importorskip("selenium")
SMALL = "mini,players=2,colours=2"  # twelve cards: whole games of some ten moves
KINDS = {
    "a list": "piers",
    "conventions": "convention",
    "exact knowledge": "epistemic",
    "choices by chance": "osawa-outer-random",
    "it thinks ahead": "search:piers,rollouts=10",
    "it recognises its partners": "partners:cig2018-paper",
}
QUICK = {
    by_clicks: ("a list", "exact knowledge"),
    by_keys: ("conventions", "it thinks ahead"),
}  # of `make test`


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("games")) as served:
        yield served


@pytest.mark.parametrize(
    "kind, act",
    [
        pytest.param(
            kind,
            act,
            id=f"{kind}, {act.__name__}",
            marks=[] if kind in QUICK[act] else [pytest.mark.slow],
        )
        for kind in KINDS
        for act in (by_clicks, by_keys)
    ],
)
def test_a_whole_game(browser, place, kind, act):
    links, file = place.create_table(
        PERSON,
        KINDS[kind],
        variant=SMALL,
        name=f"{act.__name__[3:]}-{list(KINDS).index(kind)}",
        seed=4,
    )
    place_of_view = list(KINDS).index(kind) // 2 + (act is by_keys)
    width, theme = VIEWS[place_of_view % len(VIEWS)]
    browser.theme(theme)
    browser.open(links[0], width)
    while ready(browser):
        step(browser, lambda: act(browser))
    game = load(file)
    assert game.end and len(game.moves) > 5 and f"{game.score} of 6 points" in browser.text("#line")
    assert browser.text("hanabi-board .score b") == str(game.score)
    assert not browser.all("hanabi-board[table]") and len(browser.all("#moves li")) == len(
        game.moves
    )
    assert not browser.errors()


def test_it_is_shown_that_an_agent_thinks(browser, place, monkeypatch):
    links, file = place.create_table(
        PERSON, "search:piers,rollouts=10", variant=SMALL, name="thinks"
    )
    goes_on, find = threading.Event(), tables.choice_of
    monkeypatch.setattr(tables, "choice_of", lambda *given: goes_on.wait(60) and find(*given))
    browser.open(links[0])
    assert ready(browser)
    browser.keys("a", "1", "ENTER")
    browser.wait(
        lambda b: b.text("#line").startswith("Bob (search:piers,rollouts=10) is thinking, ")
    )
    said = browser.text("#line")
    assert said.endswith(" s") and browser.wait(lambda b: b.text("#line") != said), (
        "the seconds go on"
    )
    browser.keys("a")
    assert "It is Bob's turn, not yours" in browser.text("#wrong")
    goes_on.set()
    assert ready(browser) and len(load(file).moves) == 2 and not browser.errors()


def test_a_wrong_move_a_reason_a_reload_and_a_turn_back(browser, place):
    links, file = place.create_table(PERSON, "convention", "convention", name="one")
    browser.open(links[0])
    assert ready(browser)  # a wrong move first: with all tokens nobody discards
    for button in ("[data-mode=discard]", "[data-pick='1']", "#do"):
        browser.find(button).click()
    browser.wait(lambda b: "You cannot discard with 8 hint tokens" in b.text("#wrong"))
    assert load(file).moves == () and all(
        "422" in line for line in browser.errors()
    )  # the browser notes the wrong move itself
    browser.keys("ESCAPE", "h")
    browser.wait(lambda b: b.ask("document.getElementById('help').selectedIndex") == 2)
    browser.keys(";", "1")
    assert browser.text("#do").startswith("Tell Bob 1s")
    browser.keys(";")
    assert browser.text("#do").startswith("Tell Cal 1s")
    browser.keys("ESCAPE", "a", "1")
    assert len(browser.all(".card.lit")) == 1
    step(browser, lambda: browser.keys("ENTER"))
    assert ready(browser)
    browser.click("[data-why]")
    browser.wait(lambda b: "by its rule" in b.text("#moves"))
    moves = len(load(file).moves)
    browser.open(links[0])  # as if nothing had happened
    assert ready(browser) and len(browser.all("#moves .n")) == moves == 3
    browser.keys("z")
    browser.wait(lambda b: "No move yet" in b.text("#moves"))
    assert ready(browser) and load(file).moves == () and not browser.errors()


def test_a_partner_chairs_and_two_people(browser, place):
    """A card seats its agent on all chairs of agents; a chair has another one, or a person."""
    browser.open(f"{place.address}/play", 1280, 900)
    first, *cards = browser.all(".partner")
    assert "plays H-Group" in first.text and not any("H-Group" in card.text for card in cards)
    chairs = "[...document.querySelectorAll('.chair:not([hidden]) select')].map((one) => one.value)"
    chosen = "document.querySelector('[name=partner]:checked')?.value"
    assert browser.ask(chairs) == [PERSON, "piers", "piers"] and browser.ask(chosen) == "piers"
    first.click()
    browser.find(".count label:nth-of-type(3)").click()
    assert browser.ask(chairs) == [PERSON, *["hgroup-5"] * 3]
    browser.all("select[name=seat]")[3].send_keys("iggi")
    assert browser.ask(chosen) is None and browser.text("#expects b") == "iggi"
    browser.ask("document.querySelector('[name=partner][value=piers]').focus()")
    browser.keys("SPACE")
    assert browser.ask(chairs) == [PERSON, *["piers"] * 3] and browser.ask(chosen) == "piers"
    browser.all("select[name=seat]")[3].send_keys("a person")
    browser.all("select[name=seat]")[0].send_keys("piers")
    assert browser.text(".chair.mine b") == "Dee", "the first chair of a person is mine"
    browser.find(".count label:nth-of-type(2)").click()
    assert browser.ask(chairs) == [PERSON, "piers", "piers"], "somebody plays"
    browser.all("select[name=seat]")[2].send_keys("a person")
    browser.click("#lay .do")
    browser.wait(lambda b: len(b.all("#links a")) == 2)
    assert [one.text.partition(":")[0] for one in browser.all("#links li")] == ["Ann", "Cal"]
    assert not browser.errors()


def test_two_people_in_two_browsers(browser, browsers, place):
    links, file = place.create_table(PERSON, PERSON, variant=SMALL, name="two")
    other = browsers()
    browser.open(links[0])
    other.open(links[1])
    assert ready(browser)
    other.wait(lambda b: b.text("#line").startswith("Ann's turn"))
    other.keys("a")
    assert "It is Ann's turn, not yours" in other.text("#wrong")
    browser.keys("a")
    browser.ask("window.kept = [...document.querySelectorAll('[data-pick]')]")
    other.find("#name").send_keys("Zoe\t")
    browser.wait(lambda b: "Zoe" in b.text("hanabi-board"))
    assert browser.ask("window.kept.length && window.kept.every((one) => one.isConnected)"), (
        "news take no button from under a finger"
    )
    browser.keys("1", "ENTER")
    assert ready(other)
    other.keys("z")
    other.wait(lambda b: "no move of yours" in b.text("#wrong"))
    browser.wait(lambda b: b.text("#line").startswith("Bob's turn"))
    browser.keys("z")
    assert ready(browser) and load(file).moves == ()
    other.wait(lambda b: b.text("#line").startswith("Ann's turn"))
    for window, act in ((browser, by_clicks), (other, by_keys)):
        assert ready(window)
        step(window, lambda window=window, act=act: act(window))
    assert ready(browser) and len(load(file).moves) == 2 and not browser.errors()


def test_runs_are_sorted_and_set_side_by_side(browser, tmp_path):
    for name in ("mirror-cig2018", "mixed-cig2018"):
        shutil.copytree(ROOT / "runs" / "reference" / name, tmp_path / "runs" / name)
    with serving(tmp_path / "games", tmp_path / "runs") as served:
        browser.open(f"{served.address}/runs")
        browser.wait(lambda b: len(b.all("[data-tick]")) == 2)

        def names():
            return [cell.text for cell in browser.all("#table tbody td:nth-child(2)")]

        head = browser.find("[data-key=sort-1]")
        head.click()
        assert names() == ["mirror-cig2018", "mixed-cig2018"] and browser.all(
            "th[aria-sort=ascending]"
        )
        head.send_keys("\n")
        assert names() == ["mixed-cig2018", "mirror-cig2018"] and browser.all(
            "th[aria-sort=descending]"
        )
        browser.find("[data-key=sort-6]").click()
        assert names() == ["mirror-cig2018", "mixed-cig2018"], "numbers as numbers, best first"
        for tick in browser.all("[data-tick]"):
            tick.click()
        assert browser.text("#compare") == "Side by side: 2 runs"
        browser.find("#compare").click()
        browser.wait(lambda b: "/compare" in b.driver.current_url and b.text("h1") == "2 runs")
        assert browser.errors() == []


def test_a_link_becomes_a_game_and_one_plays_on(browser, tmp_path):
    game = play_game(["piers"], 3, 5)
    with serving(tmp_path / "games", tmp_path) as served:
        browser.open(f"{served.address}/games")
        browser.find("#bring textarea").send_keys(to_link(game))
        browser.find("#bring .do").click()
        browser.wait(
            lambda b: b.all("hanabi-board .card") and b.text("#from").startswith("From turn")
        )
        assert browser.text("hanabi-board h1").endswith(f"{game.score} of 25 points")
        browser.keys("END")
        browser.wait(lambda b: b.text("#from").startswith("The game is over here"))
        browser.keys("HOME", "ARROW_RIGHT")
        browser.wait(lambda b: b.text("#from") == "From turn 1:")
        browser.find("#go").click()
        browser.wait(
            lambda b: "/seat/" in b.driver.current_url and b.text("#line").startswith("Your turn")
        )
        assert len(browser.all("#moves .n")) == 1 and browser.errors() == []


def test_a_run_page_writes_its_report(browser, tmp_path, monkeypatch):
    """By one press; the run's folder stays as it is, and the page says what is done."""
    goes_on = threading.Event()

    def page_of(run, jobs, progress):  # test_runs_pages.py has a real one
        progress(1, 4)
        goes_on.wait(60)
        return (
            '<!doctype html><html lang="en"><title>it</title><p class="result">19 points over 1,000 deals</p>',
            [],
        )

    monkeypatch.setattr("hanabi.evolve.site.run_list.page_of", page_of)
    monkeypatch.setenv("HANABI_CACHE", str(tmp_path / "cache"))
    shutil.copytree(ROOT / "runs" / "reference" / "mirror-cig2018", tmp_path / "runs" / "one")
    names = sorted(path.name for path in (tmp_path / "runs" / "one").iterdir())
    with serving(tmp_path / "games", tmp_path / "runs") as served:
        for width, theme in VIEWS:
            browser.theme(theme)
            browser.open(f"{served.address}/runs/one", width)
            browser.wait(lambda b: b.find("#write").is_displayed())
            assert browser.serious() == [] and not browser.wider_than_the_screen()
        browser.theme("light")
        browser.find("#write").click()
        browser.wait(
            lambda b: b.text("#said") == "Writing the report: 25 % of its games are played."
        )
        assert browser.find("#write").get_attribute("aria-disabled") == "true"
        goes_on.set()
        browser.wait(lambda b: b.text("#said") == "The report is written.")
        assert (
            not browser.find("#write").is_displayed()
            and browser.ask("document.activeElement.id") == "open"
        )
        assert sorted(path.name for path in (tmp_path / "runs" / "one").iterdir()) == names
        browser.keys("ENTER")
        browser.wait(
            lambda b: (
                b.driver.current_url.endswith("/report") and "points over" in b.text(".result")
            )
        )
        assert not browser.errors()


def test_the_page_of_a_running_run_counts_as_its_axis_does(browser, tmp_path, monkeypatch):
    """Two lists of which the second is evolved: generation 5 of all is its generation 1, and the
    axis ends at 2.
    """
    folder = evolve(tiny(generations=2, lists=["2", "3"]), tmp_path / "runs", jobs=1).folder
    log = folder / "3" / "log.csv"
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:3]))
    moving = RunState(folder, "running", 4, 5, "mirror", "2-3")
    monkeypatch.setattr("hanabi.evolve.site.run_list.list_runs", lambda folder: [moving])
    monkeypatch.setattr("hanabi.evolve.site.run_list.times_of", lambda folder: [100.0])
    with serving(tmp_path / "games", tmp_path / "runs") as served:
        browser.open(f"{served.address}/runs/{folder.name}", 1280)
        browser.wait(lambda b: b.all("#curve svg"))
        assert (
            "list 2 of 2 (3): generation 1 of 2; over all lists generation 4 of 5, about 1 min 40 "
            "s left" in browser.text("#lead")
        )
        marks = [int(text.text) for text in browser.all("#curve svg text[text-anchor=middle]")]
        assert marks == [0, 1, 2] and not browser.errors()


def test_a_tournament_by_clicks_ends_at_its_result(browser, tmp_path):
    with serving(tmp_path / "games") as served:
        browser.open(f"{served.address}/tournament", 1280)
        for name in ("piers", "iggi", "convention"):
            browser.find(f"[value={name}]").click()
        browser.find("[name=mode] option:nth-child(3)").click()
        browser.find("[name=title]").send_keys("first cross")
        browser.ask("document.querySelector('[name=games]').value = '10'")
        browser.find("#play .do").click()
        browser.wait(
            lambda b: "/tournament/2" in b.driver.current_url and b.text("h1") == "first cross"
        )
        where = browser.driver.current_url
        for width, theme in VIEWS:
            browser.theme(theme)
            browser.open(where, width)
            assert len(browser.all(".heat a")) == 18 and "±" in browser.text(".heat a")
            assert not browser.wider_than_the_screen() and browser.serious() == []
        cell = browser.find(".heat [href*='guest=iggi&host=convention']")
        assert cell.get_attribute("aria-label").startswith("iggi with convention: ")
        cell.send_keys("\n")
        browser.wait(lambda b: b.all("hanabi-board .card"))
        assert "iggi in one seat, copies of convention in the others" in browser.text(".lead")
        assert browser.serious() == [] and not browser.wider_than_the_screen()
        browser.find(".lead a").click()
        browser.wait(lambda b: b.all(".heat"))
        browser.find("[href='/tournament']:not(nav a)").click()
        browser.wait(lambda b: [link.text for link in b.all(".kept a")] == ["first cross"])
        assert not browser.find("#playing").is_displayed() and not browser.errors()


def endless(pages, order, job):
    """Play a tournament without end."""
    while True:
        yield


def test_agents_that_think_say_what_they_cost_before(browser, tmp_path, monkeypatch):
    """The first press times a game and tells; the second begins."""
    monkeypatch.setattr(tournament_results, "seconds_per_game", lambda spec: 90.0)
    with serving(tmp_path / "games") as served:
        monkeypatch.setattr(TournamentPages, "play", endless)
        browser.open(f"{served.address}/tournament", 1280)
        browser.find("[value='search:piers']").click()
        browser.ask("document.querySelector('[name=games]').value = '10'")
        browser.find("#begin").click()
        browser.wait(lambda b: b.text("#begin") == "Play, about 1 h 00 min")
        assert "search:piers 90 s. All games: about 1 h 00 min" in browser.text("#cost")
        assert not browser.find("#playing").is_displayed()
        browser.find("[value=piers]").click()
        assert browser.text("#begin") == "Play" and not browser.text("#cost"), "another order"
        for _ in range(2):
            browser.find("#begin").click()
            browser.wait(lambda b: b.text("#cost") or b.find("#playing").is_displayed())
        browser.wait(lambda b: b.find("#playing").is_displayed())
        assert not browser.errors()


def test_the_link_back_from_a_report_works(browser, tmp_path):
    """A report is in a sandbox, so the browser treats the link as one of another site."""
    folder = tmp_path / "runs"
    shutil.copytree(ROOT / "runs" / "reference" / "mirror-cig2018", folder / "one")
    (folder / "one" / "report.html").write_text("<!doctype html><body><h1>Report</h1></body>")
    with serving(tmp_path / "games", folder) as served:
        browser.open(f"{served.address}/runs/one/report")
        assert browser.text("h1") == "Report"
        browser.find("nav a").click()
        browser.wait(lambda b: b.all("#curve svg"))
        assert browser.text("h1") == "one" and browser.find(".sheets a")
