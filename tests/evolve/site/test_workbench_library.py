"""The library of the workbench and its offers, in a browser: what is shown while the next numbers
are measured, and what a beginner sees first.
"""

import json

import pytest
from served import serving
from workbench_window import QUIET, RULES, STUBS, Workbench, stubbed

from hanabi.evolve.site.request_guard import PER_SECOND, RequestGuard
from hanabi.evolve.workbench.library_sweep import PLAIN
from hanabi.rulebook import BOOK

pytest.importorskip("selenium")
FOCUS = ["focus(ranks=0)"]
FIVE = [*RULES, "tell_anything(tokens=1)", "discard_oldest"]
SWEPT = {  # of FIVE with FOCUS
    "rules": {
        "hail_mary": ["hail_mary", 1, 0.9, 0.02],
        "save": ["save(lax=0)", 2, 0.7, 0.02],
        "discard_chop": ["discard_chop(tokens=0)", 5, 0.5, 0.02],
        "play_safe": ["play_safe(newest=0)", 3, -0.2, 0.02],
    },
    "conventions": {},
    "done": 4,
    "of": 4,
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("games")) as served:
        yield served


@pytest.fixture
def bench(browser, place):
    return Workbench(browser, place.address)


def families(bench):
    """The families in the library, as they are ordered."""
    return bench.ask(
        "[...document.querySelectorAll('#shelf [data-family]')].map((one) => one.dataset.family.split('/')[1])"
    )


def fact(bench, family):
    return bench.text(f"#shelf [data-family='{family}'] .fact")


def takes_disabled(bench):
    """What each offer's button says of itself, asked at once: the page may replace them."""
    return bench.ask(
        "[...document.querySelectorAll('#offers .take')].map((one) => one.ariaDisabled)"
    )


def is_hidden(bench, selector):
    return bench.get(selector, "hidden") is not None


def test_the_order_stays_while_the_next_list_is_tried(bench):
    """The old worths are grey, and what is added quickly is put where it was tried."""
    stubs = QUIET | stubbed("score") | stubbed("worth") | stubbed("sweep", **SWEPT)
    bench.open_list(FIVE, FOCUS, stubs=stubs)
    bench.browser.wait(lambda _: families(bench)[0] == "hail_mary")
    before = families(bench)
    assert before[:3] == ["hail_mary", "save", "discard_chop"] and not bench.all(".fact .old")

    def colour_of(selector):
        return bench.ask("getComputedStyle(document.querySelector(arguments[0])).color", selector)

    gain = "#shelf [data-family='rules/save'] .fact .up"
    grey, fresh = colour_of("#shelf .kind"), colour_of(gain)
    bench.stub(**{"build/sweep": ["wait"]})
    bench.click("#shelf [data-family='rules/hail_mary'] .add")
    bench.browser.wait(lambda b: b.all(".fact .old"))
    assert families(bench) == before and fact(bench, "rules/hail_mary").startswith("in the list")
    assert "+0.70" in fact(bench, "rules/save") and colour_of(gain) == grey != fresh
    for name in ("save", "discard_chop"):
        bench.click(f"#shelf [data-family='rules/{name}'] .add")
    assert bench.rules() == [
        *(FIVE[0], "hail_mary", FIVE[1], "save(lax=0)", *FIVE[2:]),
        "discard_chop(tokens=0)",
    ], "each before the rule before which it was tried"
    assert families(bench) == before
    for _ in range(3):
        bench.click("#undo")
    bench.browser.wait(lambda b: not b.all(".fact .old"))
    assert families(bench) == before and colour_of(gain) == fresh


def test_rules_that_read_meanings_wait_for_a_convention(bench):
    reason = "decides nothing before there is a convention"
    bench.open_list(RULES[1:2], stubs=QUIET | stubbed("score"))
    known = "hanabi.entries.families.filter((one) => one.needs_marks).map((one) => one.name)"
    reading, order = bench.ask(known), families(bench)
    *others, listed = order
    assert listed == "tell_new" and len(reading) > 20
    first = next(place for place, name in enumerate(others) if name in reading)
    assert set(others[first:]) == set(reading) - {"tell_new"}, "they are the last"
    assert reason in fact(bench, "rules/play_marked")
    bench.open_list(RULES[1:2], FOCUS, stubs=QUIET | stubbed("score"))
    assert reason not in fact(bench, "rules/play_marked")


def test_a_beginner_sees_fifteen_plain_rules_first(bench):
    names = [name.partition("(")[0] for name in BOOK]
    assert len(set(PLAIN)) == 15 and set(PLAIN) <= set(names)
    bench.open(stubs=QUIET)
    assert families(bench)[:15] == list(PLAIN)
    assert "plain rules come first" in bench.text("#plainfirst")
    assert "best evolved" not in bench.text("#empty")
    bench.open_list(FIVE, FOCUS, stubs=QUIET | stubbed("score"))
    assert families(bench)[:15] != list(PLAIN) and is_hidden(bench, "#plainfirst")


def offer(entry, gain):
    change = [["AddRule", entry, ""]]
    more = {"part": "rules", "what": "AddRule", "entry": entry, "other": "", "says": ""}
    return more | {"change": change, "spellings": [change], "gain": gain, "gain_sem": 0.02}


@pytest.mark.parametrize("by", ["taking one", "an edit"])
def test_offers_are_measured_again_before_they_are_taken(bench, by):
    """Their gains are those over the list before: none is shown, and none can be taken."""
    found = {"tried": 9, "games": 9, "left": 0, "outdone": 0, "doing": ""}
    found["offers"] = [offer(entry, 0.351) for entry in ("hail_mary", "tell_anything", "play_safe")]
    stubs = QUIET | stubbed("score") | stubbed("improve", **found) | {"build/check": ["wait"]}
    bench.open_list(RULES, FOCUS, stubs=stubs)
    bench.measured()
    bench.click("#go")
    bench.browser.wait(lambda b: len(b.all("#offers .take")) == 3 and bench.text("#go") != "Stop")
    assert bench.text("#offers").count("+0.35") == 3
    after = [*RULES, "hail_mary"]
    bench.stub(
        **{
            "build/apply": [
                {"body": {"list": {"rules": after, "conventions": FOCUS, "weights": {}}}}
            ]
        }
    )
    bench.click("#offers .take" if by == "taking one" else bench.row(0, "[role=switch]"))
    left = 2 if by == "taking one" else 3
    bench.browser.wait(lambda _: bench.text("#offers").count("measuring again") == left)
    assert "0.35" not in bench.text("#offers") and bench.all("#rules .ghost") == []
    assert takes_disabled(bench) == ["true"] * left
    versions = len(bench.versions())
    bench.click("#offers .take")
    assert "is being measured again" in bench.text("#live") and len(bench.versions()) == versions
    bench.browser.wait(lambda b: b.ask("asked.some(([path]) => path === '/build/check')"))
    if by == "taking one":
        return
    bench.stub(
        **stubbed("check", gains=[{"gain": 0.007, "gain_sem": 0.002, "differ": 5}, None, None])
    )
    bench.click(bench.row(1, "[role=switch]"))
    bench.browser.wait(lambda _: "0.007" in bench.text("#offers"))
    assert takes_disabled(bench) == ["false"]
    bench.stub(**{"build/check": ["wait"]})
    bench.click("#undo")
    bench.browser.wait(lambda _: bench.text("#offers").count("measuring again") == 1)


def test_the_page_says_that_it_reads_the_library(bench):
    """It takes seconds the first time on a machine."""
    driver = bench.browser.driver
    waits = (
        f"sessionStorage.setItem('stubs', {json.dumps(json.dumps({'build/library': ['wait']}))});"
    )
    script = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": waits})
    try:
        stubs = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": STUBS})
        bench.browser.open(f"{bench.address}/build", 1280)
        for where in ("#reading", "#shelf"):
            assert "Reading the library" in bench.text(where)
        driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", stubs)
    finally:
        driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    bench.open(stubs=QUIET)
    assert is_hidden(bench, "#reading") and "Reading" not in bench.text("#shelf")


def test_the_heading_of_meanings_fits_a_phone(bench):
    bench.open_list(RULES, FOCUS, width=390, stubs=QUIET | stubbed("score"))
    for part in ("b", "span", "small"):
        lines = bench.ask(
            "((one) => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight))"
            f"(document.querySelector('#meanings summary {part}'))"
        )
        assert round(lines) <= 2, part


def test_its_own_requests_are_not_too_many(browser, tmp_path, monkeypatch):
    """Edits that follow quickly, a search, and all that is measured after them."""
    refused = []
    count_request = RequestGuard.count_request

    def count(self, address):
        refused.append(not count_request(self, address))
        return not refused[-1]

    monkeypatch.setattr(RequestGuard, "count_request", count)
    with serving(tmp_path, per_second=PER_SECOND) as served:
        bench = Workbench(browser, served.address).open_list(RULES, FOCUS)
        bench.measured()
        bench.click("#go")
        for _ in range(8):
            bench.click(bench.row(2, "[role=switch]"))
        bench.swept()
        assert len(refused) > 40 and not any(refused)
        assert not [line for line in browser.errors() if "429" in line]
