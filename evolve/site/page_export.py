"""Agents as a web page that needs no server: the board, the agents' file, and Pyodide.

The page plays with copies of modules, cut down to what some names need, in plain Python without
numpy, so that every rule of the table is written once. Compiled functions come from the file of an
agent (standalone.py) and are only imported here. The form changes as there: ``view.hands[seat,
slot]`` becomes ``view.hands[seat][slot]``.

Pyodide is Python in a browser. Its files come from a folder, or are fetched once and checked.
"""

import ast
import hashlib
import io
import json
import re
import tarfile
import urllib.request
import zipfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from hanabi.backend.code_cache import cache_root
from hanabi.conventions.register import needs_marks, sort_by_stage
from hanabi.evolve.pools.partner_menu import seat_choice
from hanabi.evolve.reports.page_parts import FAVICON, SCRIPTS, STYLES, joined
from hanabi.evolve.reports.standalone import (
    agent_file,
    agent_of,
    check_file,
    lists_of,
    standalone,
)
from hanabi.evolve.reports.standalone_source import (
    Edit,
    edited,
    end_of,
    indexed,
    names_in,
    plain,
)
from hanabi.evolve.site.page_registry import TABLE_SCRIPTS, template_text
from hanabi.evolve.site.table_game import LEVELS
from hanabi.files import make_folder, read_bytes, read_text, write_whole
from hanabi.rulebook import Rule
from hanabi.rules.agents import Agent
from hanabi.state import VIEW
from hanabi.variant import check_distinct

COMPILED = {"compiled", "inlined"}  # decorators of functions that an agent's file has


class ModuleCopies:
    """What some names need, by module.

    Args:
        names: What is needed, such as ``hanabi.game_loop.ENDS``.
        replaced: By such a name the module that has it instead.

    Attributes:
        functions: The compiled functions, by module and name.
    """

    def __init__(self, names: Collection[str], replaced: Mapping[str, str]) -> None:
        self.replaced = replaced
        self.imports: dict[str, dict[str, str]] = defaultdict(dict)  # by module and name, a line
        self.functions: dict[str, dict[str, FunctionType]] = defaultdict(dict)
        self.statements: dict[str, list[ast.stmt]] = defaultdict(list)  # definitions, by module
        self.needed: dict[str, set[str]] = defaultdict(set)
        for name in sorted(names):
            module, _, what = name.rpartition(".")
            self._take(module, what)

    def _take(self, module: str, name: str) -> None:
        """Add a name of a module, and all that it needs."""
        if name in self.needed[module]:
            return
        self.needed[module].add(name)
        if f"{module}.{name}" in self.replaced:
            self.imports[module][name] = f"from {self.replaced[f'{module}.{name}']} import {name}"
            return
        known = vars(import_module(module))
        for statement in _definitions(module)[name]:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                self._import(module, statement, name, known[name])
            elif COMPILED & set(map(ast.unparse, getattr(statement, "decorator_list", ()))):
                self.functions[module][name] = getattr(known[name], "py_func", known[name])
            elif statement not in self.statements[module]:
                self.statements[module].append(statement)
                for used, attribute in names_in(statement):
                    if used in _definitions(module):
                        self._take(module, used)
                    source = known.get(used)
                    if attribute and isinstance(source, ModuleType) and _is_ours(source.__name__):
                        self._take(source.__name__, attribute)

    def _import(
        self, module: str, statement: ast.Import | ast.ImportFrom, name: str, value: Any
    ) -> None:
        """Add an imported name; a module has only what is read of it."""
        source = getattr(statement, "module", "")
        alias = next(one for one in statement.names if name in (one.asname, one.name))
        line = f"import {alias.name} as {name}"
        self.imports[module][name] = f"from {source} {line}" if source else line
        if _is_ours(source) and not isinstance(value, ModuleType):
            self._take(source, alias.name)

    def texts(self, names: Mapping[FunctionType, str]) -> dict[str, str]:
        """Return the text of each module by its path.

        Args:
            names: By compiled function its name in the agent's file, the module ``agent``.
        """
        found = {}
        for module in self.needed:
            is_package = str(import_module(module).__file__).endswith("__init__.py")
            path = module.replace(".", "/") + ("/__init__.py" if is_package else ".py")
            lines = [
                "from __future__ import annotations",
                *self.imports[module].values(),
                *(
                    f"from agent import {names.get(function, name)} as {name}"
                    for name, function in self.functions[module].items()
                ),
                *map(ast.unparse, sorted(self.statements[module], key=lambda one: one.lineno)),
            ]
            found[path] = "\n".join(lines) + "\n"
        return found


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == "hanabi"


@cache
def _definitions(module: str) -> dict[str, list[ast.stmt]]:
    """Return by name the statements of a module that bind it."""
    text = Path(str(import_module(module).__file__)).read_text(encoding="utf-8")
    tree = ast.parse(text)
    edits = [*indexed(tree, text, of=ast.Attribute), *_without_tolist(tree)]
    found: dict[str, list[ast.stmt]] = defaultdict(list)
    for statement in ast.parse(edited(text, edits)).body:
        for name in _bound(statement):
            found[name].append(statement)
    return found


def _without_tolist(tree: ast.AST) -> Iterator[Edit]:
    """Yield the edits that remove calls of ``tolist``: arrays are lists in a page."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "tolist":
            (line, byte), end = end_of(node.value), end_of(node)
            yield (line, byte), (end[0], end[1] + len("()")), ""


def _bound(statement: ast.stmt) -> list[str]:
    """Return the names that a statement of a module binds."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name for alias in statement.names]
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    named = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return [node.id for node in named if isinstance(node.ctx, ast.Store)]


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
    "hanabi.game.Choice",
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
    check_distinct(names, "partners need different names")
    source = None if pyodide == "cdn" else find_pyodide(pyodide)
    python = python_files(agents)
    alone = [python["agent.py"], *map(standalone, agents[1:])]
    for text, name in zip(alone, names, strict=True):
        check_file(text, name)
    found: dict[str, str | bytes] = {
        "agent.py": python.pop("agent.py"),
        "table.zip": _zipped(python),
        "page.js": joined(SCRIPTS) + "".join(read_text(PARTS / name) for name in PAGE_SCRIPTS),
        "page.css": joined(STYLES) + "".join(read_text(PARTS / name) for name in PAGE_STYLES),
        "worker.mjs": template_text(
            "page/worker.mjs.j2", pyodide="./pyodide/" if source else ON_CDN
        ),
        "index.html": template_text(
            "page/index.html.j2",
            policy=POLICY.format(host="" if source else f" {CDN}"),
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
    return {hook: f"{one.__module__}.{one.__name__}" for hook, one in entry.family.words.items()}


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
