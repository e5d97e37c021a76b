"""The list of agents and the page of one, in a real browser: filters, a chart whose marks are
buttons, files that are brought, the median game; and pages in forced colours and at 200 %.
"""

import re
from types import SimpleNamespace

import pytest
from browser import VIEWS
from served import serving

from hanabi.evolve.charts.chart import plus_minus
from hanabi.rules.agents import dumps, load, mean_score, read_guests, read_scores

pytest.importorskip("selenium")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("agents")
    agent = load("piers")
    text = dumps(agent).replace(f'name = "{agent.name}"', 'name = "brought"')
    (folder / "brought.toml").write_text(text)
    (folder / "bad.toml").write_text('name = "bad"\n[rules]\n2-5 = ["nothing_like_it"]\n')
    with serving(folder / "games", folder / "runs") as served:
        yield SimpleNamespace(site=served.site, address=served.address, folder=folder)


def opened(browser, place, width=1280):
    browser.open(f"{place.address}/agents", width)
    browser.wait(lambda b: b.all("#onelist li") and b.all("[data-mark]"))


def names(browser):
    return browser.ask(
        "[...document.querySelectorAll('#agents tbody a[href^=\"/agents/\"]')]"
        ".map((one) => one.textContent)"
    )


def test_marks_have_the_numbers_and_lead_to_their_agent(browser, place):
    opened(browser, place)
    marks = {
        mark.get_attribute("data-mark"): mark.get_attribute("aria-label")
        for mark in browser.all("[data-mark]")
    }
    assert "osawa-ideal" not in marks, "it sees its own hand"
    mean, guest = mean_score(read_scores()["piers"]), read_guests()["piers"]["guest"]
    assert marks["piers"] == (
        f"piers: {plus_minus(*mean[:2])} points, {len(load('piers').rules(3))} rules, "
        f"{plus_minus(*guest)} as guest"
    )
    assert all("±" in text for text in marks.values())
    hover = "document.querySelector(\"[data-mark='{}']\").dispatchEvent(new PointerEvent(arguments[0], {{ bubbles: true }}))"
    browser.ask(hover.format("piers"), "pointerover")
    assert browser.text("#hover") == marks["piers"]
    best = max(marks, key=lambda name: mean_score(read_scores()[name])[0])
    assert browser.text("#onename") == best, "the best list is shown at first"
    first = browser.find("[data-mark][tabindex='0']")
    assert first.get_attribute("data-mark") == best
    browser.ask("document.querySelector(\"[data-mark][tabindex='0']\").focus()")
    browser.keys("ARROW_RIGHT", "ARROW_RIGHT")
    name = browser.ask("document.activeElement.dataset.mark")
    assert name != best and browser.text("#hover") == marks[name]
    browser.keys("ENTER")
    browser.wait(lambda b: b.text("#onename") == name and b.all("#onelist li"))
    assert browser.text("#onelist li") == load(name).rules(3)[0].says
    links = [link.get_attribute("href") for link in browser.all("#oneacts a")]
    for path in (f"/build?agent={name}", f"/play?with={name}", f"/tournament?with={name}"):
        assert place.address + path in links
    assert f"{place.address}/agents/{name}/file" in links and not browser.errors()


def test_charts_by_length_strangers_and_player_count(browser, place):
    opened(browser, place)
    browser.find("#players [value='5'], #players option:last-child").click()
    row = read_scores()["piers"]["5"]
    mark = browser.find("[data-mark=piers]").get_attribute("aria-label")
    assert mark.startswith(f"piers: {plus_minus(*row[:2])} points"), "with five players"
    where = {}
    browser.find("[data-chart=guest]").click()
    for name in ("piers", "convention"):
        text = browser.find(f"[data-mark={name}]").get_attribute("transform")
        where[name] = [float(one) for one in re.findall(r"-?[\d.]+", text)]
    guests = {name: read_guests()[name]["guest"][0] for name in where}
    assert (where["piers"][0] > where["convention"][0]) == (
        guests["piers"] > guests["convention"]
    ), "to the right: points as a guest"
    assert where["piers"][1] > where["convention"][1], "upwards: points with copies of itself"
    assert len(browser.all("[data-mark]")) == len(read_guests())
    browser.find("[data-chart=players]").click()
    assert len(browser.all("[data-line]")) == len(browser.all("[data-mark]"))
    assert not browser.errors()


def test_filters_families_and_sorting(browser, place):
    opened(browser, place)
    tops = (
        "[...document.querySelectorAll('#agents tr.said td')].slice(0, 8).map((o) => o.offsetTop)"
    )
    assert len(set(browser.ask(tops))) == 1, "the cells of a row are beside each other"
    assert (
        browser.ask("getComputedStyle(document.querySelector('#agents .sign')).borderWidth")
        == "0px"
    )
    means = {name: mean_score(row)[0] for name, row in read_scores().items()}
    shown = [name for name in names(browser) if name in means]
    assert shown == sorted(shown, key=lambda name: -means[name])
    browser.find("[data-sort=name]").click()
    assert names(browser) == sorted(names(browser), key=str.lower)
    browser.find("[data-family=hand]").click()
    assert "epistemic" not in names(browser) and not browser.all("[data-mark=epistemic]")
    browser.find("#filter").send_keys("piers")
    assert "piers" in names(browser) and "iggi" not in names(browser)
    assert not browser.errors()


def test_a_file_is_brought_and_its_agent_measured(browser, place):
    opened(browser, place)
    browser.find("#file").send_keys(str(place.folder / "bad.toml"))
    browser.wait(lambda b: "nothing_like_it" in b.text("#wrong"))
    assert "bad" not in place.site.agents
    browser.find("#file").send_keys(str(place.folder / "brought.toml"))
    browser.wait(lambda b: b.driver.current_url.endswith("/agents/brought") and b.all("#measure"))
    assert browser.text("h1") == "brought"
    browser.find("#measure").click()
    browser.wait(lambda b: "±" in b.ask("document.querySelector('.result').textContent"))
    found = re.search(r"([\d.]+) ± ([\d.]+) points", browser.text(".result"))
    assert float(found[1]) == pytest.approx(
        mean_score(read_scores()["piers"])[0], abs=3.5 * 2**0.5 * float(found[2])
    )
    assert not browser.errors()


def test_the_page_of_an_agent_has_worth_neighbours_and_a_game(browser, place):
    browser.open(f"{place.address}/agents/piers", 1280)
    browser.wait(lambda b: b.all("#median .card"))
    assert "the median of 101 games with 3 players: " in browser.text("#playing")
    # the portrait: the few rules that decide nearly all moves; the list itself is folded
    browser.wait(lambda b: "of 9 rules make" in b.text("#shareline"))
    assert not browser.find("[data-list]").is_displayed()
    few = [int(one.get_attribute("data-n")) for one in browser.all("#five li")]
    browser.find("details[data-key] > summary").click()
    browser.wait(lambda b: "Measured with 3 players" in b.text("[data-measured]"))
    assert len(browser.all("[data-list] small")) == 9 and "worth" in browser.text("[data-list]")
    shares = [
        float(re.match(r"([\d.]+) % of moves", one.text)[1])
        for one in browser.all("[data-list] small")
    ]
    order = sorted(range(1, 10), key=lambda place: -shares[place - 1])
    sums = [sum(shares[place - 1] for place in order[:count]) for count in range(1, 10)]
    wanted = min(5, 1 + next(count for count, sum_ in enumerate(sums) if sum_ >= 95))
    assert few == order[:wanted] and wanted > 2
    made = re.match(rf"{wanted} of 9 rules make ([\d.]+) % ", browser.text("#shareline"))
    assert float(made[1]) == pytest.approx(sums[wanted - 1], abs=0.3)
    says = load("piers").rules(3)
    assert [one.text for one in browser.all("#five li > span:first-child")] == [
        says[place - 1].says for place in few
    ]
    parts = browser.ask(
        "[...document.querySelectorAll('#sharebar i')].map((o) => [o.textContent, o.clientWidth])"
    )
    assert max(parts, key=lambda one: one[1])[0] == str(few[0])
    assert [int(text) for text, _ in parts if text] == sorted(
        place for place in few if shares[place - 1] > 4
    )
    among = read_guests()["piers"]["among"]
    best = max(among, key=lambda host: among[host][0])
    assert f"{best} {plus_minus(*among[best])}" in browser.text(".scores")
    browser.find("#medianplayers option:last-child").click()
    browser.wait(lambda b: "with 5 players" in b.text("#playing"))
    browser.wait(lambda b: "with 5 players" in b.text("#shareline"))
    assert not browser.errors()


@pytest.mark.slow
def test_pages_in_forced_colours_and_at_200_percent(browser, place):
    """What a mark or a cell says is text; at 200 % nothing scrolls sideways."""
    for path, shown in (
        ("/agents", "[data-mark]"),
        ("/agents/piers", "#median .card"),
        ("/", ".door"),
        ("/evolve", "#start"),
        ("/tournament", "#play"),
    ):
        for width, theme in VIEWS if path != "/evolve" else []:
            browser.theme(theme)
            browser.open(place.address + path, width)
            browser.wait(lambda b, shown=shown: b.all(shown))
            assert browser.serious() == [], (path, width)
            assert not browser.wider_than_the_screen(), (path, width)
        browser.theme("light")
        browser.open(place.address + path, 640)  # 1,280 px at 200 %
        browser.wait(lambda b, shown=shown: b.all(shown))
        assert not browser.wider_than_the_screen(), path
        if path == "/agents":
            for width in (900, 820, 640, 390, 360):
                browser.size(width)
                assert not browser.scrolls_sideways(".scroll"), width
        browser.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "forced-colors", "value": "active"}]},
        )
        browser.size(820)
        assert not browser.wider_than_the_screen(), path
        assert browser.find(shown).is_displayed() and browser.find("h1").is_displayed()
    browser.theme("light")
    assert not browser.errors()
