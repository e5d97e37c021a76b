"""Edits at the workbench by pointer and by keys; lists, files, tables and pages around them."""

import base64
import re
import shutil
from contextlib import contextmanager

import pytest
from paths import ROOT
from served import serving
from sizes import THOROUGH
from workbench_window import QUIET, RULES, Workbench, stubbed

from hanabi.evolve.site.play_table import PlayTable
from hanabi.rules.agents import dumps, load

pytest.importorskip("selenium")
WIDTHS = (360, 390, 560, 640, 820, 861, 900, 1024, 1180, 1240, 1280, 1600)  # 640: 1280 at 200 %
FOUR = [*RULES, "save(lax=0)"]
STILL = QUIET | stubbed("score")
# `make test-slow` looks at all pairs
VIEWS = [(1280, "light"), (390, "dark")]
VIEWS += [(1280, "dark"), (820, "light"), (820, "dark"), (390, "light")] if THOROUGH else []


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    runs = tmp_path_factory.mktemp("runs")
    with serving(tmp_path_factory.mktemp("games"), runs) as served:
        served.runs = runs
        yield served


@pytest.fixture
def bench(browser, place):
    return Workbench(browser, place.address)


def turned(rules, start, goal):
    """The list after a move of the entry at a place to another place."""
    rest = rules[:start] + rules[start + 1 :]
    return [*rest[:goal], rules[start], *rest[goal:]]


@pytest.mark.slow
def test_rows_move_by_pointer_and_keys_and_every_edit_is_undone(bench):
    """Undo goes back through each version, one at a time, and redo forth again."""
    bench.open_list(FOUR, stubs=STILL)
    seen = [bench.rules()]

    def edited(expected, focus="", version=""):
        bench.browser.wait(lambda _: bench.rules() == expected)
        assert focus in bench.focused() and version in bench.versions()[-1]
        seen.append(expected)

    touch = "getComputedStyle(document.querySelector(arguments[0])).touchAction"
    assert bench.ask(touch, bench.row(0, ".grip")) == "none"
    assert bench.ask(touch, bench.row(0, ".say")) == "auto", "a finger scrolls there"
    bench.drag(0, 5_000)  # over the end
    edited(turned(FOUR, 0, 3), "Move rule 4, play marked", "Moved “play marked” from 1 to 4")
    bench.drag(3, -50)  # over the beginning
    edited(FOUR, "Move rule 1, play marked")
    bench.drag(1, 5_000, "Escape")
    assert bench.rules() == FOUR and not bench.all(".dropline, .drag")
    # results arrive meanwhile
    bench.drag(2, bench.top(0) + 2, None)
    bench.ask("void hanabi.bench.draw()")
    assert bench.all(".dropline")
    bench.ask("void window.dispatchEvent(new PointerEvent('pointerup', { clientY: 0 }))")
    edited(turned(FOUR, 2, 0), "Move rule 1, discard known useless")
    bench.focus(bench.row(3, ".grip"))
    bench.keys("SPACE", "ARROW_UP", "ARROW_UP")
    assert "Place 2 of 4." in bench.text("#live")
    bench.ask("void hanabi.bench.draw()")
    bench.keys("SPACE")
    edited(turned(seen[-1], 3, 1), "Move rule 2, save", "Moved “save” from 4 to 2")
    bench.keys("ENTER", "ARROW_DOWN", "ESCAPE")
    assert bench.rules() == seen[-1] and bench.text("#live") == "Put back."
    bench.keys("ARROW_DOWN")
    assert "Move rule 3" in bench.focused()
    bench.press("ALT", "ARROW_DOWN")
    edited(turned(seen[-1], 2, 3), "Move rule 4")
    bench.click(bench.row(3, ".more"))
    assert bench.focused() == "" and bench.all("[role=menuitem]:focus")
    bench.keys("ESCAPE")
    assert not bench.all(".pop") and "More for" in bench.focused()
    bench.click(bench.row(3, ".more"))
    bench.click("[data-menu=first]")
    edited(turned(seen[-1], 3, 0), "Move rule 1")
    bench.keys("DELETE")
    edited(seen[-1][1:], "Move rule 1", "Took")
    bench.click("[data-act=putback]")
    edited(seen[-2], "Move rule 1", "back")
    bench.click(bench.row(1, "[role=switch]"))
    assert "Use" in bench.get(bench.row(1, "[role=switch]"), "aria-label")
    count = len(seen) + 1
    assert len(bench.versions()) == count
    for place, rules in reversed(list(enumerate(seen))):
        bench.click("#undo")
        assert bench.rules() == rules, place
        assert bench.text("#hist .on .v") == str(place + 1)
    assert bench.get("#undo", "aria-disabled") == "true"
    bench.press("CONTROL", "SHIFT", "z")
    assert bench.rules() == seen[1]
    bench.press("CONTROL", "z")
    assert bench.rules() == seen[0] and len(bench.versions()) == count
    bench.click(f"#hist [data-version='{count - 1}']")
    assert bench.rules() == seen[-1]
    assert not bench.browser.errors()


def test_a_rule_is_written_with_completion_and_read_before_it_is_added(bench):
    bench.open_list(RULES, stubs=STILL)
    bench.click(".write summary")
    bench.focus("#expression")
    value = "document.querySelector('#expression').value"
    options = "[...document.querySelectorAll('#words option')].map((one) => one.value)"
    bench.keys(*"grown.play_n")
    assert bench.ask(options) == ["grown.play_newest("]
    bench.keys(*"ewest(told_a")
    assert bench.ask(options) == ["grown.play_newest(told_alone"]
    bench.keys(*"lone but not knowns(useless))", "ENTER")
    bench.browser.wait(lambda _: "knows" in bench.text("#unread"))
    assert bench.rules() == RULES and bench.ask(value).endswith("(useless))")
    bench.ask(f"void ({value} = 'play_marked')")
    bench.keys("ENTER")
    bench.browser.wait(lambda _: bench.text("#unread").startswith("Begin with grown."))
    text = "grown.play_newest(told_alone but not knows(useless))"
    bench.ask(f"void ({value} = ' {text} ')")
    bench.keys("ENTER")
    bench.browser.wait(lambda _: bench.rules() == [*RULES, text])
    assert bench.ask(value) == bench.text("#unread") == ""
    assert (
        "Wrote a rule" in bench.versions()[-1] and f"Move rule {len(RULES) + 1}" in bench.focused()
    )
    said = bench.text(bench.row(len(RULES), ".say"))
    assert said.startswith("Play my newest card that is singled out by a hint") and text in said
    # a version of this browser whose sentences are not known is not wrong
    bench.ask(f"void delete hanabi.entries.spoken['{text}']")
    bench.click("#undo")
    bench.click("#redo")
    bench.browser.wait(lambda _: bench.rules() == [*RULES, text])
    assert bench.text(bench.row(len(RULES), ".say")) == text and not bench.all(".bad1")
    assert not bench.browser.errors()


def test_ten_steps_are_one_version_and_one_request(bench):
    bench.open_list(["play_marked when deck <= 0", *RULES[1:]], stubs=STILL)
    bench.measured()
    shown = (
        "asked.filter(([path, body]) => path === '/build/score' && body.includes('shown\":true'))"
    )
    before = bench.ask(f"{shown}.length")
    bench.ask(
        "void (window.said = [], new MutationObserver(() => said.push("
        "document.querySelector('#live').textContent)).observe(document.querySelector('#live'),"
        " { childList: true }))"
    )
    bench.ask(
        "(() => { for (let i = 0; i < 10; i += 1) document.querySelector("
        "\"#rules [data-what='guard:0'] [data-by='1']\").click(); })()"
    )
    bench.measured()
    scores = bench.ask(shown)
    assert bench.rules()[0] == "play_marked when deck <= 16"
    assert len(bench.versions()) == 2 and len(scores) == before + 1
    # the ten steps change one line before it is read; then comes one sentence for the score
    assert bench.ask("said") == [
        "Play marked: deck 16. Measuring.",
        "14.50 points, +0.100 ± 0.010 over version 1.",
    ]
    assert "deck <= 16" in scores[-1][1]
    assert bench.find(bench.row(0)).get_attribute("class").split()[-1] == "changed"
    assert "was when deck <= 0" in bench.text(bench.row(0, ".mark"))
    bench.click("#undo")
    assert bench.rules()[0] == "play_marked when deck <= 0"


def test_a_list_for_one_player_count(bench):
    bench.open_list(FOUR, stubs=STILL)
    assert "All four counts play this list." in bench.text("#shared")
    bench.click("#own")
    assert "Only 3 players play this list." in bench.text("#shared")
    assert "own list" in bench.text("#tab-3") and "list for 4 to 5" in bench.text("#tab-5")
    bench.drag(0, 5_000)
    assert bench.rules() == turned(FOUR, 0, 3)
    bench.focus("#tab-3")
    bench.keys("ARROW_RIGHT")
    assert bench.get("#tab-4", "aria-selected") == "true" and bench.rules() == FOUR
    bench.keys("ARROW_LEFT")
    bench.click("#own")
    assert bench.text("#own") == "Own list for 3"
    bench.click("#tab-5")
    assert bench.rules() == turned(FOUR, 0, 3), "the list of 3 is that of all"


def test_two_windows_with_one_list(bench):
    """The last edit is kept, and the other window says that there is another one."""
    bench.open_list(FOUR, stubs=STILL)
    driver, first = bench.browser.driver, bench.browser.driver.current_window_handle
    driver.switch_to.new_window("tab")
    try:
        driver.get(f"{bench.address}/build?list=kept")
        bench.browser.wait(lambda b: len(b.all("#rules .row1")) == 4)
        bench.drag(0, 5_000)
        bench.browser.wait(lambda _: len(bench.versions()) == 2)
    finally:
        driver.close()
        driver.switch_to.window(first)
    assert "another window edits this list" in bench.wait_text("#begun", "another window")
    bench.drag(3, -50)
    kept = bench.ask("JSON.parse(localStorage['hanabi.workbench'])[0].versions.at(-1).lists")
    assert [row["e"] for row in kept["2-5"]["rules"]] == turned(FOUR, 3, 0) == bench.rules()


def test_long_lists_and_names_and_markup(bench):
    """64 rules; names of 200 letters; markup is text; nothing is wider than the screen."""
    evil = "<i id=evil>" + "x" * 190
    rules = ["play_marked"] * 63 + [f"{evil}(a=1)"]
    bench.open_list(rules, stubs=STILL, name=evil)
    bench.ask(
        "void hanabi.bench.edit(arguments[0], (list) => { list.otherwise = 'forfeit'; })", evil
    )
    bench.measured()
    assert len(bench.rules()) == 64 and evil in bench.text("#hist") and evil in bench.text("#rules")
    for width in WIDTHS:
        bench.browser.size(width)
        assert not bench.browser.wider_than_the_screen(), width
    assert not bench.all("#evil")
    error = {"error": f"65 rules are more than 64: {evil}", "part": "rules", "place": None}
    bench.stub(**{"build/score": [{"body": error, "status": 422}]})
    bench.add("save")
    assert "65 rules are more than 64" in bench.wait_text("#wrong", "64")
    assert not bench.all("#evil")


def test_everybody_can_read_it(bench):
    """axe in both themes and three widths; forced colours; sizes of what is pressed."""
    stubs = {"build/sweep": ["wait"]}
    bench.open_list([*FOUR, ["discard_expected"]], ["focus(ranks=0)"], stubs=stubs)
    bench.measured()
    bench.click(bench.row(2, "[role=switch]"))
    bench.browser.wait(lambda b: b.all("#part .side1"))
    for width, theme in VIEWS:
        bench.browser.size(width)
        bench.browser.theme(theme)
        assert bench.browser.serious() == [], (width, theme)
        assert not bench.browser.wider_than_the_screen()
    small = bench.ask(
        "[...document.querySelectorAll('.bench button, .bench select, .bench input')]"
        ".filter((one) => one.checkVisibility() && !one.closest('.switch, .tick'))"
        ".map((one) => [one.id || one.className || one.textContent, one.getBoundingClientRect()])"
        ".filter(([, box]) => box.width && (box.width < 24 || box.height < 22))"
        ".map(([name, box]) => `${name} ${box.width} ${box.height}`)"
    )
    assert small == []
    with emulated(bench, features=[{"name": "forced-colors", "value": "active"}]):
        assert not bench.browser.wider_than_the_screen()
        knobs = [colours(bench, bench.row(i, "[role=switch]")) for i in (0, 2)]
        assert knobs[0] != knobs[1], "on and off differ"
        tabs = [colours(bench, f"#tab-{count}", "border-color") for count in (2, 3)]
        assert tabs[0] != tabs[1]


@contextmanager
def emulated(bench, **media):
    """Another medium, or other wishes of the reader."""
    driver = bench.browser.driver
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    try:
        yield
    finally:
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def colours(bench, selector, what="background-color"):
    """A colour of an element as it is shown."""
    style = "getComputedStyle(document.querySelector(arguments[0])).getPropertyValue(arguments[1])"
    return bench.ask(style, selector, what)


def test_a_list_on_paper_without_colour(bench):
    """The sentences have the width of the page; what is off or new says so by line and word."""
    bench.open_list(FOUR, ["focus(ranks=0)"], stubs=STILL, width=720)
    bench.click(bench.row(2, "[role=switch]"))
    bench.drag(3, bench.top(0) + 2)
    bench.measured()
    with emulated(bench, media="print"):
        assert not bench.browser.wider_than_the_screen()
        for shown in ("#rules", "#big", "#lead", "#name"):
            assert bench.find(shown).is_displayed()
        gone = ".lcol", ".improve", ".grip", "[role=switch]", ".val button", "#save", ".sheets"
        for hidden in gone:
            assert not bench.find(hidden).is_displayed(), hidden
        width = "document.querySelector(arguments[0]).getBoundingClientRect().width"
        for place in range(4):
            assert bench.ask(width, bench.row(place, ".say")) > 550, place
        assert "moved from 3" in bench.text(bench.row(0))
        assert bench.text(bench.row(3, ".no")) == "–"
        assert "line-through" in colours(bench, bench.row(3, ".say"), "text-decoration-line")
    paper = bench.browser.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": False})
    pages = len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(paper["data"])))
    assert 1 <= pages <= 3, "with the score and the losses"
    assert not bench.browser.errors()


@pytest.mark.parametrize(
    ("colours", "perfect"), [(3, 15), pytest.param(6, 30, marks=pytest.mark.slow)]
)
def test_other_variants_and_all_player_counts(bench, colours, perfect):
    bench.open_list(RULES[:2], query=f"&variant=colours={colours}")
    bench.measured()
    assert f"of {perfect}" in bench.text("#big")
    counts = range(2, 6)
    bench.browser.wait(lambda _: all("–" not in bench.text(f"#tab-{count}") for count in counts))
    points = {float(bench.text(f"#tab-{count}").split()[-1]) for count in counts}
    assert len(points) == 4 and all(0 < found < perfect for found in points)
    bench.click("#tab-5")
    bench.browser.wait(lambda _: "5 players" in bench.text("#lead"))
    for gone in ("piers", "convention"):
        assert gone not in bench.text("#chart"), "they were measured with 5 colours"


def test_around_the_list(bench, place, tmp_path):
    """It sits down unsaved; Compare and Evolve have it filled in; a run brings a version back."""
    bench.open_list(FOUR, stubs=STILL, query="&players=4")
    bench.click("#sit")
    bench.browser.wait(lambda b: "/seat/" in b.driver.current_url)
    (table,) = place.games.glob("*.toml")
    agents = PlayTable.read(table).agents
    assert agents[0] is None and [agent.name for agent in agents[1:]] == ["mine"] * 3
    for agent in agents[1:]:
        assert [rule.name for rule in agent.list_at(4).rules] == FOUR
    assert not (place.games / "agents").exists()

    bench.open_list(FOUR, stubs=STILL)
    bench.click("#compare")
    bench.browser.wait(lambda b: b.all("#play"))
    chosen = "[...document.querySelectorAll('[name=agent]:checked')].map((one) => one.value)"
    assert sorted(bench.ask(chosen)) == ["convention", "mine"]

    saved = place.games / "agents" / "mine.toml"
    assert "version 1" in saved.read_text()
    bench.open_list(FOUR[:2], stubs=STILL)  # another list of that name is not replaced unasked
    bench.click("#evolve")
    assert "already" in bench.wait_text("#saved", "already")
    bench.click("#dosave")
    bench.wait_text("#saved", "Saved as")
    bench.click("#close")
    bench.click("#evolve")
    bench.browser.wait(lambda b: b.all("#start"))
    assert bench.ask("document.querySelector('[name=start]').selectedOptions[0].text") == (
        "mine, version 1"
    )

    run = place.runs / "mine-evolved"
    shutil.copytree(ROOT / "runs" / "reference" / "mirror-cig2018", run)
    config = run / "config.toml"
    config.write_text(f'start = ["{saved}"]\n' + config.read_text().replace("start = []\n", ""))
    bench.open_list(FOUR[:2], stubs=STILL)
    driver = bench.browser.driver
    driver.get(f"{bench.address}/build?run=mine-evolved")
    bench.browser.wait(lambda b: len(b.all("#hist li")) == 2)
    best = load(str(run / "best.toml"))
    assert bench.rules() == [rule.name for rule in best.rules(3)]
    assert bench.versions() == ["Begun", "The best of run mine-evolved"]
    assert bench.ask("document.querySelector('#name').value") == "mine"
    assert bench.text("#gone-rules").count("taken out") == 2 and bench.all("#rules .mark")


def test_an_agent_file_is_opened(bench, tmp_path):
    off = {"rules": {"2-5": [(1, "play_marked")]}}
    (tmp_path / "mine.toml").write_text(
        dumps(load("piers"), off=off).replace('"piers"', '"pi <i>"')
    )
    bench.open(stubs=STILL)
    bench.find("#file").send_keys(str(tmp_path / "mine.toml"))
    bench.browser.wait(lambda b: len(b.all("#rules .row1")) == 10)
    assert bench.rules()[1] == "play_marked" and not bench.checked(bench.row(1, "[role=switch]"))
    assert bench.ask("document.querySelector('#name').value") == "pi-i"
    bench.press("CONTROL", "s")
    text = bench.wait_text("#toml", "[rules]")
    assert "# off: play_marked" in text
    bench.keys("ESCAPE")
    (tmp_path / "wrong.toml").write_text("rules = 3")
    bench.open(stubs=STILL)
    bench.find("#file").send_keys(str(tmp_path / "wrong.toml"))
    assert "rules should be" in bench.wait_text("#wrong", "rules")
