"""What a table's page offers beside the board, in a browser: notes, timer, sounds, other eyes, the
last hint, texts of the animation, spectators, a finished game by link; wide and on a phone.
"""

import json
import urllib.request

import pytest
from browser import TOKENS, view_in_turn
from served import ready, serving
from tables import play_on
from typed import typed

from hanabi.evolve.site.play_table import PERSON, WATCHING, PlayTable
from hanabi.evolve.site.request_guard import cookie_name
from hanabi.game_reader import load
from hanabi.moves import is_tell

pytest.importorskip("selenium")
SMALL = "mini,players=2,colours=2"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("games")) as served:
        yield served


def until_told(table):
    """Play until an agent has just told the person something."""
    while not (table.moves and is_tell(table.moves[-1]) and table.to_move == 0):
        play_on(table, 1)
    assert not table.over


def opened(browser, place, name, width, theme, variant=SMALL, seed=3, plays=until_told):
    links, file = place.create_table(
        PERSON, "piers", variant=variant, name=name, seed=seed, plays=plays
    )
    browser.theme(theme)
    browser.open(links[0], width, 844)
    assert ready(browser)
    return links[0], file


def is_fit(browser):
    return browser.serious() == [] and not browser.wider_than_the_screen() and not browser.errors()


def press(browser, selector):
    """Click what may lie below the fold."""
    element = browser.find(selector)
    browser.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", element)
    browser.driver.execute_script("arguments[0].click()", element)


def cookie(address):
    """The header of a request of a person who opened the printed link."""
    site = "/".join(address.split("/")[:3])
    return {"cookie": f"{cookie_name(site)}={TOKENS[site]}"}


def post(address, body):
    request = urllib.request.Request(
        address, json.dumps(body).encode(), {"content-type": "application/json"} | cookie(address)
    )
    return urllib.request.urlopen(request).status


@pytest.mark.parametrize("width, theme", view_in_turn(5))
def test_notes_are_kept_seen_again_and_exported(browser, place, width, theme, tmp_path):
    link, file = opened(browser, place, f"note-{width}-{theme}", width, theme, "standard")
    assert not browser.find("#card-note").is_displayed()
    press(browser, ".hand:nth-child(1) .card")
    assert "Note on your slot 1" in browser.text("#noted")
    for box, text in (("#cardnote", "a <b>2</b>?"), ("#note", "Bob saves")):
        browser.find(box).send_keys(text)
        browser.find(box).send_keys("\t")
    browser.wait(lambda b: b.all(".tag .noted"))
    browser.wait(lambda b: PlayTable.read(file).notes[0] == "Bob saves")
    [(born, kept)] = PlayTable.read(file).card_notes[0].items()
    assert kept == "a <b>2</b>?" and is_fit(browser)
    browser.open(link, width, 844)
    assert ready(browser)
    label = browser.find(".hand:nth-child(1) .card").get_attribute("aria-label")
    assert "note: a <b>2</b>?" in label and browser.all(".tag .noted")
    assert browser.find("#note").get_attribute("value") == "Bob saves"
    out = tmp_path / "game.json"
    assert typed("show", file, "--hanab-live", out)[0] == 0
    assert json.loads(out.read_text())["notes"][0][born] == kept


@pytest.mark.parametrize("width, theme", view_in_turn(6))
def test_a_timer_that_counts_and_is_off_by_default(browser, place, width, theme):
    link, _ = opened(browser, place, f"timer-{width}-{theme}", width, theme)
    assert not browser.find("#timer").is_displayed()
    press(browser, ".settings summary")
    browser.find("#set-timer").click()
    browser.wait(lambda b: b.text("#timer").startswith("Your turn: 0:0"))
    browser.ask(
        "(() => { const now = performance.now.bind(performance); "
        "performance.now = () => now() + 65000; })()"
    )
    browser.wait(lambda b: "Your turn: 1:0" in b.text("#timer"))
    assert "All your turns: 1:0" in browser.text("#timer") and is_fit(browser)
    browser.open(link)
    assert ready(browser) and browser.find("#timer").is_displayed(), "kept in this browser"
    browser.ask("localStorage.clear()")


def test_sounds_for_my_turn_and_for_a_life_and_none_by_default(browser, place):
    opened(browser, place, "sounds", 1280, "light", "standard", 1, lambda table: None)
    browser.ask("""(() => { window.tones = []; const node = () => ({ connect: (to) => to ?? node(),
      frequency: { set value(hertz) { tones.push(hertz); } }, start() {}, stop() {},
      gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} } });
      window.AudioContext = class { currentTime = 0; destination = node();
        createOscillator() { return node(); } createGain() { return node(); } }; })()""")

    def move(*keys):
        before = len(browser.all("#moves .n"))
        browser.keys(*keys)
        browser.wait(lambda b: len(b.all("#moves .n")) == before + 2)

    move(";", "1", "ENTER")
    assert browser.ask("tones") == []
    press(browser, ".settings summary")
    browser.find("#set-sounds").click()
    browser.ask("document.activeElement.blur()")
    lives = browser.ask("document.querySelector('hanabi-board').games[0].turns.at(-1).lives")
    for slot in "12345":  # one of these cards does not fit
        move("ESCAPE", "a", slot, "ENTER")
        if (
            browser.ask("document.querySelector('hanabi-board').games[0].turns.at(-1).lives")
            < lives
        ):
            break
    tones = browser.ask("tones")
    assert 196 in tones and set(tones) <= {196, 660}
    browser.ask("localStorage.clear()")


@pytest.mark.parametrize("width, theme", view_in_turn(7))
def test_the_last_hint_stays_on_my_cards_and_others_eyes(browser, place, width, theme):
    _, file = opened(browser, place, f"eyes-{width}-{theme}", width, theme)
    view, arrows = "document.querySelector('hanabi-board').state.view", ".hand:nth-child(1) .arrow"
    told = len(browser.all(arrows))
    assert told and len(browser.all(".hand:nth-child(1) .told .card")) == told
    words = load(file)
    assert words.moves and browser.text("[data-part=last]").startswith("Bob tells Ann")
    labels = [one.get_attribute("aria-label") for one in browser.all(".hand:nth-child(1) .card")]
    assert sum("touched by the last hint" in label for label in labels) == told
    browser.ask(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'v', bubbles: true }))"
    )
    assert browser.ask(view) == 1
    faces = "[...document.querySelectorAll('.hand:nth-child(2) .card')].every((card) => card.ariaLabel.includes('its holder'))"
    seen = browser.text(".hand:nth-child(2)")
    browser.ask(
        "document.body.dispatchEvent(new KeyboardEvent('keyup', { key: 'v', bubbles: true }))"
    )
    assert (
        browser.ask(view) == 0 and browser.text(".hand:nth-child(2)") != seen and browser.ask(faces)
    )
    hold = "document.querySelector('.hand:nth-child(2) .card').dispatchEvent(new PointerEvent('pointer{}', {{ bubbles: true }}))"
    browser.ask(hold.format("down"))
    browser.wait(lambda b: b.ask(view) == 1)
    browser.ask(hold.format("up"))
    assert browser.ask(view) == 0
    browser.keys("ARROW_LEFT")
    assert not browser.all(".hand:nth-child(1) .told"), "an earlier turn has no last hint"
    browser.keys("END")
    assert len(browser.all(arrows)) == told and is_fit(browser)


def test_every_move_that_is_shown_is_read_aloud(browser, place):
    """The status line names each move as it is shown; without motion the last move is said."""
    links, file = place.create_table(
        PERSON, "piers", "piers", variant="standard", name="aloud", seed=4
    )
    browser.theme("light")
    browser.open(links[0])
    assert ready(browser)
    for part in ("move", "last"):
        assert browser.find(f"[data-part={part}]").get_attribute("role") == "status"
    browser.ask("""(() => { window.said = []; const part = document.querySelector('[data-part=move]');
      new MutationObserver(() => said.push(part.textContent)).observe(part,
        { childList: true, subtree: true, characterData: true }); })()""")
    browser.keys(";", "1", "ENTER")
    browser.wait(lambda b: len(b.all("#moves .n")) == 3)
    at = "document.querySelector('hanabi-board').state.turn"
    browser.wait(lambda b: b.ask(at) == 3)
    words = PlayTable.read(file).words
    said = " ".join(browser.ask("said"))
    places = [said.find(words[turn]) for turn in (1, 2)]
    assert 0 <= places[0] < places[1], (words, said)
    assert browser.text("[data-part=last]") == f"{words[2]}."
    press(browser, ".settings summary")
    browser.find("#set-motion").click()  # the setting switches it off
    browser.ask("(() => { said.length = 0; document.activeElement.blur(); })()")
    browser.keys("a", "1", "ENTER")
    browser.wait(lambda b: len(b.all("#moves .n")) == 6)
    assert browser.ask(at) == 6
    assert PlayTable.read(file).words[4] not in " ".join(browser.ask("said"))
    browser.ask("localStorage.clear()")


@pytest.mark.parametrize("width, theme", view_in_turn(8))
def test_a_spectator_follows_and_has_no_controls(browser, place, width, theme):
    """What the host chose is said at the seat; the link shows moves as they are made."""
    name = f"watched-{width}-{theme}"
    seat, file = opened(browser, place, name, width, theme)
    press(browser, ".settings summary")
    chooser = "document.querySelector('#watching')"
    assert browser.ask(f"{chooser}.value") == WATCHING[0] and not browser.text("#watch-link")
    browser.ask(
        f"(() => {{ {chooser}.value = arguments[0]; {chooser}.dispatchEvent(new Event('change')); }})()",
        WATCHING[1],
    )
    browser.wait(lambda b: b.all("#watch-link a") and b.text("#watched"))
    assert "no card that a person holds" in browser.text("#watched") and is_fit(browser)
    address = browser.text("#watch-link a")
    browser.open(address, width, 844)
    browser.wait(lambda b: b.all("#moves .n"))
    made = len(browser.all("#moves .n"))
    assert not browser.all("[data-mode], #do, #note, [data-why]"), "no controls"
    cards = browser.ask("document.querySelector('hanabi-board').games[0].turns.at(-1).hands")
    assert all(card is None or card["card"] is None for card in cards[0])
    assert all(card is None or card["card"] is not None for card in cards[1])
    hidden = "[...document.querySelectorAll('.hand:nth-child(1) .card')].every((card) => card.ariaLabel.includes('unknown'))"
    text = browser.find(".hand:nth-child(1) .card").get_attribute("aria-label")
    assert browser.ask(hidden) or "unknown" in text, text
    assert is_fit(browser)
    turn = PlayTable.read(file).turn
    assert post(f"{seat}/move", {"move": "play 0", "turn": turn}) == 200
    browser.wait(lambda b: len(b.all("#moves .n")) >= made + 2)
    browser.keys("HOME")
    assert browser.ask("document.querySelector('hanabi-board').state.turn") == 0
    post(f"{seat}/watching", {"what": WATCHING[2]})
    browser.wait(lambda b: b.text("#line").startswith("Nobody may watch"))
    assert not [line for line in browser.errors() if "404" not in line]


@pytest.mark.parametrize("width, theme", view_in_turn(9))
def test_a_finished_game_opens_by_its_link(browser, place, width, theme):
    links, file = place.create_table(
        PERSON, "piers", variant=SMALL, name=f"done-{width}-{theme}", plays=play_on
    )
    browser.theme(theme)
    browser.open(links[0], width, 844)
    assert not ready(browser)
    shared = browser.find("#shared").get_attribute("href")
    browser.open(shared, width, 844)
    browser.wait(lambda b: b.text("#line").startswith("The game is over"))
    assert browser.ask("document.querySelector('hanabi-board').games[0].turns.length") == (
        len(load(file).moves) + 1
    )
    browser.keys("HOME")
    assert browser.ask(
        "document.querySelector('hanabi-board').games[0].turns[0].hands[0].every((card) => card.card !== null)"
    )
    assert is_fit(browser)
