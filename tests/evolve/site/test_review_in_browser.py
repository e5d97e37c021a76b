"""From a game to its review to a table at a turn of it, by keys alone; and the school, question by question."""

import pytest
from browser import VIEWS, view_in_turn
from served import by_keys, ready, serving, step
from sizes import THOROUGH

from hanabi.evolve.lessons.school import KINDS, question
from hanabi.evolve.site import game_list
from hanabi.evolve.site.play_table import PERSON
from hanabi.game_reader import load
from hanabi.lookahead.move_values import ReviewSettings
from hanabi.moves import is_tell

pytest.importorskip("selenium")
SEED = 3  # of the school


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with (
        pytest.MonkeyPatch.context() as patch,
        serving(tmp_path_factory.mktemp("games")) as served,
    ):
        patch.setattr(game_list, "SETTINGS", ReviewSettings(rollouts=100, worlds=30))
        yield served


def focus(browser, selector):
    """Move the focus to an element by Tab alone."""
    for _ in range(120):
        browser.keys("TAB")
        if browser.ask("document.activeElement.matches(arguments[0])", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")


@pytest.mark.parametrize("width, theme", view_in_turn(10))
def test_from_the_last_move_to_the_review_to_a_table_at_a_turn(browser, place, width, theme):
    name = f"journey-{width}-{theme}"
    links, file = place.create_table(PERSON, "piers", "piers", name=name)
    browser.theme(theme, motion="reduce")
    browser.open(links[0], width, 844)
    while ready(browser):
        step(browser, lambda: by_keys(browser))
    focus(browser, "#review")
    browser.keys("ENTER")
    browser.wait(lambda b: b.all("#reviewed hanabi-board .hand"))
    assert browser.driver.current_url.partition("#")[0].endswith(f"/games/{name}/review")
    asked_before_it_is_shown(browser, width)
    costliest = browser.all(".reviewed")[0].find_elements("css selector", "li")
    assert 1 <= len(costliest) <= 3 and all("Better: " in one.text for one in costliest)
    assert browser.text(".panel:has(> .reviewed) .head") == "Ann’s moves that cost most"
    turns = [int(one.find_element("css selector", "a").text) for one in costliest]
    assert all(turn % 3 == 0 for turn in turns), "the review begins with the person"
    whose = [one.text.partition(" of ")[0] for one in browser.all(".grades p")]
    bar = browser.ask("[...document.querySelectorAll('.gradebar i, .gradebar u')].map((one) => "
        "[one.dataset.sign, parseInt(one.textContent)])")  # fmt: skip
    middle = bar.index([None, None])
    for name, part in (("Ann", bar[:middle]), ("Bob and Cal", bar[middle + 1 :])):
        assert f"{name} {sum(count for sign, count in part if sign)}" in whose
    assert sum(count for _, count in bar if count) == len(load(file).moves)
    assert "In the same positions piers would make" in browser.text("#summary")
    assert "Bob’s and Cal’s mistakes" in browser.text("main")
    at = "document.querySelector('hanabi-board').state.turn"
    wrong = browser.ask("document.querySelector('hanabi-board').games[0].mistakes")
    mine = [one["turn"] for one in wrong if one["turn"] % 3 == 0]
    assert [one["turn"] for one in wrong if one["mine"]] == mine and set(turns) <= set(mine)
    signs = [one.text for one in browser.all(".events .sign.mine")]
    assert signs == [one["sign"] for one in wrong if one["mine"]]
    fills = {
        one.text: one.value_of_css_property("background-color")
        for one in browser.all(".events .sign.mine")
    }
    assert len(set(fills.values())) == len(fills), "each sign has its colour"
    browser.keys("HOME")
    ahead, seen = [turn for turn in mine if turn], []
    for _ in ahead:
        browser.keys("ARROW_DOWN")
        seen.append(browser.ask(at))
    assert seen == ahead, "from mistake to mistake of the person"
    browser.keys("ARROW_DOWN")
    assert browser.ask(at) == ahead[-1]
    browser.keys("ARROW_UP")
    assert browser.ask(at) == [0, *ahead][-2] or len(mine) == 1
    assert browser.driver.title.startswith("Review of Ann (person), Bob (piers), Cal (piers): ")
    assert "Missed hint" in browser.text("main") or "No missed hints" in browser.text("main")
    assert "Efficiency" in browser.text("main") and browser.all(".chart svg")
    browser.find("details.panel summary").click()
    assert len(browser.all("details[open] tbody tr")) == len(load(file).moves)
    browser.find("details.panel summary").click()
    assert browser.serious() == [] and not browser.wider_than_the_screen()
    other_moves(browser)
    assert not browser.errors()
    # the costliest move that is not the first on the board: its number, by keys
    last = costliest[-1].find_element("css selector", "a")
    turn = int(last.text)
    focus(browser, f".reviewed a[href='#turn={turn}']")
    browser.keys("ENTER")
    browser.wait(lambda b: f"From turn {turn}:" in b.text("#from"))
    focus(browser, "#go")
    browser.keys("ENTER")
    browser.wait(lambda b: "/seat/" in b.driver.current_url)
    assert ready(browser)
    newest = max(
        (path for path in place.games.glob("*.toml") if not path.stem.startswith("journey")),
        key=lambda path: path.stat().st_mtime,
    )
    assert load(newest).moves == load(file).moves[:turn]
    assert browser.ask("document.querySelector('hanabi-board').games[0].turns.at(-1).turn") == turn


def other_moves(browser):
    """Each legal move of the turn on the board is played on, that which was made among them."""
    browser.ask("document.querySelector('hanabi-board').show({ turn: 0 })")
    browser.find("#whatif button").send_keys("\n")
    browser.wait(lambda b: "on deals that fit what Ann saw" in b.text("#whatif p"))
    made = browser.ask("document.querySelector('hanabi-board').games[0].turns[0].move.words")
    rows = [one.text for one in browser.all("#whatif tbody tr")]
    assert len(rows) > 3 and len(browser.all("#whatif .made")) == 1
    assert made.startswith("Ann ") and browser.text("#whatif .made").endswith("as it was")
    assert browser.serious() == [] and not browser.wider_than_the_screen()
    browser.ask("document.querySelector('hanabi-board').show({ turn: 1 })")
    assert not browser.all("#whatif tbody tr") and "Turn 1:" in browser.text("#whatif p")
    browser.ask("document.querySelector('hanabi-board').show({ turn: 0 })")
    assert [one.text for one in browser.all("#whatif tbody tr")] == rows, "they are kept"


def asked_before_it_is_shown(browser, width):
    """The costliest move: asked from the seat, answered wrong, tried again; then all are shown."""
    turn = browser.ask("document.querySelector('hanabi-board').state.turn")
    [one] = browser.ask("document.querySelector('hanabi-board').games[0].mistakes.filter("
        "(one) => one.turn === arguments[0])", turn)  # fmt: skip
    words = [choice["words"] for choice in one["choices"]]
    made = next(place for place, choice in enumerate(one["choices"]) if choice["made"])
    best = next(place for place, choice in enumerate(one["choices"]) if choice["costs"] == "0")
    told = browser.ask("document.querySelector('hanabi-board').games[0].turns[arguments[0]]", turn)
    view = "document.querySelector('hanabi-board').state.view"
    spoilers = ".reviewed li > div > p, .missed, .verb, .arrow"
    assert words == sorted(words) and len(words) >= 3
    assert (told["me"], told["move"]) == (0, None) and browser.ask(view) == 0
    assert not any(one.is_displayed() for one in browser.all(spoilers))
    assert [one.text for one in browser.all("[data-choice]")] == words
    is_below = browser.ask(
        "document.querySelector('.board').contains(document.getElementById('retry'))"
    )
    assert is_below == (width < 1101)
    assert browser.serious() == [] and not browser.wider_than_the_screen()
    focus(browser, f"[data-choice='{made}']")
    browser.keys("ENTER")
    assert browser.text("#retry .result").startswith(f"No. Best: {words[best]}.")
    assert browser.ask(view) == -1 and browser.all(".verb, .arrow")
    costs = [one.text for one in browser.all(".candidates li b")]
    assert costs == [choice["costs"] for choice in one["choices"]]
    said = browser.text("#retry .said")
    assert "Better: " in said and said.split("\n")[0].startswith(
        f"Turn {turn}, Ann: {words[made]}."
    )
    browser.driver.refresh()
    browser.wait(lambda b: b.all("#retry .candidates li"))
    browser.find("[data-do=retry]").send_keys("\n")
    assert browser.ask(view) == 0 and not browser.all(".verb, .arrow")
    browser.find(f"[data-choice='{best}']").send_keys("\n")
    assert browser.text("#retry .result").startswith("Right. ")
    assert browser.text("#retry .foot span").startswith("1 of ")
    for button in browser.all("[data-do=all]"):
        button.send_keys("\n")
    assert all(one.is_displayed() for one in browser.all(".missed, .halves .reviewed p"))


def answer(browser, way, place):
    """Choose an answer by its place, and send it."""
    if way == "pointer":
        browser.find(f"input[name=answer][value='{place + 1}']").click()
        browser.find(".asked .do").click()
    else:
        focus(browser, "input[name=answer]")
        browser.keys("SPACE", *["ARROW_DOWN"] * place, "ENTER")
    browser.wait(lambda b: b.all(".asked [role=status]"))


def order_from(position):
    """The seats, the player to move first."""
    seats = len(position.hands)
    return [(position.me + place) % seats for place in range(seats)]


@pytest.mark.parametrize("way", ["pointer", "keys"] if THOROUGH else ["both"])
def test_ten_questions(browser, place, way):
    """The first five by pointer at 1,280 px, the others by keys at 390 px; or all in each way,
    through all views."""
    browser.open(f"{place.address}/school?seed={SEED}", 1280, 844)
    assert not browser.all(".tally p")
    browser.wait(lambda b: not b.all(".mini-board .waiting"))
    for number in (1, 5, 10):
        position = question(SEED, number - 1).game.position(question(SEED, number - 1).turn)
        hands = browser.all(f".mini-board[data-number='{number}'] .held")
        # my hand comes first, and nothing of it is shown
        drawn = [len(one.find_elements("css selector", "i:not(.back)")) for one in hands]
        held = [sum(map(bool, position.hands[seat])) for seat in order_from(position)]
        assert drawn == [0, *held[1:]]
        assert len(hands[0].find_elements("css selector", ".back")) == held[0]
        place_of = f"/school/{SEED}/{number}/board"
        data = browser.driver.execute_async_script(
            "fetch(arguments[0]).then((one) => one.json()).then(arguments[1])", place_of
        )
        mine = [card for card in data["turns"][-1]["hands"][position.me] if card]
        assert all(card["card"] is None and "chances" not in card for card in mine)
        assert data["turns"][-1]["move"] is None
    assert browser.serious() == [] and not browser.wider_than_the_screen()
    browser.size(390)
    assert not browser.wider_than_the_screen()
    browser.find(f".mini-board[href^='/school/{SEED}/1?']").click()
    for number in range(1, len(KINDS) + 1):
        one, last = question(SEED, number - 1), number == len(KINDS)
        by_pointer = way == "pointer" or way == "both" and number <= 5
        width, theme = VIEWS[number % len(VIEWS) if THOROUGH else not by_pointer]
        browser.theme(theme), browser.size(width, 844)
        browser.wait(lambda b, n=number: f"Question {n} of 10" in b.text("h1"))
        browser.wait(lambda b: b.all("hanabi-board .hand"))
        assert browser.text("legend") == one.asks and one.reason not in browser.text("main")
        assert not browser.all(".chances") and not browser.all(".hand .meter")
        told = sum(bool(is_tell(move)) for move in one.game.moves[: one.turn])
        assert browser.text("[data-part=given]") == f"{told} given"
        assert len(browser.all("[data-part=log] li:not(.small)")) == told
        chosen = one.answer if number != 2 else (one.answer + 1) % len(one.choices)
        answer(browser, "pointer" if by_pointer else "keys", chosen)
        said = browser.text(".asked [role=status]")
        assert said.startswith("No: " if number == 2 else "Right.") and one.reason in said
        streak = number if number == 1 else number - 2
        assert browser.text(".tally p") == f"{number - (number >= 2)} of {number} right" + (
            f" · {streak} in a row" if streak > 1 else ""
        )
        if number in (1, 6) or THOROUGH:
            assert browser.serious() == [] and not browser.wider_than_the_screen()
        if by_pointer and not last:
            browser.find(".asked a.do").click()
        elif not last:
            browser.keys("ENTER")  # the focus is on the next question
    assert not browser.all(".asked a.do") and not browser.errors()
    # back to the list: it has the seed and the results, and leads on from there
    browser.find(".asked a.button").click()
    browser.wait(lambda b: b.text("h1") == "School")
    browser.open(f"{place.address}/school", 390)  # this browser goes on where it was
    browser.wait(lambda b: b.ask("location.search").startswith(f"?seed={SEED}&"))
    results = [one.text for one in browser.all(".tally a")]
    assert results == ["✓", "✗", *["✓"] * 8]
    shown = [one.text[0] for one in browser.all(".mini-board .asks > b:last-child")]
    assert shown == results
    assert "9 of 10 right · 8 in a row" in browser.text("main") and browser.serious() == []
    browser.find(f".mini-board[href^='/school/{SEED}/2?']").click()
    browser.wait(lambda b: b.all(".asked [role=status]"))
    assert browser.text(".asked [role=status]").startswith("No: ")
    assert "9 of 10 right" in browser.text(".tally")


@pytest.mark.parametrize("width, theme", view_in_turn(11))
def test_the_question_of_the_day_and_a_puzzle(browser, place, width, theme):
    browser.theme(theme)
    browser.open(f"{place.address}/school", width, 844)
    focus(browser, "a[href^='/school/day?']")
    browser.keys("ENTER")
    browser.wait(lambda b: b.text("h1") == "Question of the day" and b.all("hanabi-board .hand"))
    assert browser.serious() == []
    browser.open(f"{place.address}/school/puzzle", width, 844)
    focus(browser, "input[name=case]")
    browser.keys("RWW", "ENTER")
    browser.wait(lambda b: b.all("pre"))
    assert "In truth: RWW." in browser.text("pre") and "man 1: I know" in browser.text("pre")
    assert browser.serious() == [] and not browser.wider_than_the_screen()
    assert not browser.errors()
