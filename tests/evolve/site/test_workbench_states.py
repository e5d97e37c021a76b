"""Each state of the workbench, in its place and in its words; what the site answers is a stub."""

import pytest
from served import serving
from workbench_window import QUIET, RULES, Workbench, job, stubbed

pytest.importorskip("selenium")
OFFER = {
    "change": [["AddRule", "save(lax=0)", "play_marked"]],
    "part": "rules",
    "what": "AddRule",
    "entry": "save(lax=0)",
    "other": "play_marked",
    "says": "add save",
    "gain": 0.5,
    "gain_sem": 0.03,
    "differ": 900,
    "spellings": [
        [["AddRule", "save(lax=0)", "play_marked"]],
        [["AddRule", "save(lax=0)", "discard_known_useless"]],
    ],
}


def offer(mutation, gain):
    """The stub of an offer with one mutation."""
    what, entry, other = mutation
    named = {"what": what, "entry": entry, "other": other}
    return OFFER | named | {"change": [mutation], "spellings": [[mutation]], "gain": gain}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("games"), tmp_path_factory.mktemp("runs")) as served:
        yield served


@pytest.fixture
def bench(browser, place):
    return Workbench(browser, place.address)


def test_no_rule(bench):
    bench.open()
    assert "No rule yet: every turn goes by the line below" in bench.text("#empty")
    assert "0.00 points" in bench.text("#empty")
    begins = "[...document.querySelectorAll('[data-begin] b')].map((one) => one.textContent)"
    assert bench.ask(begins) == ["nothing", "piers", "convention"]
    assert bench.text("#budget") == "needs a rule to change"
    assert bench.get("#go", "aria-disabled") == "true"
    assert "cig2018" not in bench.ask("JSON.stringify(hanabi.entries.families)")
    bench.click("[data-begin='piers']")
    bench.browser.wait(lambda b: len(b.all("#rules .row1")) == 9)
    assert "begun from piers" in bench.text("#begun")
    assert "Play my first card that can only be playable" in bench.text("#rules")


def test_rules_of_papers_are_sent_when_they_are_asked_for(bench):
    """By a search, and by their kind; both say where a rule comes from."""
    shelf = "document.querySelector('#shelf').textContent"
    search = "const q = document.querySelector('#query'); q.value = 'two moves ago'"
    for asks in (
        f"{search}; q.dispatchEvent(new Event('input'))",
        "document.querySelector('[data-kind=\"2018\"]').click()",
    ):
        bench.open(stubs=QUIET)
        assert "2018" not in bench.ask(shelf)
        bench.ask(f"(() => {{ {asks}; }})()")
        bench.browser.wait(lambda _: "touched two moves ago" in bench.ask(shelf))
        assert "Play 2018" in bench.ask(shelf)


def test_preparing_and_measuring(bench):
    """Old numbers go grey, new ones come with their error; edits work meanwhile."""
    prepares = {"ended": False, "mean": None, "preparing": ["play_marked", "save"]}
    bench.open_list(RULES, stubs=QUIET | stubbed("score", **prepares))
    text = bench.wait_text("#preparing", "Preparing")
    assert text == "Preparing rules, once on this machine, about 15 s: 1 done, now save"
    bench.stub(**{"jobs/score": job(ended=False, done=500, sem=0.14)})
    bench.wait_text("#progress", "500 of 4,000 games")
    assert "14.50" in bench.text("#big") and "± 0.14" in bench.text("#big")
    bench.stub(**{"jobs/score": job()})
    bench.wait_text("#progress", "4,000 deals")
    assert bench.text("#preparing") == "" and "± 0.05" in bench.text("#big")
    bench.stub(**{"jobs/score": job(ended=False, mean=None)})
    bench.click(bench.row(2, "[role=switch]"))
    bench.browser.wait(lambda b: "old" in bench.get("#big", "class"))
    assert "14.50" in bench.text("#big") and bench.text("#gain") == ""
    assert bench.classes(bench.row(2))[1] == "off"


def test_not_told_apart(bench):
    """The gain with its error, and a button for more deals."""
    gain = {"gain": 0.005, "gain_sem": 0.004, "worse": 30, "same": 3930, "better": 40, "over": 4000}
    bench.open_list(RULES, stubs=QUIET | stubbed("score", **gain))
    bench.measured()
    bench.click(bench.row(2, "[role=switch]"))
    assert "not told apart from version 1 (+0.005 ± 0.004)" in bench.wait_text("#gain", "not told")
    assert bench.text("#more") == "20,000 deals"
    bench.click("#more")
    bench.browser.wait(lambda b: b.ask("asked.some(([, body]) => body.includes('20000'))"))


def test_plays_the_same_and_decides_nothing(bench):
    """A second copy of the first rule never comes to decide; nor does one that lacks marks."""
    bench.open_list([*RULES, ["play_marked"], "answer_finesse"])
    assert "decides nothing" in bench.wait_text(bench.row(4), "no convention gives it anything")
    bench.click(bench.row(3, "[role=switch]"))
    same = "Plays the same as version 1 (no game of 4,000 differs)"
    assert bench.wait_text("#gain", "4,000") == same
    assert bench.get("#more", "hidden") is not None
    assert bench.text("#live").endswith("plays the same as version 1.")


def test_improve_finds_none_and_offers_outlive(bench):
    nothing = {"tried": 1152, "games": 353_560, "left": 0, "offers": [], "outdone": 2, "doing": ""}
    bench.open_list(RULES, stubs=QUIET | stubbed("score") | stubbed("improve", **nothing))
    bench.measured()
    bench.click("#go")
    assert bench.wait_text("#budget", "none held").replace("\n", " ") == (
        "1,152 changes tried in 353,560 games; 2 looked better, none held on fresh deals. Single "
        "changes of 20 s find nothing more here; a run may."
    )
    others = [
        offer(["AddRule", entry, ""], gain)
        for entry, gain in (("tell_anything", 0.4), ("play_unseen", 0.3))
    ]
    found = nothing | {"offers": [OFFER, *others]}
    after = {"rules": ["save(lax=0)", *RULES], "conventions": [], "weights": {}}
    check = stubbed("check", gains=[{"gain": 0.2, "gain_sem": 0.02, "differ": 5}, None])
    bench.stub(
        **stubbed("improve", **found), **{"build/apply": [{"body": {"list": after}}]}, **check
    )
    bench.click("#go")
    bench.browser.wait(lambda b: len(b.all("#offers .take")) == 3)
    assert "Three changes proved themselves." in bench.text("#live")
    assert "new rule, before 1, in 2 spellings" in bench.text("#offers li")
    assert bench.text("#rules .ghost .say").startswith("If the next player is about to discard")
    bench.click("#offers .take")
    assert bench.wait_text("#budget", "still hold") == "1 of 2 still hold"
    assert bench.text("#offers .outlived") == "play unseen: holds no more"
    assert bench.rules() == after["rules"] and bench.versions()[-1] == "Took “save”"
    assert "by the evolution" in bench.text("#hist li") and bench.focused() == "go"
    bench.browser.wait(lambda b: len(b.all("#chart .evo")) == 1)
    # one that no longer applies is refused in words
    line = "This change does not fit the list any more."
    bench.stub(**{"build/apply": [{"body": {"error": line}, "status": 422}]})
    bench.click("#go")
    bench.browser.wait(lambda b: len(b.all("#offers .take")) == 3)
    bench.click("#offers .take")
    assert bench.wait_text("#wrong", "fit") == line and len(bench.versions()) == 2


def test_a_refused_offer_stays_away(bench):
    """While its search goes on, in another spelling, after an edit, and after another page."""
    others = [["AddRule", "tell_anything", ""], ["AddRule", "play_unseen", ""]]
    found = {"tried": 1, "games": 1, "left": 9, "outdone": 0, "doing": "", "ended": False}
    found["offers"] = [OFFER, *(offer(change, 0.3) for change in others)]

    def take_names():
        return bench.ask(
            "[...document.querySelectorAll('#offers .take')].map((one) => one.ariaLabel)"
        )

    def searches():
        return bench.ask("asked.filter(([path]) => path.includes('jobs/improve')).length")

    stubs = QUIET | stubbed("score") | stubbed("improve", **found)
    bench.open_list(RULES, stubs=stubs | stubbed("check", gains=[None, None]))
    bench.measured()
    bench.click("#go")
    bench.browser.wait(lambda _: len(take_names()) == 3)
    bench.click("[data-refuse='1']")
    bench.click("[data-refuse='0']")
    asked = searches()
    bench.browser.wait(lambda _: searches() > asked + 1)
    assert len(take_names()) == 1 and "new rule, last" in take_names()[0]
    # the search finds a shorter spelling of a change that was refused
    again = OFFER | {"change": [["AddRule", "save(lax=0)", ""]], "other": ""}
    again["spellings"] = [again["change"], *OFFER["spellings"]]
    bench.stub(**stubbed("improve", **found | {"offers": [again], "ended": True, "version": 9}))
    bench.browser.wait(lambda _: bench.text("#go") == "Improve for 20 s")
    assert take_names() == []
    # the site is told in the next search, also after an edit and after another page
    bench.click(bench.row(2, "[role=switch]"))
    bench.load().measured()
    bench.click("#go")
    refused = "JSON.parse(asked.find(([path]) => path === '/build/improve')[1]).not"
    bench.browser.wait(lambda b: b.ask("asked.some(([path]) => path === '/build/improve')"))
    assert bench.ask(refused) == [[others[0]], OFFER["change"]]


def test_wrong_entries_stay_in_their_rows(bench):
    """An unknown rule, of a newer version or a file of somebody's own, is kept and not played."""
    bench.open_list([*RULES, "play_markd", "my_own(x=3) when deck <= 2"], ["focus(ranks=0)"])
    points, _ = bench.measured()
    assert points > 20, "the rest plays"
    row = bench.row(3)
    assert "no rule 'play_markd' (did you mean 'play_marked'?)" in bench.text(row)
    assert bench.text(bench.row(4, "code")) == "my_own(x=3) when deck <= 2"
    assert bench.classes(bench.row(4))[-1] == "bad1"
    bench.click(f"{row} [data-act=suggest]")
    bench.browser.wait(lambda b: bench.rules()[3] == "play_marked")
    # a number out of its range: the last score stays
    bench.focus(bench.row(1, "[data-what='value:tokens'] [role=spinbutton]"))
    bench.keys("9", "9", "ENTER")
    assert "tokens=99 is out of its range" in bench.wait_text(bench.row(1), "range")
    bench.wait_text("#big", "of version")
    assert bench.rules()[1] == "tell_new(tokens=99, new=1)"
    bench.keys("2", "ENTER")
    bench.measured()
    assert bench.rules()[1] == "tell_new(tokens=2, new=1)" and "range" not in bench.text("#rules")
    # a guard that never holds
    bench.click(bench.row(0, ".more"))
    bench.click("[data-menu=guard]")
    bench.ask(
        "((form) => { form.quantity.value = 'lives'; form.comparison.value = '>=';"
        " form.number.value = 5; form.requestSubmit(); })(document.querySelector('.guard'))"
    )
    assert "never holds: lives goes from 1 to 4" in bench.wait_text(bench.row(0), "never holds")
    count = len(bench.versions())
    bench.add("focus", "conventions/focus", ranks=1)
    place = bench.rules("conventions").index("focus(ranks=1)")
    bench.set(bench.row(place, part="conventions"), "ranks", 0)
    assert len(bench.versions()) == count + 1, "the second would be the same as the first"
    assert "stands twice in the list: write it once" in bench.text("#wrong")


def test_own_rules_that_fail(bench):
    """In the library, and in a game, which opens at the turn where the rule fails."""
    line = "rule my_rule cannot be compiled: /home/x/my_rules.py, line 14: machine code cannot use"
    facts = {"file": "my_rules.py"}
    own = ["my_rule", "Do.", facts]
    broken = ["other", "Not <b>that</b>.", facts | {"error": f"{line} rshift"}]
    library = {
        "groups": [["rules", "play", "own file", [own, broken]]],
        "quantities": {},
        "weights": {},
        "files": {"my_rules.py": "", "bad.py": "rule file bad.py, line 2: SyntaxError: <b>"},
        "loaded": "1",
    }
    failed = {"rule": "my_rule", "seed": "77", "turn": 12, "deal": 3}
    error = "rule my_rule raised IndexError: index 7 (turn 12 of the game with seed 77)"
    fails = {"failed": failed, "error": error, "mean": None}
    read = {"body": {"lists": {}, "wrong": []}}
    stubs = QUIET | stubbed("score", **fails) | {"build/library": [{"body": library}]}
    bench.open_list(["my_rule"], stubs=stubs | {"build/read": [read]})
    bench.wait_text("#failedline", "fails")
    assert bench.text("#failedline") == "my rule fails: seed 77, turn 12. Version 1 is not scored."
    assert error in bench.text(bench.row(0)) and "bad1" in bench.classes(bench.row(0))
    shelf = bench.text("#shelf")
    assert "Cannot be used: rule file bad.py, line 2: SyntaxError: <b>" in shelf
    wrong = (
        "my_rules.py, line 14: machine code cannot use rshift. The other rules of the file play."
    )
    assert wrong in shelf and "/home/x" not in shelf and "Not <b>that</b>." in shelf
    assert bench.get("[data-family='rules/other'] .add", "disabled") is not None
    bench.click("#openfailed")
    bench.browser.wait(lambda b: b.ask("asked.some(([, body]) => body.includes('\"deal\":3'))"))
    # the file is saved: all is measured anew
    bench.stub(**stubbed("score"), **{"build/library": [{"body": library | {"loaded": "2"}}]})
    bench.wait_text("#progress", "4,000 deals")
    assert bench.get("#failed", "hidden") is not None


def test_the_site_is_gone_and_comes_back(bench):
    bench.open_list(RULES, stubs=QUIET | stubbed("score") | {"build/score": ["gone", "gone"]})
    assert "what you build is kept in this browser" in bench.wait_text("#lost", "not heard from")
    bench.click(bench.row(2, "[role=switch]"))
    assert bench.versions()[-1] == "“discard known useless” off"
    bench.wait_text("#lost", " s; ")
    bench.stub(**{"build/score": [{"body": {"job": "score"}, "status": 202}]})
    bench.measured()
    assert bench.text("#lost") == ""
    # it has forgotten a search that ran
    searches = {"build/improve": [{"body": {"job": "improve"}, "status": 202}]}
    bench.stub(**searches, **{"jobs/improve": [{"body": {"error": "over"}, "status": 404}]})
    bench.click("#go")
    assert "press Improve again" in bench.wait_text("#wrong", "started again")
    assert bench.text("#go") == "Improve for 20 s"
    bench.ask("void (Storage.prototype.setItem = () => { throw new Error('full'); })")
    bench.click("#undo")
    assert "kept in this tab only: Save writes a file" in bench.text("#begun")
    bench.browser.errors()


def link_of(bench):
    """The part of a link that holds the list which is shown."""
    return bench.browser.driver.execute_async_script(
        "const done = arguments[0], { lists } = hanabi.bench.version();"
        "hanabi.store.pack({ name: 'mine', lists }).then((text) => done(`#list=${text}`));"
    )


def test_links_are_short(bench):
    """Of one list, and of an agent with a list for each player count; both come back as they were."""
    for agent, most in (("convention-simple", 1_100), ("convention", 5_000)):
        lists, query = [], f"?agent={agent}"
        for _ in range(2):
            bench.open(query, stubs=QUIET | stubbed("score"))
            bench.browser.wait(lambda _: bench.rules())
            lists.append(bench.ask("hanabi.bench.version().lists"))
            query = link_of(bench)
            assert 300 < len(query) < most, agent
        assert lists[0] == lists[1]
        assert bench.text("#begun").startswith("opened from a link")


def test_a_link_out_and_back(bench):
    """The list is in the link, as it was; a broken link says so."""
    bench.open_list([*RULES, ["save(lax=0)"], "of_a_newer_version"], ["focus(ranks=0)"])
    bench.measured()
    link = link_of(bench)
    before = bench.rules(), bench.rules("conventions")
    bench.open(link)
    bench.browser.wait(lambda b: len(b.all("#rules .row1")) == 5)
    assert (bench.rules(), bench.rules("conventions")) == before
    assert "no rule 'of_a_newer_version'" in bench.text(bench.row(4))
    assert not bench.checked(bench.row(3, "[role=switch]"))
    assert bench.ask("location.hash") == "" and "opened from a link" in bench.text("#begun")
    for broken in ("#list=xyz", f"{link[:60]}", "#list=%3Cb%3E"):
        bench.open(broken)
        bench.wait_text("#wrong", "This link holds no list that can be read.")
        assert bench.rules() == []
