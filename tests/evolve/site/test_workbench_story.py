"""The story of the workbench, clicked and typed: from nothing to 23.34 points, then six offers.

Points and gains are those of another 4,000 deals, with their standard errors (the specification of
the workbench).
"""

import math
import time

import pytest
from served import serving
from workbench_window import Workbench

from hanabi.rules.agents import load

pytest.importorskip("selenium")
# version: (rules, conventions, points, gain over the version before, its standard error)
FOCUS, WARNING = "focus(ranks=0)", "warning(colours=0)"
CHOP = "chop(touched=0, critical=0, age=0)"
TELL, SAVE = "tell_new(tokens=1, new=1)", "save(lax=0)"
PACE = "keep_pace(slack=2) when deck <= 12"
STORY = [
    (["play_marked"], [], 4.18, 4.18, 0.05),
    (["play_marked", TELL], [], 13.45, 9.28, 0.04),
    (["play_marked", TELL, "discard_known_useless"], [], 14.12, 0.67, 0.03),
    (["play_marked", TELL, "discard_known_useless"], [FOCUS], 21.0, 6.88, 0.05),
    (
        ["play_marked", TELL, "discard_known_useless", "discard_expected"],
        [CHOP, FOCUS],
        22.19,
        1.19,
        0.05,
    ),
    (
        ["play_marked", PACE, TELL, "discard_known_useless", "discard_expected"],
        [CHOP, FOCUS],
        22.51,
        0.321,
        0.015,
    ),
    (
        ["play_marked", PACE, TELL, SAVE, "discard_known_useless", "discard_expected"],
        [CHOP, WARNING, FOCUS],
        23.17,
        0.66,
        0.04,
    ),
    (
        ["play_marked", PACE, TELL, SAVE, "discard_known_useless", "discard_expected"],
        [CHOP, WARNING, FOCUS, "no_warning"],
        22.92,
        -0.256,
        0.026,
    ),
    (
        [SAVE, "play_marked", PACE, TELL, "discard_known_useless", "discard_expected"],
        [CHOP, WARNING, FOCUS, "no_warning"],
        23.34,
        0.422,
        0.026,
    ),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("games"), tmp_path_factory.mktemp("runs")) as served:
        yield served


class Pointer:
    """A person with a pointer."""

    def __init__(self, bench):
        self.bench = bench

    def add(self, part, text):
        bench, (name, values) = self.bench, read(text)
        bench.add(name, f"{part}/{name}", **values)

    def push(self, selector):
        self.bench.click(selector)

    def move(self, part, start, goal):
        rest = 1 if goal > start else 0
        place = goal + rest
        last = len(self.bench.rules(part))
        y = self.bench.top(place, part) + 2 if place < last else 9_000
        self.bench.drag(start, y, part=part)

    def guard(self, place, number):
        bench = self.bench
        bench.click(bench.row(place, ".more"))
        bench.click("[data-menu=guard]")
        bench.ask("document.querySelector('.guard [name=quantity]').value = 'deck'")
        bench.ask("document.querySelector('.guard [name=number]').value = arguments[0]", number)
        bench.click(".guard button")


class Keys(Pointer):
    """A person who has keys alone."""

    def tab_to(self, selector, back=False):
        for _ in range(150):
            if self.bench.ask("document.activeElement.matches(arguments[0])", selector):
                return
            self.bench.press("SHIFT", "TAB") if back else self.bench.keys("TAB")
        raise AssertionError(f"Tab does not reach {selector}")

    def add(self, part, text):
        bench, (name, values) = self.bench, read(text)
        entry = f"#shelf [data-family='{part}/{name}']"
        bench.ask("document.activeElement.blur()")
        bench.keys("/")
        bench.ask("document.activeElement.select()")
        bench.keys("BACKSPACE", name)
        for key, value in values.items():
            what = f"{entry} [data-what='value:{key}']"
            if bench.ask("document.querySelector(arguments[0]).matches('input')", what):
                if bench.checked(what) != bool(value):
                    self.tab_to(what)
                    bench.keys("SPACE")
                continue
            self.tab_to(f"{what} [role=spinbutton]")
            bench.keys(*str(value), "ENTER")
        self.tab_to(f"{entry} .add", back=bool(values))
        bench.keys("ENTER")
        bench.ask("void (hanabi.bench.query = document.querySelector('#query').value = '')")

    def move(self, part, start, goal):
        bench = self.bench
        self.reach(bench.row(start, ".grip", part))
        steps = ["ARROW_DOWN" if goal > start else "ARROW_UP"] * abs(goal - start)
        bench.keys("SPACE", *steps, "SPACE")

    def push(self, selector):
        self.bench.ask("document.activeElement.blur()")
        self.tab_to(selector)
        self.bench.keys("ENTER")

    def reach(self, selector):
        """By Tab from the first row on."""
        self.bench.focus("#own")
        self.tab_to(selector)

    def guard(self, place, number):
        bench = self.bench
        self.reach(bench.row(place, ".more"))
        bench.keys("ENTER", "ARROW_DOWN", "ARROW_DOWN", "ARROW_DOWN", "ENTER", "deck", "TAB", "TAB")
        bench.press("CONTROL", "a")
        bench.keys(str(number), "ENTER")


def read(text):
    """(name, values) of an entry."""
    name, _, inside = text.partition(" when ")[0].rstrip(")").partition("(")
    pairs = [pair.split("=") for pair in inside.split(", ") if pair]
    return name, {key: float(value) if "." in value else int(value) for key, value in pairs}


def bring(person, part, wanted):
    """Add what is missing and move what stands elsewhere, until the list is as wanted."""
    bench = person.bench
    bare = [one.partition(" when ")[0] for one in wanted]
    for text in bare:
        if text not in [one.partition(" when ")[0] for one in bench.rules(part)]:
            before = len(bench.rules(part))
            person.add(part, text)
            bench.browser.wait(lambda _, more=before + 1: len(bench.rules(part)) == more)
    for goal, text in enumerate(bare):
        start = [one.partition(" when ")[0] for one in bench.rules(part)].index(text)
        if start != goal:
            person.move(part, start, goal)
            bench.browser.wait(
                lambda _, goal=goal, text=text: bench.rules(part)[goal].startswith(text)
            )
    for place, text in enumerate(wanted):
        if text not in bench.rules(part):
            person.guard(place, int(text.rpartition(" ")[2]))
            bench.browser.wait(lambda _, text=text: text in bench.rules(part))


@pytest.mark.slow
@pytest.mark.parametrize("person", [Pointer, Keys])
def test_the_story(browser, place, person):
    """Each version's points, and its gain over the one before, are those of the specification.

    Then two offers of the evolution are taken, the list is saved, and a game is begun with it.
    """
    bench = Workbench(browser, place.address).open(stubs={"build/sweep": ["wait"]})
    bench.measured()
    person, before = person(bench), 0.0
    for version, (rules, conventions, points, gain, sem) in enumerate(STORY, 1):
        bring(person, "rules", rules)
        bring(person, "conventions", conventions)
        assert (bench.rules(), bench.rules("conventions")) == (rules, conventions)
        time.sleep(0.3)  # the pause after which the last edit is measured
        found, error = bench.measured()
        assert abs(found - points) < 3 * math.sqrt(2) * error + 0.005, version
        assert abs(found - before - gain) < 3 * math.sqrt(2) * sem + 0.006, version
        before = found
    taken = take_offers(person, 2)
    time.sleep(0.3)
    assert bench.measured()[0] > 23
    rules = bench.rules()
    person.push("#save")
    bench.wait_text("#toml", "[rules]")
    bench.ask("document.querySelector('#name').value = arguments[0]", type(person).__name__.lower())
    person.push("#dosave")
    bench.wait_text("#saved", "Saved as")
    bench.keys("ESCAPE")
    saved = load(str(place.games / "agents" / f"{type(person).__name__.lower()}.toml"))
    assert [rule.name for rule in saved.list_at(3).rules] == rules
    assert len(taken) == 2 and not browser.errors()
    person.push("#sit")
    browser.wait(lambda b: "/seat/" in b.driver.current_url and "Your turn" in b.text("#line"))
    turn = browser.text("#moved")
    browser.keys("a")
    person.push("#choices button")
    person.push("#do")
    browser.wait(lambda b: b.text("#moved") != turn and "Your turn" in b.text("#line"))
    assert not browser.errors()


def take_offers(person, wanted):
    """Ask the evolution until some of its offers are taken; return their gains."""
    bench, taken = person.bench, []
    for _ in range(4):
        person.push("#go")
        bench.browser.wait(
            lambda _: "prove" in bench.text("#live") or "No change" in bench.text("#live")
        )
        while bench.all("#offers .take") and len(taken) < wanted:
            count = len(bench.versions())
            taken.append(bench.text("#offers .g"))
            person.push("#offers .take")
            bench.browser.wait(lambda _, count=count: len(bench.versions()) == count + 1)
        if len(taken) == wanted:
            break
    return taken


@pytest.mark.slow
def test_six_offers_are_taken_one_by_one(browser, place):
    """Each holds over the list that the others have changed, and the gains are real."""
    rules, conventions, *_ = STORY[-1]
    bench = Workbench(browser, place.address)
    bench.open_list(rules, conventions, stubs={"build/sweep": ["wait"]})
    start, _ = bench.measured()
    bench.click("#go")
    assert bench.text("#go") == "Stop"
    bench.browser.wait(lambda _: "prove" in bench.text("#live"))
    offers = bench.all("#offers .take")
    assert 1 <= len(offers) <= 6
    assert len({one.text for one in bench.all("#offers .txt")}) == len(offers)
    taken = 0
    while bench.all("#offers .take"):
        count = len(bench.all("#offers .take"))
        bench.click("#offers .take")
        taken += 1
        if count > 1:
            bench.wait_text("#budget", f"of {count - 1} still hold")
        else:
            bench.browser.wait(lambda b: not b.all("#offers .take"))
    time.sleep(0.3)
    end, error = bench.measured()
    assert end - start > 0.05 and len(bench.all("#hist .by")) == taken
    for _ in range(taken):
        bench.click("#undo")
    assert bench.rules() == rules
