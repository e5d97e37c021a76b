"""The page where runs are started and watched, in a real browser: its form, a curve that answers,
the list of each generation, and changes that are those of the run.
"""

import csv
import io
import json
import shutil
from types import SimpleNamespace

import pytest
from browser import VIEWS
from paths import ROOT
from served import serving
from tiny import tiny

from hanabi.evolve import evolve
from hanabi.evolve.charts.chart import plus_minus
from hanabi.evolve.ga.config import preset
from hanabi.evolve.ga.run_folder import RunState, read
from hanabi.evolve.reports.reference_points import references
from hanabi.evolve.site import run_list, run_starter
from hanabi.evolve.site.pages import runs as runs_page
from hanabi.evolve.workbench.list_scores import play_block
from hanabi.player import ListPlayer
from hanabi.rulebook import find
from hanabi.rules.agents import read_scores, rules
from hanabi.variant import read_variant

pytest.importorskip("selenium")
LOCAL = dict(variable_length=True, local_search_games=300, rules=["cig2018"], rule_files=[])


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A site over two runs with local search, one of two lists, and a run of 2018."""
    folder = tmp_path_factory.mktemp("evolve")
    common = LOCAL | dict(generations=4, population=3, elitism=3, halving_interval=2)
    evolve(tiny(**common, seed=3), folder / "runs", "one", jobs=1, dated=False)
    evolve(
        tiny(**common | dict(generations=2), seed=9, lists=["2", "3"]),
        folder / "runs",
        "two",
        jobs=1,
        dated=False,
    )
    orders = dict(rules=["cig2018"], rule_files=[], players=[2], otherwise="forfeit")
    evolve(tiny(**orders, generations=1), folder / "runs", "long", jobs=1, dated=False)
    shutil.copytree(
        ROOT / "runs" / "reference" / "mirror-cig2018", folder / "runs" / "reference" / "old"
    )
    with serving(folder / "games", folder / "runs") as served:
        yield SimpleNamespace(site=served.site, address=served.address, runs=folder / "runs")


def rows_of(path):
    return list(csv.DictReader(io.StringIO(path.read_text())))


def listed(browser):
    """The entries of the list that is shown."""
    return browser.ask(
        "[...document.querySelectorAll('#bestlist li')].map((one) => one.dataset.entry).join('; ')"
    )


def test_a_click_on_a_generation_shows_its_list(browser, place):
    log = rows_of(place.runs / "one" / "log.csv")
    assert len({row["rules"] for row in log}) > 1, "or another one would not be noticed"
    browser.open(f"{place.address}/runs/one", 1280)
    browser.wait(lambda b: listed(b) == log[-1]["rules"])
    assert "cig2018" in listed(browser) and "cig2018" not in browser.text("#bestlist")
    where = browser.ask(
        """(() => { const labels = [...document.querySelectorAll("#curve text[text-anchor=middle]")],
          box = (text) => text.getBoundingClientRect(), middle = ({ left, width }) => left + width / 2;
          return { first: middle(box(labels[0])), last: middle(box(labels.at(-1))),
            top: box(document.querySelector("#curve svg")).top + 100 }; })()"""
    )
    click = """(() => { const svg = document.querySelector("#curve svg");
      for (const kind of ["pointermove", "click"]) svg.dispatchEvent(new PointerEvent(kind,
        { clientX: arguments[0], clientY: arguments[1], bubbles: true })); })()"""
    for number in (1, 3, 0):
        along = where["first"] + (where["last"] - where["first"]) * number / 4
        browser.ask(click, along + 3, where["top"])
        row = log[number]
        browser.wait(lambda b, row=row: listed(b) == row["rules"])
        assert browser.text("#besthead") == f"The best list of generation {number}"
        said = browser.text("#atgen")
        assert said.startswith(f"Generation {number}: best {float(row['best']):.1f}"[:-1])
        assert f"mean {float(row['mean']):.2f}; " in said
        alive = row["individuals"]
        assert f"; {alive} list{'s' * (alive != '1')} alive" in said
        if row["common"]:
            assert f"have {round(100 * float(row['common']))} % of their entries" in said
    slider = browser.find("#generation")
    assert slider.get_attribute("value") == "0"
    slider.send_keys("\ue014")  # arrow right
    browser.wait(lambda b: listed(b) == log[1]["rules"])
    assert slider.get_attribute("aria-valuetext").startswith("Generation 1: best")
    browser.find("#newest").click()
    browser.wait(lambda b: listed(b) == log[-1]["rules"])
    assert not browser.find("#newest").is_displayed() and not browser.errors()


def test_each_list_has_a_curve_and_lists_of_its_own(browser, place, monkeypatch):
    known = {name: row | {"2": [0.1], "3": [0.1]} for name, row in read_scores().items()}
    known["convention"] = {"2": [24.0], "3": [24.0]}
    monkeypatch.setattr("hanabi.evolve.reports.reference_points.read_scores", lambda: known)
    browser.open(f"{place.address}/runs/two", 1280)
    browser.wait(lambda b: len(b.all("[data-part]")) == 3)
    for part in ("3", "2"):
        browser.find(f"[data-part='{part}']").click()
        log = rows_of(place.runs / "two" / part / "log.csv")
        browser.wait(lambda b, log=log: listed(b) == log[-1]["rules"])
        assert f"best {float(log[-1]['best']):.2f}" in browser.text("#curve")
        assert f"list {part}, generation 2" in browser.text("#bestnote")
        # the axis begins where the first generation was: what is lower is only named
        first, least = (
            float(log[0]["best"]),
            min(float(r["best"]) - float(r["best_sem"]) for r in log),
        )
        assert browser.text("#curve text.begins") == f"{first:.2f}"
        lines = references(read(place.runs / "two")[0])[part]
        lower = [name for name, points in lines if points < least]
        assert lower == ["piers", "best of 2018"]
        labels = [one.text for one in browser.all("#curve .reft")]
        assert len(browser.all("#curve .ref")) == len(lines) - len(lower)
        assert sorted(one.split()[1] for one in labels if one[0] == "↓") == sorted(
            name.split()[0] for name in lower
        )
    texts = browser.text("#curve")
    assert all(name in texts for name in ("piers", "best of 2018", "convention", "alive"))
    browser.find("[data-part=all]").click()
    assert len(browser.all("#curve .best")) == 2 and not browser.find("#generation").is_displayed()
    assert not browser.errors()


def test_the_changes_are_those_of_the_run_that_is_shown(browser, place, monkeypatch):
    """Also where the page goes from a run that ends to the next one."""
    states = {
        name: RunState(place.runs / name, "running", 1, 4, "mirror") for name in ("one", "two")
    }
    now = ["one"]
    monkeypatch.setattr(
        run_list, "list_runs", lambda folder: [states[now[0]]] if folder.name == "runs" else []
    )
    browser.open(f"{place.address}/evolve", 1280)
    counts = {}
    for name in ("one", "two"):
        now[0] = name
        files = (place.runs / name).rglob("changes.csv")
        counts[name] = sum(len(rows_of(file)) for file in files)
        browser.wait(lambda b, name=name: b.text("#lead").startswith(f"{name}: "))
        assert browser.text("#changecount") == f"{counts[name]} made so far"
        made = [
            row
            for file in sorted((place.runs / name).rglob("changes.csv"))
            for row in rows_of(file)
        ]
        gains = [f"+{plus_minus(float(row['gain']), float(row['sem']))}" for row in made]
        shown = "[...document.querySelectorAll('#changes li b')].map((one) => one.textContent)"
        assert browser.ask(shown) == gains[::-1], "the newest first, and none of another run"
    assert counts["one"] != counts["two"] and min(counts.values()) > 0
    assert not browser.errors()


def entries_in(change):
    """The entries that a change puts into a list, in its order."""
    for one in change.split(", then "):
        if one.startswith(("add ", "move ")):
            yield one.split(" ", 1)[1].rpartition(" before ")[0] or one.split(" ", 1)[1][:-11]
        elif " becomes " in one and not one.startswith("weight "):
            yield one.partition(" becomes ")[2]
        elif one.startswith("swap "):
            yield from one.removeprefix("swap ").split(" and ", 1)


def test_a_new_gain_drops_into_the_list_where_it_acts(browser, place, monkeypatch):
    state = RunState(place.runs / "one", "running", 1, 4, "mirror")
    monkeypatch.setattr(
        run_list, "list_runs", lambda folder: [state] if folder.name == "runs" else []
    )
    listed_rules = rows_of(place.runs / "one" / "log.csv")[-1]["rules"].split("; ")
    made = rows_of(place.runs / "one" / "changes.csv")
    acts = [next((e for e in entries_in(row["change"]) if e in listed_rules), "") for row in made]
    gains = {
        entry: f"+{plus_minus(float(row['gain']), float(row['sem']))}"
        for entry, row in zip(acts, made)
        if entry
    }
    late = max(place for place, entry in enumerate(acts) if entry)  # comes while the page is open
    count = [late]

    def some_changes(folder, after):
        found = run_list.read_changes(folder, 0)["changes"][: count[0]]
        return {"changes": found[after:], "count": len(found)}

    monkeypatch.setattr(runs_page, "read_changes", some_changes)
    script = browser.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": MOVED}
    )
    try:
        browser.open(f"{place.address}/evolve", 1280)
        browser.wait(lambda b: b.text("#changecount") == f"{late} made so far")
        assert not browser.all(".changed") and browser.ask("window.moved") == []
        count[0] = late + 1
        browser.wait(lambda b: b.all("#bestlist .changed"))
    finally:
        browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    [row] = browser.all("#bestlist .changed")
    assert row.get_attribute("data-entry") == acts[late]
    assert browser.ask("window.moved") == [gains[acts[late]]]
    shown = """Object.fromEntries([...document.querySelectorAll("#bestlist li")]
      .filter((one) => one.querySelector(".gain"))
      .map((one) => [one.dataset.entry, one.querySelector(".gain").textContent]))"""
    assert browser.ask(shown) == gains
    assert not browser.errors()


MOVED = """window.moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) { window.moved.push(this.textContent); return animate.apply(this, how); };"""


# only what the site tells makes the page look again
STILL = """const wait = setTimeout;
  window.setTimeout = (act, ms, ...more) => ms >= 1000 ? 0 : wait(act, ms, ...more);"""


def test_the_page_says_at_once_what_the_run_does(browser, place, monkeypatch):
    """Start, stop and resume show at once, and the page stays with the run that was stopped."""
    starter, phase, running = place.site.starter, ["starting"], [False]
    monkeypatch.setattr(type(starter), "is_running", property(lambda self: running[0]))
    monkeypatch.setattr(
        type(starter),
        "phase",
        lambda self, state: state.state if state and state.run.name == "one" else phase[0],
    )
    monkeypatch.setattr(run_starter, "state_of", lambda folder: RunState(folder, "stopped"))
    states = [RunState(place.runs / "one", "done", 4, 4, "mirror")]
    monkeypatch.setattr(
        run_list, "list_runs", lambda folder: states[:] if folder.name == "runs" else []
    )

    def begin(words):
        starter.run, running[0] = place.runs / "two", True
        return "the command"

    def becomes(word, says):
        phase[0] = word
        browser.wait(lambda b: says in b.text("#lead"))

    monkeypatch.setattr(starter, "start", begin)
    monkeypatch.setattr(starter, "stop", lambda: None)
    monkeypatch.setattr(starter, "resume", lambda run: begin(""))
    script = browser.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": STILL}
    )
    try:
        browser.open(f"{place.address}/evolve", 1280)
        browser.wait(lambda b: b.text("#lead").startswith("one: ✓ "))
        start = browser.find("#start .do")
        start.click()
        browser.wait(lambda b: b.text("#lead").startswith("two: starting; rules"))
        assert start.text == "Starting …" and not start.is_enabled()
        assert browser.find("#stop").is_displayed() and not browser.find("#live").is_displayed()
        states.append(RunState(place.runs / "two", "running", 1, 4, "mirror"))
        for word, sign in (("running", "▶"), ("measuring again", "▶")):
            becomes(word, f"two: {sign} {word}, ")
            assert start.text == f"{word.capitalize()} …" and not start.is_enabled()
        becomes("running", "two: ▶ running")
        browser.find("#stop").click()
        becomes("stopping", "two: … stopping")
        assert not browser.find("#stop").is_enabled()
        running[0], states[1] = False, RunState(place.runs / "two", "stopped", 1, 4, "mirror")
        states.insert(0, RunState(place.runs / "one", "running", 1, 4, "mirror"))
        becomes("stopped", "two: ❚❚ stopped")
        assert start.text == "Start" and start.is_enabled()
        phase[0] = "starting"
        browser.find("#resume").click()
        browser.wait(lambda b: "two: … starting" in b.text("#lead"))
        assert not start.is_enabled() and not browser.errors()
    finally:
        browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
        running[0] = False


def test_a_long_list_shows_the_rules_that_decide(browser, place):
    """The others are folded, with their places in the list."""
    log = rows_of(place.runs / "long" / "log.csv")[-1]
    names = [rule.name for rule in rules("cig2018")]
    wanted = [names[int(place)] for place in log["order"].split()]
    browser.open(f"{place.address}/runs/long", 1280)
    browser.wait(lambda b: b.all("#bestrest summary"))
    places = "[...document.querySelectorAll(arguments[0])].map((one) => Number(one.dataset.n))"
    shown, rest = (browser.ask(places, f"#best{what} li") for what in ("list", "rest"))
    assert sorted(shown + rest) == [*range(1, len(wanted) + 1)] and len(wanted) > 60
    assert shown == sorted(shown) and rest == sorted(rest)
    assert f"{len(rest)} rules that decide no move in 500 games" == browser.text(
        "#bestrest summary"
    )
    player = ListPlayer(tuple(map(find, wanted)), otherwise="forfeit")
    fired = play_block(player, read_variant("standard").at(2), "score", 0, 500)["fired"].sum(axis=0)
    assert shown == [place for place in range(1, len(wanted) + 1) if fired[place - 1]]
    assert browser.find("#bestrest details").get_attribute("open") is None
    assert not browser.errors()


def test_the_form_sends_what_it_shows(browser, place, monkeypatch):
    sent = []
    monkeypatch.setattr(
        place.site.starter, "start", lambda words: sent.append(words) or "the command"
    )
    generations = str(preset("best").search.generations)
    browser.open(f"{place.address}/evolve?from=piers", 1280)
    browser.wait(
        lambda b: b.find("[name='set:generations']").get_attribute("placeholder") == generations
    )
    assert browser.find("[name=start]").get_attribute("value") == "piers"
    browser.find("[name=preset] [value=paper-mirror]").click()
    orders = str(preset("paper-mirror").search.generations)
    browser.wait(
        lambda b: b.find("[name='set:generations']").get_attribute("placeholder") == orders
    )
    browser.find("[name=minutes]").send_keys("0.5")
    for box in ("[name=players][value='2']", "[name=rules][value=modern]"):
        browser.find(box).click()
    browser.find("#start summary").click()
    browser.find("[name='set:population']").send_keys("120")
    browser.find("#start .do").click()
    browser.wait(lambda b: b.text("#command") == "Running: the command")
    assert sent == [
        [
            *("--preset", "paper-mirror", "--set", "population=120", "--set", "minutes=0.5"),
            *("--set", "players=[3, 4, 5]", "--set", 'rules=["modern", "cig2018"]'),
            *("--set", 'start=["piers"]'),
        ]
    ]
    browser.find("[name=minutes]").clear()
    browser.find("[name='set:population']").clear()
    browser.find("[name='set:population']").send_keys("x")
    browser.find("#start .do").click()
    browser.wait(lambda b: "population: 'x' should be a whole number" in b.text("#problem"))
    assert json.dumps(sent).count("--preset") == 1
    assert all("422" in line for line in browser.errors())


def test_it_is_read_by_all(browser, place):
    for path in ("/evolve", "/runs/one", "/runs/old (reference)"):
        for width, theme in [*VIEWS, (820, "light")]:
            browser.theme(theme)
            browser.open(place.address + path, width)
            browser.wait(lambda b: b.all("#curve svg") and b.all("#table td"))
            assert browser.serious() == [] and not browser.wider_than_the_screen(), (path, width)
            assert not browser.scrolls_sideways("#table"), (path, width)
    browser.theme("light")
    browser.open(f"{place.address}/runs/one", 1280)
    browser.wait(lambda b: b.all("#curve svg") and b.all("#table td"))
    wanted, reached = browser.tabbed()
    assert wanted == reached
    assert browser.find("#write").is_displayed() and browser.text("h1") == "one"
    assert not browser.errors()
