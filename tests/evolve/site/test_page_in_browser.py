"""An exported page in a browser, from a plain server of files: a whole game without ours."""

import pytest
from browser import VIEWS
from file_server import file_server
from paths import ROOT

from hanabi.evolve.site.move_preview import preview_move
from hanabi.evolve.site.page_export import find_pyodide, write_page
from hanabi.evolve.site.play_table import PERSON, PlayTable, new_game
from hanabi.formats.hanab_live import to_link
from hanabi.game_record import play_one
from hanabi.moves import is_tell, move_text
from hanabi.rules.agents import load
from hanabi.text.transcript import replay
from hanabi.variant import read_variant

pytest.importorskip("selenium")
SEED, PLAYERS = 7, 3


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    try:
        pyodide = find_pyodide(cache=ROOT / "build")
    except ValueError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("page")
    write_page(["pairs", "piers"], folder, str(pyodide))
    with file_server(folder) as place:
        yield place


@pytest.fixture(scope="module")
def game():
    """A game of three copies: the person makes the moves that the first of them made."""
    player = load("pairs").at(PLAYERS)
    return play_one(read_variant("standard").at(PLAYERS), [player], [0] * PLAYERS, SEED)


def opened(browser, address, width=1280, height=900):
    """The page with an empty store."""
    origin = {"origin": address, "storageTypes": "all"}
    browser.driver.execute_cdp_cmd("Storage.clearDataForOrigin", origin)
    browser.theme("light", "reduce")
    browser.open(address, width, height)


def lay(browser, partner="pairs"):
    """Sit down as Ann with two partners on the deal of SEED."""
    for seat in (1, 2):
        browser.all("select[name=seat]")[seat].send_keys(partner)
    browser.find("[name=seed]").send_keys(str(SEED))
    browser.click("#lay .do")
    my_turn(browser, 0)


def my_turn(browser, made):
    """Wait until so many moves are made, and it is my turn or the game is over."""
    browser.wait(lambda b: len(b.all("#moves .go")) == made)
    browser.wait(lambda b: b.text("#line").startswith(("Your turn", "The game is over")))


def choose(browser, move):
    """Choose a move by clicks: of a slot of the engine, or a hint."""
    verb, what, *told = move.split()
    browser.click(f"button[data-mode={verb}]")
    if told:
        seat = ("Ann", "Bob", "Cal").index(what)
        browser.click(f"[data-to='{seat}'][data-told='{told[0]}']")
    else:
        browser.click(f"[data-key=pick-{what}]")


def make(browser, move):
    """Make a move by clicks; one that is warned of by two."""
    made = len(browser.all("#moves .go"))
    choose(browser, move)

    def press(window):
        window.ask("document.querySelector('#sure:not([hidden]) #do')?.click()")
        return len(window.all("#moves .go")) > made

    browser.wait(press)


def looked_at(browser):
    """Look at the page in each width and theme."""
    for width, theme in VIEWS:
        browser.theme(theme, "reduce")
        browser.size(width, 844)
        assert browser.serious() == [] and not browser.wider_than_the_screen()
    browser.theme("light", "reduce")
    browser.size(1280, 900)


def fireworks_of(browser):
    """(bursts over finished colours, bursts of a perfect score, how they move)."""
    moving = "document.querySelector('.bloom') && getComputedStyle(document.querySelector('.bloom')).animationName"
    return len(browser.all(".burst")), len(browser.all(".fireworks .bloom")), browser.ask(moving)


def test_a_whole_game_by_clicks(browser, address, game):
    """Equal, move by move, to what `hanabi show` says of the same seed and moves."""
    opened(browser, address)
    looked_at(browser)
    lay(browser)
    words = [turn.words for turn in replay(game)]
    table = PlayTable((PERSON, "pairs", "pairs"), new_game(game.variant, PLAYERS, SEED))
    first = next(move for move in game.moves[::PLAYERS] if is_tell(move))
    for turn in range(0, len(game.moves), PLAYERS):
        move = game.moves[turn]
        if move == first:
            means = preview_move(table, 0, move).meaning
            choose(browser, move_text(move))
            browser.wait(lambda b: b.text("#meaning"))
            said = browser.text("#meaning").replace("=\n", "").splitlines()
            assert [line.removeprefix("= ") for line in said] == [
                *means,
                f"It costs a hint token: {table.view.tokens - 1} of 8 stay.",
            ]
            browser.click("#undo")
        make(browser, move_text(move))
        for made in game.moves[turn : turn + PLAYERS]:
            table.make(table.to_move, made)
        my_turn(browser, min(turn + PLAYERS, len(game.moves)))
        fives = ["5 from" in one and "plays" in one for one in words[turn : turn + PLAYERS]]
        if turn + PLAYERS < len(game.moves):
            bursts = sum(fives), 0, "none" if any(fives) else None
            assert fireworks_of(browser) == bursts, "those of a round together, without motion"
        if turn == PLAYERS:
            looked_at(browser)
            browser.click("#back")
            my_turn(browser, PLAYERS)
            make(browser, move_text(move))
            my_turn(browser, turn + PLAYERS)
            browser.open(address, 1280, 900)
            my_turn(browser, turn + PLAYERS)
            browser.click(f"[data-key=why-{turn + 1}]")
            browser.wait(lambda b: b.all(".moves .because"))
            assert "by its rule" in browser.text(".moves .because")
    shown = [one.text.removesuffix(".") for one in browser.all("#moves .go")][::-1]
    assert shown == words
    assert f"{game.score} of 25 points" in browser.text("#line")
    link = browser.find("[data-part=live]").get_attribute("href")
    assert link.partition("#")[0] == to_link(game)
    looked_at(browser)
    assert game.score == 25 and fireworks_of(browser) == (0, 8, "none")
    browser.theme("light")
    assert fireworks_of(browser) == (0, 8, "bloom")
    fives = [turn.turn for turn in replay(game) if "5 from" in turn.words and "plays" in turn.words]
    for turn in fives[:-1]:
        show = "document.querySelector('hanabi-board').show({ turn: arguments[0] })"
        browser.ask(show, turn)
        assert fireworks_of(browser) == (0, 0, None), "not before it is played"
        browser.ask(show, turn + 1)
        assert fireworks_of(browser) == (1, 0, "burst")
    browser.theme("light", "reduce")
    assert fireworks_of(browser) == (1, 0, "none") and len(fives) == 5
    browser.click("#next")
    my_turn(browser, 0)
    assert browser.ask("JSON.parse(localStorage['hanabi table of this page']).seed") == SEED + 1
    assert browser.faces() == ["Outfit loaded"] and browser.errors() == []


def test_by_keys_on_a_phone(browser, address):
    """Two partners of different kinds; a hint, a discard, a look back, and a new table."""
    opened(browser, address, 390, 844)
    lay(browser, "piers")
    browser.keys(";", "1", "ENTER")
    my_turn(browser, 3)
    assert browser.find("[data-key=go-0]").text.startswith("Ann tells Bob")
    browser.keys("d", "1", "ENTER")
    my_turn(browser, 6)
    browser.keys("ARROW_LEFT", "HOME")
    assert browser.find("[data-part=turn]").get_attribute("aria-valuetext") == "turn 0 of 6"
    browser.keys("END", "z")
    my_turn(browser, 3)
    browser.click("#new")
    browser.all("select[name=seat]")[1].send_keys("you")
    assert browser.ask("[...document.querySelectorAll('select')].map((one) => one.value)")[:3] == [
        "piers", "person", "piers",
    ]  # fmt: skip
    browser.find(".partner").click()
    browser.click("#lay .do")
    browser.wait(lambda b: "You are Bob" in b.text("hanabi-board .top"))
    assert browser.text("[data-part=result]") == "With you: Ann (pairs), Cal (pairs)."
    assert browser.errors() == []
