"""Agents as a web page that needs no server: the board, the agents' file, and Pyodide.

Pyodide is Python in a browser. Its files come from a folder, or are fetched once and checked.
"""

import hashlib
import io
import json
import re
import tarfile
import urllib.request
import zipfile
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from hanabi.backend.code_cache import cache_root
from hanabi.conventions.register import needs_marks, sort_by_stage
from hanabi.evolve.pools.partner_menu import seat_choice
from hanabi.evolve.reports.page_parts import FAVICON, SCRIPTS, script, style
from hanabi.evolve.reports.standalone import (
    agent_file,
    agent_of,
    check_file,
    lists_of,
    standalone,
)
from hanabi.evolve.reports.standalone_source import plain
from hanabi.evolve.site.module_copies import ModuleCopies
from hanabi.evolve.site.page_registry import TABLE_SCRIPTS, template_text
from hanabi.evolve.site.table_game import LEVELS
from hanabi.files import make_folder, read_bytes, read_text, write_whole
from hanabi.rulebook import Rule
from hanabi.rules.agents import Agent
from hanabi.state import VIEW

VERSION = "314.0.7"
PACKAGE = f"https://registry.npmjs.org/pyodide/-/pyodide-{VERSION}.tgz"
SHA512 = (
    "d18bd7c4485f11da4b7dbfd790cd8114078c44eab488c517d9bcf31fda4eb6dc"
    "8c716930abe1db139bb2b860fcd8b37bcb6abe48dbe2ffa579244b0e943d91d4"
)
CDN = "https://cdn.jsdelivr.net"
ON_CDN = f"{CDN}/npm/pyodide@{VERSION}/"
FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
SECONDS = 60  # without an answer
MOST_BYTES = 64_000_000  # read of an answer; the package has a tenth of that


def find_pyodide(given: str | Path | None = None, cache: Path | None = None) -> Path:
    """Return a folder with Pyodide's files.

    Args:
        given: The folder; None to download the package once.
        cache: The folder that keeps downloads; None for the user's cache.

    Raises:
        ValueError: A file is missing, or the package cannot be fetched. One line.
    """
    folder = Path(given or (cache or cache_root()) / f"pyodide-{VERSION}")
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing and given:
        raise ValueError(
            f"{folder} has no {missing[0]}: name the unpacked npm package pyodide {VERSION}"
        )
    if missing:
        _download(folder)
    return folder


def _download(folder):
    try:
        with urllib.request.urlopen(PACKAGE, timeout=SECONDS) as answer:
            data = answer.read(MOST_BYTES)
    except OSError as error:
        raise ValueError(
            f"cannot fetch Pyodide {VERSION} from registry.npmjs.org ({error}): give --pyodide "
            "FOLDER, its unpacked npm package, or --pyodide cdn, from where visitors load it"
        ) from None
    if hashlib.sha512(data).hexdigest() != SHA512:
        raise ValueError(f"{PACKAGE} is not the file that was tried: its hash differs")
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(data)) as package:
        for name in FILES:
            member = package.extractfile(f"package/{name}")
            assert member is not None
            write_whole(folder / name, member.read())


SITE = "hanabi.evolve.site"
NEEDED = (
    f"{SITE}.seat_view.SeatViews",
    f"{SITE}.table_actions.ACTIONS",
    f"{SITE}.table_actions.QUESTIONS",
    f"{SITE}.table_game.PERSON",
    f"{SITE}.table_game.TableGame",
    f"{SITE}.move_preview._reason",
    "hanabi.text.move_facts.verb_of",
    "hanabi.formats.hanab_live.to_link",
    "hanabi.player.OTHERWISE",
    "hanabi.steps.Choice",
    "hanabi.variant.NAMED",
)
REPLACED = {  # by name, the module that has it in a page
    "hanabi.conventions.marks.read": "agent",
    "hanabi.conventions.register.sort_by_stage": "replacements",
    "hanabi.game.cards_to_draw": "replacements",
    "hanabi.player.followed_list": "replacements",
    "hanabi.rulebook.find": "replacements",
}
POLICY = (
    "default-src 'none'; script-src 'self'{host} 'wasm-unsafe-eval'; style-src 'self'; "
    "style-src-attr 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'{host}; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'"
)
PARTS = Path(__file__).with_name("parts")
PAGE_STYLES = ("site.css", "seats.css", "page-start.css")
PAGE_SCRIPTS = ("worker-link.js", *TABLE_SCRIPTS, "seats.js", "page-start.js")  # after SCRIPTS
MODULES = ("numpy", "replacements", "page_table")  # templates/page/NAME.py.j2


def write_page(subjects: Sequence[str | Path], folder: Path, pyodide: str | None = None) -> Path:
    """Write agents as a page that any server of files can serve.

    Args:
        subjects: Folders of finished runs, or specs.
        folder: The folder of the page; it is made.
        pyodide: A folder with Pyodide's files, "cdn" to load them from there, None to fetch them.

    Returns:
        The page, ``index.html``.

    Raises:
        ValueError: An agent cannot stand in a file alone, two have the same name, or Pyodide's
            files are not to be had. Nothing is written then. One line.
    """
    agents = [agent_of(subject) for subject in subjects]
    names = [plain(agent.name) for agent in agents]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two agents are called {name}: partners need different names")
    source = None if pyodide == "cdn" else find_pyodide(pyodide)
    python = python_files(agents)
    check_file(python["agent.py"], names[0])
    for agent, name in zip(agents[1:], names[1:], strict=True):
        check_file(standalone(agent), name)
    host = "" if source else f" {CDN}"
    found: dict[str, str | bytes] = {
        "agent.py": python.pop("agent.py"),
        "table.zip": _zipped(python),
        "page.js": script(SCRIPTS) + "".join(read_text(PARTS / name) for name in PAGE_SCRIPTS),
        "page.css": style() + "".join(read_text(PARTS / name) for name in PAGE_STYLES),
        "worker.mjs": template_text(
            "page/worker.mjs.j2", pyodide="./pyodide/" if source else ON_CDN
        ),
        "index.html": template_text(
            "page/index.html.j2",
            policy=POLICY.format(host=host),
            favicon=FAVICON,
            partners=[seat_choice(plain(agent.name), agent, shown=True) for agent in agents],
            chosen=names[0],
            levels=list(enumerate(LEVELS)),
            teaches="",
            watching=(),
            agents=(),
        ),
    }
    if source:
        found |= {f"pyodide/{name}": read_bytes(source / name) for name in FILES}
    for path, data in found.items():
        make_folder((folder / path).parent)
        write_whole(folder / path, data)
    return folder / "index.html"


def _zipped(files: dict[str, str]) -> bytes:
    """Return files as a zip archive that depends on nothing else."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(path), text, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def python_files(agents: Sequence[Agent]) -> dict[str, str]:
    """Return the Python files of a page by their paths; ``agent.py`` is the agents' file.

    Raises:
        ValueError: An agent cannot stand in a file alone. One line.
    """
    players = [player for agent in agents for player in lists_of(agent).values()]
    words = [_words(entry).values() for player in players for entry in player.conventions]
    copies = ModuleCopies({*NEEDED, *chain.from_iterable(words)}, REPLACED)
    functions = {one for some in copies.functions.values() for one in some.values()}
    fields = set(re.findall(r"\.(\w+)", "".join(copies.texts({}).values())))
    file = agent_file(agents, "agent.py", functions, fields & set(VIEW.names or ()))
    return {
        **copies.texts(file.names),
        **{f"{name}.py": template_text(f"page/{name}.py.j2") for name in MODULES},
        "agents.json": json.dumps({plain(agent.name): _lists(agent) for agent in agents}),
        "agent.py": file.text,
    }


def _words(entry: Rule) -> dict[str, str]:
    """Return the hooks of a convention that return sentences, by their names with modules."""
    words = entry.family.words
    return {hook: f"{one.__module__}.{one.__name__}" for hook, one in words.items()}


def _lists(agent: Agent) -> dict[int, Any]:
    """Return by number of players what the table tells of the agent's list."""
    return {
        count: {
            "rules": [[rule.name, rule.says] for rule in player.rules],
            "conventions": [
                [entry.family.name, _words(entry)] for entry in sort_by_stage(player.conventions)
            ],
            "keeps_marks": bool(player.conventions) or any(map(needs_marks, player.rules)),
        }
        for count, player in lists_of(agent).items()
    }
