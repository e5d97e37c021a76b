"""A headless Chromium for tests of pages: the fixtures ``browser``, one window that tests share,
and ``browsers``, which starts more.

Where there is none the test is skipped, and says with what command it is installed. Debian's
chromium comes with the chromedriver that fits it, so nothing is downloaded. Its headless shell, the
same engine without windows, is taken if it is there: tests of pages need a quarter less CPU.
"""

from __future__ import annotations

import shutil
from contextlib import ExitStack, contextmanager

import pytest
from sizes import THOROUGH

from hanabi.evolve.site.request_guard import cookie_name

INSTALL = "apt-get install -y chromium-headless-shell chromium-driver"
# not the script in /usr/bin that starts it: only the script would end with the driver
SHELL = "/usr/lib/chromium/chromium-headless-shell"
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--disable-dev-shm-usage",
)
COLOURS = "color-contrast", "link-in-text-block"  # what axe says of colours
TOKENS: dict[str, str] = {}  # of the sites of tests, by their addresses
# rules of axe that are off by default, or that it calls minor
ALSO = ["label-content-name-mismatch", "empty-table-header"]
PATIENCE = 110  # seconds at most, which no test should need; selenium gives up after 120


# (width, theme) in which a page is looked at: each width and each theme; `make test-slow` all pairs
VIEWS = [(1280, "light"), (390, "dark"), *([(1280, "dark"), (390, "light")] if THOROUGH else [])]


def view_in_turn(number):
    """Return the views of a test: one, by the test's number, or all in `make test-slow`."""
    return VIEWS if THOROUGH else [VIEWS[number % len(VIEWS)]]


class Browser:
    """A window. ``driver`` is selenium's; ``keys`` presses keys wherever the focus is."""

    def __init__(self, driver) -> None:
        self.driver = driver

    def open(self, address, width=1400, height=1000):
        """Go to an address, or open a file; in a window whose page has this size."""
        self.size(width, height)
        self.driver.get("about:blank")  # an address that differs behind # only would not load anew
        self.enter()
        self.driver.get(address if "://" in str(address) else f"file://{address}")
        return self

    def enter(self):
        """Give the window the cookies of a person who opened the printed links of all sites."""
        for site, token in TOKENS.items():
            cookie = dict(name=cookie_name(site), value=token, url=site)
            self.driver.execute_cdp_cmd("Network.setCookie", cookie)

    def size(self, width, height=1000):
        """The size of the page itself: windows have a least width, this has none."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            dict(width=width, height=height, deviceScaleFactor=1, mobile=False),
        )

    def theme(self, name, motion="no-preference"):
        """``light`` or ``dark``, as the reader's system would ask for it."""
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {
                "features": [
                    dict(name="prefers-color-scheme", value=name),
                    dict(name="prefers-reduced-motion", value=motion),
                ]
            },
        )

    def find(self, selector):
        """The first element of a CSS selector."""
        return self.driver.find_element("css selector", selector)

    def all(self, selector):
        """All elements of a CSS selector."""
        return self.driver.find_elements("css selector", selector)

    def text(self, selector):
        """What an element shows."""
        return self.find(selector).text

    def ask(self, script, *values):
        """The value of a JavaScript expression; ``values`` are arguments[0] and so on."""
        return self.driver.execute_script(f"return {script}", *values)

    def keys(self, *keys):
        """Press keys one after the other: text, or names of selenium's Keys such as
        "ARROW_RIGHT".
        """
        from selenium.webdriver import ActionChains, Keys

        for key in keys:
            ActionChains(self.driver).send_keys(getattr(Keys, key, key)).perform()

    def wait(self, test):
        """Wait until a function of this browser returns something true, and return that.

        An element that the page replaces between two questions is looked for again.
        """
        from selenium.common.exceptions import StaleElementReferenceException
        from selenium.webdriver.support.ui import WebDriverWait

        replaced = [StaleElementReferenceException]
        waiting = WebDriverWait(self.driver, PATIENCE, 0.05, ignored_exceptions=replaced)
        return waiting.until(lambda _: test(self))

    def click(self, selector):
        """Click the first element of a CSS selector, also if the page replaces it meanwhile."""

        def try_once(browser):
            browser.find(selector).click()
            return True

        self.wait(try_once)

    def errors(self):
        """What the console has complained about since it was last asked: texts of warnings and
        errors.
        """
        return [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if entry["level"] in ("SEVERE", "WARNING")
        ]

    def wider_than_the_screen(self):
        """Does the page scroll sideways?"""
        return self.ask(
            "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        )

    def faces(self):
        """Which font faces the page brings, each with its state."""
        return self.ask("[...document.fonts].map((one) => `${one.family} ${one.status}`)")

    def scrolls_sideways(self, selector):
        """Is an element wider than what it shows?"""
        return self.ask(
            "((one) => one.scrollWidth > one.clientWidth)(document.querySelector(arguments[0]))",
            selector,
        )

    def serious(self, rules=()):
        """What axe finds on the page that is serious or critical, as lines; by some of its rules,
        by default by all, with those of ALSO.
        """
        from importlib.resources import files

        self.driver.set_script_timeout(PATIENCE)
        self.driver.execute_script((files("axe_playwright_python") / "axe.min.js").read_text())
        found = self.driver.execute_async_script(
            """const [rules, also, done] = arguments;
          const enabled = Object.fromEntries(also.map((rule) => [rule, { enabled: true }]));
          const all = { resultTypes: ["violations"], rules: enabled };
          axe.run(document, rules.length ? { runOnly: { type: "rule", values: rules } } : all)
            .then(({ violations }) => done(violations),
                  (error) => done([{ impact: "critical", id: String(error), nodes: [] }]));""",
            list(rules),
            ALSO,
        )
        return [
            f"{one['id']}: {[node['html'] for node in one['nodes']]}"
            for one in found
            if one["impact"] in ("serious", "critical") or one["id"] in ALSO
        ]

    def tabbed(self):
        """(what Tab should reach, what it reaches with a focus that is seen), as lists of texts,
        from the top of the page to its end.
        """
        from selenium.webdriver import ActionChains, Keys

        # nothing else can be used by a mouse: links, controls, what opens and closes; of the cards
        # of a hand one, of a list each entry
        wanted = self.ask(
            """(() => {
          const label = (e) => (e.ariaLabel ?? e.textContent).trim().slice(0, 40);
          const says = (e) => `${e.tagName} ${e.dataset.key ?? e.id} ${label(e)}`;
          const seen = ({ outlineStyle, outlineWidth }) =>
            outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
          window.reached = [];
          document.addEventListener("focusin", ({ target }) => {
            if (seen(getComputedStyle(target))) window.reached.push(says(target)); });
          document.activeElement?.blur();
          return [...document.querySelectorAll(
              "a[href], button, input, select, textarea, summary, [tabindex]")]
            .filter((e) => e.tabIndex >= 0 && e.checkVisibility({ visibilityProperty: true }))
            .map(says); })()"""
        )
        ActionChains(self.driver).send_keys(Keys.TAB * len(wanted)).perform()
        return wanted, self.ask("window.reached")

    def picture(self, path, whole=True):
        """A screenshot, of the whole page or of what is seen of it."""
        if whole:
            width, height = self.ask("[innerWidth, document.documentElement.scrollHeight]")
            self.size(width, height)
        self.driver.save_screenshot(str(path))


def started():
    """Start a headless Chromium with a new profile, and return its driver. Skip where there is none."""
    try:
        from selenium import webdriver
    except ImportError:
        pytest.skip("selenium is not installed: .venv/bin/pip install '.[test]'")
    chromium = shutil.which(SHELL) or shutil.which("chromium")
    driver = shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip(f"no chromium to try the page in; as root: {INSTALL}")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))


@contextmanager
def starting():
    """Give a function that starts a browser of its own; all of them end together."""
    with ExitStack() as stack:

        def start():
            window = started()
            stack.callback(window.quit)
            window.set_page_load_timeout(PATIENCE)
            return Browser(window)

        yield start


@pytest.fixture
def browsers():
    """A function that starts a browser of its own, with its own cookies: for two players at a
    table.
    """
    with starting() as start:
        yield start


@pytest.fixture(scope="session")
def _one_browser():
    with starting() as start:
        yield start()


@pytest.fixture
def browser(_one_browser):
    """A browser that all tests of a process share: a window without an address, in the light theme,
    with an empty console. It leaves the page after the test, as pages ask their server for news.
    """
    _one_browser.driver.get("about:blank")
    _one_browser.theme("light")
    _one_browser.errors()
    yield _one_browser
    _one_browser.driver.get("about:blank")
