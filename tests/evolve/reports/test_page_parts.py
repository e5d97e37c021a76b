"""Pages in a real browser: a game is stepped through by keys, nothing scrolls sideways, names are text, no foreign script runs."""

import json

import pytest

from hanabi.evolve.measure.one_game import play_game
from hanabi.evolve.reports.game_data import game_data, seen_by
from hanabi.evolve.reports.page_parts import page
from hanabi.formats.hanab_live import to_link
from hanabi.game_record import Game
from hanabi.rules import load

AGENT = "convention-simple"
EVIL = '<img src=x onerror="window.bad=1"></script><script>window.bad=2</script>' + "W" * 128


@pytest.fixture(scope="module")
def games():
    found = {}
    for players, seed in ((3, 5), (5, 2)):
        game = play_game([AGENT], players, seed)
        found[players] = game, game_data(game, [load(AGENT).at(players)] * players)
    return found


@pytest.fixture(scope="module")
def file(games, tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "game.html"
    path.write_text(page("page.html.j2", title="games", games=[data for _, data in games.values()]))
    return path


def count(window):
    return window.text('[data-part="count"]')


def opened(window, file, where="", width=1400):
    window.open(f"file://{file}{where}", width)
    window.wait(lambda _: window.all(".hand"))
    return window


def test_keys_step_through_a_game(browser, file, games):
    game, data = games[3]
    last = len(game.moves)
    window = opened(browser, file, f"#game={data['id']}&turn=0")
    assert (
        count(window) == f"turn 0 of {last}"
        and window.text("[data-part=title]") == f"{AGENT}, 3 players: {game.score} of 25 points"
    )
    window.keys("ARROW_RIGHT")
    assert (
        count(window) == f"turn 1 of {last}"
        and window.text(".move strong") == data["turns"][1]["move"]["words"] + "."
    )
    window.keys("]", "]", "ARROW_LEFT", "[")
    assert count(window) == f"turn 3 of {last}"
    assert window.ask("document.querySelector('[data-part=live]').href") == f"{to_link(game)}#4", (
        "the site counts from 1"
    )
    window.keys("END")
    assert (
        count(window) == "the end"
        and window.text(".move strong") == f"Game over. {game.score} of 25 points."
    )
    window.keys("HOME", "s")
    assert (
        count(window) == f"turn 0 of {last}"
        and window.all(".back")
        and "view=0" in window.ask("location.hash")
    )
    assert window.text(".who small") == "you look from here"
    window.keys("m")
    assert not window.all(".move .mean") and window.text('[data-part="by"]') == "by hints alone"
    assert window.errors() == []


def test_every_turn_says_what_the_data_say(browser, file, games):
    """Each sentence, each tag and each chance, on every turn."""
    game, data = games[3]
    window = opened(browser, file, f"#game={data['id']}&turn=0")
    shown = window.ask(
        """(() => { const board = document.querySelector("hanabi-board"), found = [];
      for (let turn = 0; turn < arguments[0]; turn++) { board.show({ turn });
        found.push([...board.querySelectorAll(".move strong, .move .mean")].map((e) => e.textContent)); }
      return found; })()""",
        len(game.moves),
    )
    assert shown == [
        [turn["move"]["words"] + ".", *turn["move"]["means"]] for turn in data["turns"][:-1]
    ]
    assert window.ask("document.querySelector('hanabi-board').state.turn") == len(game.moves) - 1


def test_a_move_that_loses_points_says_which_and_why(browser, tmp_path):
    data = game_data(play_game(["piers"], 2, 1), [load("piers").at(2)] * 2)
    file = tmp_path / "game.html"
    file.write_text(page("page.html.j2", title="a game", games=[data]))
    told = [line for line in data["lost"] if "at turn" in line]
    assert told
    for line in told:
        window = opened(
            browser, file, f"#game={data['id']}&turn={line.rstrip('.').rpartition(' ')[2]}"
        )
        said = window.text(".move .lost")
        assert said.startswith("Lost here: ") and line in said and "% to be a last copy; " in said
    window = opened(browser, file, f"#game={data['id']}")
    assert window.text(".move .lost").startswith("Lost here: "), (
        "it opens where the first point is lost"
    )
    window.keys("HOME")
    assert not window.all(".move .lost")
    window.keys("END")
    shown = [line.text for line in window.all(".move .mean")]
    assert len(shown) == len(data["lost"]) and all(
        line.startswith(told) for line, told in zip(shown, data["lost"])
    )
    assert all(
        ("At the end " in line or "was never drawn" in line) == (" stopped before " in line)
        for line in shown
    )


def test_the_address_is_the_state_and_a_seat_hides_its_hand(browser, file, games):
    _, data = games[3]
    window = opened(browser, file, f"#game={data['id']}&turn=8&view=1")
    assert count(window).startswith("turn 8 ") and len(window.all(".back, .sure")) == 5
    labels = [card.get_attribute("aria-label") for card in window.all('.card[data-seat="1"]')]
    assert all(label.startswith("Bob, slot ") for label in labels) and any(
        "unknown, " in label for label in labels
    )
    window.ask("location.hash = arguments[0]", f"#game={data['id']}&turn=9")
    window.wait(lambda _: count(window).startswith("turn 9 "))
    assert not window.all(".back")


def test_a_position_is_copied_as_a_text_that_reads_back(browser, file, games):
    game, data = games[3]
    window = opened(browser, file, f"#game={data['id']}&turn=12")
    window.ask("document.addEventListener('copied', (e) => { window.copied = e.detail.text; })")
    window.keys("c")
    assert Game.read(window.wait(lambda _: window.ask("window.copied"))).moves == game.moves[:12]


def test_a_seats_page_holds_and_shows_its_view_only(browser, games, tmp_path):
    _, data = games[3]
    path = tmp_path / "seat.html"
    path.write_text(page("page.html.j2", title="seat", games=[seen_by(data, 2)]))
    window = opened(browser, path)
    assert (
        len(window.all('.card[data-seat="2"]:is(.back, .sure)')) == 5
        and not window.find(".rulebox").is_displayed()
    )
    window.keys("s")
    assert len(window.all('.card[data-seat="2"]:is(.back, .sure)')) == 5, "no other eyes"
    assert window.errors() == []


@pytest.mark.parametrize(
    "width, theme", [(400, "dark"), (900, "light"), (1400, "dark"), (1600, "light")]
)
def test_nothing_scrolls_sideways(browser, file, games, width, theme):
    browser.theme(theme)
    for _, data in games.values():
        window = opened(browser, file, f"#game={data['id']}&turn=20", width)
        assert not window.wider_than_the_screen()
        cards = window.ask(
            "[...document.querySelectorAll('.card')].map((card) => card.getBoundingClientRect())"
        )
        assert all(card["width"] > 40 and card["right"] <= width for card in cards), (
            "cards can be read, and none is cut off"
        )
    assert browser.errors() == []


def test_themes_have_their_own_ground(browser, file):
    grounds = []
    for theme in ("light", "dark"):
        browser.theme(theme)
        grounds.append(opened(browser, file).ask("getComputedStyle(document.body).backgroundColor"))
    assert grounds == ["rgb(246, 244, 238)", "rgb(17, 19, 26)"]


def test_names_and_notes_with_markup_are_text(browser, games, tmp_path):
    data = json.loads(json.dumps(games[3][1]))
    data |= {"agents": [EVIL] * 3, "result": EVIL, "lost": [EVIL], "title": EVIL, "id": EVIL}
    for turn in data["turns"][:-1]:
        turn["move"] |= {
            "words": EVIL,
            "means": [EVIL],
            "rule": EVIL,
            "says": EVIL,
            "place": None,
            "hint": EVIL,
            "text": EVIL,
        }
    for some in data["lists"]:
        some |= {
            "agent": EVIL,
            "note": EVIL,
            "rules": [{"name": EVIL, "says": EVIL} for _ in some["rules"]],
        }
    path = tmp_path / "evil.html"
    path.write_text(page("page.html.j2", title=EVIL, games=[data, data]))
    for width in (1400, 400):
        window = opened(browser, path, "#turn=3", width)
        window.keys("ARROW_RIGHT", "s", "END", "HOME")
        assert (
            window.ask("window.bad") is None
            and not window.all("img")
            and not window.wider_than_the_screen()
        )
        assert window.text(".move strong") == EVIL + "."
    assert browser.errors() == []


def test_a_script_that_is_not_the_pages_own_does_not_run(browser, file):
    window = opened(browser, file)
    window.ask("""(() => { const script = document.createElement("script");
      script.textContent = "window.bad = 1"; document.body.append(script); })()""")
    assert window.ask("window.bad") is None
    assert any("Content Security Policy" in error for error in window.errors())


def test_cards_and_bar_are_reached_by_keys_alone(browser, file, games):
    _, data = games[3]
    window = opened(browser, file, f"#game={data['id']}&turn=5")
    for _ in range(12):
        window.keys("TAB")
        if window.ask("document.activeElement.classList.contains('card')"):
            break
    where = "document.activeElement.dataset.key"
    first = window.ask(where)
    assert first.startswith("card-0-")
    window.keys("ARROW_RIGHT")
    second = window.ask(where)
    assert second.startswith("card-0-") and second != first and count(window).startswith("turn 5 ")
    window.keys("]")
    assert window.ask(where) == second and count(window).startswith("turn 8 "), (
        "focus survives a step"
    )
    window.keys("TAB")
    assert window.ask(where).startswith("card-1-"), "a hand is one stop"
