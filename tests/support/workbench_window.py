"""The workbench in a browser: what a person does there, and stubs of what the site answers."""

import json
import re

RULES = ["play_marked", "tell_new(tokens=1, new=1)", "discard_known_useless"]
SCORE = {
    "job": "j",
    "version": 9,
    "ended": True,
    "key": "k",
    "done": 4000,
    "of": 4000,
    "mean": 14.5,
    "sem": 0.05,
    "perfect": 0.0,
    "shares": [0.5, 0.3, 0.1, 0.1],
    "lost": [],
    "gain": 0.1,
    "gain_sem": 0.01,
    "worse": 1,
    "same": 3990,
    "better": 9,
    "over": 4000,
}


def job(**state):
    """The stub of a job with its last state."""
    return [{"body": SCORE | {"version": 1 + len(state)} | state}]


def stubbed(name, **state):
    """Stubs of a measurement: its start and its state."""
    return {f"build/{name}": [{"body": {"job": name}, "status": 202}], f"jobs/{name}": job(**state)}


# measurements that follow a score: none
QUIET = {f"build/{name}": ["wait"] for name in ("worth", "sweep", "game")}
STUBS = """
window.asked = [];
window.stubs = JSON.parse(sessionStorage.getItem("stubs") ?? "{}");
const real = window.fetch;
window.fetch = async (path, options) => {
  window.asked.push([String(path), options?.body ?? ""]);
  for (const [part, answers] of Object.entries(window.stubs)) {
    if (!String(path).includes(part) || !answers.length) continue;
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === "gone") throw new TypeError("gone");
    if (answer === "real") break;
    if (answer === "wait") return new Promise(() => {});
    return new Response(JSON.stringify(answer.body), { status: answer.status ?? 200 });
  }
  return real(path, options);
};
"""
DRAG = """
const [selector, y, end] = arguments, grip = document.querySelector(selector), box = grip.getBoundingClientRect();
const fire = (type, target, clientY) => target.dispatchEvent(new PointerEvent(type, { bubbles: true,
  cancelable: true, button: 0, pointerId: 1, clientX: box.x + 5, clientY }));
fire("pointerdown", grip, box.y + 5);
fire("pointermove", window, y);
if (end === "Escape") grip.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
else if (end) fire(end, window, y);
"""


class Workbench:
    """A window with the workbench."""

    def __init__(self, browser, address):
        self.browser, self.address = browser, address
        self.all, self.find = browser.all, browser.find
        self.ask, self.keys = browser.ask, browser.keys

    # the page draws again at any time, so that elements are asked for anew in each script

    def text(self, selector):
        """What an element shows."""
        return self.ask("document.querySelector(arguments[0]).innerText.trim()", selector)

    def click(self, selector):
        """Click an element."""
        self.ask("document.querySelector(arguments[0]).click()", selector)

    def focus(self, selector):
        """Give an element the focus."""
        self.ask("document.querySelector(arguments[0]).focus()", selector)

    def press(self, *keys):
        """Press keys together: those before the last are held."""
        from selenium.webdriver import ActionChains, Keys

        chain = ActionChains(self.browser.driver)
        for key in keys[:-1]:
            chain.key_down(getattr(Keys, key))
        chain.send_keys(getattr(Keys, keys[-1], keys[-1]))
        for key in keys[:-1]:
            chain.key_up(getattr(Keys, key))
        chain.perform()

    def checked(self, selector):
        """Whether a checkbox is ticked."""
        return self.ask("document.querySelector(arguments[0]).checked", selector)

    def get(self, selector, name):
        """The attribute of an element, None without it."""
        return self.ask(
            "document.querySelector(arguments[0]).getAttribute(arguments[1])", selector, name
        )

    def classes(self, selector):
        """The classes of an element."""
        return self.get(selector, "class").split()

    def open(self, query="", width=1280, stubs=None, before=""):
        """Open the page in a browser that keeps no list; with stubs (``STUBS``), after a script."""
        self.browser.size(width)
        self.browser.driver.get("about:blank")
        kept = f"localStorage.clear();sessionStorage.clear();{before}{stubs_script(stubs)}"
        return self.load(f"{self.address}/build{query}", kept)

    def load(self, address="", before=""):
        """Go to an address, or load the page again, with the stubs; before, a script runs."""
        driver = self.browser.driver
        self.browser.enter()
        script = driver.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument", {"source": before + STUBS}
        )
        driver.get(address or driver.current_url)
        driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
        self.browser.wait(lambda b: b.all("#shelf li") and b.all("#tabs button"))
        return self

    def open_list(self, rules, conventions=(), query="", name="mine", **more):
        """Open a list that this browser keeps: entries, those in [] are switched off."""

        def rows(entries):
            return [
                {"e": one[0], "on": False} if isinstance(one, list) else {"e": one, "on": True}
                for one in entries
            ]

        listed = {"rules": rows(rules), "conventions": rows(conventions)}
        listed |= {"weights": {}, "otherwise": "default"}
        kept = {"id": "kept", "name": name, "begun": "begun from nothing", "at": 0, "used": 1}
        kept["versions"] = [{"lists": {"2-5": listed}, "say": "Begun", "by": ""}]
        source = f"localStorage.setItem('hanabi.workbench', {json.dumps(json.dumps([kept]))});"
        return self.open(f"?list=kept{query}", before=source, **more)

    def stub(self, **answers):
        """Answer requests whose path has a word with data; each answer of a list once."""
        self.ask("void Object.assign(window.stubs, arguments[0])", answers)

    def rules(self, part="rules"):
        """The entries of the list that is shown."""
        return self.ask(
            "[...document.querySelectorAll(`#${arguments[0]} .row1:not(.ghost)`)]"
            ".map((row) => row.dataset.key.split('-').slice(2).join('-'))",
            part,
        )

    def row(self, place, what="", part="rules"):
        """The CSS selector of a row, or of something in it."""
        return f"#{part} .row1[data-i='{place}'] {what}".strip()

    def search(self, words):
        """Type into the search field of the library."""
        self.ask(
            "((q, words) => { q.value = words; q.dispatchEvent(new Event('input')); })"
            "(document.querySelector('#query'), arguments[0])",
            words,
        )

    def add(self, words, family="", **values):
        """Add an entry of the library that is found by some words, with some values.

        It is the first one, or that of a family such as "rules/save".
        """
        self.search(words)
        entry = f"#shelf [data-family='{family}']" if family else "#shelf li:first-child"
        for key, value in values.items():
            self.set(entry, key, value)
        self.click(f"{entry} .add")
        self.search("")

    def set(self, within, key, value):
        """Give a value of a sentence its number, by the pointer."""
        box = f"{within} [data-what='value:{key}']"
        if self.ask("document.querySelector(arguments[0]).matches('input')", box):
            if self.ask("document.querySelector(arguments[0]).checked", box) != bool(value):
                self.click(box)
            return
        for _ in range(12):
            now = float(self.get(f"{box} [role=spinbutton]", "aria-valuenow"))
            if now == value:
                return
            by = 1 if value > now else -1
            self.click(f"{box} [data-by='{by}']")
        raise AssertionError(f"{key} does not come to {value}")

    def measured(self):
        """Wait until the version that is shown has its score; return (points, standard error)."""
        self.browser.wait(
            lambda b: b.ask(
                "document.querySelector('#progress').textContent.endsWith('deals')"
                " && !document.querySelector('#big').classList.contains('old')"
            )
        )
        found = re.search(r"makes (\d+\.\d+) ± (\d+\.\d+) points", self.text("#lead"))
        return float(found[1]), float(found[2])

    def swept(self):
        """Wait until the library has been tried on this list."""
        self.measured()
        self.browser.wait(lambda _: "tried here" in self.text("#swept"))

    def versions(self):
        """The sentences of the versions, oldest first."""
        return self.ask(
            "[...document.querySelectorAll('#hist button')].map((one) => one.textContent).reverse()"
        )

    def drag(self, place, y, end="pointerup", part="rules"):
        """Drag a row by its handle to a height of the window."""
        self.browser.driver.execute_script(DRAG, self.row(place, ".grip", part), y, end)

    def top(self, place, part="rules"):
        """The height of the upper edge of a row."""
        return self.ask(
            "document.querySelector(arguments[0]).getBoundingClientRect().top",
            self.row(place, part=part),
        )

    def wait_text(self, selector, words):
        """Wait until an element shows some words; return all it shows."""
        self.browser.wait(lambda _: words in self.text(selector))
        return self.text(selector)

    def focused(self):
        """The name of the element with the focus."""
        return self.ask(
            "document.activeElement.getAttribute('aria-label') ?? document.activeElement.id"
        )


def stubs_script(stubs):
    """A script that sets the stubs of a page before its own scripts."""
    return f"sessionStorage.setItem('stubs', {json.dumps(json.dumps(stubs or {}))});"
